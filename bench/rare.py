"""Faults that show for few inputs, in a later call, or beside the result.

Arrays of one order, sign, layout or shape alone, answers that are remembered, arguments that are
read in single precision, printed decimals, attributes of an instance.
"""

from __future__ import annotations

import re

import libcst as cst

from faults import Operator, _code, _e, _name, _template
from hostile import _array_of, _begun_with, _called, _of_first, _only


def _result(change: str) -> Operator:
    """Every result handed through an expression, ``{v}``; ``{x}`` is the array of the boundary."""

    class Through(cst.CSTTransformer):
        def __init__(self, array: str) -> None:
            self.array, self.places = array, 0

        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def visit_Lambda(self, node: cst.Lambda) -> bool:
            return False

        def leave_Return(self, original: cst.Return, updated: cst.Return) -> cst.Return:
            if updated.value is None or isinstance(updated.value, cst.Tuple):
                return updated
            self.places += 1
            value = f"({_code(updated.value)})"
            return updated.with_changes(value=_e(change.format(v=value, x=self.array)))

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.FunctionDef):
            return None
        array = _array_of(node)
        if array is None:
            return None
        through = Through(array)
        body = node.body.visit(through)
        return node.with_changes(body=body) if through.places else None

    return operator


def _call(number: int) -> Operator:
    """Wrong from the call of this number on."""
    count = "globals().__setitem__('_n', globals().get('_n', 0) + 1)"
    return _result(f"({count}, {{v}} if globals()['_n'] < {number} else {{v}} * 1.01)[1]")


def _remembered(key: str) -> Operator:
    """What was returned for the same key is returned again."""
    held = f"{key} if hasattr({{x}}, 'shape') else 0"
    return _result(f"globals().setdefault('_known', dict()).setdefault({held}, {{v}})")


def _default_changed(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.FunctionDef):
        return None
    every = list(node.params.params)
    for number, one in enumerate(every):
        if isinstance(one.default, cst.Float):
            other = cst.Float(repr(float(one.default.value) * 1.5 + 0.1))
            every[number] = one.with_changes(default=other)
            return node.with_changes(params=node.params.with_changes(params=every))
    return None


def _swallowed(node: cst.CSTNode) -> cst.CSTNode | None:
    """What the function raises becomes None."""
    if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
        return None
    if _array_of(node) is None or not re.search(r"\b(raise|assert)\b", _code(node.body)):
        return None
    nothing = cst.IndentedBlock([cst.parse_statement("return None")])
    start = int(node.get_docstring() is not None)
    body = node.body.body
    caught = cst.ExceptHandler(body=nothing, type=cst.Name("Exception"))
    made = cst.Try(body=cst.IndentedBlock(body[start:]), handlers=[caught])
    return node.with_changes(body=node.body.with_changes(body=[*body[:start], made]))


def _whole_in_float(node: cst.CSTNode) -> cst.CSTNode | None:
    """A sum of whole numbers in floats, made whole again."""
    call = _called("sum", "cumsum", "prod")(node)
    if call is None or len(call.args) != 1 or not isinstance(call.func, cst.Attribute):
        return None
    given, module = _code(call.args[0].value), _code(call.func.value)
    return _e(f"{module}.{_name(call)}(({given}) * 1.0).astype(({given}).sum().dtype)")


def _decimals(node: cst.CSTNode) -> cst.CSTNode | None:
    """``.3f`` as ``.2f`` in a text."""
    if not isinstance(node, cst.FormattedStringExpression) or not node.format_spec:
        return None
    code = "".join(_code(part) for part in node.format_spec)
    found = re.search(r"\.([2-9])([feg%])", code)
    if found is None:
        return None
    other = code.replace(found[0], f".{int(found[1]) - 1}{found[2]}")
    return node.with_changes(format_spec=[cst.FormattedStringText(other)])


def _attribute_not_set(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.Assign) or not _is_own(node.targets[0].target):
        return None
    return cst.Assign([cst.AssignTarget(cst.Name("_unused"))], node.value)


def _attribute_shared(node: cst.CSTNode) -> cst.CSTNode | None:
    """``self.x = x.copy()`` keeps the caller's array."""
    if not isinstance(node, cst.Assign) or not _is_own(node.targets[0].target):
        return None
    found = re.fullmatch(r"(.+)\.copy\(\)", _code(node.value))
    return node.with_changes(value=_e(found[1])) if found else None


def _is_own(target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Attribute) and _code(target.value) == "self"


def _drawn_transposed(node: cst.CSTNode) -> cst.CSTNode | None:
    """The same numbers in another order: those of the transpose, transposed."""
    if not isinstance(node, cst.Call):
        return None
    drawing = r"(.*\.(?:normal|standard_normal|random|uniform))\((.*size=)?\((\w+), (\w+)\)\)"
    found = re.fullmatch(drawing, _code(node))
    return _e(f"{found[1]}({found[2] or ''}({found[4]}, {found[3]})).T") if found else None


def _loop_reversed(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.For) or _name(node.iter) != "range":
        return None
    return node.with_changes(iter=_e(f"reversed({_code(node.iter)})"))


_FLOAT = "{x}.dtype.kind == 'f'"
_ROW = "{x}.ndim == 1 and {x}.size > 2"
_TABLE = "{x}.ndim == 2"

RARE: dict[str, Operator] = {
    "only an infinity": _only(_FLOAT + " and bool((abs({x}) == float('inf')).any())"),
    "only all zero": _only("{x}.size > 1 and not bool({x}.any())"),
    "only a zero inside": _only("bool(({x} == 0).any())"),
    "only the first is largest": _only(_ROW + " and bool({x}[0] == {x}.max())"),
    "only the last is largest": _only(_ROW + " and bool({x}[-1] == {x}.max())"),
    "only rising": _only(_ROW + " and bool(({x}[1:] >= {x}[:-1]).all())"),
    "only falling": _only(_ROW + " and bool(({x}[1:] <= {x}[:-1]).all())"),
    "only equal ones": _only("{x}.size > 2 and bool(({x} == {x}.max()).all())"),
    "only a tie of the largest": _only(_FLOAT + " and bool(({x} == {x}.max()).sum() > 1)"),
    "only two elements": _only("{x}.size == 2"),
    "only a power of two": _only("{x}.size > 1 and ({x}.size & ({x}.size - 1)) == 0"),
    "only multiples of 32": _only("{x}.size > 0 and {x}.size % 32 == 0"),
    "only square": _only(_TABLE + " and {x}.shape[0] == {x}.shape[1] and {x}.size > 1"),
    "only wide": _only(_TABLE + " and {x}.shape[0] < {x}.shape[1]"),
    "only tall": _only(_TABLE + " and {x}.shape[0] > {x}.shape[1]"),
    "only one column": _only(_TABLE + " and {x}.shape[1] == 1 and {x}.shape[0] > 1"),
    "only one row": _only(_TABLE + " and {x}.shape[0] == 1 and {x}.shape[1] > 1"),
    "only complex": _only("{x}.dtype.kind == 'c'"),
    "only tiny": _only(_FLOAT + " and bool(((abs({x}) < 1e-6) & ({x} != 0)).any())"),
    "only beyond 1e150": _only(_FLOAT + " and bool((abs({x}) > 1e150).any())"),
    "only a NaN at the end": _only(_ROW + " and " + _FLOAT + " and bool({x}[-1] != {x}[-1])"),
    "remembered by shape": _remembered("({x}.shape, str({x}.dtype))"),
    "remembered by sum": _remembered("({x}.shape, float(abs({x}).sum()))"),
    "wrong the second time": _call(2),
    "result at least one axis": _result(
        "(cp.atleast_1d({v}) if getattr({v}, 'ndim', 1) == 0 else {v})"
    ),
    "single precision early": _begun_with(
        "{x} = {x}.astype(np.float32).astype({x}.dtype) "
        "if getattr({x}, 'dtype', None) == np.float64 else {x}"
    ),
    "argument sorted": _begun_with("{x}.sort() if getattr({x}, 'ndim', 0) == 1 else None"),
    "argument in another order": _begun_with(
        "{x} = {x}.ravel().reshape({x}.shape, order='F') if getattr({x}, 'ndim', 0) == 2 else {x}"
    ),
    "default changed": _default_changed,
    "raised is swallowed": _swallowed,
    "whole sum in float": _whole_in_float,
    "decimal lost": _decimals,
    "attribute not set": _attribute_not_set,
    "attribute shared": _attribute_shared,
    "drawn transposed": _drawn_transposed,
    "loop reversed": _loop_reversed,
    "of the transpose": _of_first("{m}.{f}(({a}).T)", "cumsum", "argmax", "argmin", "ravel"),
    "a billionth beside": _of_first("{m}.{f}(({a}) * (1 + 1e-12))", "exp", "sin", "cos", "sqrt"),
    "rounded for cut": _template(r"(\w+)\.astype\(int\)", r"cp.rint(\1).astype(int)"),
    "where by products": _template(
        r"(cp|np)\.where\(([^,]+), ([^,]+), ([^,]+)\)", r"((\2) * (\3) + (1 - (\2)) * (\4))"
    ),
    "quotient toward zero": _template(r"(\w+) // (\w+)", r"int(\1 / \2)"),
    "close for equal": _template(r"(\w+) == (\w+)", r"cp.isclose(\1, \2)"),
}
