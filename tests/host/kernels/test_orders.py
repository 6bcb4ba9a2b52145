"""The three orders are three different orders of all threads, with and without barriers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.host.kernels import building, source, toolchain
from gpuport.host.kernels.binary import Binary, Grid

pytestmark = pytest.mark.skipif(not toolchain.available(), reason="no C++ compiler")
VISIT = """
extern "C" __global__ void visit(int *order, int *count) {
  %s
  order[atomicAdd(count, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}
"""


def _visited(barrier: bool, blocks: int, threads: int, order: int) -> Any:
    code = VISIT % ("__syncthreads();" if barrier else "")
    text = source.raw(code, ("visit",), "source")
    kernel = building.Source("visit", text, source.RAW_HEADER, (("source", code),), ())
    binary: Binary = building.build(kernel, False, False, 0)
    seen, count = np.full(blocks * threads, -1, "i4"), np.zeros(1, "i4")
    words = np.array([seen.ctypes.data, 0, count.ctypes.data, 0], np.int64)
    done = binary.launch(Grid((blocks, 1, 1), (threads, 1, 1)), words, order, -1, None)
    assert done.fault.kind == 0
    return seen


@pytest.mark.parametrize("barrier", [False, True])
@pytest.mark.parametrize(
    ("blocks", "threads"), [(1, 1), (1, 2), (1, 3), (2, 2), (1, 64), (5, 7), (3, 128), (1000, 1)]
)
def test_orders(barrier: bool, blocks: int, threads: int) -> None:
    every = np.arange(blocks * threads)
    forward, backward, mixed = (_visited(barrier, blocks, threads, k) for k in range(3))
    np.testing.assert_array_equal(forward, every)
    np.testing.assert_array_equal(backward, every[::-1])
    np.testing.assert_array_equal(np.sort(mixed), every)
    if every.size > 4:
        assert not np.array_equal(mixed, forward)
        assert not np.array_equal(mixed, backward)


def test_neighbours_come_far_apart() -> None:
    mixed = _visited(False, 10, 100, 2)
    assert np.abs(np.diff(mixed)).min() > 100
