"""What stands in a loop over items that is not followed for all of them at once."""

from __future__ import annotations

import ast

from gpuport.parallel.items.calls import check_own
from gpuport.parallel.items.records import CARRIED, FORM, Refused, Source
from gpuport.source.carried import left_over
from gpuport.source.syntax import walk

_STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Continue, ast.Expr, ast.Pass, ast.If, ast.For,
    ast.Raise, ast.Assert,
)  # fmt: skip


_NOT_FOLLOWED = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.JoinedStr)


def check_statements(node: ast.AST) -> None:
    """Refuse statements that are not followed."""
    for one in walk(node):
        if isinstance(one, ast.stmt) and not isinstance(one, _STATEMENTS):
            raise _strange(one)
        if isinstance(one, ast.For) and one.orelse:
            raise Refused(FORM, one, "unsupported syntax: the `else` of a loop")


def check_expressions(source: Source, node: ast.AST) -> None:
    """Refuse expressions that are not followed."""
    for one in walk(node):
        if isinstance(one, _NOT_FOLLOWED):
            raise _strange(one)
        if isinstance(one, ast.Attribute):
            for function in source.properties(one.attr):
                check_own(source, one, function)


def _strange(node: ast.AST) -> Refused:
    kind = type(node).__name__
    what = _SPOKEN.get(kind, f"`{kind.lower()}`")
    return Refused(FORM, node, f"unsupported syntax: {what}")


_SPOKEN = {
    "FunctionDef": "a function in a loop", "Lambda": "a lambda", "NamedExpr": "`:=`",
    "JoinedStr": "a text made of an item", "While": "a `while` in a loop",
    "Delete": "`del`", "Try": "exception handling in it", "ClassDef": "a class in a loop",
}  # fmt: skip


def right_inside(node: ast.For) -> ast.For | None:
    """The loop that a loop ends with, where nothing but names is bound before it."""
    *before, last = node.body
    plain = all(
        isinstance(one, ast.Assign) and all(isinstance(target, ast.Name) for target in one.targets)
        for one in before
    )
    return last if plain and isinstance(last, ast.For) else None


def by_hand(node: ast.While) -> Refused:
    """Why a ``while`` stays: what its trips hand on to each other but for what counts them."""
    steps = {
        one.target.id for one in node.body
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
        and isinstance(one.value, ast.Constant)
    }  # fmt: skip
    for name in left_over(node.body):
        if name not in steps:
            why = f"carried dependence: a trip reads `{name}`, which the one before it bound"
            return Refused(CARRIED, node, why)
    why = "a loop that counts by hand; `for i in range(n)` says how many items there are"
    return Refused(FORM, node, f"unsupported syntax: {why}")


__all__ = ["by_hand", "check_expressions", "check_statements", "right_inside"]
