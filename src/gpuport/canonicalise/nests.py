"""Loop nests over elements as one ``Map`` each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gpuport.canonicalise.accumulation import Accumulated
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.collecting import Collecting
from gpuport.canonicalise.domains import Domain, bind, goes_up, loop_domain
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.goingon import straighten
from gpuport.canonicalise.grids import MAY_RAISE, Grid
from gpuport.canonicalise.renaming import renamed
from gpuport.canonicalise.scans import Scans
from gpuport.canonicalise.searches import check_search, searched
from gpuport.canonicalise.statements import statement, statements
from gpuport.canonicalise.sureness import check_sure
from gpuport.canonicalise.sweeping import sweep
from gpuport.canonicalise.totals import Totals, carried_totals, totals_of
from gpuport.facts.contexts import Context
from gpuport.ir.queries import exits, is_inside, walk
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.ir.types import mapped

DEEPEST = 3  #: loops of one grid at most
EFFECTS = frozenset({"SetItem", "InPlace", "SetAttr", "Collect", "Opaque"})
INDEX_NAMES = "ijklmnop"


@dataclass(frozen=True, slots=True, eq=False)
class ParallelRegion:
    """A loop nest, or a chain of operations, as one map that is not in the IR yet.

    Attributes
    ----------
    replaces : tuple of Op
        The operations in whose place it may stand, in one region: where the last of them stands.
    prologue : Region
        What has to be computed before, the map itself, and what is made of its results.
    elements : Elements
        What its values are like, and what it needs.
    results : tuple of (Value, Value)
        Values of the program, and those that take their place.
    drops : tuple of Op
        Further operations whose results these are.
    loads : tuple of Op
        What was moved out of the loop before.
    reads : frozenset of Value
        What the loop as it is written uses otherwise than by looking up attributes.
    """

    replaces: tuple[Op, ...]
    prologue: Region
    map: Op
    grid: tuple[Grid, ...]
    elements: Elements
    results: tuple[tuple[Value, Value], ...]
    drops: tuple[Op, ...] = ()
    loads: tuple[Op, ...] = ()
    reads: frozenset[Value] = frozenset()
    _vouched: list[bool] = field(default_factory=list)

    @property
    def body(self) -> Region:
        """What is done for each point of the grid."""
        return self.map.regions[0]

    def _tell_types(self, context: Context, new: dict[Value, Value]) -> None:
        """Give new values the types of old ones, and extents of old ones as those of new ones."""
        for old, made in self.results:
            if old in context.types:
                context.types[made] = context.types[old]
        if self.drops:
            for value, t in list(context.types.items()):
                context.types[value] = mapped(t, lambda extent: renamed(extent, new))

    def vouch(self) -> None:
        """Say that the points of the map may come in any order: somebody has checked it."""
        self._vouched.append(True)

    def put_in(self) -> None:
        """Put the map in the place of the operations that it stands for.

        Raises
        ------
        ValueError
            Where nobody has checked that points may come in any order.
        """
        if not self._vouched:
            raise ValueError("a map of which nobody knows whether its points are independent")
        home = self.replaces[-1].parent
        place = home.ops.index(self.replaces[-1]) + 1
        for op in self.prologue.ops:
            op.parent = home
        home.ops[place:place] = self.prologue.ops
        for op in self.replaces:
            home.ops.remove(op)
        for op in self.drops:
            op.parent.ops.remove(op)
        new = dict(self.results)
        for context in self.elements.contexts:
            self._tell_types(context, new)
        for op in walk(self.elements.function.body):
            op.operands = [new.get(value, value) for value in op.operands]
            if op.kind == "Map":
                needs = op.attributes["needs"]
                op.attributes["needs"] = tuple(tuple(new.get(v, v) for v in need) for need in needs)
        for head in self.elements.function.heads.values():
            head.values = {name: new.get(value, value) for name, value in head.values.items()}


def is_left_early(loop: Op) -> bool:
    """Whether a loop may end before its domain is used up, or goes on after it in an ``else``."""
    early = any(True for _ in exits(loop.regions[0], ("Break", "Return", "Raise")))
    return early or loop.regions[1].terminator.kind != "Yield" or len(loop.regions[1].ops) > 1


def nest_of(loop: Op, depth: int) -> list[Op]:
    """A loop and those directly inside it, where nothing else happens between them."""
    nest = [loop]
    while len(nest) < depth:
        inner = _only_loop(nest[-1])
        if inner is None:
            break
        nest.append(inner)
    return nest


def _only_loop(loop: Op) -> Op | None:
    """The only operation with an effect in the body of a loop, where that is a loop itself."""
    body = loop.regions[0].ops
    with_regions = [op for op in body if op.regions]
    effects = [
        op for op in body if op.kind in ("SetItem", "InPlace", "SetAttr", "Collect", "Opaque")
    ]
    if len(with_regions) != 1 or effects:
        return None
    (inner,) = with_regions
    if inner.kind != "For" or is_left_early(inner):
        return None
    hands_in = inner.operands[1:] == loop.regions[0].parameters[1:]
    hands_on = body[-1].operands == inner.results
    return inner if hands_in and hands_on else None


def map_of_nest(
    function: Function, contexts: Iterable[Context], loop: Op, depth: int = DEEPEST
) -> ParallelRegion:
    """A loop nest over elements as a map; whether its iterations may run in any order is not asked.

    Raises
    ------
    Blocked
        With the reason why it is none.
    """
    known = tuple(contexts)
    if is_left_early(loop):
        check_search(loop)
        return _map(function, known, [loop])
    nest = nest_of(loop, depth)
    for one in nest:
        straighten(function, known, one)
    while True:
        try:
            return _map(function, known, nest)
        except Blocked:
            if len(nest) == 1 and not loop.results:
                raise
            if len(nest) == 1:
                break
            nest.pop()  # the innermost loop stays serial, inside an iteration
    return _map(function, known, nest, with_scans=True)


def _map(
    function: Function, contexts: tuple[Context, ...], nest: list[Op], *, with_scans: bool = False
) -> ParallelRegion:
    home = nest[0].regions[0]
    elements = Elements(
        function, contexts, nest[0].span, lambda op: is_inside(op, home), bound_here=home
    )
    prologue, body = elements.region, Region()
    axes = _axes(elements, nest, body)
    grid, domains = [axis.grid for axis in axes], [axis.domain for axis in axes]
    _check_bounds(prologue)
    collecting = Collecting(elements, nest[0])
    if len(nest) == 1:
        collecting.declare(domains[0])
        elements.collect = collecting.take
    with elements.inside(body):
        collecting.begin(grid[0].index, grid[0].low)
        for axis in axes:
            bind(elements, axis.loop, axis.domain, axis.grid.index)
            first = len(body.ops)
            for op in axis.inside:
                statement(elements, op)
            check_sure(elements, body.ops[first:], grid)  # of what stands between two loops
        inmost = nest[-1].regions[0]
        for value in inmost.parameters[1:]:
            if not elements.is_number(value):
                raise Blocked(f"`{value.name}` goes from one iteration to the next", nest[-1].span)
            elements.numbers[value] = Accumulated(value)
        scans = Scans(elements, nest[0], grid[0].index, grid[0].low, grid[0].step)
        elements.reader = scans if with_scans else None
        if is_left_early(nest[0]):
            found = searched(elements, inmost)
        else:
            statements(elements, inmost)
            found = carried_totals(elements, inmost)
    rest, scanned = scans.finish(prologue, body, grid[0].high, found)
    with elements.inside(body):
        elements.end("Yield", [value for total in rest for value in total.terms])
    if not found and not any(op.kind in ("Store", "Update") for op in walk(body)):
        raise Blocked("the loop stores nothing", nest[0].span)
    put = replace(totals_of(elements, nest[0], rest), results=scanned)
    replaces = (*collecting.replaces, nest[0]) if len(nest) == 1 else (nest[0],)
    made = finished(elements, replaces, prologue, body, grid, put)
    with elements.inside(prologue):
        collected = collecting.finish()
    return replace(made, results=(*made.results, *collected), drops=collecting.drops)


@dataclass(frozen=True, slots=True)
class _Axis:
    """A loop of a nest, and the operations between it and the one inside it."""

    loop: Op
    domain: Domain
    grid: Grid
    inside: list[Op]


def _axes(elements: Elements, nest: list[Op], body: Region) -> list[_Axis]:
    """The indices of a nest, with their bounds, which are computed before it."""
    found: list[_Axis] = []
    for loop, inner, name in zip(nest, [*nest[1:], None], INDEX_NAMES, strict=False):
        domain = loop_domain(elements, loop)
        named = loop.regions[0].parameters[0].name or name
        index = elements.counter(body, named, goes_up(elements, domain))
        grid = Grid(index, domain.low, domain.high, domain.step)
        inside = _bounds_first(elements, loop, inner) if inner is not None else []
        found.append(_Axis(loop, domain, grid, inside))
    return found


def _bounds_first(elements: Elements, loop: Op, inner: Op) -> list[Op]:
    """Compute the bounds of a loop inside; the operations that belong to an iteration are left."""
    here = [op for op in loop.regions[0].ops[:-1] if not op.regions]
    needed: set[Op] = set()
    waiting = [inner.operands[0]]
    while waiting:
        made = waiting.pop().definition
        if isinstance(made, Op) and made in here and made not in needed:
            needed.add(made)
            waiting += made.operands
    for op in here:
        if op in needed:
            statement(elements, op)
    return [op for op in here if op not in needed]


def _check_bounds(prologue: Region) -> None:
    """Refuse bounds that are no longer the same later, or that no round of no rounds computes."""
    for op in prologue.ops:
        if op.kind == "Load":
            raise Blocked("the bounds of a loop inside are read from an array", op.span)
        if op.kind == "Binary" and op.attributes["operator"] in MAY_RAISE:
            by = op.operands[1].definition
            if not (isinstance(by, Op) and by.kind == "Const" and by.attributes["value"]):
                raise Blocked("the bounds of a loop inside may raise", op.span)


def finished(
    elements: Elements,
    replaces: tuple[Op, ...],
    prologue: Region,
    body: Region,
    grid: list[Grid],
    totals: Totals,
) -> ParallelRegion:
    """Close a map behind its prologue, without what nothing uses."""
    sweep(body)
    bounds = [value for place in grid for value in (place.low, place.high)]
    with elements.inside(prologue):
        op = elements.emit(
            "Map",
            [*bounds, *totals.starts],
            totals.program,
            regions=(body,),
            reductions=totals.reductions,
            steps=tuple(place.step for place in grid),
            needs=(*sorted(elements.needs, key=repr), *sorted(elements.apart, key=repr)),
        )
    results = [*totals.results, *zip(totals.program, op.results, strict=True)]
    return ParallelRegion(replaces, prologue, op, tuple(grid), elements, tuple(results))
