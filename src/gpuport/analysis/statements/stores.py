"""Where a store into an array means something else in CuPy: ``base[parts] = stored``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import product

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.differences.byplace import depends_on_place, exchanges_two
from gpuport.analysis.differences.conditions import dtype_kind, integer_arrays, narrows
from gpuport.analysis.differences.differing import apply
from gpuport.analysis.differences.distinct import names_each_place_once
from gpuport.analysis.differences.instead import is_store_at, write_store
from gpuport.analysis.expressions.listedarrays import is_written_out
from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Array, Either, Number, Scalar, Value, is_number
from gpuport.analysis.values.lattice import Sequence as SequenceValue
from gpuport.source.stores import are_alike, assigns_alone, changes_in_place, whole_if_it_is
from gpuport.source.subscripts import apart_or_same

_ITEM_WRITE = "numpy.ndarray.__setitem__"


def check_store(
    unit: Unit,
    node: ast.Subscript,
    base: Value,
    parts: Sequence[Value | str],
    stored: Value,
    expression: ast.expr,
    graph_node: Node,
) -> None:
    """Differences of ``base[parts] = stored``, where ``expression`` gives what is stored."""
    refuse_number(unit, node, node.value, base, graph_node)
    twice = _may_name_twice(unit, node, parts, stored)
    alone = unit.in_stacked or not unit.loops or not any(map(_may_be_one, parts))
    whole = unit.statement if twice and alone and is_store_at(unit, node) else None
    summed = isinstance(whole, ast.AugAssign)
    facts = {
        "integer-index": integer_arrays(parts),
        "duplicate-index-store": twice and not summed,
        "duplicate-index-sum": twice and summed,
        "float-to-int": _floating_into_integers(base, stored),
        "float-to-unknown": _perhaps_floating_into_integers(base, stored)
        and not whole_if_it_is(node.value, expression),
        "narrowed-number": not any(map(_gathers, parts))
        and narrows(base, _as_written(expression, stored)),
        "array-as-element": not unit.in_stacked
        and _is_element(base, parts)
        and _may_have_axes(base, stored),
    }
    apply(unit, whole or node, _ITEM_WRITE, graph_node, lambda word: facts.get(word, False))


PUT_WHERE = "gpuport.runtime.put_where"
"""What stores a number at a mask, of which it asks the device nothing."""


def put_by_mask(
    unit: Unit,
    node: ast.Subscript,
    parts: Sequence[Value | str],
    stored: Value,
    value: ast.expr,
    graph_node: Node,
) -> bool:
    """Write ``base[mask] = number`` so that the host does not wait for the length of the mask."""
    arrays = [one for one in parts if one != ":" and not isinstance(one, Scalar)]
    masks = [getattr(one, "dtype", None) for one in arrays if getattr(one, "rank", 1) != 0]
    if len(arrays) != 1 or masks != ["bool"] or not is_number(stored) or unit.in_stacked:
        return False
    if unit.weight <= 1 and not unit.called_in_loops:
        return False  # a wait is shorter than the line is to read
    if any(isinstance(one, ast.NamedExpr) for part in (node, value) for one in ast.walk(part)):
        return False  # the call takes the mask before the number
    return write_store(unit, node, graph_node, PUT_WHERE)


def _as_written(expression: ast.expr, stored: Value) -> Value:
    """A list of numbers that is written out, as it is written: its claim may say less of it."""
    if not is_written_out(expression):
        return stored
    return SequenceValue(Scalar(), literal=ast.unparse(expression))


def _is_element(base: Value, parts: Sequence[Value | str]) -> bool:
    """Whether a store may be at one element of an array."""
    rank = getattr(base, "rank", None)
    return rank in (None, len(parts)) and all(isinstance(p, (Scalar, Number)) for p in parts)


def _may_have_axes(base: Value, stored: Value) -> bool:
    """Whether an array may be stored, and nothing says that it is meant for a row."""
    if isinstance(stored, Array):
        return getattr(base, "rank", None) is not None and stored.rank != 0
    return isinstance(stored, Either)


def _may_name_twice(
    unit: Unit, node: ast.Subscript, parts: Sequence[Value | str], stored: Value
) -> bool:
    """Whether different values may be stored at one place, so that their order matters."""
    # One number is the same at every place, in whatever order it is stored; and one place is
    # no two.
    if is_number(stored) or not integer_arrays([p for p in parts if not isinstance(p, Number)]):
        return False
    value = getattr(unit.statement, "value", None)
    if isinstance(unit.statement, ast.AugAssign) and any(map(_may_be_one, parts)):
        value = None  # a single element takes a sum of another dtype, which `add_to` knows
    return not (
        names_each_place_once(unit, node, parts)
        or exchanges_two(unit, node, value)
        or (value is not None and depends_on_place(unit, node, parts, value))
    )


def refuse_number(
    unit: Unit, node: ast.AST, expression: ast.expr, value: Value, graph_node: Node
) -> None:
    """A number of NumPy's is written to, which raises; one of the device is an array."""
    if isinstance(value, Number) and value.numpy_scalar:
        text = unit.module.segment(expression)[:60]
        message = f"`{text}` is a number, which NumPy does not write to, and an array in CuPy"
        unit.pin(graph_node, "GP509", message, node, "semantic-difference")


def _floating_into_integers(base: Value, stored: Value) -> bool:
    if isinstance(stored, Scalar) and stored.constant is not None:
        return False
    unknown = isinstance(stored, (Array, Either)) and stored.dtype is None
    return dtype_kind(base) == "i" and (unknown or dtype_kind(stored) == "f")


def _perhaps_floating_into_integers(base: Value, stored: Value) -> bool:
    """Whether nothing says that an array of unknown dtype can hold what is stored in it."""
    if not isinstance(base, (Array, Either)) or base.dtype is not None:
        return False
    if isinstance(stored, Scalar):
        return stored.constant is None and stored.type in ("float", "number")
    return dtype_kind(stored) == "f" or (
        isinstance(stored, (Array, Either, Number)) and stored.dtype is None
    )


def _may_be_one(part: Value | str) -> bool:
    """Whether an entry of an index may be one place: in a loop no sum for the device to make."""
    if isinstance(part, (Either, SequenceValue)):
        return True
    return isinstance(part, Array) and part.rank == 0


def _gathers(part: Value | str) -> bool:
    """Whether an entry of an index names places one by one: NumPy casts there as CuPy does."""
    return isinstance(part, Array) and part.rank != 0


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
    if changes_in_place(statement) or not _may_share(target, base, parts, stored, flow):
        return
    alone = assigns_alone(statement, target)
    masked = any(isinstance(one, (Array, Either)) and dtype_kind(one) != "i" for one in parts)
    if alone and not masked and not unit.frozen_text:
        unit.work.rewrites["apart", id(stored)] = Rewrite("apart", stored, store)
        return
    # NumPy reads what it has just written at a mask, and in `x[1:], x[:-1] = x[:-1], x[1:]`.
    _refuse(unit, target, stored, store, "store a copy, alone: `x[m] = x[:n].copy()`")


def _refuse(unit: Unit, node: ast.AST, read: ast.expr, graph_node: Node, help: str) -> None:
    message = f"may alias: `{unit.module.segment(read)}` may be read here while it is written to"
    unit.pin(graph_node, "GP907", message, node, "may-alias", help=help)


def _may_share(
    target: ast.Subscript,
    base: Flow,
    parts: Sequence[Value | str],
    stored: ast.expr,
    flow: Flow,
) -> bool:
    """Whether memory may be read at other places than those where it is written to.

    A view of another parameter may be one of the same array: a caller may give it for both.
    """
    if not flow.view or flow.fresh or not isinstance(flow.value, (Array, Either)):
        return False
    if not (base.origin and flow.origin):
        return False
    one_array = _of_one_array(base, flow)
    given = base.origin.root().parameters and flow.origin.root().parameters
    numbers = [isinstance(one, (Scalar, Number)) and dtype_kind(one) == "i" for one in parts]
    return bool(one_array or given) and not apart_or_same(
        target, stored, numbers, one_array=one_array
    )


def _of_one_array(first: Flow, second: Flow) -> bool:
    if not (first.origin and second.origin and first.origin.root() is second.origin.root()):
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
        same = are_alike(output.expression, operand.expression)
        if not (same or operand.flow.fresh) and _of_one_array(output.flow, operand.flow):
            text = unit.module.segment(operand.expression)
            _refuse(unit, node, operand.expression, call, f"hand over a copy: `{text}.copy()`")
