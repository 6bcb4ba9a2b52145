"""Arrays of numbers, or of arrays, some of which are on the device: what NumPy makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpuport.runtime import batched

ROWS: dict[str, Callable[[Any], list[Any]]] = {
    "numbers": lambda cp: [cp.arange(3.0)[0], 2, cp.arange(3.0)[2]],
    "rows of numbers": lambda cp: [[cp.arange(3)[1], 0.5], [0, cp.arange(3)[2]]],
    "arrays": lambda cp: [cp.arange(3), cp.ones(3)],
    "rows of arrays": lambda cp: [[cp.arange(3.0), cp.ones(3)], [cp.zeros(3), np.ones(3)]],
    "matrices": lambda cp: [cp.ones((2, 3)), cp.zeros((2, 3), dtype="float32")],
    "other lengths": lambda cp: [cp.ones(3), cp.ones(2)],
    "one that would be spread": lambda cp: [cp.ones(3), cp.ones(1)],
    "a number among arrays": lambda cp: [cp.ones(3), 1.0],
    "rows of unequal lengths": lambda cp: [[cp.ones(3)], [cp.ones(3), cp.ones(3)]],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS.keys())
def test_they_are_what_numpy_makes_of_them(either_cupy: Any, rows: Callable[[Any], list[Any]]):
    try:
        expected = np.array(rows(np))
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error).partition(".")[0]):
            batched.elements(rows(either_cupy))
        return
    found = batched.elements(rows(either_cupy))
    assert isinstance(found, either_cupy.ndarray)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(either_cupy.asnumpy(found), expected)
