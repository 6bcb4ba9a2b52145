"""Operators of instances: ``a + b`` where the class of ``a`` says what that is."""

from __future__ import annotations

import ast

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.classes import OPERATORS
from gpuport.analysis.objects.membercalls import call_any, methods_of
from gpuport.analysis.values.lattice import Object, Scalar
from gpuport.source.names import FunctionNode

Operand = tuple[ast.expr, Flow]

_NUMBERS = ("bool", "int", "float", "complex", "number")


def object_binary(
    unit: Unit, node: ast.expr, operator: ast.operator, left: Operand, right: Operand
) -> Flow | None:
    """``model + other``, as the class of one of them defines it.

    Returns
    -------
    Flow or None
        None where it is no operator of a followed class, or not certainly which: an instance that
        takes part is then not followed on.
    """
    word = OPERATORS.get(type(operator))
    if unit.objects is None or word is None:
        return None
    if isinstance(right[1].value, Object):
        reflected = _definitions(unit, right[1], f"__r{word}__")
        plain = isinstance(left[1].value, Scalar) and left[1].value.type in _NUMBERS
        if reflected and not plain:
            return None  # Python asks a derived class first
        if reflected and plain:
            return _call(unit, node, reflected, right, left)
    methods = _definitions(unit, left[1], f"__{word}__")
    return _call(unit, node, methods, left, right) if methods else None


def object_unary(
    unit: Unit, node: ast.expr, word: str, expression: ast.expr, operand: Flow
) -> Flow | None:
    """``-model`` and ``abs(model)``, as its class defines them; None for anything else."""
    methods = _definitions(unit, operand, word) if unit.objects is not None else []
    if unit.objects is None or not methods:
        return None
    unit.follow(expression)
    return call_any(unit.objects, unit, node, methods_of(methods), [])


def object_item(unit: Unit, node: ast.Subscript, held: Flow) -> Flow | None:
    """``model[index]``, where its class has ``__getitem__``; None for anything else."""
    methods = _definitions(unit, held, "__getitem__") if unit.objects is not None else []
    if unit.objects is None or not methods:
        return None
    unit.follow(node.value)
    given = [Argument(0, None, node.slice, evaluate(unit, node.slice))]
    return call_any(unit.objects, unit, node, methods_of(methods), given)


def object_iterated(unit: Unit, expression: ast.expr, held: Flow) -> Flow | None:
    """``for batch in loader``, where its class has ``__iter__``; None for anything else."""
    methods = _definitions(unit, held, "__iter__") if unit.objects is not None else []
    if unit.objects is None or not methods:
        return None
    unit.follow(expression)
    return call_any(unit.objects, unit, expression, methods_of(methods), [])


def items_of_instance(unit: Unit, expression: ast.expr, held: Flow) -> list[Flow]:
    """What going over a named tuple gives, one after the other; nothing for anything else."""
    if unit.objects is None or not isinstance(held.value, Object):
        return []
    items = unit.objects.items(unit, expression, held.value) or []
    if items:
        unit.follow(expression)
    return items


def _definitions(unit: Unit, flow: Flow, name: str) -> list[FunctionNode]:
    held = flow.value
    if unit.objects is None or not isinstance(held, Object) or held.optional:
        return []
    family = unit.objects.classes.get(held.name)
    return [] if family is None else family.methods(name, held.kinds)


def _call(
    unit: Unit,
    node: ast.expr,
    methods: list[FunctionNode],
    instance: Operand,
    other: Operand,
) -> Flow:
    assert unit.objects is not None
    unit.follow(instance[0])
    given = [Argument(0, None, *other)]
    return call_any(unit.objects, unit, node, methods_of(methods), given)


__all__ = [
    "items_of_instance", "object_binary", "object_item", "object_iterated", "object_unary",
]  # fmt: skip
