"""`insert` is NumPy's, on both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.runtime import insert

LINE = np.arange(5.0)
TABLE = np.arange(12).reshape(3, 4)

CASES = [
    (LINE, 0, 0.5),
    (LINE, 5, [7, 8]),
    (LINE, -1, 9.0),
    (LINE, [0, 5], [0.5, 6.0]),
    (LINE, [2, 2, 0], [1.0, 2.0, 3.0]),
    (LINE, [3], [1.0, 2.0]),
    (LINE, [1, 2], 0.0),
    (LINE, [], []),
    (LINE, slice(1, 4, 2), [5.0, 6.0]),
    (LINE, np.array([True, False, True, False, False]), 4.0),
    (LINE, np.int64(2), np.float32(0.25)),
    (LINE[:0], 0, 1.0),
    (TABLE, 1, 99),
    (TABLE, 1, 99.75, 0),
    (TABLE, 1, [1, 2, 3], 1),
    (TABLE, 1, [[1], [2], [3]], 1),
    (TABLE, [1], [[1], [2], [3]], 1),
    (TABLE, [1, 3], [[1, 2], [3, 4], [5, 6]], 1),
    (TABLE, [0, 2], [1, 2, 3, 4], 0),
    (TABLE, 3, TABLE[:2], 0),
    (TABLE, slice(None), 0, -1),
    (np.asfortranarray(TABLE), 2, 7, 1),
    (TABLE[:, ::2], 1, 3, -1),
    (TABLE > 4, 0, True, 0),
    (TABLE + 1j, 0, 2.0, 0),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("moved", ["values", "values and places"])
def test_inserts_as_numpy_does(case: Any, moved: str, emulated: Any) -> None:
    import cupy

    array, place, values, *axis = case
    expected = np.insert(array, place, values, *axis)
    if isinstance(values, np.ndarray):
        values = cupy.asarray(values)
    if isinstance(place, np.ndarray) and "places" in moved:
        place = cupy.asarray(place)
    found = insert(cupy.asarray(array), place, values, *axis)
    assert isinstance(found, cupy.ndarray)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(cupy.asnumpy(found), expected)


@pytest.mark.parametrize(
    "case",
    [
        (LINE, 6, 0.0),
        (LINE, -7, 0.0),
        (LINE, [0, 9], 0.0),
        (LINE, [0, 1], [1.0, 2.0, 3.0]),
        (LINE, 0.5, 1.0),
        (TABLE, 0, [1, 2], 0),
        (TABLE, 0, 1, 2),
    ],
)
def test_raises_as_numpy_does(case: Any, emulated: Any) -> None:
    import cupy

    array, *others = case
    with pytest.raises(Exception) as expected:  # noqa: PT011
        np.insert(array, *others)
    with pytest.raises(Exception) as found:  # noqa: PT011
        insert(cupy.asarray(array), *others)
    assert isinstance(found.value, (IndexError, ValueError, TypeError))
    assert isinstance(expected.value, (IndexError, ValueError, TypeError))
