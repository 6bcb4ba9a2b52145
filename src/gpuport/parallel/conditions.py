"""Conditions and whole numbers as Python texts: what isl found, and parts of what is asked."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

_SIGNS = {
    "eq": "==",
    "le": "<=",
    "lt": "<",
    "ge": ">=",
    "gt": ">",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "//",
    "fdiv_q": "//",
    "pdiv_q": "//",
    "pdiv_r": "%",
    "zdiv_r": "%",
}
_OR, _AND, _COMPARED, _SUM, _PRODUCT, _ATOM = range(6)
_BINDING = {
    "or_": _OR,
    "or_else": _OR,
    "and_": _AND,
    "and_then": _AND,
    "eq": _COMPARED,
    "le": _COMPARED,
    "lt": _COMPARED,
    "ge": _COMPARED,
    "gt": _COMPARED,
    "add": _SUM,
    "sub": _SUM,
    "mul": _PRODUCT,
    "div": _PRODUCT,
    "fdiv_q": _PRODUCT,
    "pdiv_q": _PRODUCT,
    "pdiv_r": _PRODUCT,
    "zdiv_r": _PRODUCT,
}


def conjuncts(text: str) -> list[str]:
    """The parts of ``a and b``; any other text is its own."""
    node = _parsed(text)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [ast.unparse(value) for value in node.values]
    return [text]


def operand(text: str) -> str:
    """A condition as an operand of ``and``."""
    node = _parsed(text)
    loose = isinstance(node, ast.IfExp) or (
        isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
    )
    return f"({text})" if loose else text


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def condition_text(expression: Any, names: Mapping[str, str]) -> str | None:
    """Python's text of an `islpy.AstExpr`; None where it has none.

    Parameters
    ----------
    expression : islpy.AstExpr
    names : mapping of str to str
        Python texts of its parameters.
    """
    found = _python(expression, names)
    return None if found is None else found[0]


def number_text(expression: Any, names: Mapping[str, str]) -> str | None:
    """The same, as an operand of a sum."""
    found = _python(expression, names)
    return None if found is None else _inside(found, _SUM)


def _python(node: Any, names: Mapping[str, str]) -> tuple[str, int] | None:
    """Python's text with how tightly its outermost operator binds."""
    kind = str(node.get_type()).rpartition(".")[2]
    if kind == "id":
        name = names[node.get_id().get_name()]
        return name, _ATOM if " " not in name or name.endswith(")") else _OR
    if kind == "int":
        value = node.get_val().to_python()
        return str(value), _ATOM if value >= 0 else _PRODUCT
    name = str(node.get_op_type()).rpartition(".")[2]
    parts = [_python(node.get_op_arg(k), names) for k in range(node.get_op_n_arg())]
    items = [part for part in parts if part is not None]
    if len(items) < len(parts):
        return None
    return _operation(name, items)


def _operation(name: str, items: list[tuple[str, int]]) -> tuple[str, int] | None:
    if name in ("min", "max"):
        return f"{name}({', '.join(text for text, _ in items)})", _ATOM
    if name == "minus":
        return f"-{_inside(items[0], _ATOM)}", _PRODUCT
    if name in ("cond", "select"):
        test, yes, no = (_inside(item, _ATOM) for item in items)
        return f"{yes} if {test} else {no}", _OR
    binding = _BINDING.get(name)
    if binding is None:
        return None
    sign = {_OR: "or", _AND: "and"}.get(binding) or _SIGNS[name]
    # Only sums, "and" and "or" may hold their own kind on the left without parentheses.
    left = binding if binding in (_OR, _AND, _SUM) else binding + 1
    right = binding if binding in (_OR, _AND) else binding + 1
    first, *rest = items
    texts = [_inside(first, left), *(_inside(item, right) for item in rest)]
    return f" {sign} ".join(texts), binding


def _inside(item: tuple[str, int], binding: int) -> str:
    return item[0] if item[1] >= binding else f"({item[0]})"


def less_in_size(number: str, limit: str) -> str:
    """The condition that a whole number, or a length, is less than a limit, whatever its sign."""
    length = number.startswith("len(") and number.endswith(")") and number.count("(") == 1
    return f"{number if length else f'abs({number})'} < {limit}"


__all__ = ["condition_text", "conjuncts", "less_in_size", "number_text", "operand"]
