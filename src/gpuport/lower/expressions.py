"""Expressions: operators, displays, attributes, items, calls, texts."""

from __future__ import annotations

import ast
import sys

from gpuport.ir import Passing, Value
from gpuport.lower.lowering import Lowering, expression
from gpuport.lower.operators import BINARY, COMPARE, UNARY

#: What asks for the names of the module, at its top level, and what says the same anywhere.
AT_TOP = {"locals": "globals()", "vars": "globals()", "dir": "sorted(globals())"}


@expression(ast.Constant)
def _constant(at: Lowering, node: ast.Constant) -> Value:
    return at.const(node.value, node)


@expression(ast.Name)
def _name(at: Lowering, node: ast.Name) -> Value:
    return at.read(node.id, node)


@expression(ast.NamedExpr)
def _walrus(at: Lowering, node: ast.NamedExpr) -> Value:
    value = at.expr(node.value)
    at.assign(node.target.id, value, node)
    return value


# -- operators


@expression(ast.BinOp)
def _binary(at: Lowering, node: ast.BinOp) -> Value:
    """A long sum goes down on its left side; a loop spares the stack."""
    chain: list[ast.BinOp] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        chain.append(left)
        left = left.left
    value = at.expr(left)
    for one in reversed(chain):
        operands = (value, at.expr(one.right))
        value = at.value("Binary", operands, one, operator=BINARY[type(one.op)])
    return value


@expression(ast.UnaryOp)
def _unary(at: Lowering, node: ast.UnaryOp) -> Value:
    operand = node.operand
    if isinstance(node.op, ast.USub) and isinstance(operand, ast.Constant):
        number = operand.value
        if type(number) in (int, float, complex):
            return at.const(-number, node)  # type: ignore[operator]
    return at.value("Unary", (at.expr(operand),), node, operator=UNARY[type(node.op)])


@expression(ast.BoolOp)
def _boolean(at: Lowering, node: ast.BoolOp) -> Value:
    """`a and b`: the second value where the first is true; the first is computed once."""

    def rest(place: int) -> list[Value]:
        value = at.expr(node.values[place])
        if place == len(node.values) - 1:
            return [value]

        def more() -> list[Value]:
            return rest(place + 1)

        def keep() -> list[Value]:
            return [value]

        is_and = isinstance(node.op, ast.And)
        return at.choose(value, more if is_and else keep, keep if is_and else more, node)

    return rest(0)[0]


@expression(ast.Compare)
def _compare(at: Lowering, node: ast.Compare) -> Value:
    """`a < b < c`: `b` is computed once, `c` only where `a < b` is true."""

    def rest(left: Value, place: int) -> list[Value]:
        right = at.expr(node.comparators[place])
        operator = COMPARE[type(node.ops[place])]
        outcome = at.value("Compare", (left, right), node, operator=operator)
        if place == len(node.ops) - 1:
            return [outcome]
        return at.choose(outcome, lambda: rest(right, place + 1), lambda: [outcome], node)

    return rest(at.expr(node.left), 0)[0]


@expression(ast.IfExp)
def _conditional(at: Lowering, node: ast.IfExp) -> Value:
    test = at.expr(node.test)
    return at.choose(test, lambda: [at.expr(node.body)], lambda: [at.expr(node.orelse)], node)[0]


# -- displays


@expression(ast.Tuple, ast.List, ast.Set)
def _sequence(at: Lowering, node: ast.Tuple | ast.List | ast.Set) -> Value:
    stars = tuple([isinstance(item, ast.Starred) for item in node.elts])
    items = [at.expr(item.value if isinstance(item, ast.Starred) else item) for item in node.elts]
    return at.value(type(node).__name__, items, node, stars=stars if any(stars) else ())


@expression(ast.Starred)
def _starred(at: Lowering, node: ast.Starred) -> Value:
    """`*args: *Ts`: the only item of what is unpacked."""
    return at.emit("Unpack", (at.expr(node.value),), node, ("",), star=None).result


@expression(ast.Dict)
def _dict(at: Lowering, node: ast.Dict) -> Value:
    parts: list[Value] = []
    for key, value in zip(node.keys, node.values, strict=True):
        parts.append(at.const(None, value) if key is None else at.expr(key))
        parts.append(at.expr(value))
    return at.value("Dict", parts, node, spread=tuple([key is None for key in node.keys]))


@expression(ast.JoinedStr)
def _format(at: Lowering, node: ast.JoinedStr) -> Value:
    spans = at.shared.spans
    outer = spans.pinned
    if sys.version_info < (3, 12):  # places inside were not reliable
        spans.pinned = spans.of(node)
    parts: list[Value] = []
    how: list[int | None] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            parts.append(at.expr(part.value))
            spec = part.format_spec
            parts.append(at.const("", node) if spec is None else at.expr(spec))
            how.append(part.conversion)
        else:
            parts.append(at.expr(part))
            how.append(None)
    spans.pinned = outer
    return at.value("Format", parts, node, how=tuple(how))


# -- attributes, items, calls


@expression(ast.Attribute)
def _attribute(at: Lowering, node: ast.Attribute) -> Value:
    return at.value("GetAttr", (at.expr(node.value),), node, name=at.scope.mangled(node.attr))


@expression(ast.Subscript)
def _item(at: Lowering, node: ast.Subscript) -> Value:
    return at.value("GetItem", (at.expr(node.value), at.expr(node.slice)), node)


@expression(ast.Slice)
def _slice(at: Lowering, node: ast.Slice) -> Value:
    parts = [node.lower, node.upper, node.step]
    bounds = [at.const(None, node) if part is None else at.expr(part) for part in parts]
    return at.value("Slice", bounds, node)


@expression(ast.Call)
def _call(at: Lowering, node: ast.Call) -> Value:
    asked = at.shared.known.own_frame.get(node)
    if asked is not None and asked not in ("eval", "exec"):
        reason = f"`{asked}` gives all names of the module"
        return at.opaque_expression(node, reason, AT_TOP.get(asked, "globals()"))
    callee = at.expr(node.func)
    stars = [int(isinstance(one, ast.Starred)) for one in node.args]
    operands = [at.expr(one.value if isinstance(one, ast.Starred) else one) for one in node.args]
    if asked is not None:
        names = at.opaque_expression(node, f"`{asked}` sees all names of the module", "globals()")
        return at.call(callee, [*operands, names], node)
    if not operands and not node.keywords and _is_super(at, node.func):
        first = at.function.signature[0].name
        operands = [at.load("__class__", node), at.load(first, node)]
        stars = [0, 0]
    operands += [at.expr(keyword.value) for keyword in node.keywords]
    keywords = tuple([keyword.arg for keyword in node.keywords])
    return at.value("Call", (callee, *operands), node, stars=tuple(stars), keywords=keywords)


def _is_super(at: Lowering, func: ast.expr) -> bool:
    """Whether `super()` stands for `super(__class__, self)`."""
    if not isinstance(func, ast.Name) or func.id != "super" or not at.function.signature:
        return False
    passing = at.function.signature[0].passing
    if passing not in (Passing.POSITION, Passing.EITHER):
        return False
    is_built_in = at.shared.known.paths.may_be_built_in(at.scope, "super")
    return is_built_in and at.scope.find("__class__") is not None


@expression(ast.Yield)
def _yield(at: Lowering, node: ast.Yield) -> Value:
    value = at.const(None, node) if node.value is None else at.expr(node.value)
    return at.value("GeneratorYield", (value,), node)


@expression(ast.YieldFrom)
def _yield_from(at: Lowering, node: ast.YieldFrom) -> Value:
    return at.value("GeneratorDelegate", (at.expr(node.value),), node)
