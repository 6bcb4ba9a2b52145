"""Lists of numbers among arrays that are joined: `np.concatenate(([0.0], x))`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Number,
    Scalar,
    Tuple,
    Value,
    is_number,
    join_all,
    parts,
)
from gpuport.analysis.values.lattice import Sequence as Listed

_DTYPES = {kind.__name__: str(np.dtype(kind)) for kind in (bool, int, float, complex)}


def expect_arrays(unit: Unit, joined: ast.expr) -> None:
    """Lists in a display of arrays are arrays; the display is gone once these are joined."""
    if isinstance(joined, (ast.List, ast.Tuple)) and not unit.frozen_text:
        unit.marked.joined.update(id(e) for e in joined.elts if isinstance(e, ast.List) and e.elts)
        unit.marked.read_at_once.add(id(joined))


def arrays_read_at_once(
    unit: Unit, node: ast.List | ast.Tuple, flows: Sequence[tuple[ast.expr, Flow]]
) -> Flow | None:
    """``np.concatenate([x, y])``: the list keeps no array, so each may come from its own place."""
    if len(flows) < 2 or not all(_is_array(flow) for _, flow in flows):
        return None
    read = unit.operation(node, "arrays that are joined", 0.0)
    for expression, flow in flows:
        unit.use(expression, flow, read)
    values = [flow.value for _, flow in flows]
    one_by_one = isinstance(node, ast.Tuple)
    return Flow(Tuple(tuple(values)) if one_by_one else Listed(join_all(values)), read, fresh=True)


def listed_array(unit: Unit, node: ast.expr, flows: Sequence[tuple[ast.expr, Flow]]) -> Flow | None:
    """The array that a list of numbers, or of elements, stands for; None where it is another."""
    values = [flow.value for _, flow in flows]
    rows = {isinstance(value, Listed) for value in values} == {True}  # [[0.0, 1.0], [2.0, 3.0]]
    values = [value.of if rows and isinstance(value, Listed) else value for value in values]
    claims = {_dtype(value) for value in values}
    dtype = claims.pop() if len(claims) == 1 else None
    if not any(flow.origin is not None for _, flow in flows):
        numbers = all(map(is_number, values))
        return Flow(Array(dtype, rank=1 + rows), unit.host, fresh=True) if numbers else None
    if not all(map(_is_element, values)):  # numbers of Python's beside those of the device
        return None
    made = unit.operation(node, "a list of elements", 0.0, creates=True)
    for expression, flow in flows:
        unit.use(expression, flow, made, stored=True)
    unit.work.rewrites["joined", id(node)] = Rewrite("joined", node, made)
    rank = 1 if all(isinstance(value, Number) for value in values) else None
    return Flow(Array(dtype, rank), made, fresh=True)


def is_display_of_numbers(unit: Unit, expression: ast.expr, held: Node) -> bool:
    """Whether a display holds numbers of the device and of Python's side by side."""
    contents = held.cell().contents
    alone = contents is not None and (is_number(contents) or isinstance(contents, Either))
    written = isinstance(expression, (ast.List, ast.Tuple, ast.ListComp))
    shown = written and unit.knowledge.boundary != "none"
    return held.holds_numbers() and alone and shown


def is_written_out(expression: ast.expr) -> bool:
    """Whether a display, with those in it, holds numbers alone that are written out.

    What is known of a list by its name may say less: other lists have it too.
    """
    if isinstance(expression, (ast.List, ast.Tuple)):
        return bool(expression.elts) and all(map(_is_written_number, expression.elts))
    return False


def _is_written_number(node: ast.expr) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return is_written_out(node)
    signed = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd)
    number = node.operand if signed and isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and isinstance(
        number.value, (bool, int, float, complex)
    )


def are_alike(value: Value) -> bool:
    """Whether all arrays of a list are rows of numbers of the same dtype."""
    kinds = {(one.dtype, one.rank) if isinstance(one, Array) else None for one in parts(value)}
    if len(kinds) != 1:
        return False
    dtype, rank = kinds.pop() or (None, None)
    return dtype is not None and rank == 1 and np.dtype(dtype).kind in "biuf"


def _is_element(value: Value) -> bool:
    return isinstance(value, Number) or (isinstance(value, Either) and not value.python)


def _is_array(flow: Flow) -> bool:
    """Whether it is an array, as far as the host knows, and where it comes from."""
    either = isinstance(flow.value, Either) and not flow.value.python
    return flow.origin is not None and (either or isinstance(flow.value, Array))


def _dtype(value: Value) -> str | None:
    if isinstance(value, Scalar):
        return _DTYPES.get(value.type or "")
    return getattr(value, "dtype", None)


__all__ = ["are_alike", "expect_arrays", "is_display_of_numbers", "is_written_out", "listed_array"]
