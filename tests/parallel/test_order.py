"""Maps whose points are independent compute the same when the points come in reverse order."""

from __future__ import annotations

import itertools
import types
from typing import Any

import numpy as np
import pytest
from tests.canonicalise.conftest import in_python, rewritten
from tests.canonicalise.recurrences import START, TAKEN
from tests.canonicalise.test_nests import IN_PLACE, LOOPS, REDUCTIONS

from gpuport.ir.interpreter import elements
from gpuport.ir.interpreter.folding import folded
from gpuport.parallel.dependence import check_independent

PROGRAMS = {**TAKEN, **LOOPS, **REDUCTIONS, **IN_PLACE}


@pytest.mark.parametrize("name", PROGRAMS)
def test_points_in_reverse_order(name, monkeypatch):
    def backwards(*axes: Any) -> Any:
        return reversed(list(itertools.product(*axes)))

    def in_order(reductions: Any, starts: Any, points: Any) -> list[Any]:
        return folded(reductions, starts, list(reversed(points)))

    monkeypatch.setattr(elements, "itertools", types.SimpleNamespace(product=backwards))
    monkeypatch.setattr(elements, "folded", in_order)
    text = START + PROGRAMS[name]
    made = rewritten(text, check_independent)
    np.testing.assert_allclose(made.run(), in_python(text), rtol=1e-12, atol=1e-12)
