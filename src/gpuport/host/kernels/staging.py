"""Copies of a launch's arrays in memory of their own, with room around each that is never used.

Arguments whose memory overlaps stay overlapping: they share one copy. An address beside a copy
then tells which argument was left, and by how much.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpuport.host.kernels.binary import Range
from gpuport.host.unwritten import PATTERN, words

_ALIGNMENT = 256
_LARGEST_PAD = 1 << 20
_TRACKED_BYTES = 256 << 20
"""Memory of one argument above which meetings of threads are not looked for (bounds are)."""


@dataclass(frozen=True)
class Argument:
    """One argument of a launch.

    Attributes
    ----------
    name : str
        Parameter's name, or its position.
    array : numpy.ndarray or None
        Its elements, where it is an array.
    shown : numpy.ndarray or None
        The array as the caller knows it: indices in messages are into its shape.
    writable : bool
        Whether the kernel may write it.
    fresh : bool
        Whether it was allocated for this call: nobody has written it.
    words : tuple of int
        Its description, with the array's address first where it is an array.
    """

    name: str
    array: Any
    shown: Any
    writable: bool
    fresh: bool
    words: tuple[int, ...]


@dataclass
class Group:
    """Arguments whose memory overlaps, and their copy."""

    low: int
    high: int
    members: list[int] = field(default_factory=list)
    start: int = 0
    unwritten: Any = None
    """Which words of 4 bytes nobody has written, of what the caller gave; None for none."""

    @property
    def size(self) -> int:
        """Bytes."""
        return self.high - self.low


def _bounds(array: Any) -> tuple[int, int]:
    low, high = np.lib.array_utils.byte_bounds(array)
    return int(low), int(high)


def _groups(arguments: list[Argument]) -> list[Group]:
    spans = sorted(
        (*_bounds(a.array), k)
        for k, a in enumerate(arguments)
        if a.array is not None and a.array.size
    )
    found: list[Group] = []
    for low, high, k in spans:
        if found and low < found[-1].high:
            found[-1].high = max(found[-1].high, high)
        else:
            found.append(Group(low, high))
        found[-1].members.append(k)
    return found


class Staging:
    """The copies of one launch."""

    def __init__(self, arguments: list[Argument]) -> None:
        self.arguments = arguments
        self.groups = _groups(arguments)
        position = 0
        pads = []
        for group in self.groups:
            pad = max(4096, min(group.size, _LARGEST_PAD))
            pads.append(pad)
            # the copy keeps the original's place within a cache line, so that aligned stays so
            group.start = -(-(position + pad) // _ALIGNMENT) * _ALIGNMENT + group.low % _ALIGNMENT
            position = group.start + group.size + pad
        self._memory = np.empty(position + _ALIGNMENT, np.uint8)
        base = self._memory.ctypes.data
        shift = -base % _ALIGNMENT
        for group in self.groups:
            group.start += shift
            group.unwritten = self._unwritten(group)
        self._base = base
        self.words = self._words()
        self.ranges = (Range * len(self.groups))()
        self._masks: list[Any] = []
        for entry, group, pad, number in zip(
            self.ranges, self.groups, pads, range(len(pads)), strict=True
        ):
            low = base + group.start
            entry.pad_low, entry.low = low - pad // 2, low
            entry.high, entry.pad_high = low + group.size, low + group.size + pad // 2
            entry.argument = number
            entry.granule = self._granule(group)
            owned = self._owned(group)
            if owned is not None:
                self._masks.append(owned)
                entry.owned = owned.ctypes.data

    def _owned(self, group: Group) -> Any:
        """Which bytes of a group are elements of its arguments; None where all are."""
        arrays = [self.arguments[k].array for k in group.members]
        whole = any(a.size * a.itemsize >= group.size for a in arrays)
        if whole or group.size > _TRACKED_BYTES:
            return None
        mask = np.zeros(group.size, np.uint8)
        for a in arrays:
            start = a.__array_interface__["data"][0] - group.low
            item = np.dtype((np.void, a.itemsize))
            elements = np.ndarray(a.shape, item, mask.data, start, a.strides)
            elements[...] = np.frombuffer(b"\1" * a.itemsize, item)[0]
        return None if mask.all() else mask

    def _granule(self, group: Group) -> int:
        if group.size > _TRACKED_BYTES:
            return 0
        return min(8, *(int(self.arguments[k].array.itemsize) for k in group.members))

    def _words(self) -> np.ndarray[Any, Any]:
        moved = {k: g for g in self.groups for k in g.members}
        words: list[int] = []
        for k, argument in enumerate(self.arguments):
            if k in moved:
                offset = argument.words[0] - moved[k].low
                words.append(self._base + moved[k].start + offset)
                words.extend(argument.words[1:])
            else:
                words.extend(argument.words)
        return np.array(words, np.int64)

    def load(self, pattern: int, given: int) -> None:
        """Copy the originals; fill what is fresh with the byte `pattern` (bools with 0 or 1).

        What the caller gave and nobody has written gets the byte `given`.
        """
        for group in self.groups:
            ctypes.memmove(self._base + group.start, group.low, group.size)
            if group.unwritten is not None and given != PATTERN:
                self._words_of(group)[group.unwritten] = given * 0x01010101
            for k in group.members:
                argument = self.arguments[k]
                if argument.fresh:
                    byte = pattern & 1 if argument.array.dtype.kind == "b" else pattern
                    self._memory[group.start : group.start + group.size] = byte

    def result(self) -> list[Any]:
        """Bytes of each group that may have been written, None for the others."""
        return [self._kept(g) if self._writable(g) else None for g in self.groups]

    def _kept(self, group: Group) -> Any:
        """A copy of a group's bytes, with the pattern where still nobody has written."""
        data = self._memory[group.start : group.start + group.size].copy()
        if group.unwritten is not None:
            whole = data[: data.size // 4 * 4].view(np.uint32)
            whole[group.unwritten & (whole == (0xFF ^ PATTERN) * 0x01010101)] = PATTERN * 0x01010101
        return data

    def _words_of(self, group: Group) -> Any:
        return self._memory[group.start : group.start + group.size // 4 * 4].view(np.uint32)

    def _unwritten(self, group: Group) -> Any:
        members = [self.arguments[k] for k in group.members]
        narrow = any(a.fresh or a.array.itemsize < 4 for a in members)
        if narrow or group.low % 4 or group.size > _TRACKED_BYTES:
            return None
        held: Any = (ctypes.c_uint8 * group.size).from_address(group.low)
        smallest = min(argument.array.itemsize for argument in members)
        return words(np.frombuffer(held, np.uint8), smallest if group.low % 8 == 0 else 4)

    def unwritten_names(self) -> list[str]:
        """Arguments with elements that nobody has written."""
        found = [g for g in self.groups if g.unwritten is not None]
        return [self.arguments[k].name for g in found for k in g.members]

    def _writable(self, group: Group) -> bool:
        # a kernel may cast a pointer's const away
        written = bool(self.ranges[self.groups.index(group)].written)
        return written or any(self.arguments[k].writable for k in group.members)

    def store(self, result: list[Any]) -> None:
        """Write such bytes into the original arrays."""
        for group, data in zip(self.groups, result, strict=True):
            if data is not None:
                ctypes.memmove(group.low, data.ctypes.data, group.size)

    def view(self, result: list[Any], k: int) -> Any:
        """Argument `k` as it is in a result, in the shape that the caller knows."""
        argument = self.arguments[k]
        for group, data in zip(self.groups, result, strict=True):
            if k in group.members and data is not None:
                shown = argument.shown
                offset = shown.__array_interface__["data"][0] - group.low
                return np.ndarray(shown.shape, shown.dtype, data.data, offset, shown.strides)
        return None
