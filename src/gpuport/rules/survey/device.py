"""CuPy with arrays in the memory of the host: what its functions are called on."""

from __future__ import annotations

from typing import Any

import numpy as np

SUPPORTED = "?bhilqBHILQefdFD"


class Device:
    """CuPy with arrays in host memory: everything but computing works.

    `stands_in` tells whether :func:`standin.stand_in` has been called; else a call `stops` where
    it needs the device.
    """

    def __init__(self, stands_in: bool) -> None:
        import cupy

        self.stands_in = stands_in
        self.stops = not stands_in
        self.cupy = cupy
        self.array = cupy.ndarray
        cupy.cuda.set_allocator(lambda size: self._pointer(np.zeros(max(size, 8), np.uint8)))
        self.originals: dict[str, Any] = {}
        self._serve_creation()

    def _pointer(self, buffer: Any) -> Any:
        cuda = self.cupy.cuda
        size = max(buffer.nbytes, 8)
        return cuda.MemoryPointer(cuda.UnownedMemory(buffer.ctypes.data, size, buffer, 0), 0)

    def array_of(self, values: Any) -> Any:
        """A CuPy array that holds `values`."""
        held = np.ascontiguousarray(values) if np.ndim(values) else np.array(values)
        if held.size == 0:
            return self.array(held.shape, held.dtype)
        return self.array(held.shape, held.dtype, memptr=self._pointer(held))

    def on_device(self, value: Any) -> Any:
        """A value in which CuPy arrays stand for the NumPy arrays, CuPy's functions for NumPy's."""
        if isinstance(value, np.ndarray):
            return self.array_of(value.copy())
        if isinstance(value, list | tuple):
            return type(value)(self.on_device(part) for part in value)
        if isinstance(value, dict):
            return {name: self.on_device(part) for name, part in value.items()}
        if callable(value):
            return getattr(self.cupy, getattr(value, "__name__", ""), value)
        return value

    def finite(self) -> None:
        """Let the checks that data are finite pass: the answers were never computed."""

        device = self

        class Finite(self.array):  # type: ignore[misc,name-defined]
            def all(self, *_arguments: object, **_named: object) -> Any:
                return device.array_of(np.array(True))

            def any(self, *_arguments: object, **_named: object) -> Any:
                return device.array_of(np.array(False))

            def __invert__(self) -> Any:
                return self

        def isfinite(values: Any) -> Any:
            answers = np.ones(np.shape(values), bool)
            return Finite(answers.shape, bool, memptr=self._pointer(answers))

        self.cupy.isfinite = isfinite

    def _serve_creation(self) -> None:
        """Let creation from host data, which CuPy itself calls first, go through."""
        for place in (self.cupy, self.cupy._core, self.cupy._core.core):
            self._replace(place, "array", self._creator(place.array))
        self._replace(self.cupy, "asarray", self._creator(self.cupy.asarray))
        for name, number in (("zeros", 0), ("ones", 1)):
            self._replace(self.cupy, name, self._filler(number))

    def _creator(self, original: Any) -> Any:
        def create(obj: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
            ndmin = kwargs.get("ndmin", args[3] if len(args) > 3 else 0)
            if isinstance(obj, self.array) and (dtype is None or np.dtype(dtype) == obj.dtype):
                return (
                    obj if obj.ndim >= ndmin else obj.reshape((1,) * (ndmin - obj.ndim) + obj.shape)
                )
            if isinstance(obj, int | float | complex | np.generic | np.ndarray | list | tuple):
                try:
                    values = np.array(obj, dtype, ndmin=ndmin)
                except (TypeError, ValueError):
                    return original(obj, dtype, *args, **kwargs)
                if values.dtype.char in SUPPORTED:
                    return self.array_of(values)
            return original(obj, dtype, *args, **kwargs)

        return create

    def _filler(self, number: int) -> Any:
        def filled(shape: Any, dtype: Any = float, *_args: Any, **_kwargs: Any) -> Any:
            return self.array_of(np.full(shape, number, dtype))

        return filled

    def _replace(self, place: Any, name: str, served: Any) -> None:
        if place is self.cupy:
            self.originals[name] = place.__dict__[name]
        setattr(place, name, served)

    def own(self, module: Any, name: str) -> Any:
        """CuPy's own object of that name."""
        if module is self.cupy and name in self.originals:
            return self.originals[name]
        return getattr(module, name)
