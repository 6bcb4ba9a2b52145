"""Operators and their operands: arrays, numbers, lists, and what is not known."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gpuport.analysis.differences.conditions import dtype_kind
from gpuport.analysis.differences.differing import check_operator
from gpuport.analysis.expressions.listedarrays import is_display_of_numbers, is_written_out
from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge import probing
from gpuport.analysis.objects.enumerations import is_counting_member
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.contents import of_numbers
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
    fewest_items,
    is_arraylike,
    is_container,
    is_number,
    is_real,
    join,
    join_all,
    on_device_possible,
)
from gpuport.analysis.values.nesting import of_any, put
from gpuport.cost.callwork import call_work
from gpuport.cost.smallness import few
from gpuport.source.syntax import children


def operator(unit: Unit, node: ast.AST, name: str, operands: list[tuple[ast.expr, Flow]]) -> Flow:
    """An operator on values of which some may be arrays."""
    if name not in ("Eq", "NotEq"):  # of None, all others raise
        operands = [(one, no_none(flow)) for one, flow in operands]
    flows = [flow for _, flow in operands]
    values = tuple(flow.value for flow in flows)
    if not any(is_arraylike(v) for v in values):
        return _plain_operator(unit, node, name, operands)
    if name in ("Mult", "Add") and _repeats(values):
        return _list_or_array(unit, node, operands)
    if any(isinstance(v, (Instance, Object)) for v in values):
        return _with_instance(unit, node, operands)
    value = probing.probe_operator(name, values, unit.parameters.matrices)
    if all(flow.origin is None for flow in flows) and isinstance(value, (Number, Scalar)):
        return Flow(value)  # NumPy scalars of the host
    only_numbers = all(is_number(v) for v in values)
    one = only_numbers or id(node) in unit.marked.tested  # which of several elements raises
    work = 0.0 if one else _work(unit, name, operands, value)
    graph_node = unit.operation(node, f"operator {name}", work, only_numbers=only_numbers)
    _use_operands(unit, node, name, operands, graph_node)
    _check_operator(unit, node, name, values, graph_node)
    if only_numbers and name in _COUNTING and _counts_truths(values):
        message = f"`{unit.module.segment(node)[:60]}` counts Python's truth values; NumPy's do not"
        unit.pin(graph_node, "GP515", message, node, "semantic-difference")
        value = Number(None, numpy_scalar=False)
    return _result(unit, node, name, flows, graph_node, value)


def no_none(flow: Flow) -> Flow:
    """A number or None as the number."""
    number = flow.value.number if isinstance(flow.value, Unknown) else None
    return flow if number is None else Flow(number)


def _use_operands(
    unit: Unit,
    node: ast.AST,
    name: str,
    operands: list[tuple[ast.expr, Flow]],
    graph_node: Node,
) -> None:
    """Bring all operands to where the operator runs."""
    compares = name in ("Eq", "NotEq")  # text as well; with anything else it fails in NumPy too
    only_numbers = all(is_number(flow.value) for _, flow in operands)
    if compares:
        keep_text(unit, node, (flow for _, flow in operands), graph_node)
    for expression, flow in operands:
        if not compares and flow.origin is not None:
            flow.origin.root().textual = False
        operand(unit, node, expression, flow, graph_node)
        if not only_numbers:
            one = isinstance(expression, ast.Name) or not is_arraylike(flow.value)
            for each in joined_names(expression) if one else ():
                unit.parameters.assumed_uses[id(each)] = graph_node
        if isinstance(flow.value, Scalar) and flow.value.type in ("str", "None"):
            message = f"object or string operand: `{unit.module.segment(expression)[:60]}`"
            unit.pin(graph_node, "GP905", message, node, "object-dtype")


_JOINING = frozenset(["USub", "UAdd", "Add", "Sub", "Mult", "Div"])
"""Plain arithmetic, which means for CuPy's arrays what it means for NumPy's, of whatever dtype."""


def joined_names(expression: ast.AST) -> list[ast.Name]:
    """The names that stand in a formula of plain arithmetic; none of any other expression.

    Were one of them an array, the formula would be one.
    """
    found, ahead = list[ast.Name](), [expression]
    for one in ahead:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            found.append(one)
        elif type(getattr(one, "op", None)).__name__ in _JOINING:
            ahead += children(one)
        elif not isinstance(one, ast.Constant):
            return []
    return found


def _result(
    unit: Unit, node: ast.AST, name: str, flows: list[Flow], graph_node: Node, value: Value
) -> Flow:
    """What an operator gives of which NumPy gives `value`."""
    values = tuple(flow.value for flow in flows)
    if isinstance(value, Scalar) and is_number(value):
        # `1j * x.max()` is a complex of Python's, since NumPy's floats are Python's; on the device
        # it is an array.
        value = Number(None, numpy_scalar=False)
    if value == UNKNOWN:
        value = _join_operands(values)
    of_host = all(flow.origin is None for flow in flows)  # of a number it is one of the host
    if isinstance(value, Either) and (of_host or all(map(_may_be_python, values))):
        value = replace(value, python=True)
    single = any(flow.element for flow in flows)  # Python goes over those on the host
    if isinstance(value, Number) and all(map(_may_be_pythons, values)) and not single:
        real = all(map(is_real, values)) and name != "Pow"  # `min(x.max(), 1.0) / 2`
        value = replace(value, numpy_scalar=False, real=real)
    arrays = [flow for flow in flows if is_arraylike(flow.value) and flow.origin is not None]
    element = any(flow.element for flow in arrays) and not any(map(_is_whole, flows))
    if element:
        # What was computed of whole arrays is brought here: one number.
        parts = (flow.origin for flow in arrays if flow.element or not flow.fresh)
        unit.element_work(node, graph_node, *parts)
    ordered = getattr(value, "rank", None) == 1 or all(
        flow.ordered or is_number(flow.value) for flow in flows
    )
    flow = unit.fresh(node, value, graph_node)
    return replace(flow, element=element, ordered=ordered) if element or ordered else flow


_COUNTING = frozenset(
    {"Add", "Sub", "Mult", "Pow", "FloorDiv", "Mod", "LShift", "RShift", "USub", "UAdd", "Invert"}
)
"""Operators for which Python's truth values are whole numbers, and NumPy's are not."""


def _counts_truths(values: tuple[Value, ...]) -> bool:
    """Whether what may be truth values of Python meet no other numbers."""
    pythons = (isinstance(v, Number) and v.dtype == "bool" and not v.numpy_scalar for v in values)
    return any(pythons) and all(dtype_kind(v) in ("b", None) for v in values)


def _is_whole(flow: Flow) -> bool:
    """Whether an operand is an array, or what was computed from one here."""
    value = flow.value
    computed = flow.fresh and not flow.element and isinstance(value, Either) and not value.python
    return computed or isinstance(value, Array)


def _work(unit: Unit, name: str, operands: list[tuple[ast.expr, Flow]], result: Value) -> float:
    """What an operator saves on the device, in elementwise operations."""
    shapes = unit.project.calls.shapes(unit.project, unit.scope)
    if name != "MatMult" or (unit.loops and few(shapes, *(node for node, _ in operands))):
        return 1.0
    return call_work(unit.knowledge.words, "numpy.matmul", gives_number=isinstance(result, Number))


def _list_or_array(unit: Unit, node: ast.AST, operands: list[tuple[ast.expr, Flow]]) -> Flow:
    """``values * n``: a longer list where `n` is a number, and an array where it is one."""
    message = "unknown type: a list beside what may be a number"
    reason = Reason("GP901", message, node, "unknown-type")
    for expression, flow in operands:
        unit.escape(expression, flow, reason)
    return Flow(Unknown("a list, or an array made of it"))


def _with_instance(unit: Unit, node: ast.AST, operands: list[tuple[ast.expr, Flow]]) -> Flow:
    """An array and an object (a date): the object's class says what becomes of them."""
    for expression, flow in operands:
        unit.to_host(expression, flow)
    text = unit.module.segment(node).splitlines()[0][:60]
    return Flow(Unknown(f"`{text}`"))


def _may_be_python(value: Value) -> bool:
    return isinstance(value, Scalar) or (isinstance(value, Either) and value.python)


def _may_be_pythons(value: Value) -> bool:
    return is_number(value) and not getattr(value, "numpy_scalar", False)


def _repeats(values: tuple[Value, ...]) -> bool:
    """Whether ``[0] * n`` may repeat a list: only beside an array is the list taken for one."""
    lists = any(isinstance(v, (Sequence, Tuple)) for v in values)
    return lists and not any(isinstance(v, Array) for v in values)


def _join_operands(values: tuple[Value, ...]) -> Value:
    """Where probing found no answer (a mix of unknowns): at least what kind of thing it is."""
    sources: frozenset[str] = frozenset()
    for value in values:
        if isinstance(value, Array):
            return Array(sources=value.sources)
        sources |= getattr(value, "sources", frozenset())
    return Either(sources=sources)


def operand(unit: Unit, node: ast.AST, expression: ast.expr, flow: Flow, graph_node: Any) -> None:
    """One operand of an array operation: it must be something whose place is known."""
    if is_arraylike(flow.value):
        unit.use(expression, flow, graph_node)
    elif isinstance(flow.value, (Sequence, Tuple)):
        _list_operand(unit, node, expression, flow, graph_node)
    elif is_counting_member(unit, expression):
        text = unit.module.segment(expression)
        why = f"`{text}` is a member of an enumeration, which CuPy does not take for a number"
        advice = f"write `{text}.value`"
        unit.pin(graph_node, "GP901", f"unknown type: {why}", node, "unknown-type", help=advice)
    elif isinstance(flow.value, (Unknown, Instance)):
        why = flow.value.why if isinstance(flow.value, Unknown) else ""
        text = why or f"`{unit.module.segment(expression)}`"
        unit.pin(
            graph_node,
            "GP901",
            f"unknown type: it is not known whether {text} is an array or a number",
            node,
            "unknown-type",
            unknown=expression,
        )


def _list_operand(
    unit: Unit, node: ast.AST, expression: ast.expr, flow: Flow, graph_node: Any
) -> None:
    """NumPy makes arrays of lists by itself, CuPy does not."""
    held = on_device_possible(flow.value)
    if held and flow.origin is not None:
        fixed = unit.frozen_text or unit.inseparable
        if not fixed and is_display_of_numbers(unit, expression, flow.origin):
            unit.graph.use(
                expression, flow.origin, graph_node, flow.value, unit.weight, movable=False
            )
            unit.work.rewrites["displayed", id(expression)] = Rewrite(
                "displayed", expression, graph_node
            )
            return
        unit.graph.gather(flow.origin, graph_node)
        if not (fixed or flow.origin.holds_numbers()):
            unit.work.rewrites["joined", id(expression)] = Rewrite("joined", expression, graph_node)
            return
    if held or not (of_numbers(flow.value) or is_written_out(expression)):
        unit.pin(
            graph_node,
            "GP901",
            f"unknown type: `{unit.module.segment(expression)}` is a list that NumPy turns into "
            "an array; CuPy does not",
            node,
            "unknown-type",
            help="make it an array with np.asarray",
        )
        return
    unit.graph.use(
        expression,
        unit.host,
        graph_node,
        Sequence(Scalar()),
        unit.weight,
        movable=not unit.frozen_text,
    )


def _check_operator(
    unit: Unit, node: ast.AST, name: str, values: tuple[Value, ...], graph_node: Any
) -> None:
    check_operator(unit, node, name, values, graph_node)


def _plain_operator(
    unit: Unit, node: ast.AST, name: str, operands: list[tuple[ast.expr, Flow]]
) -> Flow:
    values = [flow.value for _, flow in operands]
    if all(is_number(v) for v in values):
        result = probing.probe_operator(name, tuple(forget_constant(v) for v in values))
        outgrows = name == "Pow" and result == Scalar("number")  # 2**70 is in no array of NumPy's
        return Flow(result if isinstance(result, Scalar) and not outgrows else Scalar())
    if any(isinstance(v, (Sequence, Tuple, Mapping)) for v in values):
        return _container_operator(unit, node, name, operands)
    if all(isinstance(v, Scalar) for v in values):
        return Flow(Scalar())
    return Flow(UNKNOWN)


def keep_text(unit: Unit, node: ast.AST, flows: Iterable[Flow], graph_node: Node) -> None:
    """What takes text as well as numbers stays on the host where nothing tells which it is."""
    if any(flow.origin is not None and flow.origin.root().textual for flow in flows):
        message = "an array that was read from a file may hold text here"
        unit.pin(graph_node, "GP905", message, node, "object-dtype")


def forget_constant(value: Value) -> Value:
    return Scalar(value.type) if isinstance(value, Scalar) else value


def _container_operator(
    unit: Unit, node: ast.AST, name: str, operands: list[tuple[ast.expr, Flow]]
) -> Flow:
    """``a + b`` and ``a * n`` on lists and tuples."""
    held = [flow for _, flow in operands if is_container(flow.value)]
    if all(flow.origin is None for flow in held):
        items = [flow.value for flow in held]
        if len(items) == 2 and all(isinstance(v, Tuple) for v in items) and name == "Add":
            return Flow(Tuple(items[0].items + items[1].items))  # type: ignore[union-attr]
        value = items[0] if len(items) == 1 else join(items[0], items[1])
        if isinstance(value, Tuple):
            value = Sequence(join_all(list(value.items)), list=False)
        if isinstance(value, Sequence):  # `a + b` is as long as both, `a * n` may be empty
            both = (fewest_items(v) for v in items if isinstance(v, (Sequence, Tuple)))
            least = sum(both) if name == "Add" and len(items) == 2 else 0
            value = replace(value, least=least)
        return Flow(value)
    if not all(is_container(f.value) or isinstance(f.value, Scalar) for _, f in operands):
        reason = Reason(
            "GP901", "unknown type: a list beside what may be an array", node, "unknown-type"
        )
        for expression, flow in operands:
            unit.escape(expression, flow, reason)
        return Flow(UNKNOWN)
    origin = _united(unit, [(e, flow) for e, flow in operands if is_container(flow.value)])
    first, last = held[0].value, held[-1].value
    if len(held) == 2 and isinstance(first, Tuple) and isinstance(last, Tuple):
        return Flow(Tuple(first.items + last.items), origin)
    value = first if len(held) == 1 else join(first, last)
    if isinstance(value, Tuple):
        value = Sequence(join_all([of_any(unit, node, flow) for flow in held]), list=False)
    return Flow(value, origin)


def _united(unit: Unit, held: list[tuple[ast.expr, Flow]]) -> Node:
    """The group of what containers hold together; one of them at least has a group."""
    origins = [flow.origin for _, flow in held if flow.origin is not None]
    origin = origins[0]
    for other in origins[1:]:
        origin = unit.graph.unite(origin, other)
    for expression, flow in held:
        items = flow.value.items if isinstance(flow.value, Tuple) else [elements(flow.value)]
        for item in items if flow.origin is None else ():
            if item is not None:
                put(unit, origin, expression, Flow(item))
    return origin
