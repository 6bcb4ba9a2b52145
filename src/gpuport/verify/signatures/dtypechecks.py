"""Types of elements that a function refuses all others of: ``x.dtype.kind != "i"`` and a raise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.verify.sides.syntax import is_name

_OF_KIND = {"i": "int64", "u": "uint8", "f": "float64", "c": "complex128", "b": "bool"}
_OF_CLASS = {
    "integer": "int64", "signedinteger": "int64", "unsignedinteger": "uint8",
    "floating": "float64", "inexact": "float64", "number": "float64",
    "complexfloating": "complex128", "bool": "bool", "bool_": "bool", "int": "int64",
    "float": "float64", "complex": "complex128", "single": "float32", "double": "float64",
}  # fmt: skip
_PLAIN = frozenset(
    ["float64", "float32", "complex128", "complex64", "int64", "int32", "int16", "int8", "uint8"]
)
_KIND, _DTYPE = "dtype.kind", "dtype"


def asked_dtypes(name: str, scope: ast.AST) -> tuple[str, ...]:
    """The types that the function's own checks ask of an array, in the order of the text."""
    found: dict[str, None] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.If) and any(isinstance(part, ast.Raise) for part in node.body):
            found |= dict.fromkeys(_asked(name, node.test, refuses=True))
        elif isinstance(node, ast.Assert):
            found |= dict.fromkeys(_asked(name, node.test, refuses=False))
    return tuple(found)


def _asked(name: str, test: ast.expr, refuses: bool) -> Iterator[str]:
    """What must hold of the type: the contrary of the test, where that refuses."""
    if isinstance(test, ast.BoolOp):
        # one of several refuses, or all of several hold
        if isinstance(test.op, ast.Or if refuses else ast.And):
            for part in test.values:
                yield from _asked(name, part, refuses)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _asked(name, test.operand, not refuses)
    elif isinstance(test, ast.Call) and not refuses and len(test.args) == 2:
        of_it = is_name(test.args[0], f"{name}.{_DTYPE}")
        if of_it and ast.unparse(test.func).endswith("issubdtype"):
            yield from _type_of(test.args[1])
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        wanted = (ast.NotEq, ast.NotIn, ast.IsNot) if refuses else (ast.Eq, ast.In, ast.Is)
        if isinstance(test.ops[0], wanted):
            yield from _compared(name, test.left, test.comparators[0])


def _compared(name: str, left: ast.expr, right: ast.expr) -> Iterator[str]:
    parts = getattr(right, "elts", [right])
    if is_name(left, f"{name}.{_KIND}"):
        texts = (part.value for part in parts if isinstance(part, ast.Constant))
        kinds = (kind for text in texts if isinstance(text, str) for kind in text)
        yield from (_OF_KIND[kind] for kind in kinds if kind in _OF_KIND)
    elif is_name(left, f"{name}.{_DTYPE}"):
        for part in parts:
            yield from _type_of(part)


def _type_of(node: ast.expr) -> Iterator[str]:
    """``np.int32``, ``"int32"``, ``int``, ``np.dtype("int32")``."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        yield from _type_of(node.args[0])
        return
    text = node.value if isinstance(node, ast.Constant) else ast.unparse(node)
    last = str(text).rpartition(".")[2]
    if last in _PLAIN:
        yield last
    elif last in _OF_CLASS:
        yield _OF_CLASS[last]


__all__ = ["asked_dtypes"]
