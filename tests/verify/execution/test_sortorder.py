"""Orders that NumPy's sorts leave open are told from those that they fix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.verify.execution.sortorder import SORTED_STABLY, sorted_stably
from gpuport.verify.records import Verdict
from gpuport.verify.sides.sides import Side

OPEN = """
@device("x")
def f(x: np.ndarray, k: int = 3):
    values = np.concatenate([{0}, np.ones(2)])
    return {1}
"""
SORTS = [
    "np.argsort(values)[:k]",
    "values.argsort()[::-1][:k]",
    "np.argpartition(values, values.size // 2)[: abs(k)]",
    "np.partition(values, values.size // 2) * 2",
]


def ported(text: str) -> str:
    return text.replace("np.", "cp.").replace("cp.ndarray", "np.ndarray")


@pytest.mark.parametrize("sort", SORTS)
def test_an_order_that_is_open_is_no_difference(sort: str, verify: Any) -> None:
    text = OPEN.format("np.round(x.real.ravel()) + 1", sort)
    found = verify(text.replace('@device("x")\n', ""), ported(text))["f"]
    assert found.verdict is Verdict.EQUIVALENT, found


@pytest.mark.parametrize("sort", SORTS)
def test_other_values_are_still_found(sort: str, verify: Any) -> None:
    text = OPEN.format("np.round(x.real.ravel()) + 1", sort)
    wrong = ported(OPEN.format("np.round(x.real.ravel() * 1.25) + 1", sort))
    found = verify(text.replace('@device("x")\n', ""), wrong)["f"]
    assert found.verdict is Verdict.DIFFERS, found


def test_a_partition_in_place_and_its_note(verify: Any) -> None:
    text = """
def f(x: np.ndarray):
    y = np.concatenate([x.real.ravel(), np.ones(2)])
    y.partition(1)
    return y * 3
"""
    port = '@device("x")\n' + ported(text).lstrip()
    found = verify(text, port)["f"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert SORTED_STABLY in str(found)


def test_sorts_of_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "import numpy as np\n"
        "class Own:\n"
        "    def argsort(self):\n        return 'own'\n"
        "def f(x):\n    return np.argsort(x, 0), x.argsort(axis=1), Own().argsort()\n"
    )
    side = Side(tmp_path, "module", file, tmp_path)
    with side.entered():
        side.load()
        x = np.tile([1.0, 0.0], (40, 20))
        with sorted_stably(side):
            first, second, own = side.module.f(x)  # type: ignore[union-attr]
    np.testing.assert_array_equal(first, np.argsort(x, 0, kind="stable"))
    np.testing.assert_array_equal(second, np.argsort(x, 1, kind="stable"))
    assert own == "own"
