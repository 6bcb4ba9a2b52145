"""Running a compiled kernel: in all orders and compared, or once and unchecked."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuport.host.kernels import report
from gpuport.host.kernels.binary import Binary, Grid, Request
from gpuport.host.kernels.errors import BarrierWarning, CUDADriverError
from gpuport.host.kernels.staging import Argument, Staging
from gpuport.host.unwritten import PATTERN

FORWARD, REVERSED, SCRAMBLED = 0, 1, 2
ORDERS = {FORWARD: "forward", REVERSED: "reversed", SCRAMBLED: "scrambled"}
_FIRST, _SECOND = PATTERN, 0xFF ^ PATTERN
"""Bytes that memory nobody has written is filled with: results must not depend on them."""
_ROUNDINGS = 8.0
"""Roundings of the sum of magnitudes by which two orders of floating atomics may differ."""


def check_limits(grid: Grid) -> None:
    """Refuse what the driver refuses on every device of compute capability 7 and up.

    Raises
    ------
    CUDADriverError
        For a block or a grid that is too large, or more shared memory than allowed.
    """
    x, y, z = grid.threads
    too_large = x > 1024 or y > 1024 or z > 64 or grid.threads_in_block > 1024
    blocks = grid.blocks
    if (
        too_large
        or blocks[0] > 0x7FFFFFFF
        or max(blocks[1:]) > 0xFFFF
        or grid.shared_bytes > grid.shared_limit
    ):
        raise CUDADriverError("CUDA_ERROR_INVALID_VALUE: invalid argument")


def run(name: str, binary: Binary, grid: Grid, arguments: list[Argument]) -> None:
    """Run a kernel and leave its results in the arguments' arrays.

    Parameters
    ----------
    name : str
        The kernel's name, for messages.
    binary : Binary
        The kernel; its ``strict`` says how it is run.
    grid : Grid
        Blocks and threads.
    arguments : list of Argument
        In the order of the kernel's parameters.

    Raises
    ------
    KernelFault
        For what a GPU leaves undefined; the arrays are then as they were.
    CUDADriverError
        For a grid that no device takes.
    """
    check_limits(grid)
    if binary.strict:
        _run_strict(name, binary, grid, arguments)
        return
    words = np.array([word for a in arguments for word in a.words], np.int64)
    done = binary.launch(grid, words, FORWARD, -1, None)
    if done.fault.kind:
        raise report.fault(name, done.fault, grid, arguments, None)


@dataclass
class _Runs:
    """One launch, repeated."""

    name: str
    binary: Binary
    grid: Grid
    arguments: list[Argument]
    staging: Staging
    started: bool = False

    def run(self, order: int, pattern: int, given: int | None = None) -> tuple[list[Any], Request]:
        # `given`: the pattern of what the caller gave and nobody has written, where it is another
        self.staging.load(pattern, pattern if given is None else given)
        staging = self.staging
        done = self.binary.launch(
            self.grid, staging.words, order, pattern, staging.ranges, self.started
        )
        self.started = True
        if done.fault.kind:
            raise report.fault(self.name, done.fault, self.grid, self.arguments, staging)
        return staging.result(), done

    def difference(self, a: list[Any], b: list[Any], done: Request) -> report.Difference | None:
        """The first element in which two results differ by more than rounding."""
        mass = done.atomic_mass if done.float_atomics else 0.0
        if all(x is None or np.array_equal(x, y) for x, y in zip(a, b, strict=True)):
            return None
        for k, argument in enumerate(self.arguments):
            first = self.staging.view(a, k)
            if first is None:
                continue
            second = self.staging.view(b, k)
            places = np.argwhere(_differ(first, second, mass))
            if len(places):
                index = _telling(first, places)
                return report.Difference(argument, index, first[index], second[index], len(places))
        return None


def _telling(values: Any, places: Any) -> tuple[int, ...]:
    """A place that holds something else than the fill, if there is one: it was computed."""
    for place in places[:1000]:
        index = tuple(int(i) for i in place)
        if values[index].tobytes() != bytes([_FIRST]) * values.itemsize:
            return index
    return tuple(int(i) for i in places[0])


def _differ(a: Any, b: Any, mass: float) -> Any:
    """Where bits differ; with floating atomics, where values differ by more than their rounding."""
    if a.dtype.kind in "fc" and mass:
        with np.errstate(all="ignore"):
            allowed = _ROUNDINGS * float(np.finfo(a.dtype).eps) * mass
            close = np.abs(a - b) <= allowed
        return ~(close | (a == b) | ((a != a) & (b != b)))
    width = a.dtype.itemsize
    raw = [np.ascontiguousarray(x).view(np.uint8).reshape(*x.shape, width) for x in (a, b)]
    return (raw[0] != raw[1]).any(axis=-1)


def _run_strict(name: str, binary: Binary, grid: Grid, arguments: list[Argument]) -> None:
    runs = _Runs(name, binary, grid, arguments, Staging(arguments))
    forward, done = runs.run(FORWARD, _FIRST)
    for order, pattern in ((REVERSED, _SECOND), (SCRAMBLED, _FIRST)):
        other, _ = runs.run(order, pattern)
        found = runs.difference(forward, other, done)
        if found is not None:
            raise _explain(runs, forward, done, order, found)
    runs.staging.store(forward)
    if done.skipped_line:
        warnings.warn(report.skipped(name, done, grid), BarrierWarning, stacklevel=4)


def _explain(
    runs: _Runs, forward: list[Any], done: Request, order: int, found: report.Difference
) -> Exception:
    """Tell memory that was never written from a dependence on the order."""
    again, _ = runs.run(FORWARD, _FIRST, _SECOND)
    read = runs.difference(forward, again, done)
    if read is not None:
        return report.unwritten(runs.name, read, runs.staging.unwritten_names())
    again, _ = runs.run(FORWARD, _SECOND, _FIRST)
    unwritten = runs.difference(forward, again, done)
    if unwritten is not None:
        return report.uninitialised(runs.name, unwritten, _FIRST, _SECOND)
    return report.race(runs.name, found, ORDERS[order], bool(done.float_atomics))
