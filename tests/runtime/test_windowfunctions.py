"""Windows on the device have the digits of NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport import runtime


@pytest.mark.parametrize("points", [-1, 0, 1, 2, 3, 8, 31, 256, 8.0])
@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
def test_windows(either_cupy: Any, name: str, points: float) -> None:
    expected = getattr(np, name)(points)
    found = getattr(runtime, name)(points)
    assert isinstance(found, either_cupy.ndarray)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(either_cupy.asnumpy(found), expected, rtol=0, atol=4e-16)


def test_where_a_function_runs_on_the_host_its_windows_are_numpys(ported: Any, cp: Any) -> None:
    cp.cuda.available = False
    program = ported(
        "from gpuport.runtime import hanning\n"
        '@device("x")\ndef tapered(x):\n    return x * hanning(len(x))\n'
    )
    with pytest.warns(RuntimeWarning, match="runs on the CPU"):
        found = program.tapered(np.ones(5))
    assert type(found) is np.ndarray
    np.testing.assert_array_equal(found, np.hanning(5))
