"""An original that is not reproducible has no responses that could explain anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.verify.aftermath.leaves import Observation, leaves_of
from gpuport.verify.comparison.compare import compare
from gpuport.verify.comparison.responses import NotReproduced, OfReproducible
from gpuport.verify.execution.tolerance import RESPONSE, ROUNDING, Policy


def seen(*values: float) -> Observation:
    leaves = tuple(leaves_of("result", np.array(values), lambda v: None))
    return Observation(leaves, leaves)


def policy(again: Any) -> Policy:
    return Policy(responses=OfReproducible([seen(1.0, 2.1)], again))


def test_the_original_is_called_again_before_a_response_explains_anything() -> None:
    called: list[int] = []
    own = policy(lambda: called.append(1) or {})
    outcome = compare(seen(1.0, 2.0), seen(1.0, 2.05), own)
    assert outcome.looseness == {RESPONSE: 1}
    assert compare(seen(1.0, 2.0), seen(1.0, 2.05), own).difference is None
    assert called == [1]


@pytest.mark.parametrize("unset", [None, {"result": np.array([False, True])}])
def test_one_that_then_gives_something_else_explains_nothing(unset: Any) -> None:
    with pytest.raises(NotReproduced) as told:
        compare(seen(1.0, 2.0), seen(1.0, 2.05), policy(lambda: unset))
    assert told.value.unset is unset


def test_a_few_roundings_need_no_second_call() -> None:
    near = float(np.nextafter(2.0, 3.0))
    outcome = compare(seen(1.0, 2.0), seen(1.0, near), policy(lambda: pytest.fail("called")))
    assert outcome.looseness == {ROUNDING: 1}
