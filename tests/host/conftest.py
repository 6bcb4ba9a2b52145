"""The cupy under test: the host backend, and the real one where ``-m cuda`` asks for it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from gpuport import host


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.cuda)])
def cp(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A cupy module that behaves as documented: emulated, and real where there is a GPU."""
    host.uninstall()
    if request.param == "cuda":
        real = pytest.importorskip("cupy")
        if not real.cuda.is_available():
            pytest.skip("no CUDA device")
        yield real
        return
    host.install(version=14)
    yield importlib.import_module("cupy")
    host.uninstall()
