"""Arrays of which a kernel reads the values from before the launch."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeGuard

from gpuport.loops.names import constant_int, dotted, subscript_indices
from gpuport.loops.reasons import UNSUPPORTED, Refused


def check_snapshots(names: frozenset[str], body: Sequence[ast.stmt]) -> None:
    """Make sure that a thread reads no element that it wrote before.

    Raises
    ------
    Refused
        Where it may, so that neither the old nor the new values are right everywhere.
    """
    for name in sorted(names):
        written: list[ast.Subscript] = []
        for node in body:
            reads = _reads(node, name)
            if any(_may_meet(one, other) for one in reads for other in written):
                raise Refused(UNSUPPORTED, node, f"`{name}` is read again after it was written")
            writes = [n for n in ast.walk(node) if _is(n, name, ast.Store)]
            if writes and isinstance(node, ast.For | ast.While) and reads:
                raise Refused(UNSUPPORTED, node, f"`{name}` is read again after it was written")
            if writes and isinstance(node, ast.If):
                check_snapshots(names, node.body)
                check_snapshots(names, node.orelse)
            written += writes


def _reads(node: ast.AST, name: str) -> list[ast.Subscript]:
    augmented = (n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign))
    found = [n for n in ast.walk(node) if _is(n, name, ast.Load)]
    return found + [t for t in augmented if isinstance(t, ast.Subscript) and _of(t, name)]


def _may_meet(one: ast.Subscript, other: ast.Subscript) -> bool:
    """Whether two subscripts of an array may be of one cell: no axis tells them apart."""
    pairs = zip(subscript_indices(one), subscript_indices(other), strict=False)
    known = [(constant_int(a), constant_int(b)) for a, b in pairs]
    return all(a is None or b is None or a == b or min(a, b) < 0 for a, b in known)


def _of(node: ast.Subscript, name: str) -> bool:
    return dotted(node.value) == name


def _is(node: ast.AST, name: str, context: type) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and _of(node, name) and isinstance(node.ctx, context)
