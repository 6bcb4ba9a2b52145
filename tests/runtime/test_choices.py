"""`select` is NumPy's, on both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.runtime import select

X = np.linspace(-2.0, 3.0, 12)
LOW, HIGH = X < 0.5, X > -1.0
SINGLE = X.astype(np.float32)

CASES = [
    ([LOW, HIGH], [X, -X], X * 2.0),
    ([LOW, HIGH], [X, 0.5], 0),
    ([LOW, HIGH], [SINGLE, 0.5], SINGLE),
    ([LOW, HIGH], [0.25, 1], SINGLE),
    ([LOW, HIGH], [0.25, True], SINGLE),
    ([LOW, HIGH], [1, 2], np.arange(12, dtype=np.int16)),
    ([LOW, HIGH], [1, 2.5], 1j),
    ([LOW], [np.float64(2.0)], SINGLE),
    ([LOW[:, None], HIGH[:5]], [X[:5], X[:, None]], SINGLE[:5]),
    ([LOW[:0]], [X[:0]], 3.0),
    ([LOW], [np.array(2.0)], 1),
]


def there(cupy: Any, given: Any) -> Any:
    if isinstance(given, list):
        return [there(cupy, one) for one in given]
    return cupy.asarray(given) if isinstance(given, np.ndarray) else given


@pytest.mark.parametrize("case", CASES)
def test_chooses_as_numpy_does(case: Any, emulated: Any) -> None:
    import cupy

    expected = np.select(*case)
    found = select(*there(cupy, list(case)))
    assert isinstance(found, cupy.ndarray)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(cupy.asnumpy(found), expected)
    np.testing.assert_array_equal(select(*case), expected)


@pytest.mark.parametrize(
    "case",
    [([LOW], [X, X], 0), ([X], [X], 0), ([LOW], [X[:5]], 0), ([LOW[:5]], [X], 0), ([], [], X)],
)
def test_raises_as_numpy_does(case: Any, emulated: Any) -> None:
    import cupy

    with pytest.raises(Exception) as expected:  # noqa: PT011
        np.select(*case)
    with pytest.raises(type(expected.value)):
        select(*there(cupy, list(case)))
