"""Names that have a value by all means: a read of one cannot raise, so it may stand earlier."""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_left
from collections.abc import Iterable

from gpuport.ir import Function
from gpuport.source.syntax import children

BUILT_IN = frozenset(dir(builtins))


def tell_bound(tree: ast.Module, functions: Iterable[Function], removed: set[str]) -> None:
    """Let each function with loops know the names that are bound whenever it runs.

    Those are the names that statements of the module bind above the one in which it is defined, and
    what lowering knew of variables of functions around it; none of those that anything removes.
    """
    with_loops = [function for function in functions if function.heads]
    if not with_loops:
        return  # nobody asks
    sure: set[str] = set()
    ends, above = [0], [frozenset[str]()]
    for statement in tree.body:
        sure |= _bound(statement)
        ends.append(statement.end_lineno or statement.lineno)
        above.append(frozenset(sure - removed))
    for function in with_loops:
        before = above[bisect_left(ends, function.span.line) - 1]
        function.bound = (function.bound - removed) | before | BUILT_IN


def _bound(node: ast.AST) -> set[str]:
    """Names that a statement binds whenever control comes to its end."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign):
        return {name for target in node.targets for name in _targets(target)}
    if isinstance(node, ast.AnnAssign):
        return _targets(node.target) if node.value is not None else set()
    if isinstance(node, ast.If):
        return _of_block(node.body) & _of_block(node.orelse)
    if isinstance(node, ast.Try):
        main = _of_block([*node.body, *node.orelse])
        return main.intersection(*(_of_block(one.body) for one in node.handlers))
    return set()


def _of_block(statements: list[ast.stmt]) -> set[str]:
    return {name for statement in statements for name in _bound(statement)}


def _targets(target: ast.AST) -> set[str]:
    if isinstance(target, ast.Name):
        return {target.id}
    if isinstance(target, (ast.Tuple, ast.List, ast.Starred)):
        return {name for part in children(target) for name in _targets(part)}
    return set()
