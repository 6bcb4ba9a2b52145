"""``else`` of the loops inside a region, as a condition after them."""

from __future__ import annotations

import ast

from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import Fresh, walk
from gpuport.source.making import assigned

Loop = ast.For | ast.While


def without_else(loop: Loop, fresh: Fresh) -> None:
    """Write the ``else`` of every loop inside another one as an ``if`` behind it, in place.

    ``for ...: ... break`` with an ``else`` keeps a name that is true until the ``break``.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    fresh : Fresh
    """
    for node in walk([loop]):
        for part in ("body", "orelse"):
            block = getattr(node, part, None)
            if isinstance(block, list):
                block[:] = [made for one in block for made in _statements(one, fresh)]


def _statements(node: ast.stmt, fresh: Fresh) -> list[ast.stmt]:
    if not isinstance(node, ast.For | ast.While) or not node.orelse:
        return [node]
    otherwise, node.orelse = node.orelse, []
    if not leaves(node.body, (ast.Break,)):
        return [node, *otherwise]
    name = fresh.name("finished")
    _tell(node.body, name)
    after = ast.If(ast.Name(name, ast.Load()), otherwise, [])
    ast.fix_missing_locations(ast.copy_location(after, otherwise[0]))
    return [assigned(name, ast.Constant(True), node), node, after]


def _tell(body: list[ast.stmt], name: str) -> None:
    """Set a name before each ``break`` of the loop with this body."""
    for position in reversed(range(len(body))):
        statement = body[position]
        if isinstance(statement, ast.Break):
            body.insert(position, assigned(name, ast.Constant(False), statement))
        elif isinstance(statement, ast.If):
            _tell(statement.body, name)
            _tell(statement.orelse, name)
        elif isinstance(statement, ast.For | ast.While):
            _tell(statement.orelse, name)
