"""Operators and functions element by element, and small arrays that are written out."""

from __future__ import annotations

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements, Indices, element_of
from gpuport.canonicalise.expansions import expanded
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.reductions import product, reduction
from gpuport.canonicalise.writer import Writer, constant_of
from gpuport.facts.knowledge import Unresolved, resolve
from gpuport.ir.structure import Op, Value
from gpuport.ir.types import Type


@element_of("Binary", "Compare", "Unary")
def _operator(elements: Elements, op: Op, t: Type, indices: Indices) -> Value:
    symbol = op.attributes["operator"]
    if symbol == "@":
        left, right = op.operands
        return product(elements, op, left, right, indices)
    parts = [elements.operand(value, indices, t.shape or ()) for value in op.operands]
    return elements.value(op.kind, parts, op.result, op.span, operator=symbol)


def callee_path(writer: Writer, op: Op) -> str:
    """The path of what a call reaches: of a library, or a method of arrays; empty for others."""
    callee = writer.type(op.operands[0])
    if callee.kind == "library":
        return callee.path or ""
    if callee.kind == "method" and callee.items and callee.items[0].kind == "array":
        return f"numpy.ndarray.{callee.path}"
    return ""


def arguments_of(op: Op, path: str) -> list[Value]:
    """The arguments of a call, with the array of a method in front."""
    if path.startswith("numpy.ndarray."):
        method = op.operands[0].definition
        assert isinstance(method, Op), "a method is looked up on its array"
        return [method.operands[0], *op.operands[1:]]
    return op.operands[1:]


@element_of("Call")
def call_element(elements: Elements, op: Op, t: Type, indices: Indices) -> Value:
    """An element of what a call makes."""
    path, rules = callee_path(elements, op), element_rules()
    if not path or any(op.attributes["stars"]):
        raise Blocked("a call is not one of NumPy's", op.span)
    arguments = arguments_of(op, path)
    if path in rules.reductions:
        return reduction(elements, op, path, arguments[0], arguments[1:], indices)
    if path in rules.filled:
        return _filled(elements, op, t, rules.filled[path])
    plain = not op.attributes["keywords"]
    if plain and path in rules.computed:
        found = expanded(elements, op, path, arguments, indices)
        if found is not None:
            return found
    if path in rules.same and plain and len(arguments) == 1:
        return _display(elements, op.result, arguments[0], indices)
    if path in rules.products and plain and len(arguments) == 2:
        return product(elements, op, arguments[0], arguments[1], indices)
    if plain and is_elementwise(path, len(arguments)):
        parts = [elements.operand(value, indices, t.shape or ()) for value in arguments]
        return elements.value("Elementwise", parts, op.result, op.span, path=path)
    raise Blocked(f"`{path}` does not go element by element", op.span)


def _filled(elements: Elements, op: Op, t: Type, number: int) -> Value:
    if t.dtype is None:
        raise Blocked("nothing tells the dtype of a new array", op.span)
    value = np.dtype(t.dtype).type(number).item()
    made = elements.value("Const", (), op.result, op.span, value=value)
    return elements.value("Cast", [made], op.result, op.span, dtype=t.dtype)


def is_elementwise(path: str, arguments: int) -> bool:
    """Whether a function computes each element of so many arguments by itself."""
    known = element_rules().elementwise.get(path)
    if known is not None:
        return arguments == known  # the next one would be `out`
    try:
        found = resolve(path)
    except Unresolved:
        return False
    return isinstance(found, np.ufunc) and found.signature is None and arguments == found.nin


def _display(elements: Elements, array: Value, value: Value, indices: Indices) -> Value:
    """An element of ``np.array([a, b])``, whose index has to be a constant."""
    made = value.definition
    if not isinstance(made, Op) or made.kind not in ("List", "Tuple") or made.attributes["stars"]:
        return elements.snapshot(value, indices)
    first, *rest = indices
    part = made.operands[constant_of(first)]
    inner = part.definition
    if rest and isinstance(inner, Op) and inner.kind in ("List", "Tuple"):
        return _display(elements, array, part, rest)
    return elements.as_element(elements.snapshot(part, rest), array)
