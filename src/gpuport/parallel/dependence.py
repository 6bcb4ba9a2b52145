"""Whether iterations of a region conflict: exact for affine indices, by integer sets.

Two iterations conflict where one stores to an element that the other loads or stores to. The set
of such pairs is empty or not (Pugh, "The Omega test", Supercomputing 1991); isl decides it
(Verdoolaege, "isl: An Integer Set Library for the Polyhedral Model", ICMS 2010).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import islpy

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.facts.contexts import Parameter
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.queries import exits, walk
from gpuport.ir.structure import Op, Region, Value
from gpuport.parallel.accesses import Access, AccessReader, Range

#: Steps that isl may take for one question; a question that takes more is answered "may conflict".
MOST_OPERATIONS = 200_000


@dataclass(frozen=True, slots=True)
class Apart:
    """Two arrays that must not overlap for iterations to be independent: asked at the call."""

    one: Value
    other: Value


@dataclass
class _Names:
    """The names of symbols in a text for isl: loop indices, and parameters beside them."""

    indices: dict[Symbol, str]
    parameters: dict[Symbol, str] = field(default_factory=dict)

    def text(self, extent: Affine) -> str:
        parts = [f"{factor}*{self._name(symbol)}" for symbol, factor in extent.terms]
        return " + ".join([*parts, str(extent.constant)])

    def _name(self, symbol: Symbol) -> str:
        if symbol in self.indices:
            return self.indices[symbol]
        return self.parameters.setdefault(symbol, f"p{len(self.parameters)}")


@dataclass(frozen=True, slots=True)
class Independence:
    """On what it rests that iterations may run in any order.

    Attributes
    ----------
    apart : tuple of Apart
        Arrays of callers that have to be asked for overlap.
    shared : frozenset of Value
        Arrays of which iterations may update the same element: each update has to be one step.
    """

    apart: tuple[Apart, ...]
    shared: frozenset[Value]


def check_independent(region: ParallelRegion) -> Independence:
    """Check that iterations may run in any order; the map asks for what that rests on.

    An index that is shown not to be negative counts from the front: its ``Wrap`` goes.

    Raises
    ------
    Blocked
        Where two iterations may conflict.
    """
    reader = AccessReader(region.elements, _may_be_negative)
    accesses = reader.read(region)
    _settle(region.body, reader.settled)
    apart: dict[frozenset[Value], Apart] = {}
    shared: set[Value] = set()
    for store in accesses:
        for other in accesses if store.writes else ():
            if not _may_alias(region.elements, store.array, other.array, apart):
                continue
            if not _may_meet(store, other, len(region.grid)):
                continue
            if not store.commutes(other):
                raise _conflict(store, other)
            shared.add(store.array)
    asked = {("apart", pair.one, pair.other) for pair in apart.values()}
    needs = {*region.map.attributes["needs"], *asked}
    region.map.attributes["needs"] = tuple(sorted(needs, key=repr))
    region.vouch()
    return Independence(tuple(apart.values()), frozenset(shared))


def _may_be_negative(
    index: Affine, ranges: tuple[Range, ...], conditions: tuple[Affine, ...]
) -> bool:
    """Whether an index may be negative in some iteration in which the conditions hold."""
    names = _Names({r.symbol: f"x{k}" for k, r in enumerate(ranges)})
    holds = [*_domain(ranges, conditions, names), f"{names.text(index)} < 0"]
    return not _is_empty(list(names.indices.values()), holds, names.parameters)


def _settle(body: Region, settled: dict[Value, Value]) -> None:
    for op in list(walk(body)):
        op.operands = [settled.get(value, value) for value in op.operands]
        if op.results and op.results[0] in settled:
            op.parent.ops.remove(op)


def _may_meet(store: Access, other: Access, depth: int) -> bool:
    """Whether two iterations may reach the same element by these accesses."""
    one = _Names({r.symbol: f"x{k}a" for k, r in enumerate(store.ranges)})
    two = _Names({r.symbol: f"x{k}b" for k, r in enumerate(other.ranges)}, one.parameters)
    conditions = [
        *_domain(store.ranges, store.conditions, one),
        *_domain(other.ranges, other.conditions, two),
    ]
    for left, right in zip(store.indices, other.indices, strict=True):
        if left is not None and right is not None:
            conditions.append(f"{one.text(left)} = {two.text(right)}")
    differ = " or ".join(f"x{k}a < x{k}b or x{k}a > x{k}b" for k in range(depth))
    dimensions = [*one.indices.values(), *two.indices.values()]
    return not _is_empty(dimensions, [*conditions, f"({differ})"], one.parameters)


def _conflict(store: Access, other: Access) -> Blocked:
    if None in store.indices:
        return Blocked(
            f"which element of `{store.array.name}` an iteration stores to depends on data",
            store.op.span,
        )
    does = "stores to" if other.writes else "reads"
    return Blocked(
        f"an iteration {does} an element of `{other.array.name}` that another one stores to"
        f" (line {store.op.span.line})",
        other.op.span,
    )


def _domain(ranges: tuple[Range, ...], conditions: tuple[Affine, ...], names: _Names) -> list[str]:
    """The conditions under which something happens; unknown bounds leave it open."""
    found = [f"{names.text(condition)} >= 0" for condition in conditions]
    for place in ranges:
        name = names.indices[place.symbol]
        first, last = (place.low, place.high) if place.step > 0 else (place.high, place.low)
        if first is not None:
            found.append(f"{name} {'>=' if place.step > 0 else '>'} {names.text(first)}")
        if last is not None:
            found.append(f"{name} {'<' if place.step > 0 else '<='} {names.text(last)}")
        if abs(place.step) != 1 and place.low is not None:
            found.append(f"({name} - ({names.text(place.low)})) mod {abs(place.step)} = 0")
    return found


def _is_empty(dimensions: list[str], conditions: list[str], parameters: dict[Symbol, str]) -> bool:
    """Whether no point satisfies all conditions; extents are at least 0."""
    sizes = [f"{name} >= 0" for symbol, name in parameters.items() if _is_extent(symbol)]
    body = " and ".join([*conditions, *sizes]) or "true"
    context = islpy.Context()
    context.set_max_operations(MOST_OPERATIONS)
    text = f"[{', '.join(parameters.values())}] -> {{ [{', '.join(dimensions)}] : {body} }}"
    try:
        return bool(islpy.Set.read_from_str(context, text).is_empty())
    except islpy.Error:
        return False


def _is_extent(symbol: Symbol) -> bool:
    return bool(symbol.path) and symbol.path[-1][0] == "axis"


# -- which arrays may be the same


def _may_alias(
    elements: Elements, one: Value, other: Value, apart: dict[frozenset[Value], Apart]
) -> bool:
    """Whether two arrays may share memory; where only a call can tell, the pair is noted.

    What different operations allocate is never the same; a parameter may be any array that was
    made before the call.
    """
    if one is other:
        return True
    left, right = elements.type(one).sites, elements.type(other).sites
    swapped = swapped_ones(elements, one, other)
    if any(_is_fresh(elements, value) for value in swapped):
        return False
    if left is None or right is None or (left & right and not swapped):
        raise Blocked(f"`{one.name}` and `{other.name}` may share memory")
    if any(isinstance(site, Parameter) for site in left | right):
        apart[frozenset({one, other})] = Apart(one, other)
    return False


def _is_fresh(elements: Elements, value: Value) -> bool:
    """Whether an array is made where it gets its name: no caller has it."""
    made = value.definition
    return isinstance(made, Op) and elements.type(value).sites == frozenset[object]([made])


def swapped_ones(elements: Elements, one: Value, other: Value) -> tuple[Value, ...]:
    """The arrays with which a loop begins that does no more than swap them (ping-pong buffers).

    None for two that are not such; two that are stay different ones where they are at first.
    """
    region = one.definition
    if not isinstance(region, Region) or other.definition is not region:
        return ()
    loop = region.owner
    if not isinstance(loop, Op) or loop.kind != "For":
        return ()
    places = [region.parameters.index(value) for value in (one, other)]
    before = tuple(loop.operands[place] for place in places)
    left, right = (elements.type(value).sites for value in before)
    ends = list(exits(region, ("Continue", "Break")))
    swapped = all({end.operands[place - 1] for place in places} == {one, other} for end in ends)
    apart = left is not None and right is not None and not left & right
    return before if swapped and apart else ()
