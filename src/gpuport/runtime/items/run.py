"""A loop, run once for all of its items, or once for each way that they go through it."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any
from weakref import WeakSet

import numpy as np

from gpuport.runtime.fallback import out_of_memory_errors
from gpuport.runtime.items.apart import see_that_apart
from gpuport.runtime.items.effects import commit
from gpuport.runtime.items.guards import Sum
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.keeping import views_of
from gpuport.runtime.items.names import bound_to, may_run
from gpuport.runtime.items.outside import OuterArray
from gpuport.runtime.items.signals import Split, Unbatched, refuse
from gpuport.runtime.items.trace import Trace

MOST_RUNS = 32
"""Of more ways that items go, each is a loop of its own: there is not much to be gained."""


def run_all(
    cupy: Any, function: FunctionType, args: Sequence[Any], *, axes: int, **words: Any
) -> Any:
    """`run`, with fewer nested loops where the iterations of all of them are no items."""
    try:
        return run(cupy, function, args, axes=axes, **words)
    except Unbatched:
        if axes == 1:
            raise
        return run_all(cupy, function, args, axes=axes - 1, **words)


def run(
    cupy: Any,
    function: FunctionType,
    args: Sequence[Any],
    *,
    axes: int,
    sums: Sequence[int],
    hosted: Sequence[int] = (),
    gives_hosted: bool = False,
    adds: bool = False,
) -> Any:
    """Call a function that is a loop, all of its items at once.

    Parameters
    ----------
    cupy : module
    function : function
    args : sequence of object
    axes : int
        Of how many nested loops the iterations are items.
    sums : sequence of int
        Which of the arguments are numbers that all items add to.
    hosted : sequence of int
        Those whose new items are NumPy's; `gives_hosted`: what is given is, too.
    adds : bool
        Whether all that is added to parts of arrays waits for the end. Else what an item adds to
        its own is added at once, as far as a way knows what is its own: on another one an item may
        add to the same.

    Raises
    ------
    Unbatched, or any other exception
        Where that is not possible, or an item raises. Nothing has been changed then.
    """
    if not may_run(function):
        refuse("it makes sets, imports, or binds names that are not its own")
    done = _all_ways(cupy, function, args, axes, sums, adds or function in _ADDING)
    traces = [trace for trace, _ in done]
    try:
        see_that_apart(traces)
    except Unbatched:
        if not any(trace.adds_alone for trace in traces):
            raise
        words: dict[str, Any] = {"hosted": hosted, "gives_hosted": gives_hosted}
        found = run(cupy, function, args, axes=axes, sums=sums, adds=True, **words)
        _ADDING.add(function)
        return found
    for trace in traces:
        trace.gives_hosted = gives_hosted
        trace.hosted = frozenset(id(args[place]) for place in hosted)
    result = _result(done)
    commit(traces)
    return result


_ADDING: WeakSet[FunctionType] = WeakSet()
"""Loops that have once been run with `adds`, after they were refused without."""


def _all_ways(
    cupy: Any,
    function: FunctionType,
    args: Sequence[Any],
    axes: int,
    sums: Sequence[int],
    adds: bool,
) -> list[tuple[Trace, Any]]:
    """What came of each way that the items go."""
    done: list[tuple[Trace, Any]] = []
    pending: list[Any] = [None]
    tried = 0
    while pending:
        tried += 1
        if tried > MOST_RUNS:
            refuse(f"the items go more than {MOST_RUNS} ways")
        trace = Trace(cupy, axes, pending.pop(), adds=adds)
        try:
            done.append((trace, _one(trace, function, args, sums)))
        except Split as split:
            pending += _parts(trace, split.labels)
        except out_of_memory_errors(cupy):
            pending += _parts(trace, np.arange(trace.count) >= trace.count // 2)
    return done


def _parts(trace: Trace, labels: Any) -> list[Any]:
    if not trace.places.size or trace.count < 2:
        refuse("the items go several ways before the loop")
    kinds = np.unique(labels)
    if len(kinds) > MOST_RUNS:
        refuse(f"the items go more than {MOST_RUNS} ways")
    return [trace.places[labels == one] for one in kinds]


def _one(trace: Trace, function: FunctionType, args: Sequence[Any], sums: Sequence[int]) -> Any:
    given = [
        Sum(trace, value) if place in sums else trace.outer(value)
        for place, value in enumerate(args)
    ]
    result = bound_to(trace, function)(*given)
    if trace.entered != trace.axes or trace.finished != trace.axes:
        refuse("the loop ends before all of its items")
    if not _holds(result, trace.sums):
        refuse("what is added to a number is not kept")
    return result


def _holds(result: Any, made: int) -> bool:
    """Whether all that has been added to numbers is in what is given back."""
    parts = result if isinstance(result, tuple) else (result,)
    return sum(len(one.terms) for one in parts if isinstance(one, Sum)) == made


def _result(done: list[tuple[Trace, Any]]) -> Any:
    """What the loop gives back."""
    results = [result for _, result in done]
    if isinstance(results[0], tuple):
        columns = zip(*results, strict=True)
        traces = [trace for trace, _ in done]
        return tuple(_value(list(zip(traces, column, strict=True))) for column in columns)
    return _value(done)


def _value(done: list[tuple[Trace, Any]]) -> Any:
    first = done[0][1]
    if isinstance(first, Sum):
        return _summed(done)
    if isinstance(first, list):
        return [value for _, _, value in _in_order(done)]
    if isinstance(first, dict):
        return _mapped(done)
    return _last(done)


def _in_order(done: list[tuple[Trace, Any]]) -> list[tuple[int, int, Any]]:
    """Place of the item, number in its list, and value, as the loop has them."""
    rows: list[tuple[int, int, Any]] = []
    for trace, result in done:
        for number, value in enumerate(result):
            each = trace.split_up(value, hosted=trace.gives_hosted)
            rows += zip(trace.places.tolist(), [number] * len(each), each, strict=True)
    return sorted(rows, key=lambda row: row[:2])


def _mapped(done: list[tuple[Trace, Any]]) -> dict[Any, Any]:
    rows: list[tuple[int, Any, Any]] = []
    for trace, result in done:
        for key, value in result.items():
            keys = trace.keys_of(key)
            if keys is None:
                refuse("all items store under the same key")
            each = trace.split_up(value, hosted=trace.gives_hosted)
            rows += zip(trace.places.tolist(), keys, each, strict=True)
    return {key: value for _, key, value in sorted(rows, key=lambda row: row[0])}


def _last(done: list[tuple[Trace, Any]]) -> Any:
    """What the last item leaves."""
    trace, value = next(
        (trace, value) for trace, value in done if trace.places[-1] == trace.total - 1
    )
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if isinstance(value, OuterArray):
        return value.array
    if not isinstance(value, Item):
        refuse("what the last item leaves is neither a number nor an array")
    views = views_of(trace, value) if value.origin is not None and value.ndim else None
    if views is not None:
        return views[-1]
    if value.weak or not value.ndim:
        number = value.numbers()[-1]
        return number.item() if value.weak else number
    data = value.data[-1].copy() if value.stacked else value.data.copy()
    return trace.cupy.asnumpy(data) if value.on_host else data


def _summed(done: list[tuple[Trace, Any]]) -> Any:
    """The number that all items have added to, or the least or greatest of theirs and it."""
    found = done[0][1].start
    ways = {way for _, total in done for way, _ in total.terms}
    if ways & {"min", "max"}:
        return _kept(found, ways.pop(), done)
    for trace, total in done:
        for way, value in total.terms:
            if way in ("minimum", "maximum"):
                found = _extreme(trace, way, found, value)
            else:
                added = _added(trace, value, found)
                found = found + added if way == "add" else found - added
    return found


def _kept(start: Any, way: str, done: list[tuple[Trace, Any]]) -> Any:
    """As Python compares one number after the other: what is not comparable is not kept."""
    rows: list[tuple[int, int, Any]] = []
    for trace, total in done:
        for number, (_, value) in enumerate(total.terms):
            if getattr(value, "ndim", 0):
                refuse(f"`{way}` of arrays")
            each = trace.split_up(value, hosted=True)
            rows += zip(trace.places.tolist(), [number] * len(each), each, strict=True)
    for _, _, value in sorted(rows, key=lambda row: row[:2]):
        start = min(start, value) if way == "min" else max(start, value)
    return start


def _extreme(trace: Trace, way: str, found: Any, value: Any) -> Any:
    """``numpy.minimum`` of a number or array and those of all items."""
    if not is_stack(value) or value.weak:
        refuse(f"`{way}` of something that is no array and no number of NumPy's")
    data = value.data.min(axis=0) if way == "minimum" else value.data.max(axis=0)
    if not value.ndim:
        return getattr(np, way)(found, trace.cupy.asnumpy(data)[()])
    return getattr(trace.cupy, way)(trace.cupy.asarray(found), data)


def _added(trace: Trace, value: Any, start: Any) -> Any:
    """What all items add to a number, or an array."""
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return value * trace.count  # type: ignore[operator]
    if not isinstance(value, Operand):
        refuse("something is added up that is no number")
    if not is_stack(value):
        return trace.data_of(value) * trace.count
    if value.weak:
        return sum(value.numbers().tolist())
    if value.ndim:
        return value.data.sum(axis=0, dtype=_wide(value.dtype, start))
    if value.known is not None:
        return value.known.sum(dtype=_wide(value.dtype, start))
    return value.data.sum(dtype=_wide(value.dtype, start)).get()[()]


def _wide(dtype: Any, start: Any) -> Any:
    """The dtype in which NumPy adds numbers of this dtype to a number, or an array."""
    if isinstance(start, np.generic):
        return np.result_type(dtype, start.dtype)
    return np.result_type(dtype, 1) if dtype.kind == "b" else dtype
