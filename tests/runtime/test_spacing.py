"""Numbers in even steps for which CuPy has no function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport import runtime


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [
        ((1.0, 100.0), {}),
        ((1, 1000), {"num": 7, "dtype": np.int64}),
        ((1.0, 16.0, 4), {"endpoint": False}),
        ((np.array([1.0, 2.0]), 8.0, 5), {"axis": -1}),
        ((1j, 8j, 4), {}),
    ],
)
def test_the_numbers_are_those_of_numpy(either_cupy: Any, arguments: Any, keywords: Any) -> None:
    found = runtime.geomspace(*arguments, **keywords)
    expected = np.geomspace(*arguments, **keywords)
    assert isinstance(found, either_cupy.ndarray)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(either_cupy.asnumpy(found), expected)


def test_ends_may_be_on_the_device(either_cupy: Any) -> None:
    ends = either_cupy.asarray([1.0, 8.0])
    found = runtime.geomspace(ends[0], ends[1], 4)
    np.testing.assert_array_equal(either_cupy.asnumpy(found), np.geomspace(1.0, 8.0, 4))
