"""Where an index of an iteration points, for all iterations at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class Window:
    """A slice whose ends differ from item to item, while its length does not.

    Attributes
    ----------
    starts : numpy.ndarray of int, shape (items,)
    width : int
    """

    starts: Any
    width: int


@dataclass(frozen=True, slots=True)
class Places:
    """Whole numbers along an axis, none of them negative.

    Attributes
    ----------
    values : array, shape (items, ...) or (...)
        NumPy's where the host knows them.
    stacked : bool
    """

    values: Any
    stacked: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one item's."""
        shape: tuple[int, ...] = self.values.shape
        return shape[1:] if self.stacked else shape


@dataclass(slots=True)
class Region:
    """A part of an array, for each item.

    Attributes
    ----------
    items : int
    shape : tuple of int
        Of one item's part.
    before : tuple
        A basic index, taken first.
    axis : int
        The axis of what it gives along which the items lie.
    after : tuple
        A basic index, taken when that axis is the first.
    arrays : tuple of array
        Instead of the last two: an index that names each element.
    is_view : bool
        Whether NumPy gives a view for one item.
    owned : dict of int to (numpy.ndarray, int)
        By the axis: where the part of each item begins, and how long it is, as far as the host
        knows.
    """

    items: int
    shape: tuple[int, ...]
    before: tuple[Any, ...]
    axis: int = 0
    after: tuple[Any, ...] = ()
    arrays: tuple[Any, ...] = ()
    is_view: bool = True
    owned: dict[int, tuple[Any, int]] = field(default_factory=dict)

    @property
    def copies(self) -> bool:
        """Whether reading makes a copy."""
        return bool(self.arrays)

    def of(self, base: Any) -> Any:
        """The parts of an array, with the items along the first axis."""
        part = base[self.before]
        if self.arrays:
            return part[self._arrays_for(base)]
        return _moved(part, self.axis)[self.after]

    def store(self, base: Any, values: Any) -> None:
        """Put values at the parts.

        Parameters
        ----------
        base : array
        values : array or number
            Of a shape that broadcasts to that of the parts, the items' axis among them.
        """
        part = base[self.before]
        if self.arrays:
            part[self._arrays_for(base)] = values
        else:
            _moved(part, self.axis)[self.after] = values

    def _arrays_for(self, base: Any) -> tuple[Any, ...]:
        if isinstance(base, np.ndarray):
            return tuple(one if isinstance(one, np.ndarray) else one.get() for one in self.arrays)
        cupy = loaded_cupy()
        return tuple(map(cupy.asarray, self.arrays))


def _moved(part: Any, axis: int) -> Any:
    """A view whose first axis is this one."""
    return part.transpose(axis, *(k for k in range(part.ndim) if k != axis)) if axis else part
