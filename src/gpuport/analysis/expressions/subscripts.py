"""Reading and writing parts of arrays and containers."""

from __future__ import annotations

import ast

from gpuport.analysis.differences import differing
from gpuport.analysis.expressions.indexobjects import index_object
from gpuport.analysis.expressions.indexparts import as_entry, index_parts, note_mask
from gpuport.analysis.interpretation.flows import Flow, Rewrite, place_of, tuple_item
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge import probing
from gpuport.analysis.knowledge.numpynames import as_numpy
from gpuport.analysis.objects.operators import object_item
from gpuport.analysis.objects.otherkinds import check_kind
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.statements.stores import check_store
from gpuport.analysis.statements.writtenloops import keys_gone_through
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
    is_arraylike,
    is_container,
    key_of,
)
from gpuport.analysis.values.nesting import of_any, put, under
from gpuport.records import Severity
from gpuport.source.syntax import walk


def subscript(unit: Unit, node: ast.Subscript) -> Flow:
    """``base[index]`` read."""
    from gpuport.analysis.expressions.evaluation import evaluate

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
        item = under(unit, node, base, key, keys)
        if keys and not isinstance(item, Unknown):
            return Flow(item, _item_of_any(unit, base.origin, item, keys))
        return Flow(item, unit.item_of(base.origin, item, key))
    if isinstance(value, Scalar):
        return Flow(Scalar())
    read = _read_item(unit, node, value) if isinstance(value, Instance) else None
    if read is not None:
        return read
    part = unit.knowledge.words.part(value)
    if part is not None:
        return Flow(part)
    return Flow(Unknown(f"`{unit.module.segment(node)}`"))


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
    from gpuport.analysis.calls.hostcalls import returned

    rule = unit.knowledge.rules.host(f"{value.path}.__getitem__")
    if rule is None or not rule.source:
        return None
    operation = unit.node_for("operation", node, rule.name)
    unit.graph.pin(operation, Reason("GP404", f"`{rule.name}` works on the host", node))
    operation.root().textual |= rule.text
    return returned(unit, node, rule.returns, operation)


def plain_index(unit: Unit, index: ast.expr) -> Flow:
    """The index of something that is no array: Python values."""
    from gpuport.analysis.expressions.evaluation import evaluate

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


def _item_of_any(unit: Unit, container: Node | None, item: Value, keys: list[str]) -> Node | None:
    """The node of an item of a dict that is under one of several keys."""
    found = [unit.item_of(container, item, key) for key in keys]
    nodes = [node for node in found if node is not None]
    for other in nodes[1:]:
        unit.graph.unite(nodes[0], other)
    return nodes[0] if nodes else None


def _element(value: Value) -> Value:
    from gpuport.analysis.values.lattice import elements

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
    _index_uses(unit, node, flows, base)
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
    _follow_base(unit, node.slice, flows, base)
    if (
        base.view
        and not isinstance(base.value, Array)
        and {"None", "..."} & {p for p in parts if isinstance(p, str)}
    ):
        share_element(unit, node, base.origin)  # of a NumPy scalar that would be a copy
    element = isinstance(value, (Number, Either)) and _is_element(unit, node, parts)
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
    _tell_of_lists(unit, flows, graph_node)
    return unit.fresh(node, value, graph_node)


def _tell_of_lists(unit: Unit, flows: list[tuple[ast.expr, Flow]], graph_node: Node) -> None:
    """A list of places goes to the device wherever it is an index."""
    for expression, flow in flows:
        value = flow.value
        if isinstance(value, Sequence) and isinstance(value.of, (Scalar, Number)):
            text = unit.module.segment(expression).splitlines()[0][:60]
            each = " in each round; an array that is made before the loop is moved once"
            message = f"the list `{text}` is moved to the device{each if unit.loops else ''}"
            unit.note("GP401", message, expression, on=graph_node, severity=Severity.INFO)


def _index_uses(
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


def _follow_base(
    unit: Unit, index: ast.expr, flows: list[tuple[ast.expr, Flow]], base: Flow
) -> None:
    """Indices and bounds that were computed live where the array does."""
    from gpuport.analysis.expressions.evaluation import evaluate

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


def _without_elements(
    parts: tuple[Value | str, ...], flows: list[tuple[ast.expr, Flow]]
) -> tuple[Value | str, ...]:
    """The entries of an index; elements that a loop picked are single numbers by all likelihood."""
    picked = [as_entry(flow.value) for _, flow in flows if flow.element]
    return tuple(part for part in parts if part not in picked)


def _is_element(unit: Unit, node: ast.Subscript, parts: tuple[Value | str, ...]) -> bool:
    """Whether integers that change in a loop pick a single element (or a row, where the rank is
    not known)."""
    if not _only_integers(parts) or not unit.loops:
        return False
    return any(isinstance(n, ast.Name) and unit.changes(n.id) for n in walk(node.slice))


def _of_a_grid(unit: Unit, node: ast.Subscript) -> bool:
    """Whether two nested loops go over the elements: whatever makes one is launched for each."""
    named = {n.id for n in walk(node.slice) if isinstance(n, ast.Name)}
    every = zip(unit.loops, unit.few, strict=True)
    return sum(not few and not named.isdisjoint(targets) for targets, few in every) > 1


def keep_element(unit: Unit, expression: ast.expr, flow: Flow) -> Flow:
    """A single element about to be bound or stored.

    NumPy gives a scalar, a copy; CuPy a 0-d view that follows later writes to the array.
    """
    if not flow.view or flow.origin is None:
        return flow
    if isinstance(flow.value, Number) and isinstance(expression, ast.Subscript):
        copy = unit.node_for("element", expression, "element")
        unit.work.rewrites["copy", id(expression)] = _copy_rewrite(expression, flow.origin)
        unit.use(expression, flow, copy, stored=True)
        return Flow(flow.value, copy, fresh=True, element=flow.element)
    if isinstance(flow.value, Number) or _may_be_element(expression, flow):
        share_element(unit, expression, flow.origin)
    return flow


def share_element(unit: Unit, node: ast.AST, origin: Node) -> None:
    """An element is kept where no copy can be put: its array must not be written, or stay."""
    unit.work.rewrites["shared", id(node)] = _copy_rewrite(node, origin, "shared")


def _may_be_element(expression: ast.expr, flow: Flow) -> bool:
    if not isinstance(flow.value, Either):
        return False
    return not (isinstance(expression, ast.Subscript) and _has_slice(expression))


def _copy_rewrite(node: ast.AST, origin: Node, kind: str = "copy") -> Rewrite:
    return Rewrite(kind, node, origin)


def _has_slice(node: ast.Subscript) -> bool:
    entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(e, ast.Slice) for e in entries)


def store(
    unit: Unit,
    target: ast.Subscript,
    expression: ast.expr,
    flow: Flow,
    stored: Value | None = None,
) -> None:
    """``base[index] = value``; ``stored`` is what arrives there, where it is not that value."""
    from gpuport.analysis.expressions.evaluation import evaluate

    base = evaluate(unit, target.value)
    if is_arraylike(base.value):
        _store_array(unit, target, base, expression, flow, stored or flow.value)
        return
    index = plain_index(unit, target.slice)
    if isinstance(target.value, ast.Name) and base.origin is None:
        unit.parameters.escaped.add(target.value.id)  # whatever it is, it is written
    if isinstance(base.value, (Sequence, Mapping)) and base.origin is not None:
        from gpuport.analysis.expressions.evaluation import kept

        change_container(unit, target.value, base)
        unit.follow(target.value)
        key = key_of(index.value) if isinstance(base.value, Mapping) else None
        keys: list[str | None] = [key]
        if key is None and isinstance(base.value, Mapping):
            keys = [*keys_gone_through(unit, target.slice)] or [None]
        held = kept(unit, expression, flow)
        for one in keys:
            put(unit, base.origin, expression, held, key=one)
        return
    check_kind(unit, target.value, base, flow)
    unit.escape(expression, flow, escape_reason(unit, target))


def change_container(unit: Unit, node: ast.expr, base: Flow) -> None:
    """A container is changed: one that a caller passed in has to stay as it is."""
    root: ast.expr = node
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    if not isinstance(root, ast.Name) or base.origin is None:
        return
    parameter = unit.parameters.nodes.get(root.id)
    if parameter is not None and parameter.root() is base.origin.root():
        unit.graph.pin(base.origin, escape_reason(unit, node))
        unit.parameters.escaped.add(root.id)


def escape_reason(unit: Unit, target: ast.AST) -> Reason:
    """A store into something that is not known: others may see it."""
    return Reason(
        "GP902",
        f"it is stored in `{unit.module.segment(target)}`, which code that is not ported may read",
        target,
        "unknown-type",
    )


ORDERED_STORE = 4.0
"""Cost of a store for which the last of several values for one place is looked up: ten launches, on
few elements in a loop."""

LAUNCH = 0.75
"""Cost of storing one number on the device: nothing is gained, and something is launched."""


def _store_array(
    unit: Unit,
    target: ast.Subscript,
    base: Flow,
    expression: ast.expr,
    flow: Flow,
    stored: Value,
) -> None:
    parts, flows = index_parts(unit, target.slice)
    if base.origin is None:
        return
    element = _is_element(unit, target, _without_elements(parts, flows))
    seen = id(target) in unit.work.operations
    graph_node = unit.operation(target, "store", 0.0 if element else 1.0)
    if element and not seen:
        graph_node.root().device_cost += LAUNCH * unit.weight
    unit.graph.unite(graph_node, base.origin)
    unit.mutate(base)
    _index_uses(unit, target, flows, base)
    _follow_base(unit, target.slice, flows, base)
    from gpuport.analysis.expressions.operators import operand

    check_store(unit, target, base.value, parts, stored, expression, graph_node)
    note_mask(unit, target, parts, graph_node)
    ordered = ("stored", id(unit.statement)) in unit.work.rewrites
    if ordered and not seen and unit.loops and not unit.in_stacked:
        graph_node.root().device_cost += ORDERED_STORE * unit.weight
    _tell_of_lists(unit, flows, graph_node)
    if element and (flow.element or flow.origin is None or _of_a_grid(unit, target)):
        unit.element_work(target, base.origin, flow.origin)
    operand(unit, target, expression, flow, graph_node)
