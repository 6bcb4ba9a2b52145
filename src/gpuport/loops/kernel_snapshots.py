"""Arrays of which a kernel reads the values from before the launch."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .names import dotted
from .reasons import UNSUPPORTED, Refused
from .records import LoopPlan


def check_snapshots(plan: LoopPlan, body: Sequence[ast.stmt]) -> None:
    """Make sure that a thread reads no element that it wrote before.

    Raises
    ------
    Refused
        Where it may, so that neither the old nor the new values are right everywhere.
    """
    for name in plan.snapshots:
        written = False
        for node in body:
            if written and _reads(node, name):
                raise Refused(UNSUPPORTED, node, f"`{name}` is read again after it was written")
            writes = any(_is(n, name, ast.Store) for n in ast.walk(node))
            if writes and isinstance(node, ast.For | ast.While) and _reads(node, name):
                raise Refused(UNSUPPORTED, node, f"`{name}` is read again after it was written")
            if writes and isinstance(node, ast.If):
                check_snapshots(plan, node.body)
                check_snapshots(plan, node.orelse)
            written = written or writes


def _reads(node: ast.AST, name: str) -> bool:
    augmented = (n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign))
    return any(_is(n, name, ast.Load) for n in ast.walk(node)) or any(
        isinstance(t, ast.Subscript) and dotted(t.value) == name for t in augmented
    )


def _is(node: ast.AST, name: str, context: type) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and dotted(node.value) == name
        and isinstance(node.ctx, context)
    )
