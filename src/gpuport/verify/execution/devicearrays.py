"""The CuPy of the worker's process: arrays over and back, and what was launched and moved."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.sides.states import state_of


def rows_of_base(value: NDArray[Any]) -> slice | None:
    """Which neighbouring rows of an array in C order these are; None for any other view."""
    base = value.base
    if not isinstance(base, np.ndarray) or base.dtype != value.dtype or not value.size:
        return None
    alike = base.flags.c_contiguous and value.flags.c_contiguous and base.ndim == value.ndim > 0
    if not alike or base.shape[1:] != value.shape[1:]:
        return None
    first = (value.ctypes.data - base.ctypes.data) // base.strides[0]
    return slice(first, first + len(value))


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
        """Arrays as CuPy arrays, those in containers and in attributes of instances too.

        What is one array, or rows of one, is so on the device.
        """
        return self._moved(value, {})

    def _moved(self, value: Any, known: dict[int, Any]) -> Any:
        if isinstance(value, np.ndarray):
            return self._array(value, known)
        if isinstance(value, tuple) and hasattr(value, "_make"):
            return value._make(self._moved(item, known) for item in value)
        if isinstance(value, list | tuple):
            return type(value)(self._moved(item, known) for item in value)
        if isinstance(value, dict):
            return {key: self._moved(item, known) for key, item in value.items()}
        if isinstance(value, SimpleNamespace):
            return SimpleNamespace(**self._moved(vars(value), known))
        state = state_of(value)
        if state is not None:  # of an instance that was made for this call
            state.update(self._moved(dict(state), known))
        return value

    def _array(self, value: NDArray[Any], known: dict[int, Any]) -> Any:
        if id(value) in known:
            return known[id(value)]
        base, rows = value.base, rows_of_base(value)
        if rows is None or base is None:
            moved = self.cupy.asarray(value)
        else:
            moved = self._array(base, known)[rows]
        known[id(value)] = moved
        return moved

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
