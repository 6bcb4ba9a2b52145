"""Elements of arrays: loads, stores, maps and reductions, one index after the other."""

from __future__ import annotations

import importlib
import itertools
import operator
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.interpreter.objects import computed
from gpuport.ir.interpreter.steps import (
    Context,
    Control,
    Frame,
    Left,
    Step,
    assign,
    control_of,
    step_of,
)
from gpuport.ir.structure import Op, Value

#: How two values are put together: sums and products; extremes of NumPy, where NaN wins, and of
#: Python, where the later one is taken only if it is beyond the former; and the later value.
REDUCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "min": lambda total, value: value if value < total else total,
    "max": lambda total, value: value if value > total else total,
    "last": lambda total, value: value,
}


class NeedFailed(Exception):
    """Something that a map rests on does not hold: a port would run the original instead."""


def read_symbol(symbol: Symbol, frame: Frame) -> int | None:
    """The integer that a symbol stands for, in a frame."""
    value = frame[symbol.source.index]
    try:
        for step, place in symbol.path:
            value = value.shape[place] if step == "axis" else value[place]
    except (AttributeError, IndexError, KeyError, TypeError):
        return None
    return int(value) if isinstance(value, (int, np.integer)) else None


def read_extent(extent: Affine, frame: Frame) -> int | None:
    """The integer that an extent is, in a frame."""
    values: dict[Symbol, int] = {}
    for symbol in extent.symbols:
        value = read_symbol(symbol, frame)
        if value is None:
            return None
        values[symbol] = value
    return extent.value(values)


@step_of("Load")
def _load(op: Op, context: Context) -> Step:
    return computed(op, lambda array, *index: array[index])


@step_of("Store")
def _store(op: Op, context: Context) -> Step:
    array, *index, value = [operand.index for operand in op.operands]

    def step(frame: Frame) -> None:
        frame[array][tuple([frame[place] for place in index])] = frame[value]

    return step


@step_of("Update")
def _update(op: Op, context: Context) -> Step:
    array, *index, value = [operand.index for operand in op.operands]
    put = REDUCTIONS[op.attributes["operator"]]

    def step(frame: Frame) -> None:
        place = tuple([frame[one] for one in index])
        frame[array][place] = put(frame[array][place], frame[value])

    return step


@step_of("Extent")
def _extent(op: Op, context: Context) -> Step:
    axis = op.attributes["axis"]
    return computed(op, lambda array: array.shape[axis])


@step_of("Alloc")
def _alloc(op: Op, context: Context) -> Step:
    dtype = op.attributes["dtype"]
    return computed(op, lambda *sizes: np.empty([max(size, 0) for size in sizes], dtype))


@step_of("Cast")
def _cast(op: Op, context: Context) -> Step:
    return computed(op, np.dtype(op.attributes["dtype"]).type)


@step_of("Elementwise")
def _elementwise(op: Op, context: Context) -> Step:
    module, _, name = op.attributes["path"].rpartition(".")
    function = getattr(importlib.import_module(module), name)

    def number(*operands: Any) -> Any:
        found = function(*operands)
        return found[()] if isinstance(found, np.ndarray) else found

    return computed(op, number)


@control_of("Map")
def _map(op: Op, context: Context) -> Control:
    body = context.region(op.regions[0])
    steps, needs = op.attributes["steps"], op.attributes["needs"]
    places = [value.index for value in op.operands]
    bounds, starts = places[: 2 * len(steps)], places[2 * len(steps) :]
    indices = [value.index for value in op.regions[0].parameters]
    together = [REDUCTIONS[name] for name in op.attributes["reductions"]]
    results = [value.index for value in op.results]

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        for need in needs:
            if not holds(need, frame):
                raise NeedFailed(need)
        axes = [
            range(frame[low], frame[high], stride)
            for low, high, stride in zip(bounds[::2], bounds[1::2], steps, strict=True)
        ]
        totals = [frame[place] for place in starts]
        for point in itertools.product(*axes):
            assign(frame, indices, point)
            _, values = yield from body(frame)
            totals = [
                put(total, value)
                for put, total, value in zip(together, totals, values, strict=True)
            ]
        assign(frame, results, totals)
        return None

    return step


def holds(need: tuple[str, Any, Any], frame: Frame) -> bool:
    """Whether what a map rests on holds: two extents are equal, one is at least the
    other, two arrays do not overlap."""
    what, one, other = need
    if what in ("equal", "least"):
        size, told = read_extent(one, frame), read_extent(other, frame)
        if size is None or told is None:
            return False
        return size == told if what == "equal" else size >= told
    return not np.may_share_memory(_array(one, frame), _array(other, frame))


def _array(value: Value, frame: Frame) -> Any:
    return frame[value.index]


@control_of("Reduce")
def _reduce(op: Op, context: Context) -> Control:
    body = context.region(op.regions[0])
    low, high, *start = [value.index for value in op.operands]
    index, result = op.regions[0].parameters[0].index, op.result.index
    put, stride = REDUCTIONS[op.attributes["operator"]], op.attributes["step"]

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        total = frame[start[0]] if start else None
        for place in range(frame[low], frame[high], stride):
            frame[index] = place
            _, (value,) = yield from body(frame)
            total = value if total is None else put(total, value)
        frame[result] = np.float64(0) if total is None else total
        return None

    return step
