"""Tuples and lists of numbers that a function writes out before its loops, and never changes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from gpuport.loops.heads.literals import worked_out
from gpuport.loops.names import bound_names, constant_int, walk
from gpuport.loops.private.arrays import MOST
from gpuport.source import syntax

_ITERATING = ("zip", "enumerate", "len")

Table = ast.Tuple | ast.List


@lru_cache(maxsize=8)
def written_tables(function: ast.AST) -> Mapping[str, Table]:
    """Tables by name: bound once, and only subscripted, measured and gone over after that."""
    found: dict[str, Table] = {}
    if isinstance(function, ast.Module):
        return found  # other modules may change them
    for statement in getattr(function, "body", []):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
            made = _table(value) if isinstance(target, ast.Name) else None
            if made is not None and isinstance(target, ast.Name):
                found[target.id] = made
    return {name: table for name, table in found.items() if _is_constant(function, name)}


def _table(node: ast.expr) -> Table | None:
    """A tuple or list of numbers, or of tuples of them, with quotients worked out."""
    if not isinstance(node, ast.Tuple | ast.List) or not 1 <= len(node.elts) <= MOST:
        return None
    items: list[ast.expr] = []
    for item in node.elts:
        made = _table(item) if isinstance(item, ast.Tuple | ast.List) else _number(item)
        if made is None:
            return None
        items.append(made)
    return ast.copy_location(type(node)(items, ast.Load()), node)


def _number(node: ast.expr) -> ast.expr | None:
    value = worked_out(node)
    if value is None or value != value or abs(value) == float("inf"):
        return None
    return ast.copy_location(ast.parse(repr(value), mode="eval").body, node)


def _is_constant(function: ast.AST, name: str) -> bool:
    nodes = list(walk([function]))
    mine = {id(n): n for n in nodes if isinstance(n, ast.Name) and n.id == name}
    bound = sum(not isinstance(n.ctx, ast.Load) for n in mine.values())
    arguments = any(isinstance(n, ast.arg) and n.arg == name for n in nodes)
    declared = any(isinstance(n, ast.Global | ast.Nonlocal) and name in n.names for n in nodes)
    if bound != 1 or arguments or declared:
        return False
    used: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            if not isinstance(node.slice, ast.Slice):
                used.add(id(node.value))
        elif isinstance(node, ast.For):
            used.add(id(node.iter))
        elif isinstance(node, ast.Call) and _goes_over(node, function):
            used |= {id(one) for one in node.args}
    return all(key in used for key, n in mine.items() if isinstance(n.ctx, ast.Load))


def _goes_over(call: ast.Call, function: ast.AST) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name in _ITERATING and name not in bound_names(function)


def tables_written_in(loop: ast.For | ast.While, tables: Mapping[str, Table]) -> None:
    """Put the tables that a loop goes over, in the place of their names, in a copy of it."""
    if tables:
        _WrittenIn(tables).visit(loop)


class _WrittenIn(ast.NodeTransformer):
    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._given(node.iter)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "len" and isinstance(node.args[0], ast.Name) and node.args[0].id in self.tables:
            count = len(self.tables[node.args[0].id].elts)
            return ast.copy_location(ast.Constant(count), node)
        if name in _ITERATING:
            node.args = [self._given(one) for one in node.args]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``moves[2]``, ``moves[2][0]``."""
        self.generic_visit(node)
        held = self._given(node.value)
        at = constant_int(node.slice)
        if not isinstance(held, ast.Tuple | ast.List) or at is None:
            return node
        inside = -len(held.elts) <= at < len(held.elts)
        return ast.copy_location(syntax.copied(held.elts[at]), node) if inside else node

    def _given(self, node: ast.expr) -> ast.expr:
        table = self.tables.get(node.id) if isinstance(node, ast.Name) else None
        return node if table is None else ast.copy_location(syntax.copied(table), node)
