"""Arrays across the boundary and back: each once, and nobody's identity lost."""

from __future__ import annotations

import copy as copying
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

import numpy as np

from gpuport.runtime.kinds import (
    MAX_DEPTH,
    Kind,
    is_namedtuple,
    is_supported,
    kind_of,
    leaves_of,
)
from gpuport.runtime.layout import layout_of, upload, upload_together
from gpuport.runtime.loops import copied_together, groups_that_meet
from gpuport.runtime.windows import view_of_original


class Place(Enum):
    """Where an array lives."""

    HOST = Kind.HOST_ARRAY
    DEVICE = Kind.DEVICE_ARRAY


class Crossing:
    """The arrays that one call moved, so that they can be given back.

    Parameters
    ----------
    cupy : module
        The program's CuPy.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._arrays: dict[int, tuple[Any, Any]] = {}
        self._containers: dict[int, tuple[Any, Any, Any]] = {}
        self._originals: dict[int, Any] = {}
        self._results: dict[int, tuple[Any, Any]] = {}
        self._owners: dict[int, tuple[Any, Any]] = {}

    def bring_shared(self, values: Iterable[Any]) -> None:
        """Bring CuPy arrays among `values` that share memory to the host as parts of one memory.

        :meth:`move` gives each of the others memory of its own.
        """
        arrays = [leaf for value in values for leaf in device_leaves(value)]
        if len(arrays) < 2:
            return
        for group in groups_that_meet(arrays):
            if len(group) > 1:
                copies = copied_together(self._cupy, group)
                for array in group:
                    self._arrays[id(array)] = (array, copies[id(array)])
                    self._originals[id(copies[id(array)])] = array

    def move(self, value: Any, to: Place, depth: int = 0) -> Any:
        """``value`` with its arrays in ``to``; whatever needs no change stays the same object."""
        kind = kind_of(value)
        if kind in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY):
            return value if kind is to.value else self._moved(value, to)
        if kind is not Kind.CONTAINER or depth > MAX_DEPTH:
            return value
        if id(value) in self._containers:
            return self._containers[id(value)][1]
        leaves = list(leaves_of(value))
        if to is Place.DEVICE:
            self._move_together(leaves)
        moved = rebuilt(value, [self.move(leaf, to, depth + 1) for leaf in leaves])
        if moved is not value:
            self._originals[id(moved)] = value
            self._containers[id(value)] = (value, moved, copying.copy(moved))
        return moved

    def _move_together(self, leaves: list[Any]) -> None:
        """Arrays of one shape and layout cross in one transfer, not in one for each."""
        groups: dict[Any, dict[int, Any]] = {}
        for leaf in leaves:
            if kind_of(leaf) is Kind.HOST_ARRAY and id(leaf) not in self._arrays:
                layout = layout_of(leaf)
                if layout is not None:
                    groups.setdefault(layout, {})[id(leaf)] = leaf
        for group in groups.values():
            if len(group) > 1:
                arrays = list(group.values())
                for array, moved in zip(arrays, upload_together(self._cupy, arrays), strict=True):
                    self._arrays[id(array)] = (array, moved)
                    self._originals[id(moved)] = array

    def _moved(self, array: Any, to: Place) -> Any:
        if id(array) not in self._arrays:
            if to is Place.DEVICE:
                moved = upload(self._cupy, array)
            else:
                moved = self._cupy.asnumpy(array, order="A")
            self._arrays[id(array)] = (array, moved)
            self._originals[id(moved)] = array
        return self._arrays[id(array)][1]

    def on_device(self) -> Iterator[tuple[int, Any]]:
        """The arrays that were brought to the device, by the identities of the caller's."""
        for number, (_, moved) in self._arrays.items():
            if kind_of(moved) is Kind.DEVICE_ARRAY:
                yield number, moved

    @property
    def moved_any(self) -> bool:
        """Whether an array had to change its place."""
        return bool(self._arrays)

    def write_back(self, to: Place | None, written: set[int] | None = None) -> None:
        """Copy what the body wrote into the caller's arrays and lists.

        Parameters
        ----------
        to : Place or None
            Where arrays go that the body put into the caller's lists; see :meth:`restore`.
        written : set of int, optional
            Identities of the caller's arrays that the body may have written to; by default all.
        """
        for number, (original, moved) in self._arrays.items():
            if written is None or number in written:
                self._assign(original, moved)
        for original, moved, before in self._containers.values():
            if not isinstance(moved, tuple) and not _same_leaves(moved, before):
                self._sync_container(original, moved, to)

    def _assign(self, original: Any, moved: Any) -> None:
        if moved.shape != original.shape:
            original.shape = moved.shape
        if kind_of(original) is Kind.HOST_ARRAY:
            np.copyto(original, self._cupy.asnumpy(moved))
        else:
            original[...] = self._cupy.asarray(moved)

    def _sync_container(self, original: Any, moved: Any, to: Place | None) -> None:
        restored = {key: self.restore(leaf, to) for key, leaf in _items(moved)}
        if isinstance(original, dict):
            original.clear()
            original.update(restored)
        else:
            original[:] = restored.values()

    def restore(self, value: Any, to: Place | None) -> Any:
        """A result for the caller: its own objects by identity, other arrays brought to ``to``.

        Parameters
        ----------
        value : object
            What the body returned; lists, tuples and dicts are restored leaf by leaf.
        to : Place or None
            Where new arrays go; None leaves them where they are, copies of the caller's NumPy
            arrays on the device included: the caller's other arrays are CuPy ones.

        Returns
        -------
        object
            A device value without dimensions comes to the host as a NumPy scalar, as NumPy's own
            operations return it.
        """
        # an array alone shares with no other result
        if to is Place.HOST and kind_of(value) is not Kind.DEVICE_ARRAY:
            self._bring_owners(value)
            self._bring_numbers(value)
        return self._restored(value, to, 0)

    def _bring_owners(self, value: Any) -> None:
        """Memory that several results share comes to the host as one, so that they still do."""
        found: dict[int, tuple[Any, set[int]]] = {}
        for leaf in _arrays_of(value):
            owner = _owner(leaf)
            found.setdefault(owner.data.ptr, (owner, set()))[1].add(id(leaf))
        of_caller = {
            _owner(moved).data.ptr for _, moved in self._arrays.values()
            if kind_of(moved) is Kind.DEVICE_ARRAY
        }  # fmt: skip
        for address, (owner, sharing) in found.items():
            if len(sharing) > 1 and address not in of_caller and address not in self._owners:
                self._owners[address] = (owner, self._cupy.asnumpy(owner, order="A"))

    def _bring_numbers(self, value: Any) -> None:
        """Many numbers out of one array come to the host with it, not each by itself."""
        found: dict[int, tuple[Any, dict[int, Any]]] = {}
        for leaf in device_leaves(value):
            if not leaf.ndim:
                owner = _owner(leaf)
                found.setdefault(owner.data.ptr, (owner, {}))[1][id(leaf)] = leaf
        for address, (owner, numbers) in found.items():
            if len(numbers) < 2 or owner.nbytes > _WORTH * len(numbers):
                continue
            brought = self._owners.get(address, (owner, None))[1]
            if brought is None:
                brought = self._cupy.asnumpy(owner, order="A")
            for one in numbers.values():
                seen = view_of_original(one, owner, brought)
                if seen is not None:
                    self._results[id(one)] = (one, _named_as_numpy(seen)[()])

    def _restored(self, value: Any, to: Place | None, depth: int) -> Any:
        kind = kind_of(value)
        if kind in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY):
            return self._restored_array(value, kind, to)
        if id(value) in self._originals:
            return self._originals[id(value)]
        if not isinstance(value, (list, tuple, dict)) or depth > MAX_DEPTH:
            return value
        if id(value) not in self._results:
            restored = [self._restored(leaf, to, depth + 1) for leaf in leaves_of(value)]
            self._results[id(value)] = (value, rebuilt(value, restored))
        return self._results[id(value)][1]

    def _restored_array(self, value: Any, kind: Kind, to: Place | None) -> Any:
        original = self._originals.get(id(value))
        if original is not None and kind_of(original) is (to or Place.DEVICE).value:
            return original
        if to is None or kind is to.value:
            return value
        if id(value) not in self._results:
            self._results[id(value)] = (value, self._brought(value, to))
        return self._results[id(value)][1]

    def _brought(self, value: Any, to: Place) -> Any:
        if to is Place.DEVICE:
            return self._cupy.asarray(value) if is_supported(value.dtype) else value
        if value.ndim == 0:
            return _named_as_numpy(self._cupy.asnumpy(value))[()]
        owners = ((moved, original) for original, moved in self._arrays.values())
        for moved, original in (*owners, *self._owners.values()):
            view = view_of_original(value, moved, original)
            if view is not None:
                return view
        return _named_as_numpy(self._cupy.asnumpy(value, order="A"))


_WORTH = 2**16
"""Bytes that cross in about the time that a transfer of a few takes."""


def _named_as_numpy(array: Any) -> Any:
    """CuPy counts in ``long long``: the bits of ``int64``, whose name NumPy's own counts have."""
    return array.view(np.int64) if array.dtype.char == "q" else array


def _owner(array: Any) -> Any:
    """The array whose memory this one shows a part of; itself where it has its own."""
    return array if array.base is None else array.base


def _arrays_of(value: Any) -> Iterator[Any]:
    """The device arrays with dimensions in a result."""
    return (leaf for leaf in device_leaves(value) if leaf.ndim)


def device_leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    """The device arrays in a result."""
    if kind_of(value) is Kind.DEVICE_ARRAY:
        yield value
    elif isinstance(value, (list, tuple, dict)) and depth <= MAX_DEPTH:
        for leaf in leaves_of(value):
            yield from device_leaves(leaf, depth + 1)


def rebuilt(container: Any, leaves: list[Any]) -> Any:
    """``container`` with other leaves; itself where every leaf is the same object."""
    if all(new is old for new, old in zip(leaves, leaves_of(container), strict=True)):
        return container
    cls = type(container)
    if is_namedtuple(cls):
        return cls._make(leaves)
    if cls in (list, tuple):
        return cls(leaves)
    if isinstance(container, tuple):
        return container
    changed = copying.copy(container)
    for key, leaf in zip([key for key, _ in _items(container)], leaves, strict=True):
        changed[key] = leaf
    return changed


def _items(container: Any) -> list[tuple[Any, Any]]:
    return list(container.items() if isinstance(container, dict) else enumerate(container))


def _same_leaves(first: Any, second: Any) -> bool:
    ours, theirs = _items(first), _items(second)
    return len(ours) == len(theirs) and all(
        key == other_key and leaf is other
        for (key, leaf), (other_key, other) in zip(ours, theirs, strict=True)
    )
