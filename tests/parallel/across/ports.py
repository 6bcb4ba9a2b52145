"""Small programs, ported and run on both sides."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

Outcome = Any


def ported(text: str) -> str | None:
    """The port of a program."""
    return port_module(parse("m.py", text), Config()).after


def loaded(text: str, file: Path) -> dict[str, Any]:
    """The names of a module: of a port, whose kernels read the lines of their functions."""
    file.write_text(text)
    module = ModuleType(file.stem)
    sys.modules[file.stem] = module
    exec(compile(text, str(file), "exec"), module.__dict__)
    return module.__dict__


def outcome(function: Callable[..., Any], given: list[Any]) -> Outcome:
    """What a call gives, or the kind of its error."""
    with np.errstate(all="ignore"):
        try:
            return function(*given)
        except Exception as error:
            return type(error).__name__


def on_device(cupy: Any, given: list[Any]) -> list[Any]:
    """Arguments on the device, the same array for the same, and parts of one memory as parts."""
    there: dict[int, Any] = {}

    def placed(one: Any) -> Any:
        if not isinstance(one, np.ndarray):
            return one
        if one.base is None:
            return there.setdefault(id(one), cupy.asarray(one))
        first = (one.ctypes.data - one.base.ctypes.data) // one.base.strides[0]
        part = placed(one.base)[first : first + (len(one) if one.ndim > 1 else 1)]
        return part if one.ndim > 1 else part[0]

    return [placed(one) for one in given]


def assert_same(cupy: Any, found: Any, expected: Any, message: str, close: float = 1e-10) -> None:
    """See that both sides gave the same."""
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected), message
        for one, other in zip(found, expected, strict=True):
            assert_same(cupy, one, other, message, close)
    elif isinstance(expected, np.ndarray):
        there = cupy.asnumpy(found)
        np.testing.assert_allclose(there, expected, close, close, err_msg=message)
    else:
        assert found == expected, message
