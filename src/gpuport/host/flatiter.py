"""``array.flat``: the elements one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host.array.base import Array, wrap
from gpuport.host.counters import KERNELS
from gpuport.host.indices import host_index

if TYPE_CHECKING:
    from gpuport.host.ndarray import ndarray


def _flat_index(key: Any) -> Any:
    """CuPy's flat iterators know numbers, slices and the ellipsis."""
    if key is Ellipsis:
        return slice(None)
    if type(key) is slice:
        return host_index(key)
    if isinstance(key, (tuple, bool)) or not np.isscalar(key):
        raise IndexError("unsupported iterator index")
    return int(key)  # type: ignore[arg-type]


class FlatIter:
    """``array.flat``."""

    __module__ = "cupy._indexing.iterate"

    def __init__(self, array: Array) -> None:
        self.base = array
        self._next = 0

    def copy(self) -> Any:
        """The elements along one axis."""
        return self.base.flatten()

    def __iter__(self) -> FlatIter:
        return self

    def __len__(self) -> int:
        return int(self.base.size)

    def __next__(self) -> ndarray:
        if self._next >= self.base.size:
            raise StopIteration
        self._next += 1
        return self[self._next - 1]

    def __getitem__(self, key: Any) -> ndarray:
        KERNELS["cupy_copy"] += 1
        return wrap(np.array(self.base._a.flat[_flat_index(key)]))

    def __setitem__(self, key: Any, value: Any) -> None:
        KERNELS["cupy_fill"] += 1
        self.base._a.flat[_flat_index(key)] = value._a if isinstance(value, Array) else value


FlatIter.__name__ = FlatIter.__qualname__ = "flatiter"
