"""Operations of an iteration that give a number."""

from __future__ import annotations

from gpuport.canonicalise.arithmetic import call_element, callee_path
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.reductions import product
from gpuport.canonicalise.views import base_indices
from gpuport.facts.knowledge import is_of
from gpuport.ir.structure import Op, Value
from gpuport.ir.types import Type


def computed(elements: Elements, op: Op) -> Value:
    """The value of an operation that gives a number."""
    t = elements.type(op.result)
    if op.kind == "Const":
        return elements.value("Const", (), op.result, op.span, value=op.attributes["value"])
    if op.kind in ("Binary", "InPlace", "Compare", "Unary"):
        if op.attributes["operator"] == "@":
            left, right = op.operands
            return product(elements, op, left, right, [])
        parts = [elements.number(value) for value in op.operands]
        kind = "Binary" if op.kind == "InPlace" else op.kind
        symbol = op.attributes["operator"]
        return elements.value(kind, parts, op.result, op.span, operator=symbol)
    if op.kind == "GetItem" and elements.type(op.operands[0]).kind == "array":
        array, by = op.operands
        return elements.element(array, base_indices(elements, array, by, []))
    if op.kind == "GetItem" and t.integer is not None:  # x.shape[k]
        return elements.size(t.integer)
    if op.kind == "Call":
        return _call(elements, op, t)
    if op.kind in ("GetAttr", "LoadGlobal"):
        return _named(elements, op, t)
    raise Blocked("a number comes from something that no kernel computes", op.span)


def _call(elements: Elements, op: Op, t: Type) -> Value:
    path, rules = callee_path(elements, op), element_rules()
    if path == "builtins.len" and t.integer is not None:
        return elements.size(t.integer)
    arguments = op.operands[1:]
    of_arrays = any(elements.type(value).kind == "array" for value in arguments)
    if of_arrays or path.startswith("numpy.ndarray."):
        return call_element(elements, op, t, [])
    known = path in rules.numbers or is_of(path, ("numpy", *rules.number_modules))
    if not known or op.attributes["keywords"] or any(op.attributes["stars"]):
        raise Blocked(f"the loop calls {f'`{path}`' if path else 'a function'}", op.span)
    parts = [elements.number(value) for value in arguments]
    return elements.value("Elementwise", parts, op.result, op.span, path=path)


def _named(elements: Elements, op: Op, t: Type) -> Value:
    """A number under a name of the module, or an attribute."""
    known = t.constant[0] if t.constant is not None else t.number
    if known is not None:
        return elements.value("Const", (), op.result, op.span, value=known)
    if op.kind == "GetAttr" and op.attributes["name"] in ("real", "imag"):
        part = elements.number(op.operands[0])
        path = f"numpy.{op.attributes['name']}"
        return elements.value("Elementwise", [part], op.result, op.span, path=path)
    raise Blocked("a number is read anew in each iteration", op.span)
