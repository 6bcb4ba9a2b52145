"""Python values: containers, operators, attributes, items, texts, and what loops go over."""

from __future__ import annotations

import builtins
import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.ir.interpreter.steps import Context, Frame, Step, assign, reader, step_of
from gpuport.ir.operators import BINARY, COMPARE, IN_PLACE, UNARY, Operators
from gpuport.ir.structure import Op

OPERATORS = {"Unary": UNARY, "Binary": BINARY, "InPlace": IN_PLACE, "Compare": COMPARE}
#: Where what a loop goes over is no built-in of the form's name.
FORMS: Operators = {
    "elements": lambda iterable: iterable,
    "iterator": iter,
    "product": itertools.product,
    "ndindex": np.ndindex,
}
CONTAINERS: dict[str, Callable[[Any], Any]] = {"Tuple": tuple, "List": list, "Set": set}
#: Conversions of replacement fields, as ``ast.FormattedValue`` numbers them.
CONVERSIONS: dict[int, Callable[[Any], Any]] = {
    -1: lambda value: value,
    ord("s"): str,
    ord("r"): repr,
    ord("a"): ascii,
}


def computed(op: Op, function: Callable[..., Any]) -> Step:
    """Call a Python function with the operands, and store what it gives."""
    values, place = reader(op), op.result.index

    def step(frame: Frame) -> None:
        frame[place] = function(*values(frame))

    return step


def _done(op: Op, function: Callable[..., Any]) -> Step:
    """Call a Python function with the operands for what it does."""
    values = reader(op)

    def step(frame: Frame) -> None:
        function(*values(frame))

    return step


@step_of("Unary", "Binary", "InPlace", "Compare")
def _operator(op: Op, context: Context) -> Step:
    return computed(op, OPERATORS[op.kind][op.attributes["operator"]])


@step_of("Slice")
def _slice(op: Op, context: Context) -> Step:
    return computed(op, slice)


@step_of("GetItem")
def _get_item(op: Op, context: Context) -> Step:
    return computed(op, operator.getitem)


@step_of("SetItem")
def _set_item(op: Op, context: Context) -> Step:
    return _done(op, operator.setitem)


@step_of("DelItem")
def _del_item(op: Op, context: Context) -> Step:
    return _done(op, operator.delitem)


@step_of("GetAttr")
def _get_attr(op: Op, context: Context) -> Step:
    name = op.attributes["name"]
    return computed(op, lambda value: getattr(value, name))


@step_of("SetAttr")
def _set_attr(op: Op, context: Context) -> Step:
    name = op.attributes["name"]
    return _done(op, lambda owner, value: setattr(owner, name, value))


@step_of("DelAttr")
def _del_attr(op: Op, context: Context) -> Step:
    name = op.attributes["name"]
    return _done(op, lambda owner: delattr(owner, name))


@step_of("Tuple", "List", "Set")
def _sequence(op: Op, context: Context) -> Step:
    make, stars = CONTAINERS[op.kind], op.attributes["stars"]
    if not stars:
        return computed(op, lambda *items: make(items))

    def spread(*items: Any) -> Any:
        parts: list[Any] = []
        for star, item in zip(stars, items, strict=True):
            if star:
                parts.extend(item)
            else:
                parts.append(item)
        return make(parts)

    return computed(op, spread)


@step_of("Dict")
def _dict(op: Op, context: Context) -> Step:
    spread = op.attributes["spread"]

    def make(*parts: Any) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for many, key, value in zip(spread, parts[::2], parts[1::2], strict=True):
            if many:
                made.update(value)
            else:
                made[key] = value
        return made

    return computed(op, make)


@step_of("Collect")
def _collect(op: Op, context: Context) -> Step:
    methods: Operators = {"append": list.append, "add": set.add, "put": dict.__setitem__}
    return _done(op, methods[op.attributes["how"]])


@step_of("Iterate")
def _iterate(op: Op, context: Context) -> Step:
    form = op.attributes["form"]
    return computed(op, FORMS.get(form) or getattr(builtins, form))


@step_of("Format")
def _format(op: Op, context: Context) -> Step:
    how = op.attributes["how"]

    def text(*operands: Any) -> str:
        parts = iter(operands)
        return "".join(
            next(parts)
            if conversion is None
            else format(CONVERSIONS[conversion](next(parts)), next(parts))
            for conversion in how
        )

    return computed(op, text)


@step_of("Unpack")
def _unpack(op: Op, context: Context) -> Step:
    source, star = op.operands[0].index, op.attributes["star"]
    places = [value.index for value in op.results]
    take = _exactly(len(places)) if star is None else _with_rest(len(places), star)

    def step(frame: Frame) -> None:
        assign(frame, places, take(frame[source]))

    return step


def _exactly(count: int) -> Callable[[Any], list[Any]]:
    def take(iterable: Any) -> list[Any]:
        # no more is drawn than Python draws: one beyond what is wanted
        got = list(itertools.islice(iter(iterable), count + 1))
        if len(got) > count:
            raise ValueError(f"too many values to unpack (expected {count})")
        if len(got) < count:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(got)})")
        return got

    return take


def _with_rest(count: int, star: int) -> Callable[[Any], list[Any]]:
    after = count - star - 1

    def take(iterable: Any) -> list[Any]:
        got = list(iterable)
        if len(got) < count - 1:
            raise ValueError(
                f"not enough values to unpack (expected at least {count - 1}, got {len(got)})"
            )
        end = len(got) - after
        return [*got[:star], got[star:end], *got[end:]]

    return take
