"""Arguments that say how memory is gone through are numbers of Python's on both sides."""

from __future__ import annotations

import pytest

WINDOWS = """\
import numpy as np


def work(x: np.ndarray, k: int):
    (step,) = x.strides
    parts = np.lib.stride_tricks.as_strided({arguments})
    return np.sqrt(parts * parts + 1.0).sum(axis=1)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        "x, (len(x) // k, k), (step * k, step)",
        "x, shape=(len(x) // k, k), strides=(step * k, step)",
        "x, [len(x) // k, k], [x.strides[0] * k, x.strides[0]]",
    ],
)
def test_strides_are_not_made_an_array(port, arguments: str) -> None:
    after = port(WINDOWS.format(arguments=arguments)).after
    assert f"parts = cp.lib.stride_tricks.as_strided({arguments})" in after
