"""The values of literals, found faster than the standard library finds them."""

from __future__ import annotations

import ast
from typing import Any


def literal_value(node: ast.AST) -> Any:
    """What an expression of constants stands for, as `ast.literal_eval` says.

    Raises
    ------
    ValueError
        If the expression is anything but a literal.
    TypeError
        If something in it cannot be an element of a set, or a key.
    """
    kind = node.__class__
    if kind is ast.Constant:
        return node.value  # type: ignore[attr-defined]
    if kind is ast.UnaryOp or kind is ast.BinOp:
        return _number(node)
    if kind is ast.Tuple:
        return tuple([literal_value(item) for item in node.elts])  # type: ignore[attr-defined]
    if kind is ast.List:
        return [literal_value(item) for item in node.elts]  # type: ignore[attr-defined]
    if kind is ast.Set:
        return {literal_value(item) for item in node.elts}  # type: ignore[attr-defined]
    if isinstance(node, ast.Dict):
        if None in node.keys:
            raise ValueError("a dict is spread here")
        keys = [literal_value(key) for key in node.keys if key is not None]
        return dict(zip(keys, map(literal_value, node.values), strict=True))
    if isinstance(node, ast.Call):
        return ast.literal_eval(node)  # ``set()``
    raise ValueError(f"{type(node).__name__} is no literal")


def is_no_table(tree: ast.Module, name: str) -> bool:
    """Whether a module gives a name a list or tuple of which NumPy makes no array of numbers.

    Nor does it of rows in which whole numbers stand beside others: an array has floats of them,
    by which nothing is indexed.
    """
    bound = (
        (one.targets if isinstance(one, ast.Assign) else [one.target], one.value)
        for one in tree.body if isinstance(one, ast.Assign | ast.AnnAssign)
    )  # fmt: skip
    return any(
        isinstance(shown, ast.List | ast.Tuple) and _is_no_table(shown)
        for targets, shown in bound if name in {getattr(one, "id", None) for one in targets}
    )  # fmt: skip


def _is_no_table(shown: ast.expr) -> bool:
    import numpy as np

    try:
        values = literal_value(shown)
    except (ValueError, TypeError):
        return False
    try:
        kind = np.array(values).dtype.kind
    except ValueError:  # rows of several lengths
        return True
    return kind not in "biufc" or (kind in "fc" and _has_whole_column(values))


def _has_whole_column(rows: Any) -> bool:
    """Whether all rows have a whole number at some place."""
    if not all(isinstance(row, (list, tuple)) for row in rows):
        return False
    columns = zip(*rows, strict=True)
    return any(all(type(one) is int for one in column) for column in columns)


def _number(node: ast.AST) -> Any:
    """``-1`` or ``1 + 2j``."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        if type(value) in (int, float, complex):
            if node.op.__class__ is ast.USub:
                return -value  # type: ignore[operator]
            if node.op.__class__ is ast.UAdd:
                return value
    right = node.right if isinstance(node, ast.BinOp) else None
    if isinstance(right, ast.Constant) and type(right.value) is complex:
        return ast.literal_eval(node)
    raise ValueError(f"{type(node).__name__} is no literal")


def end_of_text(node: ast.expr) -> str:
    """What the text that an expression gives ends with: of ``folder / "a"``, ``f"{folder}/a"``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Add)):
        return end_of_text(node.right)
    if isinstance(node, ast.JoinedStr) and node.values:
        return end_of_text(node.values[-1])
    if isinstance(node, ast.Call) and node.args:  # os.path.join, Path
        return end_of_text(node.args[-1])
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
