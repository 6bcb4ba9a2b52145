"""Classes as values: what their bodies bind, and what is asked of ``Class`` and ``type(x)``.

An attribute has one place for a family, whether an instance has it or its class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.functions.functionvalues import is_function
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import UNKNOWN, Object
from gpuport.source.classbodies import names_read

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.objects.classfacts import ClassFacts
    from gpuport.analysis.objects.families import Family

_WITH_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
"""Expressions with names of their own, which do not see those of a class body around them."""

_NAMES = ("__name__", "__qualname__")


def class_of(unit: Unit, expression: ast.expr) -> Object | None:
    """The instance ``x`` of which an expression asks the class: ``type(x)`` or ``x.__class__``."""
    asked: ast.expr | None = None
    if isinstance(expression, ast.Attribute) and expression.attr == "__class__":
        asked = expression.value
    elif isinstance(expression, ast.Call) and len(expression.args) == 1 and not expression.keywords:
        path = unit.scope.resolve(expression.func)
        asked = expression.args[0] if path == "builtins.type" else None
    held = unit.env.get(asked.id) if isinstance(asked, ast.Name) else None
    if held is None or not isinstance(held.value, Object) or held.value.optional:
        return None
    return held.value


def attribute_of_class(unit: Unit, node: ast.Attribute) -> Object | None:
    """What ``Class.name`` is read or bound as: the attribute of an instance of the class."""
    if unit.objects is None or node.attr.startswith("__"):
        return None
    named = unit.objects.class_named(unit, node.value)
    if named is None:
        return None
    family = unit.objects.classes[named[0]]
    return Object(family.name, kinds=frozenset(family.descendants(named[0])))


def asks_only(unit: Unit, expression: ast.expr) -> bool:
    """Whether an expression is the class of an instance, or the name of that class: ``type(x)``,
    ``type(x).__name__``."""
    if unit.objects is None:
        return False
    if isinstance(expression, ast.Attribute) and expression.attr in _NAMES:
        return unit.objects.class_named(unit, expression.value) is not None
    return class_of(unit, expression) is not None


def bind_body(unit: Unit, node: ast.ClassDef) -> None:
    """What a class body works out, as attributes that all instances share."""
    objects = unit.objects
    family = objects.classes.get(node.name) if objects is not None else None
    if objects is None or family is None or family.classes[node.name].node is not node:
        return
    facts = family.classes[node.name]
    read: set[int] = set()
    for name, expression in facts.worked_out():
        own = {
            n.id: n for n in ast.walk(expression)
            if isinstance(n, ast.Name) and facts.scope.binds(n.id)
        }  # fmt: skip
        apart = any(isinstance(n, _WITH_SCOPES) for n in ast.walk(expression))
        if not own or (not apart and all(_is_plain(unit, facts, one) for one in own.values())):
            read.update(map(id, ast.walk(expression)))
            with _bound(unit, family, own):
                flow = evaluate(unit, expression)
        else:
            flow = Flow(UNKNOWN)
        if not family.has_field(name):
            open_methods(unit, expression, flow)
        objects.store(unit, expression, family.name, name, expression, flow)
    worked_out = dict(facts.worked_out())
    for one in names_read(node):
        if id(one) not in read and one.id in worked_out:
            why = f"what the class body makes of `{one.id}` is not followed"
            objects.open(family.name, one, why)


def _is_plain(unit: Unit, facts: ClassFacts, name: ast.Name) -> bool:
    """Whether a name that a class body reads is an attribute that it has bound before, once."""
    bound = facts.constants.get(name.id)
    return (
        isinstance(name.ctx, ast.Load)
        and facts.scope.bound.get(name.id) == 1
        and bound is not None
        and bound.lineno < name.lineno
        and not unit.scope.binds(name.id)
    )


@contextmanager
def _bound(unit: Unit, family: Family, names: Mapping[str, ast.Name]) -> Iterator[None]:
    """While an expression of a class body is evaluated, its names are attributes of the class."""
    assert unit.objects is not None
    for name, node in names.items():
        unit.env[name] = unit.objects.read(unit, family, name, node)
    try:
        yield
    finally:
        for name in names:
            unit.env.pop(name, None)


def open_methods(unit: Unit, node: ast.expr, flow: Flow) -> None:
    """A function that a class holds is a method of its instances: they call it with themselves."""
    objects = unit.objects
    for name in objects_in(flow.value) if objects is not None else ():
        if objects is not None and is_function(objects.classes[name]):
            objects.open(name, node, "a function in a class is a method")


__all__ = ["asks_only", "attribute_of_class", "bind_body", "class_of", "open_methods"]
