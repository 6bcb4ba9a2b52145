"""Simple statements and `if`."""

from __future__ import annotations

import ast

from gpuport.lower.lowering import Lowering, statement


@statement(ast.Expr)
def _expression(at: Lowering, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        at.expr(node.value)


@statement(ast.Pass, ast.Global, ast.Nonlocal)
def _nothing(at: Lowering, node: ast.stmt) -> None:
    pass


@statement(ast.If)
def _if(at: Lowering, node: ast.If) -> bool:
    test = at.expr(node.test)
    return at.branch(test, lambda: at.block(node.body), lambda: at.block(node.orelse), node)


@statement(ast.Assert)
def _assert(at: Lowering, node: ast.Assert) -> None:
    def fail() -> bool:
        error = at.builtin("AssertionError", node)
        if node.msg is not None:
            error = at.call(error, [at.expr(node.msg)], node)
        return at.end("Raise", (error,), node)

    at.branch(at.expr(node.test), lambda: True, fail, node)


@statement(ast.Raise)
def _raise(at: Lowering, node: ast.Raise) -> bool:
    return at.end("Raise", [at.expr(part) for part in (node.exc, node.cause) if part], node)


@statement(ast.Return)
def _return(at: Lowering, node: ast.Return) -> bool:
    value = at.const(None, node) if node.value is None else at.expr(node.value)
    return at.end("Return", (value,), node)


@statement(ast.Break, ast.Continue)
def _jump(at: Lowering, node: ast.Break | ast.Continue) -> bool:
    return jump(at, node, type(node).__name__)


def jump(at: Lowering, node: ast.stmt | ast.expr, kind: str) -> bool:
    """Leave the round of the innermost loop, with the versions of what it carries."""
    for name, loops in at.handlers:
        if loops >= len(at.loops):
            at.delete(name, node, quiet=True)
    loop = at.loops[-1]
    at.end(kind, [at.current(key, node) for key in loop.carried], node)
    if kind == "Break":
        loop.breaks.append(at.region.terminator)
    return False
