"""Containers as they are written: displays and comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from gpuport.analysis.batches.gains import names_read, takes_items
from gpuport.analysis.batches.loops import noted
from gpuport.analysis.expressions.evaluation import evaluate, kept, not_followed
from gpuport.analysis.expressions.listedarrays import arrays_read_at_once, listed_array
from gpuport.analysis.expressions.operators import forget_constant
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.statements.closures import capture
from gpuport.analysis.statements.loops import comprehension_loops
from gpuport.analysis.values.contents import has_unknown, key_of, objects_in
from gpuport.analysis.values.lattice import (
    EMPTY,
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
    aside,
    fewest_items,
    is_container,
    is_number,
    join_all,
    on_device_possible,
    record,
)
from gpuport.analysis.values.nesting import add_items, fill, held_by, put
from gpuport.source.literals import literal_value
from gpuport.source.renewed import items_renewed

_LONGEST_LITERAL = 64
"""Elements up to which a display is looked at one by one."""

_LIKE = {"bool": "True", "int": "1", "float": "0.5", "complex": "0.5j"}
"""Numbers that stand for others of their type."""


def display(unit: Unit, node: ast.List | ast.Set | ast.Tuple) -> Flow:
    """``[a, b]``, ``{a, b}``; ``a, b`` where it is what a list of them is."""

    if len(node.elts) > _LONGEST_LITERAL and all(isinstance(e, ast.Constant) for e in node.elts):
        kinds = {type(e.value): e for e in node.elts if isinstance(e, ast.Constant)}
        return Flow(
            Sequence(join_all([forget_constant(evaluate(unit, e).value) for e in kinds.values()]))
        )
    numbers = _written_numbers(unit, node)
    if numbers is not None:
        return Flow(Sequence(numbers, literal=_literal(node)))
    flows = [(e, evaluate(unit, e)) for e in node.elts]
    if any(isinstance(e, ast.Starred) for e in node.elts):
        spread = all(is_container(f.value) for e, f in flows if isinstance(e, ast.Starred))
        return _spread(unit, node, flows) if spread else not_followed(unit, node)
    made = listed_array(unit, node, flows) if id(node) in unit.marked.joined else None
    if made is None and isinstance(node, ast.List) and id(node) in unit.marked.read_at_once:
        made = arrays_read_at_once(unit, node, flows)
    if made is not None:
        return made
    held = any(flow.origin is not None or objects_in(flow.value) for _, flow in flows)
    changes = isinstance(node, ast.List) and id(node) in unit.project.changed.displays
    if not held and not (changes and flows):
        of = join_all([flow.value for _, flow in flows]) if flows else EMPTY
        _hold(unit, node, of, flows)
        if not flows:
            return Flow(Sequence(EMPTY), unit.node_for("container", node, "list"), fresh=True)
        return Flow(Sequence(of, literal=_literal(node)))
    container = unit.node_for("container", node, "list")
    if all(_is_row(expression, flow.value) for expression, flow in flows):
        for _, flow in flows:
            if flow.origin is not None:
                unit.graph.unite(container, flow.origin)
        return Flow(Sequence(join_all([flow.value for _, flow in flows])), container, fresh=True)
    for expression, flow in flows:
        put(unit, container, expression, kept(unit, expression, flow))
    return unit.refresh(Flow(Sequence(EMPTY), container, fresh=True))


def _written_numbers(unit: Unit, node: ast.List | ast.Set | ast.Tuple) -> Value | None:
    """What the items of a display of numbers are, not looked at one by one; None for others.

    Tables of data are the longest displays that there are.
    """
    marked, key = unit.marked, id(node)
    if unit.trace is not None or key in marked.joined or key in marked.read_at_once:
        return None
    values: list[object] = []
    for item in node.elts:
        value = item.value if isinstance(item, ast.Constant) else _negative(item)
        if value.__class__ not in _NUMBERS:
            return None
        values.append(value)
    if not values or key in unit.project.changed.displays:
        return None
    types = {value.__class__ for value in values}
    if len(types) > 1:
        return join_all([Scalar(kind.__name__) for kind in types])
    (kind,) = types
    alike = all(value == values[0] for value in values)
    return Scalar(kind.__name__, values[0] if alike else None)


_NUMBERS = frozenset((bool, int, float))


def _negative(node: ast.expr) -> object:
    """A negative number that is written out; None for anything else."""
    if not isinstance(node, ast.UnaryOp) or node.op.__class__ is not ast.USub:
        return None
    value = node.operand.value if isinstance(node.operand, ast.Constant) else None
    return -value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _spread(unit: Unit, node: ast.expr, flows: list[tuple[ast.expr, Flow]]) -> Flow:
    """``[*before, a]``: a new list of what another container holds, and more."""
    container = unit.node_for("container", node, "list")
    for expression, flow in flows:
        if not isinstance(expression, ast.Starred):
            put(unit, container, expression, kept(unit, expression, flow))
        else:
            add_items(unit, container, expression, flow)
    return unit.refresh(Flow(Sequence(EMPTY), container, fresh=True))


def _spread_numbers(unit: Unit, node: ast.Tuple) -> Value | None:
    """``(n, *x.shape)``: a tuple of numbers; None for any other."""
    items: list[Value] = []
    least, told = 0, True
    for one in node.elts:
        flow = evaluate(unit, one)
        if flow.origin is not None:
            return None
        if not isinstance(one, ast.Starred):
            items.append(flow.value)
            least += 1
        elif isinstance(flow.value, Tuple) and not flow.value.optional:
            items += flow.value.items
            least += len(flow.value.items)
        elif isinstance(flow.value, Sequence):
            items.append(flow.value.of)
            least, told = least + fewest_items(flow.value), False
        else:
            return None
    if not all(map(is_number, items)):
        return None
    return Tuple(tuple(items)) if told else Sequence(join_all(items), list=False, least=least)


def _is_row(node: ast.expr, value: Value) -> bool:
    """A row of numbers in ``[[a, b], [b, c]]``: of the numbers alone its group knows."""
    if not isinstance(node, ast.List) or not isinstance(value, Sequence):
        return False
    return is_number(value.of) or isinstance(value.of, Either)


def _hold(unit: Unit, node: ast.expr, value: Value, flows: list[tuple[ast.expr, Flow]]) -> None:
    """Instances in a display are followed as what the display holds."""
    if unit.objects is not None:
        unit.lost(node, value, *(flow.value for _, flow in flows))
        for expression, _ in flows:
            unit.follow(expression)


def _literal(node: ast.expr) -> str | None:
    """The text of a display of constants, for probing; None for long ones.

    Of infinity the text is no literal.
    """
    if len(getattr(node, "elts", ())) > _LONGEST_LITERAL:
        return None
    try:
        text = repr(literal_value(node))
    except (ValueError, TypeError):
        return None
    return text if len(text) <= 200 and "inf" not in text else None


def tuple_display(unit: Unit, node: ast.Tuple) -> Flow:
    """``(a, b)``: its claim says of each item what that is."""

    if any(isinstance(e, ast.Starred) for e in node.elts):
        value = _spread_numbers(unit, node)
        return not_followed(unit, node) if value is None else Flow(value)
    flows = [(e, evaluate(unit, e)) for e in node.elts]
    if id(node) in unit.marked.read_at_once and (read := arrays_read_at_once(unit, node, flows)):
        return read
    values = Tuple(tuple(flow.value for _, flow in flows), _literal(node))
    _hold(unit, node, values, flows)
    if not any(flow.origin is not None for _, flow in flows):
        return Flow(values)
    values = replace(values, items=tuple(map(aside, values.items)))
    container = unit.node_for("container", node, "tuple", told_apart=unit.is_followed)
    numbers = all(isinstance(flow.value, Number) for _, flow in flows)
    for place, (expression, flow) in enumerate(flows):
        item = kept(unit, expression, flow)
        put(unit, container, expression, item, stored=numbers, told=True, key=str(place))
    return Flow(values, container, fresh=True)


def dict_display(unit: Unit, node: ast.Dict) -> Flow:
    """``{"a": a, **others}``."""

    container = unit.node_for("container", node, "dict", told_apart=unit.is_followed)
    for key, value in zip(node.keys, node.values, strict=True):
        flow = evaluate(unit, value)
        if key is None:
            if not isinstance(flow.value, Mapping):
                return not_followed(unit, node)
            if flow.origin is not None:
                unit.graph.unite(container, flow.origin)
            fill(unit.graph, container, held_by(flow.value))
            continue
        named = evaluate(unit, key)
        unit.to_host(key, named)
        put(unit, container, value, kept(unit, value, flow), stored=False, key=key_of(named.value))
    return unit.refresh(Flow(record({}), container, fresh=True))


def comprehension(
    unit: Unit, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
) -> Flow:
    """Loops whose items a new container holds; generators that run where they stand among them."""

    to_the_end = isinstance(node, (ast.ListComp, ast.DictComp)) or id(node) in unit.marked.exhausted
    has_form = to_the_end and not isinstance(node, ast.SetComp) and noted(unit, node)
    told_apart = unit.is_followed and items_renewed(node) is not None
    container = unit.node_for("container", node, "comprehension", told_apart=told_apart)
    if not to_the_end and isinstance(node, ast.GeneratorExp):
        _tell_of_items(unit, node, container)
    before = dict(unit.env)

    def read(one: ast.expr) -> Flow:
        return kept(unit, one, evaluate(unit, one))

    def body() -> None:
        element = node.value if isinstance(node, ast.DictComp) else node.elt
        if isinstance(node, ast.DictComp):
            unit.to_host(node.key, evaluate(unit, node.key))
        for key, flow in _by_key(unit, node, element, read):
            put(unit, container, element, flow, key=key)

    with unit.within_stacked(has_form):
        comprehension_loops(unit, node.generators, body)
    unit.env = before
    if container.cell().slots:
        return unit.refresh(Flow(record({}), container, fresh=True))
    held = container.cell().contents or UNKNOWN
    is_list = not isinstance(node, ast.GeneratorExp)
    if not on_device_possible(held):
        value: Value = Mapping(held) if isinstance(node, ast.DictComp) else Sequence(held, is_list)
        return Flow(value)
    value = Mapping(EMPTY) if isinstance(node, ast.DictComp) else Sequence(EMPTY, is_list)
    return unit.refresh(Flow(value, container, fresh=True))


def _by_key(
    unit: Unit, node: ast.expr, element: ast.expr, read: Callable[[ast.expr], Flow]
) -> Iterator[tuple[str | None, Flow]]:
    """What ``{k: f(v) for k, v in held.items()}`` has under each key, where keys are told apart.

    What is said of the operations in it holds for all keys: they are read once more at the end.
    Where that says nothing, nothing is said of the keys.
    """
    joined = read(element)
    items = items_renewed(node) if not has_unknown(joined.value) else None
    held = read(items.held) if items is not None else joined
    fields = held.value.fields if isinstance(held.value, Mapping) else None
    if items is None or not fields:
        yield None, joined
        return
    whole = unit.env[items.value]
    for key, value in fields:
        unit.env[items.value] = Flow(value, unit.item_of(held.origin, value, key), view=True)
        flow = read(element)
        yield key, joined if has_unknown(flow.value) else flow
    unit.env[items.value] = whole
    read(element)


def _tell_of_items(unit: Unit, node: ast.GeneratorExp, container: Node) -> None:
    """Say of a generator over matrices that who goes through it may stop before its end."""
    if names_read(unit, node) and takes_items(unit, node):
        why = "what goes through this generator may stop before its end; a list has no such end"
        unit.note("GP301", f"one call for each matrix: {why}", node, on=container)


def generator(unit: Unit, node: ast.GeneratorExp) -> Flow:
    """A generator runs later, perhaps never: what it touches stays on the host.

    One that is an argument of ``sum`` and its kin runs there and then.
    """
    if id(node) in unit.marked.consumed:
        return comprehension(unit, node)
    capture(unit, node)
    return Flow(UNKNOWN)


def like_what_is_displayed(unit: Unit, node: ast.expr, value: Value) -> Value:
    """A list of numbers of several types as one of constants of these types, in their places."""
    if not isinstance(node, ast.List) or not isinstance(value, Sequence):
        return value
    if value.literal is not None:
        return value
    text = _like(unit, node)
    return value if text is None else replace(value, literal=text)


_MOST_TOLD_APART = 6


def arrays_of_display(unit: Unit, node: ast.expr, value: Value) -> Value:
    """``[row, grid]``, each of its own rank: what is at each place, as of a tuple."""
    several = isinstance(value, Sequence) and isinstance(value.of, Array) and value.of.rank is None
    if not several or not isinstance(node, ast.List) or len(node.elts) > _MOST_TOLD_APART:
        return value
    if any(isinstance(one, ast.Starred) for one in node.elts):
        return value
    items = tuple(evaluate(unit, one).value for one in node.elts)
    return Tuple(items) if all(getattr(item, "rank", None) for item in items) else value


def _like(unit: Unit, node: ast.expr) -> str | None:
    """The text of a list like one that is displayed; None where not all in it are numbers."""
    if isinstance(node, ast.List):
        texts = [_like(unit, one) for one in node.elts]
        known = [text for text in texts if text is not None]
        return f"[{', '.join(known)}]" if known and len(known) == len(texts) else None
    if isinstance(node, ast.Starred):
        return None
    flow = evaluate(unit, node)
    number = flow.value if flow.origin is None else None
    return _LIKE.get(number.type or "") if isinstance(number, Scalar) else None


__all__ = [
    "arrays_of_display",
    "comprehension",
    "dict_display",
    "display",
    "generator",
    "like_what_is_displayed",
    "tuple_display",
]
