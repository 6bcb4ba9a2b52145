"""Instances whose text is asked for, that functions of Python's copy, or read by written names.

``for name in ("x", "v"):`` is read once for each of the names. What is read or stored at one place
of the text shares a side, whatever name it goes by.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import arguments
from gpuport.analysis.expressions.evaluation import evaluate, kept
from gpuport.analysis.functions.functionvalues import holds_arguments, is_function, made_by, owners
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.membercalls import call_any, methods_of
from gpuport.analysis.values.lattice import (
    NONE,
    Array,
    Instance,
    Object,
    Scalar,
    Unknown,
    Value,
    is_container,
    on_device_possible,
    parts,
)
from gpuport.source.names import FunctionNode
from gpuport.source.syntax import has_star, inside

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


_BY_NAME = {"builtins.getattr": 2, "builtins.setattr": 3}
"""Functions that name an attribute by a text, and how many arguments they are given here."""


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


def written_names(unit: Unit, node: ast.For) -> list[str]:
    """The names that a loop goes through by which its body reads or stores attributes."""
    listed = node.iter.elts if isinstance(node.iter, (ast.Tuple, ast.List)) else []
    texts = [one.value for one in listed if isinstance(one, ast.Constant)]
    names = [text for text in texts if isinstance(text, str) and text.isidentifier()]
    if not names or len(names) < len(listed) or not isinstance(node.target, ast.Name):
        return []
    calls = [one for one in inside(node) if isinstance(one, ast.Call) and len(one.args) > 1]
    named = [one for one in calls if getattr(one.args[1], "id", None) == node.target.id]
    return names if any(unit.scope.resolve(one.func) in _BY_NAME for one in named) else []


def by_text(unit: Unit, node: ast.Call, path: str) -> Flow | None:
    """``getattr`` or ``setattr`` of an array of an instance; None where it may be anything else."""
    objects = unit.objects
    if objects is None or node.keywords or len(node.args) != _BY_NAME.get(path):
        return None
    owner, held = node.args[0], unit.load(getattr(node.args[0], "id", ""))
    name = unit.load(getattr(node.args[1], "id", ""))
    text = name.value.constant if name is not None and isinstance(name.value, Scalar) else None
    value = None if held is None else held.value
    if not isinstance(value, Object) or value.optional or not isinstance(text, str):
        return None
    family = objects.classes.get(value.name)
    if family is None or is_function(family) or holds_arguments(family) or made_by(family, value):
        return None
    hooks = (text, "__getattr__", "__getattribute__", "__setattr__")
    plain = not text.startswith("__") and not any(map(family.defines, hooks))
    known = objects.before.attributes.get(
        (family.name, text), objects.now.attributes.get((family.name, text))
    )
    if not plain or family.setters(text) or family.has_constant(text) or family.items:
        return None
    if not isinstance(known, Array) or known.optional:
        return None
    shared = unit.node_for("by_text", node, text)
    objects.common.gather(shared, objects.node(family.name, text, text))
    unit.follow(owner)
    if path == "builtins.getattr":
        return objects.read(unit, family, text, node)
    flow = evaluate(unit, node.args[2])
    objects.store(unit, node, family.name, text, node.args[2], flow)
    return Flow(NONE)


def _holds_numbers(objects: Objects, family: Family) -> bool:
    """Whether no attribute is, or holds, what may be an array or an instance."""
    return not any(
        owner == family.name and (on_device_possible(value) or isinstance(value, (Unknown, Object)))
        for (owner, _), value in objects.before.attributes.items()
    )


__all__ = [
    "ASKS", "ask_for_text", "by_text", "copied", "read_whole", "replaced", "with_others",
    "written_names",
]  # fmt: skip
