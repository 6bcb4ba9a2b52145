"""Islands of the device that values only visit: left on the host.

The cut counts costs on its own scale; a reviewer would not take a port of which half the lines are
transfers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.cut import Placement
from gpuport.analysis.placement.graph import Graph, Node, Place
from gpuport.analysis.placement.littlework import little_work
from gpuport.analysis.values.contents import can_cross
from gpuport.analysis.values.lattice import Array, Either, Number

_MOVED_BY_A_CALL = 3
"""A ported function that is called from the host moves its arguments and its result by itself: two
and one, as a rule."""

_IN_PLACE_OF_A_LOOP = 10
"""Lines of work that a kernel is worth: Python takes longer over the elements than any transfer."""

_TRIPS = 4
"""How often a loop runs, compared with what stands outside, where nothing is known of it."""

_MUCH_WORK = 100.0
"""What a call has to be worth for its arrays to stay on the device between calls: a kernel."""


def without_bounces(units: Sequence[Unit], graph: Graph, placement: Placement) -> Placement:
    """The placement without the islands for which more is moved than is done there.

    ``units`` are the functions that are placed together; an island is what is joined on the
    device. Its lines of work are held against its transfers to and from values that the host works
    with too: entering from the program's input, or leaving to its output, is no detour.
    """
    if not placement.device:
        return placement
    work = [o for unit in units for o in unit.work.operations.values() if not o.only_numbers]
    giving, taking = _at_work(units, graph, placement)
    kept: set[int] = set()
    given = {id(n.root()) for n in graph.nodes if n.root().device_call}
    returned = {id(u.return_node.root()) for u in units if u.return_node.root().device_only}
    islands = list(_islands(graph, placement))
    by_themselves = _moving_for_themselves(units, graph, placement, islands)
    for island in islands:
        inside = [o for o in work if id(o.graph_node.root()) in island]
        lines = {getattr(o.node, "lineno", 0) for o in inside if not o.one_element}
        called = [
            node for unit in units for (kind, _), node in unit.nodes.items()
            if kind == "project" and id(node.root()) in island
        ]  # fmt: skip
        much_work = sum(node.root().host_cost >= _MUCH_WORK for node in called)
        spared = max(_MOVED_BY_A_CALL * much_work, _spared(graph, called, island))
        if not inside and not given & island and island in by_themselves:
            continue
        kernels = sum(
            id(launch.graph_node.root()) in island
            for unit in units
            for launch in unit.forms.launches.values()
        )
        done = len(lines) + spared + _IN_PLACE_OF_A_LOOP * kernels
        entering, leaving = _crossings(graph, island)
        crossings = sum(end in giving for end in entering) + sum(end in taking for end in leaving)
        there_and_back = _brought_for_nothing(units, graph, island, taking)
        much = crossings > 1 and 2 * (crossings + there_and_back) > done
        moved = len(entering) + len(leaving) + there_and_back + _asked_by_conditions(units, island)
        if done == 1:
            moved += _numbers_back(graph, island)
        more = crossings > 0 and moved > done
        if not given & island and _carries_more(units, graph, island):
            much = True
        plain = not (kernels or called or returned & island)
        much = much or (plain and _is_little(units, graph, island, inside))
        if not (done or inside) or not (much or more) or given & island:
            kept |= island
        elif returned & island and not given:
            return Placement(frozenset())
    return Placement(frozenset(kept))


def _is_little(
    units: Sequence[Unit], graph: Graph, island: frozenset[int], work: Sequence[Operation]
) -> bool:
    """Whether all work of an island is one expression on what is written out in it, of which the
    host takes the result right there."""
    theirs = {id(one) for one in work}
    owners = [u for u in units if any(id(o) in theirs for o in u.work.operations.values())]
    found = little_work(owners[0], work) if len(owners) == 1 else None
    if found is None:
        return False
    leaving = [
        use for use in graph.uses.values()
        if id(use.producer.root()) in island and id(use.consumer.root()) not in island
    ]  # fmt: skip
    awaited = any(id(origin.root()) in island for _, origin in owners[0].work.syncs.values())
    ends = (owners[0].host, owners[0].return_node)
    straight = all(use.expression is found and use.consumer in ends for use in leaving)
    return straight and (bool(leaving) or awaited)


def _carries_more(units: Sequence[Unit], graph: Graph, island: frozenset[int]) -> bool:
    """Whether a boundary takes arrays out of containers in containers for less than much work.

    They are as many as the loops over them run, and would come and go at every call.
    """
    nested = [
        node for unit in units if unit.decorated for node in unit.parameters.nodes.values()
        if id(node.root()) in island and node.cell().inner is not None
    ]  # fmt: skip
    roots = {id(node): node for node in graph.nodes if node.parent is None and id(node) in island}
    return sum(root.host_cost for root in roots.values()) < len(nested) * _MUCH_WORK * _TRIPS


def _at_work(
    units: Sequence[Unit], graph: Graph, placement: Placement
) -> tuple[set[int], set[int]]:
    """Host operations with the values that they give, and with the values that they take."""
    work = {
        id(o.graph_node.root()) for unit in units for o in unit.work.operations.values()
        if not o.only_numbers and placement.of(o.graph_node) is Place.HOST and not _is_input(o)
        and not o.graph_node.root().light
    }  # fmt: skip
    giving, taking = set(work), set(work)
    for use in graph.uses.values():
        producer, consumer = id(use.producer.root()), id(use.consumer.root())
        if producer in work:
            giving.add(consumer)
        if consumer in work:
            taking.add(producer)
    nowhere = {id(unit.host.root()) for unit in units}
    return giving - nowhere, taking - nowhere


def _brought_for_nothing(
    units: Sequence[Unit], graph: Graph, island: frozenset[int], taking: set[int]
) -> int:
    """Arguments that the boundary takes to the device and that are worked on as they came on the
    host: each has been there and back."""
    given = {
        id(node.root())
        for unit in units if unit.decorated
        for node in unit.parameters.nodes.values()
        if id(node.root()) in island and not node.root().mutated
    }  # fmt: skip
    return len({
        id(use.producer.root()) for use in graph.uses.values()
        if id(use.producer.root()) in given and id(use.consumer.root()) in taking - island
    })  # fmt: skip


def _asked_by_conditions(units: Sequence[Unit], island: frozenset[int]) -> int:
    """Conditions that wait for a value of an island: checking what comes is no gain by itself."""
    return sum(
        id(origin.root()) in island and not _converts(unit, node)
        for unit in units for node, origin in unit.work.syncs.values()
    )  # fmt: skip


def _converts(unit: Unit, node: ast.AST) -> bool:
    """``float(x)``: a result of the work, for Python."""
    path = unit.scope.resolve(node.func) if isinstance(node, ast.Call) else None
    return path is not None and path.startswith("builtins.")


def _is_input(operation: Operation) -> bool:
    """Draws of random numbers are the program's input, wherever they are made."""
    pinned = operation.graph_node.root().pinned
    return pinned is not None and pinned.code == "GP404"


def _islands(graph: Graph, placement: Placement) -> Iterator[frozenset[int]]:
    neighbours: dict[int, set[int]] = {number: set() for number in placement.device}
    for use in graph.uses.values():
        a, b = id(use.producer.root()), id(use.consumer.root())
        if a in neighbours and b in neighbours:
            neighbours[a].add(b)
            neighbours[b].add(a)
    while neighbours:
        island: set[int] = set()
        pending = [next(iter(neighbours))]
        while pending:
            one = pending.pop()
            if one not in island:
                island.add(one)
                pending.extend(neighbours.pop(one))
        yield frozenset(island)


def _moving_for_themselves(
    units: Sequence[Unit],
    graph: Graph,
    placement: Placement,
    islands: Sequence[frozenset[int]],
) -> list[frozenset[int]]:
    """The islands that are calls of ported functions alone, each of which moves for itself what is
    moved for it here: their text can stay as it is. What is moved for others as well stays moved.
    """
    calls = {
        id(node.root()) for unit in units for (kind, key), node in unit.nodes.items()
        if kind in ("operation", "project") and key not in unit.work.operations
    }  # fmt: skip
    alone = [island for island in islands if island <= calls and _moves_plainly(graph, island)]
    others = placement.device.difference(*alone)
    elsewhere = {
        id(use.producer.root()) for use in graph.uses.values()
        if id(use.consumer.root()) in others
    }  # fmt: skip
    return [island for island in alone if not elsewhere & _producers(graph, island)]


def _moves_plainly(graph: Graph, island: frozenset[int]) -> bool:
    """Whether calls could move all that is moved for them, and give each other nothing."""
    moved = 0
    for use in graph.uses.values():
        inside = (id(use.producer.root()) in island) + (id(use.consumer.root()) in island)
        if inside == 0 or isinstance(use.value, Number):
            continue
        plain = isinstance(use.value, (Array, Either)) or can_cross(use.value)
        if inside == 2 or use.shared is not None or not plain:
            return False
        moved += 1
    return moved > 0


def _producers(graph: Graph, island: frozenset[int]) -> set[int]:
    """Where the arrays come from that are at an end of what flows into an island or out of it."""
    return {
        id(use.producer.root()) for use in graph.uses.values()
        if not isinstance(use.value, Number)
        and (id(use.consumer.root()) in island or id(use.producer.root()) in island)
    }  # fmt: skip


def _spared(graph: Graph, called: list[Node], island: frozenset[int]) -> int:
    """Arrays that calls of ported functions, were they made from the host, would move themselves:
    those that come from the island, and results that are worked on there."""
    calls = {id(node) for node in called}
    given = {
        (id(use.consumer), id(use.expression)) for use in graph.uses.values()
        if id(use.consumer) in calls and id(use.producer.root()) in island
        and not isinstance(use.value, Number)
    }  # fmt: skip
    taken = {
        id(use.producer) for use in graph.uses.values()
        if id(use.producer) in calls and id(use.consumer.root()) in island
        and not isinstance(use.value, Number)
    }  # fmt: skip
    return len(given) + len(taken)


def _numbers_back(graph: Graph, island: frozenset[int]) -> bool:
    """Whether the host waits for a number of an island: all that comes of it, where it is one
    line of work."""
    return any(
        isinstance(use.value, Number)
        and id(use.producer.root()) in island
        and id(use.consumer.root()) not in island
        for use in graph.uses.values()
    )


def _crossings(graph: Graph, island: frozenset[int]) -> tuple[list[int], list[int]]:
    """Where arrays come from that enter an island, and where those go that leave it."""
    entering, leaving = [], []
    copied: set[tuple[str, int, bool]] = set()
    for use in graph.uses.values():
        producer, consumer = id(use.producer.root()), id(use.consumer.root())
        if isinstance(use.value, Number):
            continue
        if use.shared is not None and (producer in island) != (consumer in island):
            copy = use.shared.name, producer, producer in island
            if copy in copied:
                continue  # all that read one copy are one crossing
            copied.add(copy)
        if producer not in island and consumer in island:
            entering.append(producer)
        elif producer in island and consumer not in island:
            leaving.append(consumer)
    return entering, leaving
