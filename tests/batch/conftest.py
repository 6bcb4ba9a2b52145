"""Ports of small functions, and CuPy on the host to run them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest


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
