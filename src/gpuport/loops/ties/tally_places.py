"""Which cells an iteration has to itself because a number that only grows counts them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import constant_int, dotted, linear, stored, subscript_indices, walk
from gpuport.loops.sets.accesses import Access, Region
from gpuport.loops.sets.affine import Whole
from gpuport.loops.sets.wholes import Wholes
from gpuport.loops.ties.tallies import adding, blocks, loops, raises


@dataclass(frozen=True)
class Place:
    """An index that a tally counts.

    Attributes
    ----------
    axis : int
    name : str
        The tally.
    offset : int
    raised : bool
        Whether the tally is raised before this, or after it, each time.
    """

    axis: int
    name: str
    offset: int
    raised: bool


def apart(
    loop: ast.For, names: Sequence[str], start: Callable[[str], str]
) -> dict[ast.Subscript, Place]:
    """Subscripts that reach other cells in each iteration, because a tally counts them.

    An iteration that raises ``k`` after ``out[k]``, or before it each time, has those cells for
    itself. All that touches an array has to be of that form; or all that is stored into it, where
    what is read lies ahead of that (`packed`).

    Parameters
    ----------
    loop : ast.For
    names : sequence of str
        The tallies.
    start : callable
        Python text of what a name is before the loop.
    """
    counters = {n for n in names if _counts(loop.body, n) and start(n).isdigit()}
    places: dict[str, dict[ast.Subscript, Place | None]] = {}
    sides = {id(node): side for node, side in _sides(loop.body, counters)}
    for node in walk(loop.body):
        array = dotted(node.value) if isinstance(node, ast.Subscript) else None
        if array is not None and isinstance(node, ast.Subscript):
            place = _place(node, counters, sides.get(id(node), {}))
            places.setdefault(array, {})[node] = place
    separate: dict[ast.Subscript, Place] = {}
    for found in places.values():
        stores = _stores(loop, found)
        own = stores if _reads_ahead(loop, stores, set(found) - set(stores), start) else found
        if len(set(own.values())) == 1:
            separate.update({node: place for node, place in own.items() if place is not None})
    return separate


def packed(loop: ast.For, separate: Collection[ast.Subscript]) -> set[str]:
    """Arrays that are packed into their own beginning: what is read was not yet written."""
    nodes = [node for node in walk(loop.body) if isinstance(node, ast.Subscript)]
    arrays = {array for array in map(_array, separate) if array is not None}
    return {_array(node) or "" for node in nodes if node not in separate} & arrays


def _array(node: ast.Subscript) -> str | None:
    return dotted(node.value)


def _stores(
    loop: ast.For, found: Mapping[ast.Subscript, Place | None]
) -> dict[ast.Subscript, Place | None]:
    """Those of some subscripts that are stored into, and not read before."""
    added = {n.target for n in walk(loop.body) if isinstance(n, ast.AugAssign)}
    return {
        node: place
        for node, place in found.items()
        if isinstance(node.ctx, ast.Store) and node not in added
    }


def _reads_ahead(
    loop: ast.For,
    stores: Mapping[ast.Subscript, Place | None],
    reads: Collection[ast.Subscript],
    start: Callable[[str], str],
) -> bool:
    """Whether what iterations read of an array lies ahead of all that those before it stored.

    A tally that is raised by 1, at one place, starts at the loop's first number or below, so that
    it stays no greater than the loop's; the reads are `x[i]`, or beyond that. Where `x[k] = x[i]`
    is all that is stored, `x[i - 1]` is as it was too: only the iteration before can have come as
    far as that, and that one left it as it was.
    """
    (place, *others) = set(stores.values()) or {None}
    first, _, step = map(constant_int, getattr(loop.iter, "args", ()))
    if place is None or others or not reads or first is None or step != 1:
        return False
    (steps, *more) = list(adding(loop.body, place.name))
    if more or not raises(steps, place.name) or constant_int(steps.value) != 1:
        return False
    if _inside_loops(loop, place.name) or not isinstance(loop.target, ast.Name):
        return False
    behind = first - int(start(place.name)) - place.offset - place.raised
    least = -behind - (behind == 0 and _only_moves(loop, stores, place.axis))
    steps_on = [_beyond(node, place.axis, loop.target.id) for node in reads]
    return behind >= 0 and all(one is not None and one >= least for one in steps_on)


def _beyond(node: ast.expr, axis: int, variable: str) -> int | None:
    """How far beyond the loop's variable an index is."""
    indices = subscript_indices(node) if isinstance(node, ast.Subscript) else []
    terms = (linear(indices[axis]) if axis < len(indices) else None) or {}
    rest = {name: k for name, k in terms.items() if name}
    return terms.get("", 0) if rest == {variable: 1} else None


def _only_moves(loop: ast.For, stores: Mapping[ast.Subscript, Place | None], axis: int) -> bool:
    """Whether all that is stored into an array is its own element at the loop's variable."""
    assert isinstance(loop.target, ast.Name)
    given = {n.targets[0]: n.value for n in walk(loop.body) if isinstance(n, ast.Assign)}
    for node in stores:
        value = given.get(node)
        if not isinstance(value, ast.Subscript) or dotted(value.value) != dotted(node.value):
            return False
        theirs, ours = subscript_indices(value), subscript_indices(node)
        others = [ast.dump(one) for k, one in enumerate(theirs) if k != axis]
        if others != [ast.dump(one) for k, one in enumerate(ours) if k != axis]:
            return False
        if _beyond(value, axis, loop.target.id) != 0:
            return False
    return True


def _place(node: ast.Subscript, counters: set[str], sides: dict[str, bool]) -> Place | None:
    """Where a tally counts an index, never below zero."""
    for axis, index in enumerate(subscript_indices(node)):
        terms = linear(index) or {}
        (name, *others) = [one for one in terms if one] or [""]
        offset = terms.get("", 0)
        if others or name not in counters or name not in sides or terms[name] != 1:
            continue
        if offset >= (-1 if sides[name] else 0):
            return Place(axis, name, offset, sides[name])
    return None


def counted(
    region: Region,
    wholes: Wholes,
    loop: ast.For,
    places: Mapping[ast.Subscript, Place],
    start: Callable[[str], str],
) -> Region:
    """The region with the greatest values of the indices that tallies count, where known."""
    first, _, step = (wholes.whole(one) for one in getattr(loop.iter, "args", ()))
    if first is None or first.sides or step is None or step.text != "(1)":
        return region
    number = f"{region.dim_of(loop).name} - {first.text}"
    accesses: list[Access] = []
    for access in region.accesses:
        place = places.get(access.node)
        if place is not None and not _inside_loops(loop, place.name):
            steps = [s.value for s in adding(loop.body, place.name) if raises(s, place.name)]
            each = sum(constant_int(value) or 0 for value in steps)
            at_first = int(start(place.name)) + place.offset + each - (not place.raised)
            indices = list(access.indices)
            indices[place.axis] = Whole(f"({at_first} + {each} * ({number}))")
            access = replace(access, indices=tuple(indices))
        accesses.append(access)
    return replace(region, accesses=accesses)


def _inside_loops(loop: ast.For, name: str) -> bool:
    """Whether loops inside a loop set a name."""
    return any(name in stored(inner.body) for inner in loops(loop.body))


def _sides(
    body: Sequence[ast.stmt], names: set[str]
) -> Iterator[tuple[ast.Subscript, dict[str, bool]]]:
    """For each subscript, the tallies that are raised before it (true) or after it each time."""
    raised = {name: [k for k, s in enumerate(body) if raises(s, name)] for name in names}
    for position, statement in enumerate(body):
        here: dict[str, bool] = {}
        for name, places in raised.items():
            later = [k for k in places if k > position]
            earlier = [k for k in places if k < position]
            if later and not leaves(body[position : later[0]], (ast.Break, ast.Continue)):
                here[name] = False
            elif earlier and not later:
                here[name] = True
        inner: dict[int, dict[str, bool]] = {}
        for block in blocks(statement):
            inner |= {id(node): known for node, known in _sides(block, names)}
        for node in walk([statement]):
            if isinstance(node, ast.Subscript):
                yield node, here | inner.get(id(node), {})


def _counts(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether a name is only raised, by whole numbers."""
    return all(raises(statement, name) for statement in adding(body, name))
