"""What ``rules/batch.yaml`` says of functions is so."""

from __future__ import annotations

from pydoc import locate
from typing import Any

import numpy as np
import pytest

from gpuport.rules.stacking import stacking

MATRIX = np.array([[4, 1], [1, 3]])
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "numpy.linalg.matrix_power": (MATRIX, 2),
    "numpy.linalg.multi_dot": ([MATRIX, MATRIX],),
}
OF_LINALG = sorted(
    path for path in (stacking().matrices.keys() | stacking().whole_numbers)
    if path.startswith("numpy.linalg.")
)  # fmt: skip


@pytest.mark.parametrize("path", OF_LINALG)
def test_linear_algebra_of_whole_numbers_gives_others_but_for_those_that_are_named(path: str):
    function: Any = locate(path)
    found = function(*ARGUMENTS.get(path, (MATRIX,)))
    parts = found if isinstance(found, tuple) else (found,)
    kinds = {np.asarray(part).dtype.kind for part in parts}
    assert (kinds == {"i"}) is (path in stacking().whole_numbers)


@pytest.mark.parametrize("path", stacking().true_places)
def test_places_come_in_a_tuple_or_alone(path: str):
    function: Any = locate(path)
    found = function(np.array([True, False, True]))
    assert isinstance(found, tuple) is (stacking().true_places[path] == "tuple")
    assert list(found[0] if isinstance(found, tuple) else found) == [0, 2]
