"""What is one number, since the truth of what is computed of it is asked: ``if x > limit:``.

An array of several elements would raise there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from gpuport.source.syntax import DEFINITIONS, children

_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_OF_ELEMENTS = frozenset({"real", "imag"})


def single_numbers(
    function: ast.FunctionDef | ast.AsyncFunctionDef, elementwise: Callable[[ast.Call], bool]
) -> frozenset[str]:
    """Names of a function that stand for one number each wherever it returns.

    Parameters
    ----------
    function : ast.FunctionDef or ast.AsyncFunctionDef
    elementwise : callable
        Whether a call computes each element of what it is given by itself.

    Returns
    -------
    frozenset of str
        None that is bound anew.
    """
    nodes = list(_own(function.body))
    bound: dict[str, list[ast.expr | None]] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.setdefault(node.id, []).append(None)
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            bound[node.targets[0].id][0] = node.value if len(node.targets) == 1 else None
    found: set[str] = set()
    waiting = [part for node in nodes for part in _asked(node)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name):
            values = bound.get(part.id, [])
            if part.id not in found and len(values) < 2:
                found.add(part.id)
                waiting += [one for one in values if one is not None]
        else:
            waiting += _of_each(part, elementwise)
    return frozenset(found - bound.keys())


def _own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in body:
        yield node
        if type(node) not in DEFINITIONS:
            yield from _own(children(node))


def _asked(node: ast.AST) -> list[ast.expr]:
    """Of what a node asks which is greater, or whether it is equal."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        return _compared(node.test)
    if isinstance(node, ast.comprehension):
        return [part for test in node.ifs for part in _compared(test)]
    smallest = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if smallest and node.func.id in ("min", "max") and len(node.args) > 1:  # type: ignore[attr-defined]
        return [one for one in node.args if not isinstance(one, ast.Starred)]  # type: ignore[attr-defined]
    return []


def _compared(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp):
        return [part for value in test.values for part in _compared(value)]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _compared(test.operand)
    if isinstance(test, ast.Compare) and all(isinstance(op, _ORDERED) for op in test.ops):
        return [test.left, *test.comparators]
    return []


def _of_each(node: ast.expr, elementwise: Callable[[ast.Call], bool]) -> list[ast.expr]:
    """What has as many elements as an expression, or one."""
    if isinstance(node, ast.BinOp):
        return [] if isinstance(node.op, ast.MatMult) else [node.left, node.right]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Attribute):
        return [node.value] if node.attr in _OF_ELEMENTS else []
    return list(node.args) if isinstance(node, ast.Call) and elementwise(node) else []


__all__ = ["single_numbers"]
