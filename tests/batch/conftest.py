"""Ports of small functions, and CuPy on the host to run them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from gpuport import host


@pytest.fixture
def cp() -> Iterator[Any]:
    """The emulated CuPy."""
    host.install(version=14)
    yield importlib.import_module("cupy")
    host.uninstall()


@pytest.fixture
def run() -> Callable[[str], SimpleNamespace]:
    """The names that a text defines; a port's on the emulated CuPy."""

    def executed(text: str) -> SimpleNamespace:
        names: dict[str, Any] = {"__name__": "program"}
        exec(compile(text, "program.py", "exec"), names)
        return SimpleNamespace(**names)

    return executed
