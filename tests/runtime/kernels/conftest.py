"""Programs with kernels, on the host emulation."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gpuport.runtime import CallStats, reset_stats, stats

HEAD = "import numpy as np\nfrom gpuport.runtime import device, kernel\n"


@pytest.fixture
def program(emulated: Any, tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """Make a module of a text, in a file of its own; counts begin at zero."""
    reset_stats()
    made: list[str] = []

    def load(text: str) -> ModuleType:
        name = f"kernels_{tmp_path.name}_{len(made)}"
        path = tmp_path / f"{name}.py"
        path.write_text(HEAD + text)
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        made.append(name)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    yield load
    for name in made:
        del sys.modules[name]


def counts(function: Any) -> CallStats:
    return stats().get(f"{function.__module__}.{function.__qualname__}", CallStats())


def way(function: Any) -> str:
    """Which ways the calls of a kernel went since the counts were zero."""
    found = counts(function)
    ways = {"device": found.device, "host": found.host, "unfused": found.unfused}
    return " ".join(name for name, count in ways.items() if count)


@pytest.fixture
def alike(emulated: Any) -> Callable[..., None]:
    """Call a kernel with device arrays and its body with NumPy's: the same must come of it."""

    def check(function: Any, expected_way: str, *args: Any) -> None:
        mine = [np.array(emulated.asnumpy(a)) if isinstance(a, emulated.ndarray) else a
                for a in args]  # fmt: skip
        reset_stats()
        expected = outcome(function.__wrapped__, mine)
        found = outcome(function, args)
        assert way(function) == expected_way
        for left, right in zip([*mine, expected], [*args, found], strict=True):
            same(emulated, left, right)

    return check


def outcome(function: Any, args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error)


def same(cupy: Any, left: Any, right: Any) -> None:
    if isinstance(left, tuple):
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            same(cupy, one, other)
        return
    right = cupy.asnumpy(right) if isinstance(right, cupy.ndarray) else right
    if isinstance(left, type) or left is None:
        assert left is right
        return
    left, right = np.asarray(left), np.asarray(right)
    assert left.dtype == right.dtype
    np.testing.assert_array_equal(left, right)
