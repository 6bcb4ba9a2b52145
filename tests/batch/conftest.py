"""Ports of small functions, and CuPy on the host to run them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse


@cache
def _ported(path: Path) -> FileReport:
    return port_module(parse(path.name, path.read_text(encoding="utf-8")), Config())


@pytest.fixture(scope="session")
def ported() -> Callable[[Path], FileReport]:
    """The port of a program, made once for all tests."""
    return _ported


@pytest.fixture
def cp(emulated: Any) -> Any:
    """The emulated CuPy."""
    return emulated


@pytest.fixture
def run() -> Callable[[str], SimpleNamespace]:
    """The names that a text defines; a port's on the emulated CuPy."""

    def executed(text: str) -> SimpleNamespace:
        names: dict[str, Any] = {"__name__": "program"}
        exec(compile(text, "program.py", "exec"), names)
        return SimpleNamespace(**names)

    return executed
