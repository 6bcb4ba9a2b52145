"""What all tests share: CuPy without a GPU, and in CI the same examples in every run."""

from __future__ import annotations

import importlib
import os
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from gpuport import host, probing

# machines that are shared are slow at times, which says nothing of the tests
settings.register_profile("here", suppress_health_check=(HealthCheck.too_slow,))
settings.register_profile("ci", settings.get_profile("here"), derandomize=True, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.fixture(autouse=True, scope="session")
def _answers_of_libraries(pytestconfig: pytest.Config) -> Iterator[None]:
    """What libraries answered is kept from run to run, apart from what the user keeps."""
    if "GPUPORT_CACHE_DIR" not in os.environ:
        os.environ["GPUPORT_CACHE_DIR"] = str(pytestconfig.cache.mkdir("gpuport-answers"))
    yield
    probing.save()


@pytest.fixture(autouse=True)
def _numbers_of_its_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test draws the same numbers whichever tests ran before it in its worker."""
    if isinstance(getattr(request.module, "RNG", None), np.random.Generator):
        seed = zlib.crc32(request.node.nodeid.encode())
        monkeypatch.setattr(request.module, "RNG", np.random.default_rng(seed))


@pytest.fixture
def emulated() -> Iterator[Any]:
    """The host backend, for what a real CuPy cannot show (counters, tables) or is not there for."""
    host.install(version=14)
    yield importlib.import_module("cupy")
    host.uninstall()
