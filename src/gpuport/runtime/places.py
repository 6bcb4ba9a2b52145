"""Stores at places that arrays name: ``x[places] = values`` and ``+=`` as NumPy has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


def add_to(target: Any, places: Any, values: Any, *, subtract: bool = False) -> None:
    """``target[places] += values``: where a place is named twice, it is added to once.

    Parameters
    ----------
    target : cupy.ndarray or numpy.ndarray, of any shape and dtype
        Changed in place.
    places : array, int, slice or ``...``, or a tuple of these
        As between the brackets; lists as arrays.
    values : array or number
        Of a shape that broadcasts to that of ``target[places]``.
    subtract : bool
        Whether the values are taken away.

    Raises
    ------
    IndexError
        On the host, where a place is out of range; on the device it wraps around, as anywhere.

    Notes
    -----
    Of several values for one place NumPy keeps the last, CuPy any of them. Here each of them is
    replaced with the last before they are stored, so that their order does not matter.
    """
    cupy = loaded_cupy()
    named = None
    if cupy is not None and isinstance(target, cupy.ndarray):
        places = entries(cupy, places)
        named = named_places(cupy, target.shape, places)
    if named is None:
        change(target, places, values, subtract)
        return
    part = target[places]
    if subtract:
        part -= values
    else:
        part += values
    target[places] = named.last(part)


def add_at(a: Any, indices: Any, b: Any) -> None:
    """``numpy.add.at``, of complex numbers as well: on the device their two parts are added.

    Parameters
    ----------
    a : cupy.ndarray or numpy.ndarray
        Changed in place.
    indices : array, int, slice or ``...``, or a tuple of these
    b : array or number
        Of a shape that broadcasts to that of ``a[indices]``.
    """
    cupy = loaded_cupy()
    if cupy is None or not isinstance(a, cupy.ndarray):
        np.add.at(a, indices, b)
        return
    if a.dtype.kind != "c":
        cupy.add.at(a, indices, b)
        return
    added = b if isinstance(b, cupy.ndarray) else np.asarray(b)
    cupy.add.at(a.real, indices, cupy.asarray(added.real, a.real.dtype))
    if added.dtype.kind == "c":
        cupy.add.at(a.imag, indices, cupy.asarray(added.imag, a.real.dtype))


def put_last(target: Any, places: Any, values: Any) -> None:
    """``target[places] = values``: where a place is named twice, the last value stays.

    Parameters
    ----------
    target : cupy.ndarray or numpy.ndarray
        Changed in place.
    places : array, int, slice or ``...``, or a tuple of these
        As between the brackets; lists as arrays.
    values : array or number

    Raises
    ------
    IndexError
        On the host, where a place is out of range; on the device it wraps around, as anywhere.

    Notes
    -----
    As for `add_to`.
    """
    cupy = loaded_cupy()
    if cupy is not None and isinstance(target, cupy.ndarray):
        places = entries(cupy, places)
        if getattr(values, "size", 1) != 1:
            named = named_places(cupy, target.shape, places)
            values = values if named is None else named.last(named.broadcast(cupy, values))
    target[places] = values


@dataclass(frozen=True)
class NamedPlaces:
    """Places that arrays of numbers name, some of them perhaps more than once.

    Attributes
    ----------
    winners : cupy.ndarray, shape (n,)
        Of each of the n places that the arrays name one after the other, where the same place is
        named last.
    axis : int
        First axis of what is stored along which the places are counted.
    shape : tuple of int
        Shape of the places: of the arrays, broadcast.
    stored : tuple of int
        Shape of what is stored.
    """

    winners: Any
    axis: int
    shape: tuple[int, ...]
    stored: tuple[int, ...]

    def broadcast(self, cupy: Any, values: Any) -> Any:
        """Values in the shape of what is stored; lengths of 1 in front of it are let go."""
        array = cupy.asarray(values)
        more = array.ndim - len(self.stored)
        if more > 0 and set(array.shape[:more]) == {1}:
            array = array.reshape(array.shape[more:])
        return cupy.broadcast_to(array, self.stored)

    def last(self, values: Any) -> Any:
        """For each place the value that is stored there last."""
        before, after = self.stored[: self.axis], self.stored[self.axis + len(self.shape) :]
        flat = values.reshape(*before, self.winners.size, *after)
        return flat.take(self.winners, axis=self.axis).reshape(self.stored)


def entries(cupy: Any, places: Any) -> Any:
    """What stands between the brackets, lists and NumPy arrays as arrays of the device."""
    if isinstance(places, tuple):
        return tuple(entries(cupy, one) if not isinstance(one, tuple) else one for one in places)
    if isinstance(places, list) and not np.size(places):  # NumPy takes it for whole numbers
        return cupy.asarray(places, np.int64)
    return cupy.asarray(places) if isinstance(places, (list, np.ndarray)) else places


def named_places(cupy: Any, sizes: tuple[int, ...], places: Any) -> NamedPlaces | None:
    """What arrays of numbers name between the brackets; None where they name no place twice.

    Parameters
    ----------
    cupy : module
    sizes : tuple of int
        Shape of the array that is stored into.
    places : array, int, slice or ``...``, or a tuple of these
        Arrays are of the device.

    Notes
    -----
    Asks nothing of the device that the host would have to wait for, but for the sizes of masks
    that stand beside arrays of numbers.
    """
    given = list(places) if isinstance(places, tuple) else [places]
    if not any(getattr(one, "ndim", 0) and one.dtype.kind in "iu" for one in given):
        return None
    along: list[int] = []  # lengths of the axes that slices leave
    numbers: list[tuple[Any, int]] = []  # what names places along an axis, and the axis's length
    stands: list[int] = []  # where these stand
    first = 0
    for place, one, size in _by_axis(_spelt_out(given), sizes):
        if one is None:
            along.append(1)
        elif isinstance(one, slice):
            along.append(len(range(*one.indices(size))))
        else:
            first = first if numbers else len(along)
            numbers.append((one, size))
            stands.append(place)
    shape = np.broadcast_shapes(*(np.shape(index) for index, _ in numbers))
    if math.prod(shape) < 2 or not all(size for _, size in numbers):
        return None
    if stands[-1] - stands[0] >= len(stands):  # something stands between: they go to the front
        first = 0
    winners = _last_of_each(cupy, numbers, shape)
    return NamedPlaces(winners, first, shape, (*along[:first], *shape, *along[first:]))


def _by_axis(given: list[Any], sizes: tuple[int, ...]) -> Iterator[tuple[int, Any, int]]:
    """The place of each entry, the entry, and the length of its axis; ``...`` as whole slices."""
    lengths = iter(sizes)
    named = sum(one is not None and one is not Ellipsis for one in given)
    behind = [] if any(one is Ellipsis for one in given) else [Ellipsis]
    for place, one in enumerate([*given, *behind]):
        if one is Ellipsis:
            for _ in range(len(sizes) - named):
                yield place, slice(None), next(lengths)
        else:
            yield place, one, 1 if one is None else next(lengths)


def _spelt_out(given: list[Any]) -> list[Any]:
    """Entries with masks as the places where they are true."""
    parts: list[Any] = []
    for one in given:
        masked = getattr(one, "ndim", 0) and one.dtype.kind == "b"
        parts += one.nonzero() if masked else [one]
    return parts


def _last_of_each(cupy: Any, numbers: list[tuple[Any, int]], shape: tuple[int, ...]) -> Any:
    """Of each place, in the order in which they are named, where it is named last."""
    flat = cupy.zeros((), np.int64)
    for index, size in numbers:
        flat = flat * size + cupy.asarray(index, dtype=np.int64) % size
    flat = cupy.broadcast_to(flat, shape).ravel()
    order = cupy.argsort(flat)  # CuPy's is stable
    behind = cupy.searchsorted(flat[order], flat, side="right")
    return order[behind - 1]


def change(target: Any, places: Any, values: Any, subtract: bool) -> None:
    """``target[places] += values``, or ``-=``.

    A single element is a number of NumPy's, whose sum is cast as any value is that is stored.
    """
    part = target[places]
    if not part.ndim:
        target[places] = part - values if subtract else part + values
    elif subtract:
        target[places] -= values
    else:
        target[places] += values


def in_range(cupy: Any, indices: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
    """Indices of the first axes without negative numbers.

    Raises
    ------
    IndexError
        Where one is out of range.
    """
    found = []
    for axis, (index, size) in enumerate(zip(indices, sizes, strict=False)):
        wrong = (index < -size) | (index >= size)
        if bool(wrong.any()):
            first = int(index[wrong][0])
            raise IndexError(f"index {first} is out of bounds for axis {axis} with size {size}")
        found.append(cupy.where(index < 0, index + size, index))
    return found


def names_twice(
    cupy: Any, indices: Sequence[Any], sizes: Sequence[int], *, each: bool = False
) -> bool:
    """Whether indices without negative numbers name a place twice.

    Parameters
    ----------
    cupy : module
    indices : sequence of cupy.ndarray
        They broadcast against each other.
    sizes : sequence of int
        Lengths of the axes.
    each : bool
        Whether the first axis of the indices is that of items, each of which is asked for alone.
    """
    shape = np.broadcast_shapes(*(index.shape for index in indices))
    rows = (shape[0], -1) if each else (1, -1)
    if 0 in shape or int(np.prod(shape[each:])) < 2:
        return False
    flat = cupy.zeros((), np.int64)
    for index, size in zip(indices, sizes, strict=False):
        flat = flat * size + index
    ordered = cupy.sort(cupy.broadcast_to(flat, shape).reshape(rows), axis=1)
    return bool((ordered[:, 1:] == ordered[:, :-1]).any())


__all__ = ["add_at", "add_to", "change", "in_range", "names_twice", "put_last"]
