"""Loop nests over elements as one ``Map`` each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuport.canonicalise.accumulation import Accumulated
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.domains import Domain, bind, loop_domain
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.statements import statement
from gpuport.canonicalise.writer import INDEX
from gpuport.facts.contexts import Context
from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import exits, is_inside, walk
from gpuport.ir.structure import Function, Op, Region, Value

DEEPEST = 3  #: loops of one grid at most
COMPUTES = frozenset({"Binary", "Unary", "Compare", "Iterate"})
EFFECTS = frozenset({"SetItem", "InPlace", "SetAttr", "Collect", "Opaque"})
INDEX_NAMES = "ijklmnop"
MAY_RAISE = frozenset({"/", "//", "%", "**", "<<", ">>"})


@dataclass(frozen=True, slots=True)
class Grid:
    """An index of a map, and the range that it goes over."""

    index: Value
    low: Value
    high: Value
    step: int


@dataclass(frozen=True, slots=True, eq=False)
class ParallelRegion:
    """A loop nest, or a chain of operations, as one map that is not in the IR yet.

    Attributes
    ----------
    replaces : tuple of Op
        The operations in whose place it may stand, in one region: where the last of them stands.
    prologue : Region
        What has to be computed before, and the map itself as its last operation.
    elements : Elements
        What its values are like, and what it needs.
    results : tuple of (Value, Value)
        Values of the program, and those that take their place.
    """

    replaces: tuple[Op, ...]
    prologue: Region
    map: Op
    grid: tuple[Grid, ...]
    elements: Elements
    results: tuple[tuple[Value, Value], ...]

    @property
    def body(self) -> Region:
        """What is done for each point of the grid."""
        return self.map.regions[0]

    def put_in(self) -> None:
        """Put the map in the place of the operations that it stands for."""
        home = self.replaces[-1].parent
        place = home.ops.index(self.replaces[-1]) + 1
        for op in self.prologue.ops:
            op.parent = home
        home.ops[place:place] = self.prologue.ops
        for op in self.replaces:
            home.ops.remove(op)
        new = dict(self.results)
        for context in self.elements.contexts:
            for old, made in self.results:
                if old in context.types:
                    context.types[made] = context.types[old]
        for op in walk(self.elements.function.body):
            op.operands = [new.get(value, value) for value in op.operands]


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
    if is_left_early(loop):
        raise Blocked("the loop is left before its end", loop.span)
    known = tuple(contexts)
    nest = nest_of(loop, depth)
    while True:
        try:
            return _map(function, known, nest)
        except Blocked:
            if len(nest) == 1:
                raise
            nest.pop()  # the innermost loop stays serial, inside an iteration


def _map(function: Function, contexts: tuple[Context, ...], nest: list[Op]) -> ParallelRegion:
    home = nest[0].regions[0]
    elements = Elements(
        function, contexts, nest[0].span, lambda op: is_inside(op, home), bound_here=home
    )
    prologue, body = elements.region, Region()
    grid: list[Grid] = []
    domains: list[Domain] = []
    for loop, name in zip(nest, INDEX_NAMES, strict=False):
        domain = loop_domain(elements, loop)
        index = elements.parameter(body, loop.regions[0].parameters[0].name or name, INDEX)
        grid.append(Grid(index, domain.low, domain.high, domain.step))
        domains.append(domain)
        if loop is not nest[-1]:
            for op in loop.regions[0].ops[:-1]:
                if not op.regions:
                    statement(elements, op)  # bounds of the loop inside
    _check_bounds(prologue)
    with elements.inside(body):
        for loop, domain, place in zip(nest, domains, grid, strict=True):
            bind(elements, loop, domain, place.index)
        inmost = nest[-1].regions[0]
        for value in inmost.parameters[1:]:
            if not elements.is_number(value):
                raise Blocked(f"`{value.name}` goes from one iteration to the next", loop.span)
            elements.numbers[value] = Accumulated(value)
        for op in inmost.ops[:-1]:
            statement(elements, op)
        totals = _totals(elements, inmost)
        elements.end("Yield", [value for _, value in totals])
    if not totals and not any(op.kind in ("Store", "Update") for op in walk(body)):
        raise Blocked("the loop stores nothing", nest[0].span)
    starts = tuple(elements.number(value) for value in nest[0].operands[1:])
    operators = tuple(operator for operator, _ in totals)
    put = Totals(operators, starts, tuple(nest[0].results))
    return finished(elements, (nest[0],), prologue, body, grid, put)


def _check_bounds(prologue: Region) -> None:
    """Refuse bounds that are no longer the same later, or that no round of no rounds computes."""
    for op in prologue.ops:
        if op.kind == "Load":
            raise Blocked("the bounds of a loop inside are read from an array", op.span)
        if op.kind == "Binary" and op.attributes["operator"] in MAY_RAISE:
            by = op.operands[1].definition
            if not (isinstance(by, Op) and by.kind == "Const" and by.attributes["value"]):
                raise Blocked("the bounds of a loop inside may raise", op.span)


def _totals(elements: Elements, region: Region) -> list[tuple[str, Value]]:
    """How each carried value is put together, and with what."""
    found: list[tuple[str, Value]] = []
    for parameter, value in zip(region.parameters[1:], region.terminator.operands, strict=True):
        total = elements.accumulated(value)
        if total is None:  # set anew in each iteration
            found.append(("last", elements.number(value)))
        elif total.start is not parameter or total.operator is None or total.term is None:
            raise Blocked(f"`{parameter.name}` goes from one iteration to the next")
        else:
            found.append((total.operator, total.term))
    return found


@dataclass(frozen=True, slots=True)
class Totals:
    """How the values that a map yields are put together, and with what they begin.

    ``program`` are the program's values that these are; ``results`` are arrays that the map fills
    beside them.
    """

    operators: tuple[str, ...] = ()
    starts: tuple[Value, ...] = ()
    program: tuple[Value, ...] = ()
    results: tuple[tuple[Value, Value], ...] = ()


def _only_computes(op: Op) -> bool:
    """Whether leaving an operation out changes nothing; those of a region do not raise."""
    return KINDS[op.kind].effect in (Effect.PURE, Effect.READ) or op.kind in COMPUTES


def sweep(region: Region) -> None:
    """Remove operations that only compute, and that nothing uses."""
    while True:
        used = {value for op in walk(region) for value in op.operands}
        unused = [
            op
            for op in walk(region)
            if op.results and _only_computes(op) and used.isdisjoint(op.results)
        ]
        for op in unused:
            op.parent.ops.remove(op)
        if not unused:
            return


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
            reductions=totals.operators,
            steps=tuple(place.step for place in grid),
            needs=tuple(sorted(elements.needs, key=repr)),
        )
    results = [*totals.results, *zip(totals.program, op.results, strict=True)]
    return ParallelRegion(replaces, prologue, op, tuple(grid), elements, tuple(results))
