"""``np.mgrid[0:n]``, ``np.r_[0, x]`` and their like: arrays made of what stands in brackets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.expressions.operators import operand
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge import probing
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Tuple,
    Unknown,
    Value,
    is_number,
)


def index_object(unit: Unit, node: ast.Subscript, path: str) -> Flow:
    """``np.mgrid[0:n, 0:m]`` and its kin make arrays of what stands between the brackets."""
    entry = unit.knowledge.tables.entry(path)
    if entry is None or entry.kind != "object":
        return Flow(Scalar())
    if path in unit.knowledge.words.joins_parts:
        return _joined(unit, node, path)
    if path in unit.knowledge.words.makes_indices:
        return _index(unit, node, path)
    kinds = _bounds(unit, node.slice)
    value = UNKNOWN if kinds is None else probing.probe_object(path, node.slice, kinds)
    if not isinstance(value, Array) and not (isinstance(value, Tuple) and _taken_apart(unit, node)):
        return Flow(value if isinstance(value, Scalar) else Unknown(f"`{path}[...]`"))
    target = unit.knowledge.tables.counterpart(path).target_name
    graph_node = unit.operation(node, path, 0.25, path=path, function=node.value, target=target)
    if target is None:
        unit.pin(graph_node, "GP102", f"missing in CuPy: `{path}`", node, "missing-in-cupy")
    return unit.fresh(node, value, graph_node)


def _bounds(unit: Unit, index: ast.expr) -> dict[int, str | None] | None:
    """The Python types of the bounds in an index; None where one may be no number."""
    plain, kinds = True, dict[int, str | None]()
    for part in _numbers_in(index):
        flow = evaluate(unit, part)
        plain = plain and isinstance(flow.value, (Scalar, Number))
        kinds[id(part)] = _kind(flow.value)
        unit.to_host(part, flow)
    return kinds if plain else None


def _numbers_in(index: ast.expr) -> Iterator[ast.expr]:
    """The bounds, steps and single entries of an index."""
    for entry in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(entry, ast.Slice):
            yield from (b for b in (entry.lower, entry.upper, entry.step) if b is not None)
        else:
            yield entry


def _kind(value: Value) -> str | None:
    """The type of a number in an index, where it decides about the dtype of what is made."""
    kind = value.type if isinstance(value, Scalar) else getattr(value, "dtype", None)
    words = {"int": "int", "int64": "int", "float": "float", "float64": "float"}
    return {**words, "complex": "complex", "complex128": "complex"}.get(kind or "")


def _taken_apart(unit: Unit, node: ast.Subscript) -> bool:
    """``y, x = np.ogrid[...]``: a list in CuPy, a tuple in NumPy."""
    statement = unit.statement
    return (
        isinstance(statement, ast.Assign)
        and statement.value is node
        and all(isinstance(target, (ast.Tuple, ast.List)) for target in statement.targets)
    )


def _index(unit: Unit, node: ast.Subscript, path: str) -> Flow:
    """``np.s_[1:-1, k]``: the slices and numbers themselves."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    values = [evaluate(unit, part).value for part in parts]
    if not all(isinstance(value, Scalar) for value in values):
        _bounds(unit, node.slice)
        return Flow(Unknown(f"`{path}[...]`"))
    always = path in unit.knowledge.words.makes_index_tuples
    several = isinstance(node.slice, ast.Tuple) or always
    return Flow(Tuple(tuple(values)) if several else values[0])


def _joined(unit: Unit, node: ast.Subscript, path: str) -> Flow:
    """``np.r_[0.0, x]``: arrays and numbers one behind the other; CuPy takes no ranges there."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    ranges = [part for part in parts if isinstance(part, ast.Slice)]
    for one in ranges:
        _bounds(unit, one)
    flows = [(part, evaluate(unit, part)) for part in parts if not isinstance(part, ast.Slice)]
    values = [flow.value for _, flow in flows]
    directive = any(isinstance(v, Scalar) and v.type == "str" for v in values)
    if directive or not all(isinstance(v, (Array, Either)) or is_number(v) for v in values):
        for part, flow in flows:
            unit.to_host(part, flow)
        return Flow(Unknown(f"`{path}[...]`"))
    target = unit.knowledge.tables.counterpart(path).target_name
    graph_node = unit.operation(node, path, 2.0, path=path, function=node.value, target=target)
    for part, flow in flows:
        operand(unit, node, part, flow, graph_node)
    if ranges or target is None:
        why = f"missing in CuPy: ranges in `{unit.module.segment(node.value)}[...]`"
        help = "write np.concatenate, or np.arange"
        unit.pin(graph_node, "GP102", why, node, "missing-in-cupy", help=help)
    columns = path in unit.knowledge.words.joins_columns
    return unit.fresh(node, _join_of(values, columns, bool(ranges)), graph_node)


def _join_of(values: list[Value], columns: bool, ranges: bool) -> Array:
    """What joining arrays of known rank, or numbers, gives; ranges have a dtype of their own."""
    ranks = {getattr(value, "rank", None) if isinstance(value, Array) else 1 for value in values}
    if columns:
        ranks = {2 if rank in (1, 2) else None for rank in ranks}
    undecided = any(isinstance(value, Either) for value in values)
    rank = ranks.pop() if len(ranks) == 1 and not undecided else None
    sources = frozenset().union(*(getattr(value, "sources", frozenset()) for value in values))
    return Array(None if ranges else _dtype_of(values), rank, sources)


def _dtype_of(values: list[Value]) -> str | None:
    import numpy as np

    stand_ins: list[object] = []
    for value in values:
        if isinstance(value, Scalar) and value.type in ("bool", "int", "float", "complex"):
            stand_ins.append({"bool": True, "int": 1, "float": 1.0, "complex": 1j}[value.type])
        elif getattr(value, "dtype", None) is None:
            return None
        else:
            stand_ins.append(np.dtype(value.dtype))  # type: ignore[union-attr]
    return str(np.result_type(*stand_ins))  # type: ignore[arg-type]


__all__ = ["index_object"]
