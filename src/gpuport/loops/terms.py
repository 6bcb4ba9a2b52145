"""Linear expressions in names and extents of arrays: ``i + w``, ``x.shape[0] - 1``."""

from __future__ import annotations

import ast
import copy

from .names import linear

Linear = dict[str, int]
"""Coefficients by name, the constant under ``""``."""


def terms_of(node: ast.expr) -> Linear | None:
    """As :func:`names.linear`, extents of arrays taken for names."""
    atoms: dict[str, str] = {}

    class Atoms(ast.NodeTransformer):
        def visit_Call(self, call: ast.Call) -> ast.AST:
            return _atom(call) if ast.unparse(call.func) == "len" else call

        def visit_Subscript(self, one: ast.Subscript) -> ast.AST:
            shaped = isinstance(one.value, ast.Attribute) and one.value.attr == "shape"
            return _atom(one) if shaped else one

    def _atom(one: ast.expr) -> ast.Name:
        name = f"extent{len(atoms)}@"
        text = ast.unparse(one)
        name = next((k for k, v in atoms.items() if v == text), name)
        atoms[name] = text
        return ast.copy_location(ast.Name(name, ast.Load()), one)

    found = linear(Atoms().visit(copy.deepcopy(node)))
    return None if found is None else {atoms.get(k, k): v for k, v in found.items() if v or not k}


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
