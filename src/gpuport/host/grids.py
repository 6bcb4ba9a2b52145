"""``r_``, ``c_``, ``mgrid`` and their like."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.flatiter import FlatIter
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements
from gpuport.host.ufuncs import ufunc


class _Concatenator:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if any(isinstance(part, (slice, str)) for part in parts):
            raise NotImplementedError
        host = tuple(part._a if isinstance(part, ndarray) else part for part in parts)
        KERNELS["cupy_concatenate"] += len(parts)
        return wrap(np.asarray(getattr(np, self._name)[host]))


def _bound(value: Any) -> Any:
    """A bound of a range: a 0-d device array is read back."""
    return value.get()[()] if isinstance(value, ndarray) else value


class _Grid:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        bounds = [slice(_bound(k.start), _bound(k.stop), _bound(k.step)) for k in parts]
        found = getattr(np, self._name)[tuple(bounds) if isinstance(key, tuple) else bounds[0]]
        if isinstance(found, (list, tuple)):
            KERNELS["cupy_arange"] += len(found)
            return [wrap(part) for part in found]
        KERNELS["cupy_arange"] += 1
        return wrap(found)


def _register(name: str, value: Any) -> None:
    implements(f"cupy.{name}")(value)


for _name in ("r_", "c_"):
    _register(_name, _Concatenator(_name))
for _name in ("mgrid", "ogrid"):
    _register(_name, _Grid(_name))
_register("ndarray", ndarray)
_register("ufunc", ufunc)
_register("flatiter", FlatIter)
