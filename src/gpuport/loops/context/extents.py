"""Names that a loop gives to extents of arrays: ``n = len(x)``, ``n, m = u.shape``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from gpuport.loops.facts import Fact
from gpuport.loops.names import (
    blocks,
    constant_int,
    dotted,
    function_path,
    is_shape,
    mentions,
    stored,
    walk,
)
from gpuport.source.making import Standing

Loop = ast.For | ast.While


def extents_written_in(loop: Loop, live: frozenset[str], facts: Mapping[str, Fact]) -> list[str]:
    """Write extents in the place of their names, in a copy of a loop that binds no such array.

    Parameters
    ----------
    loop : ast.For or ast.While
    live : frozenset of str
        Names that something reads after the loop: they are left alone.
    facts : mapping of str to Fact

    Returns
    -------
    list of str
        Guards: that arrays have as many axes as they are taken apart into.
    """
    bound, guards = stored([loop]), []
    for block in blocks(loop):
        for statement in list(block):
            given = _extents(statement, facts)
            if (
                given is None
                or given.keys() & live
                or not _is_one(loop, block, statement, given, bound)
            ):
                continue
            place = block.index(statement)
            placed = Standing(given)
            block[place:] = [placed.visit(one) for one in block[place + 1 :]] or [ast.Pass()]
            assert isinstance(statement, ast.Assign)
            if is_shape(statement.value):
                guards.append(f"len({ast.unparse(statement.value)}) == {len(given)}")
    ast.fix_missing_locations(loop)
    return guards


def _extents(statement: ast.stmt, facts: Mapping[str, Fact]) -> dict[str, ast.expr] | None:
    """The names that a statement gives to extents of one array."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Name) and _is_extent(value, facts):
        return {target.id: value}
    if not isinstance(target, ast.Tuple) or not is_shape(value) or dotted(value) is None:
        return None
    names = [item.id for item in target.elts if isinstance(item, ast.Name)]
    if len(names) < len(target.elts):
        return None
    parts = (ast.Subscript(value, ast.Constant(k), ast.Load()) for k in range(len(names)))
    return {name: ast.copy_location(part, value) for name, part in zip(names, parts, strict=True)}


def _is_extent(node: ast.expr, facts: Mapping[str, Fact]) -> bool:
    if isinstance(node, ast.Call):
        measured = function_path(node.func, facts) == "builtins.len" and len(node.args) == 1
        return measured and not node.keywords and dotted(node.args[0]) is not None
    if not isinstance(node, ast.Subscript) or not is_shape(node.value):
        return False
    return dotted(node.value) is not None and constant_int(node.slice) is not None


def _is_one(
    loop: Loop,
    block: Sequence[ast.stmt],
    statement: ast.stmt,
    given: Mapping[str, ast.expr],
    bound: set[str],
) -> bool:
    """Whether these names mean that wherever they stand, and the array is one for all the loop."""
    assert isinstance(statement, ast.Assign)
    arrays = {n.id for n in walk([statement.value]) if isinstance(n, ast.Name)}
    if arrays & bound:
        return False
    following = list(block[block.index(statement) :])
    for name in given:
        stores = [
            n for n in walk([loop])
            if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        ]  # fmt: skip
        if len(stores) != 1 or mentions(following, name) != mentions([loop], name):
            return False
    return True
