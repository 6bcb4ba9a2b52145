"""Instances whose text is asked for, and dataclasses that functions of Python's copy or read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import arguments
from gpuport.analysis.expressions.evaluation import kept
from gpuport.analysis.functions.functionvalues import owners
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.membercalls import call_any, methods_of
from gpuport.analysis.values.lattice import (
    Instance,
    Object,
    Unknown,
    Value,
    is_container,
    on_device_possible,
    parts,
)
from gpuport.source.names import FunctionNode
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.objects.families import Family
    from gpuport.analysis.objects.instances import Objects

ASKS = {"builtins.print": False, "builtins.str": False, "builtins.format": False,
        "builtins.repr": True}  # fmt: skip
"""What asks for the text of its arguments; whether as ``repr`` does."""

_TEXTS = frozenset({"__repr__", "__str__"})
_COPIES = frozenset({"copy.copy", "copy.deepcopy"})
_READS = frozenset({"dataclasses.asdict", "dataclasses.astuple", "dataclasses.fields"})


def ask_for_text(unit: Unit, expression: ast.expr, value: Value, *, as_repr: bool) -> None:
    """``print(model)``: what its class says of itself is called here; in a list, its ``repr``."""
    objects = unit.objects
    if objects is None:
        return
    as_repr = as_repr or is_container(value)
    shown = [_shown(objects, held, as_repr=as_repr) for held in _instances(value)]
    if not shown or None in shown:
        return
    unit.follow(expression)  # what is left to Python: its address, or the numbers of a dataclass
    for methods in shown:
        if methods:
            call_any(objects, unit, expression, methods_of(methods), [])


def _instances(value: Value) -> Iterator[Object]:
    """The instance that a value is, or those that it holds."""
    if isinstance(value, Object):
        yield value
    elif is_container(value):
        for part in parts(value):
            yield from _instances(part)


def _shown(objects: Objects, held: Object, *, as_repr: bool) -> list[FunctionNode] | None:
    """What the text of an instance calls; None where it shows what is not followed."""
    family = objects.classes.get(held.name)
    if family is None or owners(family):
        return None  # that of a method shows its instance
    methods, left = family.texts(held.kinds, as_repr=as_repr)
    if any(map(family.has_constant, _TEXTS)):
        return None
    if left and family.shows_fields and not _holds_numbers(objects, family):
        return None
    return list(methods)


def read_whole(unit: Unit, path: str, args: list[Argument]) -> None:
    """``asdict(settings)``: all fields are read, which says nothing where none is an array."""
    if unit.objects is None:
        return
    for argument in args:
        held = argument.flow.value
        if path in ASKS:
            ask_for_text(unit, argument.expression, held, as_repr=ASKS[path])
            continue
        family = unit.objects.classes.get(held.name) if isinstance(held, Object) else None
        if family is not None and path in _READS and _holds_numbers(unit.objects, family):
            unit.follow(argument.expression)


def replaced(unit: Unit, node: ast.Call, path: str) -> Flow | None:
    """``replace(settings, n=30)``: another instance of the same class."""
    if path != "dataclasses.replace" or len(node.args) != 1 or has_star(node):
        return None
    first, *others = arguments(unit, node)
    held = first.flow.value
    if isinstance(held, Instance) and not any(a.flow.origin is not None for a in others):
        return Flow(held)
    objects = unit.objects
    if objects is None or not isinstance(held, Object) or held.name not in objects.classes:
        return None
    unit.follow(first.expression)
    return with_others(unit, node, held, others)


def copied(unit: Unit, node: ast.Call, path: str) -> Flow | None:
    """``copy.deepcopy(model)``: another instance of the same class."""
    if path not in _COPIES or len(node.args) != 1 or node.keywords or has_star(node):
        return None
    (first,) = arguments(unit, node)
    objects, held = unit.objects, first.flow.value
    if objects is None or not isinstance(held, Object) or held.name not in objects.classes:
        return None
    unit.follow(first.expression)
    return Flow(held)


def with_others(unit: Unit, node: ast.Call, held: Object, others: list[Argument]) -> Flow:
    """Another instance, of which some fields are others: ``pair._replace(first=x)``."""
    objects = unit.objects
    assert objects is not None
    for argument in others:
        assert argument.keyword is not None
        flow = kept(unit, argument.expression, argument.flow)
        objects.store(unit, node, held.name, argument.keyword, argument.expression, flow)
    after = objects.classes[held.name].methods("__post_init__", held.kinds)
    if after:
        call_any(objects, unit, node, methods_of(after), [])
    return Flow(replace(held, optional=False))


def _holds_numbers(objects: Objects, family: Family) -> bool:
    """Whether no attribute is, or holds, what may be an array or an instance."""
    return not any(
        owner == family.name and (on_device_possible(value) or isinstance(value, (Unknown, Object)))
        for (owner, _), value in objects.before.attributes.items()
    )


__all__ = ["ASKS", "ask_for_text", "copied", "read_whole", "replaced", "with_others"]
