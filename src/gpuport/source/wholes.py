"""Expressions of whole numbers, as far as their text tells what they are."""

from __future__ import annotations

import ast

from gpuport.source.syntax import dotted, walk


def constant_int(node: ast.expr | None) -> int | None:
    """The value of an integer literal, signs included; None for anything else."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = constant_int(node.operand)
        if value is None:
            return None
        return -value if isinstance(node.op, ast.USub) else value
    return None


def range_text(call: ast.expr) -> str:
    """``range(...)`` of three arguments without those that go without saying."""
    assert isinstance(call, ast.Call)
    arguments = [ast.unparse(item) for item in call.args]
    if arguments[2:] == ["1"]:
        del arguments[2]
    if len(arguments) == 2 and arguments[0] == "0":
        del arguments[0]
    return f"range({', '.join(arguments)})"


def trips_text(call: ast.expr) -> str:
    """Python text for how often a loop over ``range(...)`` of three arguments runs."""
    text = range_text(call)
    inner = text.removeprefix("range(").removesuffix(")")
    return (
        inner if inner.startswith("len(") and inner.find(")") == len(inner) - 1 else f"len({text})"
    )


def decided(text: str) -> str:
    """A Python expression of literals as its value; any other as it is."""
    node = ast.parse(text, mode="eval").body
    known = {"range": range, "len": len, "max": max, "min": min, "abs": abs}
    names = {child.id for child in walk(node) if isinstance(child, ast.Name)}
    if names - known.keys() or not _is_quickly_computed(node):
        return text
    try:
        return repr(eval(text, {"__builtins__": {}}, known))
    except (ArithmeticError, ValueError):
        return text


_GROWING = ast.Pow | ast.LShift
_MOST_DIGITS = 64
_GOING_THROUGH = ("max", "min")


def _is_quickly_computed(node: ast.expr) -> bool:
    """Whether no number in an expression of literals is very long, and no range is gone through."""
    for part in walk(node):
        if isinstance(part, ast.BinOp) and isinstance(part.op, _GROWING):
            power = constant_int(part.right)
            if power is None or abs(power) > _MOST_DIGITS:
                return False
            if any(isinstance(inner, _GROWING) for inner in walk(part.left)):
                return False
        elif isinstance(part, ast.Constant) and not isinstance(part.value, int | float):
            return False
        elif (
            isinstance(part, ast.Call)
            and len(part.args) < 2
            and dotted(part.func) in _GOING_THROUGH
        ):
            return False  # `max(range(n))`
    return True


def linear(node: ast.expr) -> dict[str, int] | None:
    """A linear expression as coefficients by name, the constant under ``""``."""
    constant = constant_int(node)
    if constant is not None:
        return {"": constant}
    if isinstance(node, ast.Name):
        return {node.id: 1}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = linear(node.operand)
        return None if inner is None else {name: -value for name, value in inner.items()}
    if not isinstance(node, ast.BinOp):
        return None
    left, right = linear(node.left), linear(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add | ast.Sub):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        names = {**left, **right}
        return {name: left.get(name, 0) + sign * right.get(name, 0) for name in names}
    if isinstance(node.op, ast.Mult):
        for factor, other in ((left, right), (right, left)):
            if set(factor) == {""}:
                return {name: factor[""] * value for name, value in other.items()}
    return None
