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
        A basic index, taken first. Of a stack it is all there is.
    lengths : tuple of int
        Of parts that are evenly spaced: how many there are, along a grid where it has two.
    steps : tuple of dict of int to int
        For each of these: how far along which axes it is to the next part.
    kept : tuple of (int, int)
        The axes of a part: how long each is, and which axis it lies along; -1 of a new one.
    arrays : tuple of array
        Of parts that are not: an index that names each element.
    is_view : bool
        Whether NumPy gives a view for one item.
    owned : dict of int to (numpy.ndarray, int)
        By the axis: where the part of each item begins, and how long it is, as far as the host
        knows.
    """

    items: int
    shape: tuple[int, ...]
    before: tuple[Any, ...]
    lengths: tuple[int, ...] = ()
    steps: tuple[dict[int, int], ...] = ()
    kept: tuple[tuple[int, int], ...] = ()
    arrays: tuple[Any, ...] = ()
    is_view: bool = True
    owned: dict[int, tuple[Any, int]] = field(default_factory=dict)

    @property
    def copies(self) -> bool:
        """Whether reading makes a copy."""
        return bool(self.arrays) or len(self.lengths) > 1

    def of(self, base: Any) -> Any:
        """The parts of an array, with the items along the first axis."""
        part = base[self.before]
        if self.arrays:
            return part[self._arrays_for(base)]
        if not self.lengths:
            return part
        return self._spaced(part).reshape(self.items, *self.shape)

    def store(self, base: Any, values: Any) -> None:
        """Put values at the parts.

        Parameters
        ----------
        base : array
        values : array or number
            Of a shape that broadcasts to that of the parts; with the items along the first axis
            where it has one axis more.
        """
        part = base[self.before]
        if self.arrays:
            part[self._arrays_for(base)] = values
            return
        if self.lengths and getattr(values, "ndim", 0) > len(self.shape):
            values = values.reshape(*self.lengths, *values.shape[1:])
        (self._spaced(part) if self.lengths else part)[...] = values

    def _spaced(self, part: Any) -> Any:
        """A view of the parts."""
        strides = part.strides
        between = [sum(step * strides[axis] for axis, step in one.items()) for one in self.steps]
        inside = [strides[axis] if axis >= 0 else 0 for _, axis in self.kept]
        shape = (*self.lengths, *(length for length, _ in self.kept))
        library = np if isinstance(part, np.ndarray) else loaded_cupy()
        return library.lib.stride_tricks.as_strided(part, shape, (*between, *inside))

    def _arrays_for(self, base: Any) -> tuple[Any, ...]:
        if isinstance(base, np.ndarray):
            return tuple(one if isinstance(one, np.ndarray) else one.get() for one in self.arrays)
        cupy = loaded_cupy()
        return tuple(map(cupy.asarray, self.arrays))
