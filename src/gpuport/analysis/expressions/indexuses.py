"""What an index is used for: entries and bounds beside the array that they are an index of."""

from __future__ import annotations

import ast

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import (
    Array,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_container,
)
from gpuport.records import Severity
from gpuport.source.parameters import parameter_names
from gpuport.source.syntax import walk


def plain_index(unit: Unit, index: ast.expr) -> Flow:
    """The index of something that is no array: Python values."""
    if isinstance(index, ast.Slice):
        for part in (index.lower, index.upper, index.step):
            if part is not None:
                plain_index(unit, part)
        return Flow(Scalar("slice"))
    if isinstance(index, ast.Tuple) and any(isinstance(e, ast.Slice) for e in index.elts):
        return Flow(Tuple(tuple(plain_index(unit, entry).value for entry in index.elts)))
    flow = evaluate(unit, index)
    unit.to_host(index, flow)
    return flow


def tell_of_lists(unit: Unit, flows: list[tuple[ast.expr, Flow]], graph_node: Node) -> None:
    """A list of places goes to the device wherever it is an index."""
    for expression, flow in flows:
        value = flow.value
        if isinstance(value, Sequence) and isinstance(value.of, (Scalar, Number)):
            text = unit.module.segment(expression).splitlines()[0][:60]
            each = " in each round; an array that is made before the loop is moved once"
            message = f"the list `{text}` is moved to the device{each if unit.loops else ''}"
            unit.note("GP401", message, expression, on=graph_node, severity=Severity.INFO)


def pin_unknown_entries(
    unit: Unit, node: ast.Subscript, flows: list[tuple[ast.expr, Flow]], base: Flow
) -> None:
    """Unknown index entries may be arrays; those of known kind follow the base."""
    for expression, flow in flows:
        if not isinstance(flow.value, Unknown) or base.origin is None:
            continue
        if _is_loop_counter(unit, expression):
            continue
        text = unit.module.segment(expression)
        unit.pin(
            base.origin,
            "GP901",
            f"unknown type: it is not known whether the index `{text}` is an integer or an array",
            node,
            "unknown-type",
            unknown=expression,
        )


def names_field(
    unit: Unit, node: ast.Subscript, base: Flow, parts: tuple[Value | str, ...]
) -> bool:
    """Whether a text is the index of an array, which then has fields and stays on the host."""
    texts = any(isinstance(part, Scalar) and part.type == "str" for part in parts)
    if not texts or not isinstance(base.value, Array) or base.origin is None:
        return False
    what = unit.module.segment(node)[:60]
    message = f"structured array: `{what}` is a field of one, and CuPy has no arrays with fields"
    unit.pin(base.origin, "GP905", message, node, "object-dtype")
    return True


def follow_base(
    unit: Unit, index: ast.expr, flows: list[tuple[ast.expr, Flow]], base: Flow
) -> None:
    """Indices and bounds that were computed live where the array does."""
    assert base.origin is not None
    everything = list(flows)
    for entry in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(entry, ast.Slice):
            bounds = [b for b in (entry.lower, entry.upper, entry.step) if b is not None]
            found = [(bound, evaluate(unit, bound)) for bound in bounds]
            unit.work.slice_bounds |= {
                id(bound): (bound, flow.origin, base.origin)
                for bound, flow in found if flow.origin is not None
            }  # fmt: skip
            everything += found
    for expression, flow in everything:
        # Nothing writes to the arrays of `np.ix_(i, j)` when it is an index of what is written.
        held = is_container(flow.value) and unit.use_leaves(expression, flow, base.origin)
        if not held:
            unit.use(expression, flow, base.origin)


def _is_loop_counter(unit: Unit, expression: ast.expr) -> bool:
    return isinstance(expression, ast.Name) and any(expression.id in names for names in unit.loops)


def _only_integers(parts: tuple[Value | str, ...]) -> bool:
    return all(isinstance(p, Scalar) and p.type not in ("slice", "place") for p in parts)


def is_element(unit: Unit, node: ast.Subscript, parts: tuple[Value | str, ...]) -> bool:
    """Whether integers that change in a loop pick a single element (or a row, where the rank is
    not known) out of an array that is there for other trips too."""
    if not _only_integers(parts) or not unit.loops:
        return False
    changing = {n.id for n in walk(node.slice) if isinstance(n, ast.Name) and unit.changes(n.id)}
    return bool(changing) and not _is_made_in_trip(unit, node.value, changing)


def is_named_by_caller(
    unit: Unit, node: ast.Subscript, base: Value, parts: tuple[Value | str, ...]
) -> bool:
    """Whether the callers of a function, who call it in loops, say which single element it is
    (or which row, where the rank is not known)."""
    if unit.loops or not unit.depth or isinstance(unit.node, ast.Module):
        return False
    if not _only_integers(parts) or getattr(base, "rank", None) not in (None, len(parts)):
        return False
    given = parameter_names(unit.node)
    return any(isinstance(n, ast.Name) and n.id in given for n in walk(node.slice))


def names_one(base: Value, parts: tuple[Value | str, ...]) -> bool:
    """Whether an index has an integer for each axis of an array."""
    return _only_integers(parts) and getattr(base, "rank", None) == len(parts)


def _is_made_in_trip(unit: Unit, base: ast.expr, changing: set[str]) -> bool:
    """Whether each trip of the loop in which an index changes makes an array for itself.

    ``i = loss.argmin()``, and ``loss[i]``: an element or two beside work on whole arrays.
    """
    if not isinstance(base, ast.Name) or unit.in_stacked:
        return False
    for names, loop in reversed(list(zip(unit.loops, unit.loop_nodes, strict=True))):
        bound = unit.project.bound_in(loop) if isinstance(loop, ast.stmt) else frozenset()
        if not changing.isdisjoint({*names, *bound}):
            # A loop forgets at its head whose memory the names are that it binds.
            return base.id in bound and unit.env[base.id].memory is not None
    return False
