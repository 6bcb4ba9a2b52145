"""Lists of numbers among arrays that are joined: `np.concatenate(([0.0], x))`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from gpuport.analysis.flows import Flow, Rewrite
from gpuport.analysis.graph import Node
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import Array, Either, Number, Scalar, Value, is_number

_DTYPES = {kind.__name__: str(np.dtype(kind)) for kind in (bool, int, float, complex)}


def expect_arrays(unit: Unit, joined: ast.expr) -> None:
    """Lists in a display of arrays are arrays."""
    if isinstance(joined, (ast.List, ast.Tuple)) and not unit.frozen_text:
        unit.joined.update(id(e) for e in joined.elts if isinstance(e, ast.List) and e.elts)


def listed_array(unit: Unit, node: ast.expr, flows: Sequence[tuple[ast.expr, Flow]]) -> Flow | None:
    """The array that a list of numbers, or of elements, stands for; None where it is another."""
    values = [flow.value for _, flow in flows]
    claims = {_dtype(value) for value in values}
    dtype = claims.pop() if len(claims) == 1 else None
    if not any(flow.origin is not None for _, flow in flows):
        numbers = all(map(is_number, values))
        return Flow(Array(dtype, rank=1), unit.host, fresh=True) if numbers else None
    if not all(map(_is_element, values)):  # numbers of Python's beside those of the device
        return None
    made = unit.operation(node, "a list of elements", 0.0, creates=True)
    for expression, flow in flows:
        unit.use(expression, flow, made, stored=True)
    unit.rewrites["joined", id(node)] = Rewrite("joined", node, made)
    rank = 1 if all(isinstance(value, Number) for value in values) else None
    return Flow(Array(dtype, rank), made, fresh=True)


def is_display_of_numbers(unit: Unit, expression: ast.expr, held: Node) -> bool:
    """Whether a display holds numbers of the device and of Python's side by side."""
    contents = held.cell().contents
    alone = contents is not None and (is_number(contents) or isinstance(contents, Either))
    shown = isinstance(expression, ast.List) and unit.knowledge.boundary != "none"
    return held.holds_numbers() and alone and shown


def _is_element(value: Value) -> bool:
    return isinstance(value, Number) or (isinstance(value, Either) and not value.python)


def _dtype(value: Value) -> str | None:
    if isinstance(value, Scalar):
        return _DTYPES.get(value.type or "")
    return getattr(value, "dtype", None)


__all__ = ["expect_arrays", "is_display_of_numbers", "listed_array"]
