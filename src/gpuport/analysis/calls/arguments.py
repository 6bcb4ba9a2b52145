"""The arguments of calls as written."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from gpuport._frozen import frozen
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.contents import of_numbers
from gpuport.analysis.values.lattice import (
    INT,
    UNKNOWN,
    Array,
    Object,
    Sequence,
    Tuple,
    Value,
    elements,
    is_container,
    is_number,
    join_all,
)
from gpuport.source.passing import is_passing


@frozen
class Argument:
    """An argument of a call as written: position or keyword, its expression and flow."""

    position: int | None
    keyword: str | None
    expression: ast.expr
    flow: Flow


def arguments(unit: Unit, node: ast.Call) -> list[Argument]:
    """Evaluate the arguments of a call from left to right."""
    found: list[Argument] = []
    for position, expression in enumerate(node.args):
        if isinstance(expression, ast.Starred):
            found.append(Argument(None, None, expression.value, spread(unit, expression)))
        else:
            found.append(Argument(position, None, expression, evaluate(unit, expression)))
    for keyword in node.keywords:
        found.append(
            Argument(None, keyword.arg or "**", keyword.value, evaluate(unit, keyword.value))
        )
    return found


def spread(unit: Unit, node: ast.Starred) -> Flow:
    """``*values``: what is spread; the items of an instance are not followed one by one."""
    unit.marked.consume(node.value)
    if isinstance(node.value, (ast.GeneratorExp, ast.Call)):
        unit.marked.exhausted.add(id(node.value))
    flow = evaluate(unit, node.value)
    if isinstance(flow.value, Object) and unit.objects is not None:
        unit.objects.open(flow.value.name, node, "an instance is unpacked")
    return flow


def spread_out(unit: Unit, path: str, args: list[Argument]) -> list[Argument] | None:
    """The operands of a ufunc, the items of ``*values`` among them one by one.

    None where it is not known how many there are, and where one may be what is written to.
    """
    entry = unit.knowledge.tables.entry(path)
    if entry is None or entry.kind != "ufunc" or entry.nin is None:
        return None
    found: list[Argument] = []
    for one in args:
        value = one.flow.value
        if one.keyword is not None:
            return None
        if one.position is not None:
            found.append(replace(one, position=len(found)))
        elif isinstance(value, Tuple | Array) and not value.optional:
            items = value.items if isinstance(value, Tuple) else ()
            if isinstance(value, Array) and is_passing(one.expression) and (value.rank or 0) > 1:
                items = (replace(value, rank=(value.rank or 0) - 1),) * (entry.nin - len(args) + 1)
            flows = [replace(one.flow, value=item, view=True) for item in items]
            found += [
                Argument(len(found) + k, None, one.expression, flow) for k, flow in enumerate(flows)
            ]
        else:
            return None
    return found if len(args) <= len(found) <= entry.nin else None


def takes_any_number(unit: Unit, path: str) -> bool:
    """Whether all that is given by place is of one kind, and nothing shares memory: `meshgrid`."""
    entry, effect = unit.knowledge.tables.entry(path), unit.knowledge.rules.effect(path)
    parameters = () if entry is None else entry.parameters or ()
    new = effect is None or not effect.view or bool(effect.view_when)
    return new and bool(parameters) and parameters[0].kind == "var_positional"


def of_each_number(args: list[Argument], probe: Callable[[list[Argument]], Value]) -> Value:
    """What a call of such a function gives of ``*values``, however many these are."""
    first, *named = args
    if any(one.keyword == "copy" for one in named):
        return UNKNOWN
    value = first.flow.value
    if (
        not is_spread(first)
        or any(map(is_spread, named))
        or not isinstance(value, Sequence | Tuple)
    ):
        return UNKNOWN
    of = elements(value) or UNKNOWN
    several = [value.items] if isinstance(value, Tuple) else [(of,) * count for count in (2, 3)]
    found = [
        probe([*(replace(first, position=0, flow=Flow(item)) for item in items), *named])
        for items in several
    ]
    if not isinstance(of, Array) or not all(map(is_container, found)):
        return UNKNOWN
    if len(found) == 1:
        return found[0]
    given = join_all([elements(each) or UNKNOWN for each in found])
    return Sequence(given, all(isinstance(each, Sequence) and each.list for each in found))


def joined_parts(unit: Unit, path: str, args: list[Argument]) -> Argument | None:
    """The numbers of ``x.reshape(-1, *shape)`` as the one tuple that the method takes as well."""
    parts = unit.knowledge.words.takes_parts
    if path not in parts or any(a.keyword or a.flow.origin is not None for a in args):
        return None
    items: list[Value] = []
    told = True
    for one in args:
        value = one.flow.value
        if one.position is not None:
            items.append(value)
        elif isinstance(value, Tuple) and not value.optional:
            items += value.items
        elif isinstance(value, Sequence) and of_numbers(value):
            told = False
        else:
            return None
    if not all(map(is_number, items)):
        return None
    whole: Value = Tuple(tuple(items)) if told else Sequence(INT, list=False)
    return Argument(1, None, args[0].expression, Flow(whole))


def as_numbers(args: list[Argument]) -> list[Argument]:
    """Arguments of which all are numbers of the host, those that are spread among them."""
    return [
        one if one.position is not None else Argument(place, None, one.expression, Flow(INT))
        for place, one in enumerate(args)
    ]


def is_spread(argument: Argument) -> bool:
    """Whether an argument is written ``*values``."""
    return argument.position is None and argument.keyword is None


__all__ = [
    "Argument", "arguments", "as_numbers", "is_spread", "joined_parts", "of_each_number", "spread",
    "spread_out", "takes_any_number",
]  # fmt: skip
