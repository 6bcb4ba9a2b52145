"""Values that are computed where somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.item import Item

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


class Waiting(Item):
    """An array of each item that is looked for where somebody reads it."""

    __slots__ = ()

    def find(self) -> Any:
        """The data of all items, of the device, or numbers of the host."""
        raise NotImplementedError

    def _read(self) -> None:
        if self._data is None and self.known is None:
            found = self.find()
            if isinstance(found, np.ndarray):
                self.known = found
            else:
                self._data = found

    @property
    def data(self) -> Any:
        self._read()
        return Item.data.fget(self)  # type: ignore[attr-defined]

    @data.setter
    def data(self, value: Any) -> None:
        self._data, self.known = value, None

    def numbers(self) -> Any:
        self._read()
        return super().numbers()


class Later(Waiting):
    """An array of each item that is rarely read.

    Parameters
    ----------
    trace : Trace
    make : callable
        Gives the data of all items.
    """

    __slots__ = ("_make",)

    def __init__(self, trace: Trace, make: Callable[[], Any]) -> None:
        super().__init__(trace)
        self._make = make

    def find(self) -> Any:
        return self._make()

    @property
    def whole_shape(self) -> tuple[int, ...]:
        self._read()
        return super().whole_shape

    @property
    def dtype(self) -> Any:
        self._read()
        return super().dtype


__all__ = ["Later", "Waiting"]
