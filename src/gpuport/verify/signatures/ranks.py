"""How many axes a function shows that a name has."""

from __future__ import annotations

import ast

from gpuport.verify.sides.syntax import is_name


def known_rank(name: str, scope: ast.AST) -> int | None:
    """The rank that `x[i, j]`, `n, m = x.shape` or an einsum shows, where one is there."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Subscript) and is_name(node.value, name):
            if isinstance(node.slice, ast.Tuple):
                plain = (ast.Name, ast.Constant, ast.BinOp, ast.Slice, ast.UnaryOp)
                if all(isinstance(e, plain) and not _new_axis(e) for e in node.slice.elts):
                    return len(node.slice.elts)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            value = node.value
            shape = isinstance(value, ast.Attribute) and value.attr == "shape"
            if shape and isinstance(value, ast.Attribute) and is_name(value.value, name):
                return len(node.targets[0].elts)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("einsum"):
            rank = _einsum_rank(name, node)
            if rank is not None:
                return rank
    return None


def _new_axis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _einsum_rank(name: str, call: ast.Call) -> int | None:
    subscripts = call.args[0] if call.args else None
    if not (isinstance(subscripts, ast.Constant) and isinstance(subscripts.value, str)):
        return None
    operands = subscripts.value.replace(" ", "").partition("->")[0].split(",")
    for letters, operand in zip(operands, call.args[1:], strict=False):
        if is_name(operand, name) and "." not in letters:
            return len(letters)
    return None
