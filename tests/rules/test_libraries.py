"""Names of NumPy and SciPy, and where the device would have them."""

from __future__ import annotations

import pytest

from gpuport.rules.libraries import LIBRARIES, library_of, of_host, on_device
from gpuport.rules.tables import ApiTables


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("numpy.linalg.svd", "cupy.linalg.svd"),
        ("scipy.fft.fft", "cupyx.scipy.fft.fft"),
        ("scipy.signal.windows.hann", "cupyx.scipy.signal.windows.hann"),
    ],
)
def test_a_name_has_one_place_on_the_device(path: str, expected: str) -> None:
    assert on_device(path) == expected
    assert of_host(expected) == path


@pytest.mark.parametrize("path", ["scipy", "builtins.len", "numpyx.sin", "jax.scipy.fft.fft"])
def test_other_names_belong_to_no_library(path: str) -> None:
    assert library_of(path) is None


@pytest.mark.parametrize("path", ["cupyx.scatter_add", "cupyxx.scipy.fft", "math.sin"])
def test_names_of_the_device_alone_stand_for_nothing_of_the_hosts(path: str) -> None:
    assert of_host(path) is None


def test_every_library_has_a_table() -> None:
    tables = ApiTables.load()
    assert all(tables.modules(root) for root in LIBRARIES)
