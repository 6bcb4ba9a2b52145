"""Changes in place: ``x += y``, ``x[i] += y``, ``x.real = y``, and arguments that are written."""

from __future__ import annotations

import ast

from gpuport.analysis.differences.differing import check_operator
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.expressions.indexuses import plain_index
from gpuport.analysis.expressions.operators import no_none, operand, operator
from gpuport.analysis.functions.demands import demand_array
from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.probing import probe_operator
from gpuport.analysis.objects.classattributes import attribute_of_class
from gpuport.analysis.objects.otherkinds import check_kind
from gpuport.analysis.placement.graph import Node, unsupported
from gpuport.analysis.project.modulenames import global_in_place
from gpuport.analysis.statements.partstores import change_container, escape_reason, store
from gpuport.analysis.values.contents import key_of
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    is_arraylike,
    is_container,
    is_number,
    join,
    on_device_possible,
)
from gpuport.analysis.values.nesting import put


def check_in_place(unit: Unit, expression: ast.expr, flow: Flow) -> None:
    """A value is changed in place: an array is, a number is not."""
    value = elements(flow.value) if is_container(flow.value) else flow.value
    if not isinstance(value, (Either, Number)) or flow.origin is None:
        return
    sources = value.sources if isinstance(value, Either) else frozenset()
    demand_array(unit, expression, value)
    if not sources:
        text = unit.module.segment(expression)[:60]
        unit.pin(
            flow.origin,
            "GP901",
            f"unknown type: it is not known whether `{text}` is an array, which is changed in "
            "place, or a number, which is not",
            expression,
            "unknown-type",
            help=f"where nothing else refers to `{text}`, `{text} = {text} + ...` does for both; "
            "or take the lengths of the matrix behind it: `rows, columns = matrix.shape`",
        )


_PARTS = frozenset({"real", "imag"})
"""Attributes of arrays that can be set: the store writes into the array's own memory."""


def is_part(target: ast.Attribute, base: Flow) -> bool:
    """Whether a store into an attribute is a store into the parts of an array's elements."""
    return (
        target.attr in _PARTS
        and isinstance(base.value, (Array, Either))
        and base.origin is not None
    )


def store_part(
    unit: Unit, target: ast.Attribute, base: Flow, expression: ast.expr, flow: Flow
) -> None:
    """``x.real = y``: as ``x.real[...] = y``."""
    assert base.origin is not None
    graph_node = unit.operation(target, "store", 1.0)
    check_in_place(unit, target.value, base)
    unit.parameters.required |= getattr(base.value, "sources", frozenset())
    unit.graph.unite(graph_node, base.origin)
    unit.mutate(base)
    operand(unit, target, expression, flow, graph_node)


def augmented(unit: Unit, node: ast.AugAssign) -> None:
    unit.statement = node
    name = type(node.op).__name__
    flow = evaluate(unit, node.value)
    if isinstance(node.target, ast.Name):
        with global_in_place(unit, node.target):
            _augmented_name(unit, node, node.target, name, flow)
            if node.target.id in unit.env:
                unit.stay(node.target.id)
    elif isinstance(node.target, ast.Subscript):
        _augmented_item(unit, node, node.target, name, flow)
    else:
        shared = attribute_of_class(unit, node.target)
        base = evaluate(unit, node.target.value) if shared is None else Flow(shared)
        if isinstance(base.value, Object) and unit.objects is not None:
            unit.follow(node.target.value)
            _augmented_attribute(unit, node, node.target, base.value, name, flow)
            return
        if is_part(node.target, base):
            current = evaluate(unit, node.target)
            operator(unit, node, name, [(node.target, current), (node.value, flow)])
            graph_node = unit.nodes.get(("operation", id(node)))
            if graph_node is not None and base.origin is not None:
                unit.graph.unite(graph_node, base.origin)
            store_part(unit, node.target, base, node.value, flow)
            return
        if is_arraylike(base.value):
            unit.escape(node.target.value, base, escape_reason(unit, node.target))
        # Numbers and arrays of an object: host values, changed by code on the host.
        unit.escape(node.value, flow, escape_reason(unit, node.target))
        if on_device_possible(flow.value) and flow.origin is not None:
            unit.to_host(node.value, flow)


def _augmented_name(
    unit: Unit, node: ast.AugAssign, target: ast.Name, name: str, flow: Flow
) -> None:
    current = unit.load(target.id)
    if current is None:
        if is_arraylike(flow.value) or is_container(flow.value):
            unit.escape(node.value, flow, escape_reason(unit, target))
        return
    current = no_none(current)
    value = current.value
    if isinstance(value, Object) and unit.objects is not None:
        unit.objects.open(value.name, node, "an instance is added to")
    if is_container(value):
        _extend(unit, node, name, current, flow)
        return
    if not is_arraylike(value) and not is_arraylike(flow.value):
        unit.env[target.id] = Flow(UNKNOWN)
        if _plain(value) and _plain(flow.value):
            result = operator(unit, node, name, [(target, current), (node.value, flow)])
            unit.env[target.id] = result
        elif is_container(flow.value):  # a list of which nothing is known may keep what it holds
            unit.escape(node.value, flow, escape_reason(unit, target))
        return
    result = operator(unit, node, name, [(target, current), (node.value, flow)])
    graph_node = unit.nodes.get(("operation", id(node)))
    if graph_node is None:  # numbers of the host
        unit.env[target.id] = Flow(result.value)
        return
    if is_number(value):
        if not isinstance(value, Scalar):  # Python's numbers are never changed in place
            _bind_anew(unit, node, target, graph_node)
        if current.origin is not None:
            unit.graph.unite(graph_node, current.origin)
        unit.env[target.id] = Flow(result.value, graph_node, element=flow.element)
        return
    if isinstance(value, (Array, Either)) and current.origin is not None:
        check_in_place(unit, target, current)
        demand_array(unit, target, value)
        unit.graph.unite(graph_node, current.origin)
        unit.mutate(current)
        return
    unit.env[target.id] = Flow(UNKNOWN)


def _bind_anew(unit: Unit, node: ast.AugAssign, target: ast.Name, graph_node: Node) -> None:
    """``x = x + y`` for ``x += y``: a number of the device would be changed in place.

    A parameter that is only presumed to be a number may be given an array, with which the function
    runs on the host: that is to be changed.
    """
    if target.id in unit.parameters.presumed:
        text = target.id
        unit.pin(
            graph_node,
            "GP901",
            f"unknown type: `{text}` may be given as an array, which is changed in place, or as a "
            "number, which is not",
            node,
            "unknown-type",
            help=f"begin with another name: `total = {text} + ...` gives a new one of either",
        )
        return
    unit.work.rewrites["rebind", id(node)] = Rewrite("rebind", node, graph_node)


def _augmented_attribute(
    unit: Unit, node: ast.AugAssign, target: ast.Attribute, held: Object, name: str, flow: Flow
) -> None:
    """``instance.x += y``: what an attribute is, its class tells."""
    assert unit.objects is not None
    current = unit.objects.attribute(unit, target, held)
    value = current.value
    if _may_extend(unit, node, held, current, flow):
        change_container(unit, target, current)
        assert current.origin is not None
        assert flow.origin is not None
        unit.graph.unite(current.origin, flow.origin)
        unit.follow(node.value)
        return
    if is_container(value) or isinstance(value, Object):
        unit.objects.open(held.name, node, "a list or an object in an attribute is added to")
        return
    if unit.objects.classes[held.name].defines(target.attr):
        unit.objects.open(held.name, node, f"`{target.attr}` is bound anew")
        return
    result = operator(unit, node, name, [(target, current), (node.value, flow)])
    graph_node = unit.nodes.get(("operation", id(node)))
    if isinstance(value, (Array, Either)) and current.origin is not None:
        if graph_node is not None:
            check_in_place(unit, target, current)
            unit.graph.unite(graph_node, current.origin)
        unit.mutate(current)
        unit.objects.update(unit, target, held.name, target.attr, current)  # it still holds it
        return
    if graph_node is not None and is_number(value):
        unit.work.rewrites["rebind", id(node)] = Rewrite("rebind", node, graph_node)
    unit.objects.update(unit, target, held.name, target.attr, result)


def _may_extend(unit: Unit, node: ast.AugAssign, held: Object, current: Flow, flow: Flow) -> bool:
    """Whether ``instance.items += more`` is what ``instance.items.extend(more)`` is: of lists."""
    assert isinstance(node.target, ast.Attribute)
    assert unit.objects is not None
    lists = all(isinstance(one.value, Sequence) and one.value.list for one in (current, flow))
    followed = current.origin is not None and flow.origin is not None
    own = not unit.objects.classes[held.name].defines(node.target.attr)
    return lists and followed and own and isinstance(node.op, ast.Add)


def _plain(value: Value) -> bool:
    return isinstance(value, Scalar)


def _extend(unit: Unit, node: ast.AugAssign, name: str, current: Flow, flow: Flow) -> None:
    """``items += more``; with an array NumPy makes an array of both, with the unknown it may."""
    assert isinstance(node.target, ast.Name)
    if is_arraylike(flow.value) or isinstance(flow.value, Unknown):
        reason = unsupported(node, f"`{node.target.id}` is a list that what is not one is added to")
        unit.escape(node.target, current, reason)
        unit.escape(node.value, flow, reason)
        unit.env[node.target.id] = Flow(UNKNOWN, current.origin)
        return
    if isinstance(current.value, Tuple):  # another tuple
        unit.env[node.target.id] = operator(
            unit, node, name, [(node.target, current), (node.value, flow)]
        )
        return
    if current.origin is not None and flow.origin is not None:
        unit.graph.unite(current.origin, flow.origin)
        return
    check_kind(unit, node.target, current, flow)
    unit.escape(node.value, flow, unsupported(node, "extending a container"))
    more = elements(flow.value) if is_container(flow.value) else None
    if more is not None and current.origin is not None:
        put(unit, current.origin, node.value, Flow(more))
    elif more is not None and isinstance(current.value, Sequence):
        held = Sequence(join(current.value.of, more), current.value.list)
        unit.env[node.target.id] = Flow(held)


def _keeps_dtype(item: Flow, flow: Flow) -> bool:
    """Whether a floating-point element stays what it is: the operand is a plain number."""
    dtype = getattr(item.value, "dtype", None) or ""
    number = isinstance(flow.value, Scalar) and flow.value.type in ("bool", "int", "float")
    return dtype.startswith("float") and number


def _stored(item: Flow, name: str, flow: Flow) -> Value | None:
    """What ``x[i] += y`` stores; a part of an array keeps its dtype, or NumPy refuses to cast."""
    if isinstance(item.value, Array):
        return None
    result = probe_operator(name, (item.value, flow.value))
    return None if result == UNKNOWN else result


_SIMPLE = (
    ast.Name, ast.Constant, ast.Tuple, ast.expr_context, ast.BinOp, ast.UnaryOp, ast.operator,
    ast.unaryop,
)  # fmt: skip
"""What an index may be made of that is evaluated twice."""


def _augmented_element(
    unit: Unit, node: ast.AugAssign, target: ast.Subscript, name: str, flow: Flow
) -> None:
    """An element, or a part, of an array."""
    item = evaluate(unit, target)
    store(unit, target, node.value, flow, _stored(item, name, flow))
    graph_node = unit.nodes.get(("operation", id(target)))
    if graph_node is None:
        return
    check_operator(unit, node, name, (item.value, flow.value), graph_node)
    if item.origin is not None:
        unit.graph.unite(graph_node, item.origin)
    if isinstance(item.value, Number) and item.view and not _keeps_dtype(item, flow):
        # NumPy casts what it stores in an element; a 0-d view would have to keep its dtype.
        simple = all(isinstance(part, _SIMPLE) for part in ast.walk(target.slice))
        if simple and isinstance(target.value, ast.Name):
            unit.work.rewrites["rebind", id(node)] = Rewrite("rebind", node, graph_node)


def _augmented_held(
    unit: Unit,
    node: ast.AugAssign,
    target: ast.Subscript,
    name: str,
    flow: Flow,
    container: Node,
    key: str | None,
) -> bool:
    """A number, or an array, that a list or dict holds; False for anything else."""
    item = evaluate(unit, target)
    if key is not None and isinstance(item.value, Scalar) and isinstance(flow.value, Scalar):
        result = operator(unit, node, name, [(target, item), (node.value, flow)])
        put(unit, container, node.value, result, key=key)
        return True
    if isinstance(item.value, Array) and item.origin is not None:
        # The array is changed in place, and put back where it was.
        operator(unit, node, name, [(target, item), (node.value, flow)])
        graph_node = unit.nodes.get(("operation", id(node)))
        if graph_node is not None:
            unit.graph.unite(graph_node, item.origin)
        unit.mutate(item)
        return True
    return False


def _augmented_item(
    unit: Unit, node: ast.AugAssign, target: ast.Subscript, name: str, flow: Flow
) -> None:
    """``x[i] += y``."""
    base = evaluate(unit, target.value)
    if is_arraylike(base.value):
        _augmented_element(unit, node, target, name, flow)
        return
    key = key_of(plain_index(unit, target.slice).value)
    if is_container(base.value) and base.origin is not None:
        if _augmented_held(unit, node, target, name, flow, base.origin, key):
            return
        if on_device_possible(base.value) or on_device_possible(flow.value):
            unit.graph.pin(base.origin, unsupported(node, "an element of a container is updated"))
        if is_arraylike(flow.value):
            # of the array, or what it is added to
            put(unit, base.origin, node.value, flow, key=key)
            return
    check_kind(unit, target.value, base, flow)
    unit.escape(node.value, flow, escape_reason(unit, target))
