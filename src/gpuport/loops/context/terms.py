"""Linear expressions in names and extents of arrays: ``i + w``, ``x.shape[0] - 1``."""

from __future__ import annotations

import ast

from gpuport.loops.names import constant_int

Linear = dict[str, int]
"""Coefficients by name, the constant under ``""``."""


def terms_of(node: ast.expr) -> Linear | None:
    """A sum of products of names as coefficients by product, the constant under ``""``.

    Extents of arrays (``len(x)``, ``x.shape[0]``) count as names; the names of a product stand in
    the order of the alphabet (``"i * stride"``).
    """
    constant = constant_int(node)
    if constant is not None:
        return {"": constant}
    if isinstance(node, ast.Name) or _is_extent(node):
        return {ast.unparse(node): 1}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = terms_of(node.operand)
        return None if inner is None else plus({}, inner, -1)
    if not isinstance(node, ast.BinOp):
        return None
    left, right = terms_of(node.left), terms_of(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add | ast.Sub):
        return plus(left, right, 1 if isinstance(node.op, ast.Add) else -1)
    return _product(left, right) if isinstance(node.op, ast.Mult) else None


def _is_extent(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "len"
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
    )


def _product(left: Linear, right: Linear) -> Linear:
    found: Linear = {}
    for one, factor in left.items():
        for other, more in right.items():
            names = sorted([*factors(one), *factors(other)])
            found = plus(found, {" * ".join(names): factor * more}, 1)
    return found


def factors(product: str) -> list[str]:
    """The names of a product."""
    return product.split(" * ") if product else []


def plus(terms: Linear, more: Linear, factor: int) -> Linear:
    """``terms + factor * more``."""
    return {k: terms.get(k, 0) + factor * more.get(k, 0) for k in {**terms, **more}}


def minus(terms: Linear, others: Linear) -> Linear:
    """``terms - others``."""
    return plus(terms, others, -1)


def shown(terms: Linear) -> str:
    """As Python text."""
    parts = []
    for name, factor in terms.items():
        if factor:
            sign = "-" if factor < 0 else "+"
            size = abs(factor)
            shown = str(size) if not name else name if size == 1 else f"{size} * {name}"
            parts.append(f"{sign} {shown}")
    text = " ".join(parts) or "0"
    return f"-{text[2:]}" if text.startswith("- ") else text.removeprefix("+ ")
