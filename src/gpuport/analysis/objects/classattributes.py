"""Classes as values: what their bodies bind, and what is asked of ``Class`` and ``type(x)``.

An attribute has one place for a family, whether an instance has it or its class.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.functions.functionvalues import is_function
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.values.lattice import UNKNOWN, Object, objects_in

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit

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
    from gpuport.analysis.expressions.evaluation import evaluate

    objects = unit.objects
    family = objects.classes.get(node.name) if objects is not None else None
    if objects is None or family is None or family.classes[node.name].node is not node:
        return
    facts = family.classes[node.name]
    for name, expression in facts.worked_out():
        names = (n.id for n in ast.walk(expression) if isinstance(n, ast.Name))
        own = any(map(facts.scope.binds, names))  # the module knows nothing of these
        flow = Flow(UNKNOWN) if own else evaluate(unit, expression)
        if not family.has_field(name):
            open_methods(unit, expression, flow)
        objects.store(unit, expression, family.name, name, expression, flow)


def open_methods(unit: Unit, node: ast.expr, flow: Flow) -> None:
    """A function that a class holds is a method of its instances: they call it with themselves."""
    objects = unit.objects
    for name in objects_in(flow.value) if objects is not None else ():
        if objects is not None and is_function(objects.classes[name]):
            objects.open(name, node, "a function in a class is a method")


__all__ = ["asks_only", "attribute_of_class", "bind_body", "class_of", "open_methods"]
