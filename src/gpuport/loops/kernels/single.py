"""Whether each thread of a kernel sees one element of each array, under the array's own name."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeGuard

from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.heads.counting import nonempty
from gpuport.loops.names import constant_int, dotted, loaded, stored, subscript_indices, walk
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import LoopPlan


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


def entered_where(plan: LoopPlan) -> set[str]:
    """Conditions, one for each loop inside whose range is known before the launch.

    Only loops count that change a name: its type is then that of what they make of it.
    """
    bound = stored(plan.body) | {axis.variable for axis in plan.grid}
    found: set[str] = set()
    for node in walk(plan.body):
        if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Call):
            continue
        changing = stored(node.body) & {
            one.target.id
            for one in walk(node.body)
            if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
        }
        elements = any(
            isinstance(one, ast.Subscript) and not isinstance(one.value, ast.Attribute)
            for one in walk(node.iter.args)
        )
        known = not elements and not loaded(node.iter.args) & bound
        if len(node.iter.args) == 3 and changing and known:
            found.add(nonempty(node))
    return found


def is_single(plan: LoopPlan, body: Sequence[ast.stmt], symbols: Symbols) -> bool:
    """Whether every array is read and written at the grid's own indices alone, and in full.

    Such a kernel needs no subscripts: CuPy gives it ``x`` for ``x[i, j]``.
    """
    if not plan.elementwise or plan.snapshots or plan.atomics or not symbols.arrays:
        return False
    variables = [axis.variable for axis in plan.grid]
    if any((axis.start, axis.step) != ("0", "1") for axis in plan.grid):
        return False
    for node in walk(body):
        if isinstance(node, ast.Subscript) and dotted(node.value) in symbols.arrays:
            indices = [e.id if isinstance(e, ast.Name) else "" for e in subscript_indices(node)]
            if indices != variables:
                return False
        if isinstance(node, ast.expr) and symbols.length_of(node) is not None:
            return False
    return True
