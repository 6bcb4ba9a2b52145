"""The CuPy of the worker's process: arrays over and back, and what was launched and moved."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from gpuport.verify.moved import state_of


class Device:
    """The CuPy of this process, real or emulated; nothing where there is none."""

    def __init__(self, cupy: Any, counting: Callable[[], Any] | None) -> None:
        self.cupy = cupy
        self.counting = counting

    def to_host(self, value: Any) -> Any:
        """A device array's values, None for anything else."""
        if self.cupy is None or not isinstance(value, self.cupy.ndarray):
            return None
        return np.asarray(self.cupy.asnumpy(value))

    def to_device(self, value: Any) -> Any:
        """Arrays as CuPy arrays, those in containers and in attributes of instances too."""
        if isinstance(value, np.ndarray):
            return self.cupy.asarray(value)
        if isinstance(value, tuple) and hasattr(value, "_make"):
            return value._make(map(self.to_device, value))
        if isinstance(value, list | tuple):
            return type(value)(self.to_device(item) for item in value)
        if isinstance(value, dict):
            return {key: self.to_device(item) for key, item in value.items()}
        if isinstance(value, SimpleNamespace):
            return SimpleNamespace(**self.to_device(vars(value)))
        state = state_of(value)
        if state is not None:  # of an instance that was made for this call
            state.update(self.to_device(dict(state)))
        return value

    @contextlib.contextmanager
    def counted(self, into: dict[str, int]) -> Iterator[None]:
        """Put launches and transfers of the block into `into`."""
        if self.counting is None:
            yield
            return
        with self.counting() as handle:
            yield
        snapshot = handle.snapshot() if callable(handle.snapshot) else handle.snapshot
        fields = snapshot if isinstance(snapshot, Mapping) else _attributes(snapshot)
        into.update({k: v for k, v in fields.items() if isinstance(v, int)})


def _attributes(snapshot: Any) -> dict[str, Any]:
    names = ("launches", "h2d", "h2d_bytes", "d2h", "d2h_bytes", "syncs")
    return {name: getattr(snapshot, name) for name in names if hasattr(snapshot, name)}
