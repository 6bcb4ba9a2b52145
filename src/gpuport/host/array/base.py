"""What every part of the device array stands on: its memory, and how one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host.counters import MEMORY, UNIT, allocate
from gpuport.host.dtypes import SCALAR_TYPES

if TYPE_CHECKING:
    from gpuport.host.ndarray import ndarray

IMPLICIT = (
    "Implicit conversion to a NumPy array is not allowed. "
    "Please use `.get()` to construct a NumPy array explicitly."
)


class Functions(dict[str, Any]):
    """cupy functions and ufuncs that operators and methods call, looked up on first use."""

    def __init__(self) -> None:
        super().__init__()
        self.find: Any = None

    def __missing__(self, name: str) -> Any:
        self[name] = value = self.find(name)
        return value

    def connect(self, find: Any) -> None:
        """Forget what was found, and look names up with `find` from now on."""
        self.clear()
        self.find = find


FUNCTIONS = Functions()
OPERANDS: set[type] = set(SCALAR_TYPES)
"""Types that operators hand to the ufunc at once: numbers, and the array class."""


class Array:
    """Memory on the (emulated) device: `_a` holds the values, `base` the owner of a view."""

    __slots__ = ("__weakref__", "_a", "base")

    _a: Any
    base: Any

    if TYPE_CHECKING:  # the parts see one another's members

        def __getattr__(self, name: str) -> Any: ...

    def __del__(self, memory: Any = MEMORY, unit: int = UNIT) -> None:
        try:
            if self.base is None:  # its memory ends; as `counters.release`, without a call
                memory.live -= self._a.nbytes + unit - 1 & -unit
        except AttributeError:  # it never had any memory
            return


_LESS = UNIT - 1
_array_class: Any = Array


def complete(array_class: type[Array]) -> None:
    """Make `array_class` the class of all arrays made from now on."""
    global _array_class
    _array_class = array_class
    OPERANDS.add(array_class)


def wrap(values: Any, owner: Array | None = None) -> ndarray:
    """Device array around `values`; a view of `owner` where one is given."""
    if owner is not None and owner.__class__ is not _array_class:
        return wrap_as(owner.__class__, values, owner)  # type: ignore[no-any-return]
    array: ndarray = object.__new__(_array_class)
    if type(values) is not np.ndarray:
        values = np.asarray(values)
    array._a = values
    if owner is None:
        array.base = None
        if size := values.nbytes:  # as `allocate`, without a call
            MEMORY.allocations += 1
            MEMORY.live = live = MEMORY.live + (size + _LESS & -UNIT)
            if live > MEMORY.mark:
                MEMORY.rise(size + _LESS & -UNIT)
    else:
        array.base = owner if owner.base is None else owner.base
    return array


def wrap_as(kind: Any, values: Any, template: Any, view: bool = True) -> Any:
    """Array of a user's subclass `kind`, finished from `template`; a view of it where told."""
    array = object.__new__(kind)
    array._a = values = values if type(values) is np.ndarray else np.asarray(values)
    if view:
        array.base = template if template.base is None else template.base
    else:
        array.base = None
        allocate(values.nbytes)
    array.__array_finalize__(template)
    return array
