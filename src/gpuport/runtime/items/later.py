"""Values that are computed where somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpuport.runtime.items.item import Item

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


class Later(Item):
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

    def _made(self) -> None:
        if self._data is None and self.known is None:
            self._data = self._make()

    @property
    def data(self) -> Any:
        self._made()
        return Item.data.fget(self)  # type: ignore[attr-defined]

    @data.setter
    def data(self, value: Any) -> None:
        self._data, self.known = value, None

    def numbers(self) -> Any:
        self._made()
        return super().numbers()

    @property
    def whole_shape(self) -> tuple[int, ...]:
        self._made()
        return super().whole_shape

    @property
    def dtype(self) -> Any:
        self._made()
        return super().dtype


__all__ = ["Later"]
