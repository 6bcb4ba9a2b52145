"""The cupy under test for kernels: the host's where there is a compiler, a real one on a GPU."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.host.kernels import checks, toolchain

needs_compiler = pytest.mark.skipif(not toolchain.available(), reason="no C++ compiler")


@pytest.fixture(scope="session", autouse=True)
def kernel_cache(pytestconfig: pytest.Config) -> Iterator[None]:
    """Kernels compiled by former test runs are used again."""
    with pytest.MonkeyPatch.context() as patch:
        cache = pytestconfig.cache
        assert cache is not None
        patch.setenv("GPUPORT_CACHE_DIR", str(cache.mkdir("kernels")))
        yield


@pytest.fixture(params=["strict", "fast", pytest.param("cuda", marks=pytest.mark.cuda)])
def cp(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A cupy module: emulated in all orders, emulated once, and real where there is a GPU."""
    host.uninstall()
    if request.param == "cuda":
        real = pytest.importorskip("cupy")
        if not real.cuda.is_available():
            pytest.skip("no CUDA device")
        yield real
        return
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    host.install(version=14)
    with checks(request.param):
        yield importlib.import_module("cupy")
    host.uninstall()


@pytest.fixture
def emulated() -> Iterator[Any]:
    """The host backend alone, strict: what a real CuPy does not report."""
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    host.install(version=14)
    with checks("strict"):
        yield importlib.import_module("cupy")
    host.uninstall()


@pytest.fixture
def same(cp: Any) -> Callable[..., None]:
    """Compare a device array with what NumPy computed: dtype, shape, values (`ulp` apart)."""

    def compare(found: Any, expected: Any, ulp: int = 0) -> None:
        expected = np.asarray(expected)
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        values = cp.asnumpy(found)
        if ulp and expected.dtype.kind in "fc":
            scale = np.spacing(np.abs(expected)).real
            assert np.all(np.abs(values - expected) <= ulp * scale)
        else:
            np.testing.assert_array_equal(values, expected)

    return compare
