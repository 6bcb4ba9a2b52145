"""Elements of arrays: loads, stores, maps and reductions, one index after the other."""

from __future__ import annotations

import importlib
import itertools
import operator
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.interpreter.folding import PUT, folded
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

#: What comes of no terms.
EMPTY = {"+": np.float64(0), "*": np.float64(1), "|": np.False_, "&": np.True_}


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
    put = PUT[op.attributes["operator"]]

    def step(frame: Frame) -> None:
        place = tuple([frame[one] for one in index])
        frame[array][place] = put(frame[array][place], frame[value])

    return step


@step_of("Extent")
def _extent(op: Op, context: Context) -> Step:
    axis = op.attributes["axis"]
    return computed(op, lambda array: array.shape[axis])


@step_of("Wrap")
def _wrap(op: Op, context: Context) -> Step:
    def wrapped(index: Any, size: int) -> int:
        place = operator.index(index)
        return place + size if place < 0 else place

    def clamped(index: Any, size: int) -> int:
        return slice(index, None).indices(size)[0]

    return computed(op, clamped if op.attributes["clamped"] else wrapped)


@step_of("Alloc")
def _alloc(op: Op, context: Context) -> Step:
    dtype = op.attributes["dtype"]
    return computed(op, lambda *sizes: np.empty([max(size, 0) for size in sizes], dtype))


@step_of("Compact")
def _compact(op: Op, context: Context) -> Step:
    return computed(op, lambda array, flags: array[flags])


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
    reductions = op.attributes["reductions"]
    results = [value.index for value in op.results]

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        for need in needs:
            if not holds(need, frame):
                raise NeedFailed(need)
        axes = [
            range(frame[low], frame[high], stride)
            for low, high, stride in zip(bounds[::2], bounds[1::2], steps, strict=True)
        ]
        points: list[Sequence[Any]] = []
        for point in itertools.product(*axes):
            assign(frame, indices, point)
            _, values = yield from body(frame)
            points.append(values if reductions else ())
        totals = folded(reductions, [frame[place] for place in starts], points)
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
    put, stride = PUT[op.attributes["operator"]], op.attributes["step"]
    empty = EMPTY.get(op.attributes["operator"])

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        total = frame[start[0]] if start else None
        for place in range(frame[low], frame[high], stride):
            frame[index] = place
            _, (value,) = yield from body(frame)
            total = value if total is None else put(total, value)
        if total is None and empty is None:
            raise ValueError("an extreme of nothing has no value")
        frame[result] = empty if total is None else total
        return None

    return step


@control_of("Scan")
def _scan(op: Op, context: Context) -> Control:
    body = context.region(op.regions[0])
    low, high, start = [value.index for value in op.operands]
    index, results = op.regions[0].parameters[0].index, [value.index for value in op.results]
    put, stride = PUT[op.attributes["operator"]], op.attributes["step"]
    dtype = op.attributes["dtype"]

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        totals = [frame[start]]
        for place in range(frame[low], frame[high], stride):
            frame[index] = place
            _, (value,) = yield from body(frame)
            totals.append(put(totals[-1], value))
        assign(frame, results, (np.array(totals, dtype), totals[-1]))
        return None

    return step
