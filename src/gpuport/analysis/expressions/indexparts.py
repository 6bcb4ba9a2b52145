"""What the entries of an index are: ``x[i, 1:, places]``, ``x[tuple(index)]``."""

from __future__ import annotations

import ast

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import (
    PLACE,
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
    elements,
    is_arraylike,
)


def index_parts(
    unit: Unit, node: ast.expr
) -> tuple[tuple[Value | str, ...], list[tuple[ast.expr, Flow]]]:
    """The entries of an index for probing, and the expressions in it that are arrays.

    A tuple of which it is not known how many entries it has stays one of them, a `Sequence`,
    unless all are slices: whether it takes out an element, a view or a copy is open.
    """
    entries = node.elts if isinstance(node, ast.Tuple) else [node]
    parts: list[Value | str] = []
    flows: list[tuple[ast.expr, Flow]] = []
    for entry in entries:
        if isinstance(entry, ast.Slice):
            evaluate(unit, entry)
            parts.append(":")
        elif isinstance(entry, ast.Constant) and entry.value is Ellipsis:
            parts.append("...")
        elif isinstance(entry, ast.Starred):
            flow = evaluate(unit, entry)
            parts.append(_spread_out(unit, entry, flow))
            flows += [(entry.value, flow)] if not is_arraylike(flow.value) else []
        else:
            flow = evaluate(unit, entry)
            if isinstance(flow.value, Scalar) and flow.value.type == "None":
                parts.append("None")
                continue
            alone = entry is node
            if isinstance(entry, ast.Name) and entry.id in unit.parameters.places:
                parts.append(Sequence(PLACE, list=False) if alone else PLACE)
            else:
                parts.append(_spread(flow.value) if alone else as_entry(flow.value))
            flows.append((entry, flow))
    return tuple(parts), flows


def _spread_out(unit: Unit, entry: ast.Starred, flow: Flow) -> Value | str:
    """The items of ``x[*index]``, each an entry: numbers, where it is an array."""
    if is_arraylike(flow.value):
        unit.to_host(entry.value, flow)
        return Sequence(UNKNOWN, list=False)
    return _spread(Sequence(elements(flow.value) or UNKNOWN, list=False))


def _spread(value: Value) -> Value | str:
    """What is the whole index: NumPy takes each item of a tuple for an entry, of a list none.

    What is known to be no array, and no more, may be such a tuple: the key of a dict.
    """
    if value in (Scalar(), PLACE):
        return Sequence(PLACE, list=False)
    if not isinstance(value, Sequence) or value.list or isinstance(value.of, (Array, Sequence)):
        return as_entry(value)
    return ":" if value.of == Scalar("slice") else value


def as_entry(value: Value) -> Value:
    """What an index entry is taken for; Python integers stand for every integer."""
    if isinstance(value, Scalar):
        return Scalar("int", 0) if value.type in (None, "number", "int", "bool") else value
    if isinstance(value, Number):
        return Scalar("int", 0)
    if isinstance(value, Sequence):
        return Array("int64", _depth(value))
    return value


def _depth(value: Value) -> int | None:
    """How many axes the array of a list has; what is not known is taken for numbers."""
    if isinstance(value, (Array, Either)):
        return value.rank if isinstance(value, Array) else None
    if not isinstance(value, (Sequence, Tuple)):
        return 0
    items = value.items if isinstance(value, Tuple) else [value.of]
    depths = [_depth(item) for item in items]
    return None if None in depths else 1 + max(filter(None, depths), default=0)


def note_mask(
    unit: Unit, node: ast.Subscript, parts: tuple[Value | str, ...], operation: Node
) -> None:
    """Note that the host waits where a mask is an index: how many elements it takes is asked."""
    masks = (isinstance(part, (Array, Either)) and part.dtype == "bool" for part in parts)
    if any(masks):
        unit.work.read_back[id(node)] = (node, operation, "size")


__all__ = ["as_entry", "index_parts", "note_mask"]
