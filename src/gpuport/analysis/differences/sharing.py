"""Where CuPy may read memory that it writes to, which NumPy copies before."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import product

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.differences.conditions import dtype_kind
from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Array, Either, Value


def keep_apart(
    unit: Unit,
    target: ast.Subscript,
    base: Flow,
    parts: Sequence[Value | str],
    stored: ast.expr,
    flow: Flow,
    store: Node,
) -> None:
    """Have copied what ``base[parts] = stored`` may read and write to at once.

    NumPy does so by itself, CuPy only where it computes: it copies bytes that lie side by side in
    no order, and stores at places that arrays name as it comes to them.
    """
    statement = unit.statement
    if isinstance(statement, ast.AugAssign) or not _may_share(target, base, stored, flow):
        return
    alone = isinstance(statement, ast.Assign) and statement.targets == [target]
    masked = any(isinstance(one, (Array, Either)) and dtype_kind(one) != "i" for one in parts)
    if alone and not masked and not unit.frozen_text:
        unit.work.rewrites["apart", id(stored)] = Rewrite("apart", stored, store)
        return
    # NumPy reads what it has just written at a mask, and in `x[1:], x[:-1] = x[:-1], x[1:]`.
    unit.pin(
        store,
        "GP907",
        f"may alias: `{unit.module.segment(stored)}` may be read here while it is written to",
        target,
        "may-alias",
        help="store a copy, in a statement of its own: `x[m] = x[:n].copy()`",
    )


def _may_share(target: ast.Subscript, base: Flow, stored: ast.expr, flow: Flow) -> bool:
    """Whether memory may be read at other places than those where it is written to.

    A view of another parameter may be one of the same array: a caller may give it for both.
    """
    if not flow.view or flow.fresh or not isinstance(flow.value, (Array, Either)):
        return False
    if base.origin is None or flow.origin is None:
        return False
    one_array = _of_one_array(base, flow)
    given = base.origin.root().parameters and flow.origin.root().parameters
    return bool(one_array or given) and not _apart_or_same(target, stored, one_array=one_array)


def _of_one_array(first: Flow, second: Flow) -> bool:
    if first.origin is None or second.origin is None:
        return False
    if first.origin.root() is not second.origin.root():
        return False
    known = first.memory is not None and second.memory is not None
    return not known or bool((first.memory or frozenset()) & (second.memory or frozenset()))


def refuse_read_output(
    unit: Unit, node: ast.Call, written: Sequence[Argument], args: Sequence[Argument], call: Node
) -> None:
    """Keep on the host a call that writes to a part of an array of which it reads another.

    Not asked of ufuncs, for which CuPy copies what overlaps, as NumPy does.
    """
    for output, operand in product(written, args):
        if operand in written or not isinstance(operand.flow.value, (Array, Either)):
            continue
        same = ast.dump(output.expression) == ast.dump(operand.expression)
        if not (same or operand.flow.fresh) and _of_one_array(output.flow, operand.flow):
            text = unit.module.segment(operand.expression)
            unit.pin(
                call,
                "GP907",
                f"may alias: `{text}` may be read here while it is written to",
                node,
                "may-alias",
                help=f"hand over a copy: `{text}.copy()`",
            )


def _apart_or_same(target: ast.Subscript, stored: ast.expr, *, one_array: bool) -> bool:
    """Whether two parts of one array are different rows of it, or the very same elements."""
    if not isinstance(stored, ast.Subscript):
        return not one_array  # all of an array, and a part of it, differ in their shapes
    if one_array and ast.dump(target.value) != ast.dump(stored.value):
        return False
    ours, theirs = _entries(target), _entries(stored)
    if len(ours) != len(theirs):
        return False
    differing = [
        (one, other)
        for one, other in zip(ours, theirs, strict=True)
        if ast.dump(one) != ast.dump(other)
    ]
    plain = all(isinstance(one, ast.Slice) or _is_number(one) for one in (*ours, *theirs))
    if not plain:
        return False
    return not differing or (len(differing) == 1 and all(_is_number(one) for one in differing[0]))


def _entries(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int
