"""Faults of kernels in words: kernel, argument, index, thread, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuport.host.kernels.binary import FAULTS, Fault, Grid, Request
from gpuport.host.kernels.errors import (
    BarrierError,
    EndlessError,
    KernelFault,
    OutOfBoundsError,
    RaceError,
    UndefinedError,
    UninitialisedError,
)
from gpuport.host.kernels.staging import Argument, Staging


@dataclass(frozen=True)
class Difference:
    """An element that came out differently in two runs."""

    argument: Argument
    index: tuple[int, ...]
    first: Any
    second: Any
    count: int

    @property
    def element(self) -> str:
        """``'y'[3, 1]``."""
        return f"'{self.argument.name}'[{', '.join(map(str, self.index))}]"

    @property
    def others(self) -> str:
        """How many more there are."""
        return f" ({self.count} elements differ)" if self.count > 1 else ""


def race(name: str, found: Difference, order: str, atomics: bool) -> RaceError:
    """The order of iterations changes the result."""
    hint = (
        "; it differs by more than the rounding of its floating atomics"
        if atomics
        else "; a race, a missing __syncthreads(), or a local variable that is read before it is "
        "written"
    )
    return RaceError(
        name,
        f"the order of iterations changes the result: {found.element} is {found.first} with the "
        f"indices forward and {found.second} {order}{hint}{found.others}",
        found.argument.name,
        found.index,
    )


def uninitialised(name: str, found: Difference, first: int, second: int) -> UninitialisedError:
    """The result depends on what happened to be in memory."""
    itemsize = found.argument.array.dtype.itemsize
    untouched = (
        np.asarray(found.first).tobytes() == bytes([first]) * itemsize
        and np.asarray(found.second).tobytes() == bytes([second]) * itemsize
    )
    if found.argument.fresh and found.argument.array.dtype.kind == "b":
        text = f"{found.element} is never written, or read before it is"
    elif found.argument.fresh and untouched:
        text = f"{found.element} is never written: on a GPU it holds whatever memory held"
    else:
        what = (
            "the output before anything was written there"
            if found.argument.fresh
            else "shared memory before anything was written there, or on a lane of its warp that "
            "takes no part"
        )
        text = f"{found.element} depends on {what}"
    return UninitialisedError(name, text + found.others, found.argument.name, found.index)


def unwritten(name: str, found: Difference, arguments: list[str]) -> UninitialisedError:
    """The result depends on elements of arrays that nobody has written."""
    listed = " or ".join(f"'{argument}'" for argument in arguments)
    return UninitialisedError(
        name,
        f"{found.element} depends on elements of {listed} that nobody has written{found.others}",
        found.argument.name,
        found.index,
    )


def fault(
    name: str, found: Fault, grid: Grid, arguments: list[Argument], staging: Staging | None
) -> KernelFault:
    """The exception for what the runtime has found."""
    kind = FAULTS[found.kind]
    where = _thread(found.block, found.thread, grid)
    verb = "written" if found.write else "read"
    if kind == "index":
        return _index(name, found, arguments, where)
    if kind in ("out of bounds", "conflict", "misaligned"):
        return _memory(name, kind, found, grid, arguments, staging, where)
    if kind == "wild":
        return OutOfBoundsError(
            name,
            f"an address that belongs to no argument is {verb} by {where} (an address given as a "
            "number is not known here: give the array itself; an index that overflows its type may "
            "lead there, too)",
        )
    if kind == "unordered":
        return _unordered(name, found)
    if kind == "stack":
        return UndefinedError(
            name,
            f"{where} needs more memory of its own than a thread has: endless recursion, or "
            "local arrays that are too large",
        )
    if kind == "endless":
        return EndlessError(
            name,
            f"{where} comes to no end: it loops, or it waits for another thread, which a GPU need "
            "not run at the same time (where it only has much to do, use checks('fast'))",
        )
    if kind == "divergent":
        return _barrier(name, found, where)
    at = f"{found.file.decode(errors='replace')}:{found.line}"
    if kind == "local bounds":
        return OutOfBoundsError(name, f"{at}: index outside a local or shared array, by {where}")
    text = {
        "division": "integer division by zero, or of the smallest integer by -1",
        "shift": "shift by a negative count, or by the type's width or more",
        "cast": "conversion of a value that the integer type cannot hold: a GPU saturates it, "
        "other processors do not",
        "assertion": "assertion failed",
        "trap": "__trap() was called",
    }[kind]
    return UndefinedError(name, f"{at}: {text}, by {where}")


def _thread(block: Any, thread: Any, grid: Grid) -> str:
    if grid.blocks[1:] == (1, 1) and grid.threads[1:] == (1, 1):
        index = block[0] * grid.threads[0] + thread[0]
        return f"thread {thread[0]} of block {block[0]} (index {index})"
    return f"thread {tuple(thread)} of block {tuple(block)}"


def _described(argument: Argument) -> str:
    shown = argument.shown
    return f"argument '{argument.name}' ({shown.dtype}, shape {shown.shape})"


def _index(name: str, found: Fault, arguments: list[Argument], where: str) -> OutOfBoundsError:
    argument = arguments[found.argument]
    index = tuple(found.index[: found.dimensions])
    if found.dimensions == 1 and found.dimension < 0:
        text = f"index {index[0]} is out of bounds for {argument.array.size} elements"
    else:
        size = argument.array.shape[found.dimension]
        text = f"index {index} is out of bounds for axis {found.dimension} with size {size}"
    return OutOfBoundsError(
        name, f"{_described(argument)}: {text}, used by {where}", argument.name, index
    )


def _memory(
    name: str,
    kind: str,
    found: Fault,
    grid: Grid,
    arguments: list[Argument],
    staging: Staging | None,
    where: str,
) -> KernelFault:
    text, argument, index = _place(found, staging, arguments)
    verb = "writes" if found.write else "reads"
    if kind == "out of bounds":
        return OutOfBoundsError(
            name, f"{text} is out of bounds: {where} {verb} it", argument, index
        )
    if kind == "misaligned":
        return UndefinedError(
            name,
            f"misaligned address: {text} does not lie where the type may lie that {where} reads or "
            "writes there",
            argument,
            index,
        )
    other = "another thread"
    if found.other_thread >= 0:
        block, thread = divmod(found.other_thread, grid.threads_in_block)
        other = f"thread {thread} of block {block}"
    theirs = "reads" if found.write else "writes"
    return RaceError(
        name,
        f"race on {text}: {where} {verb} it, {other} {theirs} it, and neither a barrier nor an "
        "atomic orders the two",
        argument,
        index,
    )


def _place(
    found: Fault, staging: Staging | None, arguments: list[Argument]
) -> tuple[str, str | None, tuple[int, ...] | None]:
    """The element of an argument, or of shared memory, that a fault is about."""
    if found.argument < 0 or staging is None:
        return f"shared memory, byte {found.offset}", None, None
    group = staging.groups[found.argument]
    members = [arguments[k] for k in group.members]
    argument = next((a for a in members if a.writable), members[0])
    array = argument.shown
    start = group.low + found.offset - array.__array_interface__["data"][0]
    flat = start // array.itemsize
    if array.flags.c_contiguous:
        inside = 0 <= flat < array.size
        index = tuple(int(i) for i in np.unravel_index(flat, array.shape)) if inside else (flat,)
        return f"{_described(argument)}: element {_written(index)}", argument.name, index
    return f"{_described(argument)}: byte {start} from its first element", argument.name, None


def _unordered(name: str, found: Fault) -> KernelFault:
    """A reduction whose expression may not be combined in any order."""
    a, b, first, second = (found.file.decode(errors="replace").split("\n") + [""] * 4)[:4]
    if found.dimension == _NEUTRAL:
        return UndefinedError(
            name,
            f"the identity is not neutral: combined with itself, {a} gives {first}, and a GPU "
            "combines as many of them as it has threads",
        )
    how = {
        _EXCHANGED: f"reduce_expr gives {first} for a = {a} and b = {b}, and {second} for b and a",
        _GROUPED: f"of three that begin with {a} and {b} reduce_expr gives {first} when the first "
        f"two are combined first, and {second} when the last two are",
    }[found.dimension]
    return RaceError(
        name,
        f"the order in which elements are combined changes the result: {how}; a GPU combines them "
        "in an order of its own",
    )


def skipped(name: str, done: Request, grid: Grid) -> str:
    """A barrier that some threads of a block have passed by because they ended before it."""
    x, y, _ = grid.threads
    at = done.skipped_by
    thread = (at % x, at // x % y, at // (x * y))
    bx, by, _ = grid.blocks
    number = done.skipped_block
    block = (number % bx, number // bx % by, number // (bx * by))
    return (
        f"kernel '{name}': {_thread(block, thread, grid)} ends before the barrier in line "
        f"{done.skipped_line}, where others of its block wait: GPUs before compute capability 7.0 "
        "leave that undefined; let it come to the barrier, too"
    )


_EXCHANGED, _GROUPED, _NEUTRAL = 0, 1, 2
"""As in ``include/gpuport/reduction.h``."""


def _written(index: tuple[int, ...]) -> str:
    return str(index[0]) if len(index) == 1 else str(index)


def _barrier(name: str, found: Fault, where: str) -> BarrierError:
    if found.line:
        lines = sorted({found.line, found.column})
        places = " and ".join(map(str, lines))
        text = f"threads wait at different barriers, in line{'s'[: len(lines) - 1]} {places}"
    elif found.file == b"deadlock":
        text = "threads wait for others that never come to the barrier"
    else:
        text = found.file.decode(errors="replace")
    return BarrierError(name, f"{text}; {where} is one of them")
