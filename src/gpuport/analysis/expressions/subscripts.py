"""Reading parts of arrays and containers."""

from __future__ import annotations

import ast

from gpuport.analysis.calls.callers import returned
from gpuport.analysis.differences import differing
from gpuport.analysis.expressions.evaluation import evaluate, share_element
from gpuport.analysis.expressions.indexobjects import index_object
from gpuport.analysis.expressions.indexparts import index_parts, note_mask
from gpuport.analysis.expressions.indexuses import (
    follow_base,
    is_element,
    names_field,
    pin_unknown_entries,
    plain_index,
    tell_of_lists,
)
from gpuport.analysis.interpretation.flows import Flow, place_of, tuple_item
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge import probing
from gpuport.analysis.objects.operators import object_item
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.statements.writtenloops import keys_gone_through
from gpuport.analysis.values.contents import key_of
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    is_arraylike,
)
from gpuport.analysis.values.nesting import of_any, put, under
from gpuport.rules.numpynames import as_numpy

_NUMBERS = ("bool", "int", "float", "complex", "number")
"""Types of numbers: what is indexed is none of them, whatever it was taken for."""


def subscript(unit: Unit, node: ast.Subscript) -> Flow:
    """``base[index]`` read."""
    path = unit.scope.resolve(node.value)
    if path is not None and as_numpy(path).startswith("numpy."):
        return index_object(unit, node, as_numpy(path))
    base = evaluate(unit, node.value)
    if is_arraylike(base.value):
        return _array_item(unit, node, base)
    value = base.value
    if isinstance(value, Object):
        found = object_item(unit, node, base)
        return _field(unit, node, value) if found is None else found
    index = plain_index(unit, node.slice)
    unit.follow(node.value)
    if isinstance(value, (Tuple, Sequence)):
        return _listed_item(unit, node, base, value, index)
    if isinstance(value, Mapping):
        key = key_of(index.value)
        keys = keys_gone_through(unit, node.slice)
        base = _asked_for(unit, base, key)
        item = under(unit, node, base, key, keys)
        if keys and not isinstance(item, Unknown):
            return Flow(item, _item_of_any(unit, base.origin, item, keys))
        return Flow(item, unit.item_of(base.origin, item, key))
    if isinstance(value, Scalar):
        number = value.type in _NUMBERS
        return Flow(Unknown(f"`{unit.module.segment(node)}`") if number else Scalar())
    read = _read_item(unit, node, value) if isinstance(value, Instance) else None
    if read is not None:
        return read
    part = unit.knowledge.words.part(value)
    if part is not None:
        return Flow(part)
    return Flow(Unknown(f"`{unit.module.segment(node)}`"))


def _asked_for(unit: Unit, base: Flow, key: str | None) -> Flow:
    """A dict once something is asked for under a key: what it makes is there then."""
    call = None if base.origin is None else base.origin.cell().makes
    made = None if call is None else unit.project.equivalents.made_when_asked(call, key)
    if made is None or base.origin is None:
        return base
    put(unit, base.origin, made, evaluate(unit, made), stored=False, key=key)
    return unit.refresh(base)


def _listed_item(
    unit: Unit, node: ast.Subscript, base: Flow, value: Tuple | Sequence, index: Flow
) -> Flow:
    """An item, or several, of a list or a tuple."""
    if isinstance(node.slice, ast.Slice):
        sliced: Value = value
        if isinstance(value, Tuple):
            sliced = Sequence(of_any(unit, node, base), list=False)
        return Flow(sliced, base.origin)
    constant = index.value.constant if isinstance(index.value, Scalar) else None
    if not isinstance(constant, int):
        return Flow(_element(value), unit.item_of(base.origin, _element(value)))
    item = tuple_item(value, constant)
    return Flow(item, unit.item_of(base.origin, item, place_of(value, constant)))


def _read_item(unit: Unit, node: ast.Subscript, value: Instance) -> Flow | None:
    """What an object of a library reads where it is subscripted, as an archive of arrays does."""
    rule = unit.knowledge.rules.host(f"{value.path}.__getitem__")
    if rule is None or not rule.source:
        return None
    operation = unit.node_for("operation", node, rule.name)
    unit.graph.pin(operation, Reason("GP404", f"`{rule.name}` works on the host", node))
    operation.root().textual |= rule.text
    return returned(unit, node, rule.returns, operation)


def _item_of_any(unit: Unit, container: Node | None, item: Value, keys: list[str]) -> Node | None:
    """The node of an item of a dict that is under one of several keys."""
    found = [unit.item_of(container, item, key) for key in keys]
    nodes = [node for node in found if node is not None]
    for other in nodes[1:]:
        unit.graph.unite(nodes[0], other)
    return nodes[0] if nodes else None


def _element(value: Value) -> Value:
    return elements(value) or UNKNOWN


def _field(unit: Unit, node: ast.Subscript, held: Object) -> Flow:
    """``state[0]``, where ``state`` is a named tuple; any other part of it opens its class."""
    index = plain_index(unit, node.slice)
    flows = unit.objects.items(unit, node.value, held) if unit.objects is not None else None
    place = index.value.constant if isinstance(index.value, Scalar) else None
    if flows is None or not isinstance(place, int) or not -len(flows) <= place < len(flows):
        return Flow(Unknown(f"`{unit.module.segment(node)}`"))
    unit.follow(node.value)
    return flows[place]


def _array_item(unit: Unit, node: ast.Subscript, base: Flow) -> Flow:
    assert base.origin is not None or isinstance(base.value, Number)
    parts, flows = index_parts(unit, node.slice)
    pin_unknown_entries(unit, node, flows, base)
    if names_field(unit, node, base, parts):
        return Flow(Array(), base.origin, view=True)
    spread = any(isinstance(p, Sequence) for p in parts)
    value = UNKNOWN if spread else probing.probe_index(base.value, parts, unit.parameters.matrices)
    if value == UNKNOWN:
        value = Either(getattr(base.value, "dtype", None))
    if base.origin is None:  # a number of the host: `n[None]` is an array that is not followed
        plain = isinstance(value, (Number, Scalar))
        return Flow(value if plain else Unknown(f"`{unit.module.segment(node)[:60]}`"))
    gathers = any(isinstance(p, (Array, Either)) for p in parts)
    if gathers:
        return _gather(unit, node, base, value, parts)
    if any(isinstance(p, (Number, Sequence)) for p in parts):
        differing.check_gather(unit, node, parts, base.origin)
    follow_base(unit, node.slice, flows, base)
    if (
        base.view
        and not isinstance(base.value, Array)
        and {"None", "..."} & {p for p in parts if isinstance(p, str)}
    ):
        share_element(unit, node, base.origin)  # of a NumPy scalar that would be a copy
    element = isinstance(value, (Number, Either)) and is_element(unit, node, parts)
    return Flow(value, base.origin, view=True, element=element)


def _gather(
    unit: Unit, node: ast.Subscript, base: Flow, value: Value, parts: tuple[Value | str, ...]
) -> Flow:
    """``x[indices]`` and ``x[mask]`` copy."""
    graph_node = unit.operation(node, "gather", 2.0)
    graph_node.root().textual |= base.origin is not None and base.origin.root().textual
    unit.use(node.value, base, graph_node)

    differing.check_gather(unit, node, parts, graph_node)
    note_mask(unit, node, parts, graph_node)
    flows = index_parts(unit, node.slice)[1]
    for expression, flow in flows:
        unit.use(expression, flow, graph_node)
    tell_of_lists(unit, flows, graph_node)
    return unit.fresh(node, value, graph_node)
