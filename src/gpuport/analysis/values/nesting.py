"""What containers hold, and the containers in them, level by level."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport._frozen import frozen
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.objects.claims import hides
from gpuport.analysis.placement.graph import Graph, Node
from gpuport.analysis.values.contents import is_undecided
from gpuport.analysis.values.lasting import holding, lasting
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
    Unknown,
    Value,
    aside,
    elements,
    is_container,
    join,
    join_all,
    on_device_possible,
    parts,
    record,
)

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit

DEEPEST = 4
"""Containers in containers of which more is not looked at."""


@frozen
class Held:
    """What a container holds.

    Attributes
    ----------
    contents : Value
        Of any of its items; `EMPTY` where nothing is known to be in it.
    inner : Held or None
        What the containers in it hold.
    slots : tuple
        What is held under each key of a dict, or at each place of a tuple, that is told apart.
    """

    contents: Value = EMPTY
    inner: Held | None = None
    slots: tuple[tuple[str, Held], ...] = ()

    def values(self) -> Iterator[Value]:
        """The claims at all levels."""
        yield self.contents
        for one in (self.inner, *(slot for _, slot in self.slots)):
            yield from one.values() if one is not None else ()


def held_by(value: Value, depth: int = 0) -> Held | None:
    """What a container holds by its claim; None of others, and of one too deep."""
    if not is_container(value) or depth >= DEEPEST:
        return None
    if isinstance(value, Tuple):  # which says of each item what that is
        return Held(slots=tuple(
            (str(place), Held(_of_python(one), held_by(one, depth + 1)))
            for place, one in enumerate(value.items)
            if is_container(one) or _of_python(one) != EMPTY
        ))  # fmt: skip
    if isinstance(value, Mapping) and value.fields is not None:
        return Held(slots=tuple(
            (key, Held(one, held_by(one, depth + 1))) for key, one in value.fields
        ))  # fmt: skip
    item = elements(value) or EMPTY
    return Held(item, held_by(item, depth + 1))


def _of_python(item: Value) -> Value:
    """What may be one of Python's numbers, for which no array of the device has room."""
    if isinstance(item, Number) and not item.numpy_scalar:
        return Scalar()
    return item if isinstance(item, Scalar) else EMPTY


def fill(graph: Graph, container: Node, held: Held | None) -> None:
    """Let a node be that of a container which holds this."""
    if held is None:
        return
    for key, slot in held.slots:
        fill(graph, graph.slot(container, key), slot)
    if held.contents != EMPTY:
        cell = graph.slot(container, None)
        cell.mixed = cell.mixed or isinstance(held.contents, Scalar)
        before = cell.contents
        cell.contents = held.contents if before is None else join(before, held.contents)
    if held.inner is not None:
        fill(graph, graph.inner(container), held.inner)


def contents_of(container: Node, depth: int = 0) -> Held | None:
    """What was put into a container, and into those in it; None where nothing was."""
    cell = container.cell()
    if depth >= DEEPEST:
        return None
    held = Held(
        EMPTY if cell.contents is None else lasting(cell.contents),
        None if cell.inner is None else contents_of(cell.inner, depth + 1),
        tuple(
            (key, found) for key, slot in sorted((cell.slots or {}).items())
            if (found := contents_of(slot, depth)) is not None
        ),
    )  # fmt: skip
    return None if held == Held() else held


def tuples(
    unit: Unit, node: ast.Call, items: tuple[Value, ...], origins: Iterable[Node | None]
) -> Flow:
    """What is gone through in tuples of these items: ``zip``, ``items``.

    They share one place, unless the targets of a loop take each tuple apart at once.
    """
    value = Sequence(Tuple(items), list=False)
    if not any(map(on_device_possible, items)):
        return Flow(value)
    made = unit.node_for("tuples", node, "tuples")
    held = unit.graph.inner(made)
    if id(node) in unit.marked.taken_apart:
        held.apart = tuple(origins)
        return Flow(value, made)
    for place, (item, origin) in enumerate(zip(items, origins, strict=True)):
        if origin is not None and is_container(item):
            unit.graph.unite(unit.graph.inner(unit.graph.slot(held, str(place))), origin)
        elif origin is not None:
            unit.graph.gather(held, origin)
    return Flow(value, made)


def renewed(unit: Unit, value: Value, container: Node, depth: int = 0) -> Value:
    """What a container holds by now, and the containers in it."""
    cell = container.cell()
    if isinstance(value, Tuple):
        if not any(map(is_container, value.items)):
            return value
        slots = cell.slots or {}
        cells = (slots.get(str(place), cell).cell() for place in range(len(value.items)))
        items = (
            _renewed_item(unit, item, one, depth)
            for item, one in zip(value.items, cells, strict=True)
        )
        return replace(value, items=tuple(items))
    if isinstance(value, Mapping) and cell.slots is not None:
        return _renewed_fields(unit, value, cell.slots, depth)
    held = cell.contents
    if not isinstance(value, (Sequence, Mapping)) or not cell.is_blurred:
        return value
    of = value.of
    if held is not None:
        of = held if of == EMPTY else join(of, held)
        unit.lost(unit.statement or unit.node, of, value.of, held)
        undecided = isinstance(held, Unknown) or on_device_possible(held)
        if isinstance(of, Unknown) and of != EMPTY and undecided:
            _pin_mixed(unit, container, unit.statement or unit.node)
    of = _renewed_item(unit, of, cell, depth)
    if held is None and of == value.of:
        return value
    return holding(value, of)


def _renewed_fields(unit: Unit, value: Mapping, slots: dict[str, Node], depth: int) -> Value:
    """What a dict holds by now under each of its keys."""
    known = dict(value.fields or ())
    for key, slot in slots.items():
        held = slot.cell().contents or EMPTY
        before = known.get(key, EMPTY)
        joined = held if before == EMPTY else before if held == EMPTY else join(before, held)
        if is_undecided(joined) and any(map(on_device_possible, (before, held))):
            _pin_mixed(unit, slot, unit.statement or unit.node)
        known[key] = _renewed_item(unit, joined, slot.cell(), depth)
    if value.fields is not None or value.of == EMPTY:
        return record(known, optional=value.optional)
    return holding(value, join(value.of, record(known).of))


def _renewed_item(unit: Unit, value: Value, cell: Node, depth: int) -> Value:
    if not is_container(value) or cell.inner is None:
        return value
    return renewed(unit, value, cell.inner, depth + 1) if depth < DEEPEST else UNKNOWN


def put(
    unit: Unit, container: Node, expression: ast.expr, flow: Flow, *, stored: bool = True,
    told: bool = False, key: str | None = None,
) -> None:  # fmt: skip
    """Put a value into a container.

    What is ``stored`` may be made an array with the others; ``told``: the container's own
    claim says of each item what that is; ``key``: under which it is put in a dict, or its place in
    a tuple, where that is known.
    """
    whole, container = container, unit.graph.slot(container, key)
    if flow.origin is None and container is not whole.cell():
        flow = replace(flow, value=aside(flow.value))
    changes = key is not None and not told and unit.name != "<module>"
    if changes and isinstance(flow.value, Scalar):
        flow = replace(flow, value=Scalar(flow.value.type))  # another may come there
    if isinstance(flow.value, Number) and not flow.value.numpy_scalar and flow.origin:
        unit.to_host(expression, flow)  # a number of Python's; on the device it would be none
        flow = Flow(Scalar("number" if flow.value.real else None))
    cell = container.cell()
    held = cell.contents
    if not told or isinstance(flow.value, Unknown):
        cell.contents = flow.value if held is None else join(held, flow.value)
    unit.follow(expression)
    if not told and unit.lost(expression, cell.contents or UNKNOWN, flow.value, held or UNKNOWN):
        cell.contents = held  # to see what else is put there
    python = isinstance(flow.value, Either) and flow.value.python
    cell.mixed = cell.mixed or python  # beside those of the device, where it is one of Python's
    if flow.origin is None:
        cell.mixed = cell.mixed or isinstance(flow.value, (Scalar, Number))
    elif is_container(flow.value):
        unit.graph.unite(unit.graph.inner(container), flow.origin)
    elif flow.fresh or isinstance(flow.value, Number):  # nobody changes a number in place
        unit.use(expression, flow, container, stored=stored)
    else:
        unit.graph.gather(container, flow.origin)
    root = container.root()
    root.dimensionless = root.dimensionless or _is_dimensionless(flow.value)
    cell = container.cell()
    if cell.contents is not None and (
        is_undecided(cell.contents)
        or any(hides(cell.contents, one) for one in (held, flow.value) if one is not None)
    ):
        _pin_mixed(unit, container, expression)


def under(
    unit: Unit, expression: ast.expr, flow: Flow, key: str | None, keys: Iterable[str] = ()
) -> Value:
    """What a dict holds under a key, or under any: things of several kinds stay on the host.

    ``keys``: those that the key is one of, where that is known.
    """
    assert isinstance(flow.value, Mapping)
    fields = dict(flow.value.fields or ())
    if key is not None and flow.value.fields is not None:
        return fields.get(key, EMPTY)
    held = [fields.get(one, EMPTY) for one in keys]
    if held and EMPTY not in held and join_all(held) != UNKNOWN:
        return join_all(held)
    value = flow.value.of
    unit.lost(expression, value, *parts(flow.value))
    mixed = isinstance(value, Unknown) and value != EMPTY and on_device_possible(flow.value)
    if mixed and flow.origin is not None:
        _pin_mixed(unit, flow.origin, expression)
    return value


def take(unit: Unit, expression: ast.AST, container: Flow, item: Value) -> None:
    """What is taken of a container by its place is not known: nobody would bring it back."""
    if is_undecided(item) and container.origin is not None and _may_hold_arrays(container):
        _pin_mixed(unit, container.origin, expression)


def of_any(unit: Unit, expression: ast.AST, container: Flow) -> Value:
    """What any item of a container is, where items are told apart no more; `EMPTY` without any.

    Where that says less than was known of one of them, the container stays on the host.
    """
    held = parts(container.value)
    value = join_all(list(held)) if held else EMPTY
    hidden = is_undecided(value) or any(hides(value, one) for one in held)
    if hidden and container.origin is not None and _may_hold_arrays(container):
        _pin_mixed(unit, container.origin, expression)
    return value


def add_items(unit: Unit, container: Node, expression: ast.expr, added: Flow) -> Value:
    """Put all items of one container into another; gives what any of them is."""
    value = of_any(unit, expression, added)
    if added.origin is not None:
        unit.graph.unite(container, added.origin)
    before = container.cell().contents
    fill(unit.graph, container, held_by(Sequence(value)))
    after = container.cell().contents
    known = [one for one in (before, value) if one is not None]
    if after is not None and any(hides(after, one) for one in known):
        _pin_mixed(unit, container, expression)
    return value


def _may_hold_arrays(container: Flow) -> bool:
    """Whether its claim says so, or what was put into it: the claim may know no more of that."""
    if on_device_possible(container.value):
        return True
    held = contents_of(container.origin) if container.origin is not None else None
    return held is not None and any(map(on_device_possible, held.values()))


def _is_dimensionless(value: Value) -> bool:
    return isinstance(value, Array) and value.rank == 0


def _pin_mixed(unit: Unit, container: Node, node: ast.AST) -> None:
    """Nothing could bring such a container back from the device as a whole."""
    why = "unknown type: the container holds things of different kinds"
    unit.pin(container, "GP901", why, node, "unknown-type")


__all__ = [
    "Held",
    "add_items",
    "contents_of",
    "fill",
    "held_by",
    "of_any",
    "put",
    "renewed",
    "take",
    "tuples",
    "under",
]
