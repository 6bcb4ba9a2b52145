"""``super()`` in the methods of a class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.objects.classfacts import opening
from gpuport.source.syntax import walk


def is_super(node: ast.AST) -> bool:
    """Whether an expression is ``super()``."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "super"


def check_super(node: ast.ClassDef) -> None:
    """``super()`` calls methods; an attribute read through it, or it handed on, is not followed.

    Raises
    ------
    Open
        Where it does more in a class.
    """
    fine = {
        id(call.func.value) for call in walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    }  # fmt: skip
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    itself = {id(one) for method in methods for one in _plain_supers(node, method)}
    for one in walk(node):
        if isinstance(one, ast.Call) and is_super(one) and id(one) not in fine & itself:
            raise opening(one, "`super()` is used for more than to call a method")


def _plain_supers(node: ast.ClassDef, method: ast.FunctionDef) -> Iterator[ast.Call]:
    """Calls of ``super`` in a method that mean ``super()``: ``super(Class, self)`` does too."""
    given = [*method.args.posonlyargs, *method.args.args]
    usual = [node.name, given[0].arg if given else None]
    calls = (one for one in walk(method) if isinstance(one, ast.Call) and is_super(one))
    for one in calls:
        names = [getattr(argument, "id", None) for argument in one.args]
        if names in ([], usual) and not one.keywords:
            yield one


__all__ = ["check_super", "is_super"]
