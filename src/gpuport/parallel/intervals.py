"""Between which bounds whole numbers of a kernel stay, in Python that a call can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.grids import Grid
from gpuport.canonicalise.knowledge import element_rules
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Region, Value
from gpuport.parallel.guards import Guards, tightened
from gpuport.parallel.linear import Linear, atom, extreme, spoken
from gpuport.parallel.numbers import Numbers
from gpuport.parallel.reals import Reals

Ends = tuple[Linear, Linear]
ACCESSES = ("Load", "Store", "Update")


class Intervals:
    """The least and the largest values of what a region computes.

    Parameters
    ----------
    body : Region
    grid : tuple of Grid
    numbers : Numbers
    name : callable
        What an array is called; raises `Blocked` where it is no argument.
    exact : callable
        A whole number from outside.
    """

    def __init__(
        self,
        body: Region,
        grid: tuple[Grid, ...],
        numbers: Numbers,
        name: Callable[[Value], str],
        exact: Callable[[Value], Linear],
    ) -> None:
        self.body, self.numbers, self.name, self.exact = body, numbers, name, exact
        self._written = {op.operands[0] for op in walk(body) if op.kind in ("Store", "Update")}
        self.guarded = True
        self.guards = Guards(self._fixed)
        self.reals = Reals(numbers, self._spoken, name, self._written)
        self._known: dict[Value, Ends | None] = {}
        self._known |= {place.index: self._axis(place) for place in grid}

    def _axis(self, place: Grid) -> Ends:
        low, high = self.bounds(place)
        if place.step == 1:
            return low, high + Linear((), -1)
        last = atom(f"range({low}, {high}, {place.step})[-1]")
        return (low, last) if place.step > 0 else (last, low)

    def _fixed(self, value: Value) -> Linear | None:
        """A whole number that is the same at all points."""
        made = value.definition
        outside = value not in self.numbers.elements.like
        if not outside and not (isinstance(made, Op) and made.kind in ("Const", "Extent")):
            return None
        ends = self.of(value)
        return ends[0] if ends is not None and ends[0] == ends[1] else None

    def _spoken(self, value: Value) -> tuple[str, str] | None:
        ends = self.of(value)
        return None if ends is None else (spoken(ends[0]), spoken(ends[1]))

    def bounds(self, place: Grid) -> Ends:
        """Where an axis begins and ends."""
        ends = [self.of(place.low), self.of(place.high)]
        found = [one[0] for one in ends if one is not None and one[0] == one[1]]
        if len(found) < len(ends):
            raise Blocked("nothing says the bounds of the loop")
        return found[0], found[1]

    def of(self, value: Value) -> Ends | None:
        """The least and the largest value of a whole number; None where nothing tells them."""
        if value not in self._known:
            self._known[value] = None  # for what it may be made of itself
            self._known[value] = self._of(value)
        return self._known[value]

    def _of(self, value: Value) -> Ends | None:
        if self.numbers.of(value).kind not in "biu":
            return None
        made = value.definition
        if value not in self.numbers.elements.like:
            said = self.exact(value)
            return said, said
        if isinstance(made, Region):
            return self._index(made, value)
        if not isinstance(made, Op):
            return None
        way = self._WAYS.get(made.kind)
        return way(self, made, value) if way is not None else None

    def _index(self, home: Region, value: Value) -> Ends | None:
        """The index of a serial loop."""
        owner = home.owner
        if not isinstance(owner, Op) or value is not home.parameters[0]:
            return None
        if owner.kind == "Reduce":
            low, high, step = owner.operands[0], owner.operands[1], owner.attributes["step"]
        elif owner.kind == "For" and home is owner.regions[0]:
            over = owner.operands[0].definition
            assert isinstance(over, Op), "serial loops of a region go over ranges"
            low, high = over.operands[:2]
            by = over.operands[2].definition if len(over.operands) > 2 else None
            step = by.attributes["value"] if isinstance(by, Op) else 1
        else:
            return None
        first, last = self.of(low), self.of(high)
        if first is None or last is None:
            return None
        one = Linear((), 1)
        return (first[0], last[1] - one) if step > 0 else (last[0] + one, first[1])

    def _const(self, op: Op, value: Value) -> Ends:
        number = Linear((), int(op.attributes["value"]))
        return number, number

    def _extent(self, op: Op, value: Value) -> Ends:
        size = atom(f"{self.name(op.operands[0])}.shape[{op.attributes['axis']}]", is_size=True)
        return size, size

    def _binary(self, op: Op, value: Value) -> Ends | None:
        symbol = op.attributes["operator"]
        both = [self.of(operand) for operand in op.operands]
        one, other = both
        if one is None or other is None:
            return None
        if symbol == "+":
            return one[0] + other[0], one[1] + other[1]
        if symbol == "-":
            return one[0] - other[1], one[1] - other[0]
        if symbol == "*":
            return _product(one, other)
        by = other[0].number
        if symbol == "//" and by is not None and by > 0 and other[0] == other[1]:
            return _divided(one[0], by), _divided(one[1], by)
        if symbol == "%" and by is not None and by > 0 and other[0] == other[1]:
            return Linear(), Linear((), by - 1)
        return None

    def _load(self, op: Op, value: Value) -> Ends | None:
        array = op.operands[0]
        if array in self._written:
            return None
        name = self.name(array)
        return atom(f"int({name}.min())"), atom(f"int({name}.max())")

    def _wrap(self, op: Op, value: Value) -> Ends | None:
        size = self.of(op.operands[1])
        return None if size is None else (Linear(), size[1] + Linear((), -1))

    def _same(self, op: Op, value: Value) -> Ends | None:
        return self.of(op.operands[0])

    def _if(self, op: Op, value: Value) -> Ends | None:
        place = op.results.index(value)
        given: list[Ends | None] = []
        for region, holds in zip(op.regions, (True, False), strict=True):
            if region.terminator.kind == "Yield":
                with self._where(op.operands[0], holds=holds):
                    given.append(self.of(region.terminator.operands[place]))
        found = [one for one in given if one is not None]
        if len(found) < len(given):
            return None
        return extreme("min", (low for low, _ in found)), extreme("max", (h for _, h in found))

    @contextmanager
    def _where(self, test: Value, *, holds: bool) -> Iterator[None]:
        """Let indices have the ends that they have where a condition holds, or does not."""
        before = self._known
        bounds = self.guards.bounds(test, holds=holds) if self.guarded else iter(())
        changed = tightened(before, bounds)
        if changed:
            indices = {value: ends for value, ends in before.items() if _is_index(value)}
            self._known = {**indices, **changed}
        yield
        self._known = before

    def _elementwise(self, op: Op, value: Value) -> Ends | None:
        word = element_rules().between.get(op.attributes["path"])
        if len(op.operands) == 1 and self.numbers.of(op.operands[0]).kind == "f":
            real = self.reals.of(op.operands[0]) if word in ("same", "floor") else None
            below = "int({} // 1)" if word == "floor" else "int({})"
            return real and (atom(below.format(real[0])), atom(below.format(real[1])))
        ends = [self.of(operand) for operand in op.operands]
        found = [one for one in ends if one is not None]
        if word is None or len(found) < len(ends):
            return None
        if word in ("same", "floor"):
            return found[0]
        return extreme(word, (low for low, _ in found)), extreme(word, (high for _, high in found))

    _WAYS = {
        "Const": _const,
        "Extent": _extent,
        "Binary": _binary,
        "Load": _load,
        "Wrap": _wrap,
        "Cast": _same,
        "If": _if,
        "Elementwise": _elementwise,
    }

    def places(self, *, guarded: bool = True) -> Iterator[tuple[Op, Linear | None]]:
        """What must not be negative for all elements that are loaded or stored to be there.

        None for an index of which nothing is known.

        Parameters
        ----------
        guarded : bool
            Whether conditions around an access count.
        """
        before, self.guarded = self._known, guarded
        self._known = {value: ends for value, ends in before.items() if _is_index(value)}
        yield from self._places(self.body)
        self._known, self.guarded = before, True

    def _places(self, region: Region) -> Iterator[tuple[Op, Linear | None]]:
        with ExitStack() as stack:
            for op in region.ops:
                if op.kind in ACCESSES:
                    yield from self._of_access(op)
                for inner, holds in zip(op.regions, (True, False, None), strict=False):
                    if op.kind != "If":
                        yield from self._places(inner)
                        continue
                    with self._where(op.operands[0], holds=bool(holds)):
                        yield from self._places(inner)
                for inner, holds in zip(
                    op.regions if op.kind == "If" else (), (True, False), strict=False
                ):
                    if inner.terminator.kind in ("Continue", "Break"):
                        stack.enter_context(self._where(op.operands[0], holds=not holds))

    def _of_access(self, op: Op) -> Iterator[tuple[Op, Linear | None]]:
        indices = op.operands[1:] if op.kind == "Load" else op.operands[1:-1]
        for axis, index in enumerate(indices):
            size = atom(f"{self.name(op.operands[0])}.shape[{axis}]", is_size=True)
            yield from ((op, distance) for distance in self._inside(index, size))

    def _inside(self, index: Value, size: Linear) -> list[Linear | None]:
        made, least = index.definition, Linear()
        if isinstance(made, Op) and made.kind == "Wrap":
            index, least = made.operands[0], size.times(-1)
        ends = self.of(index)
        if ends is None:
            return [None]
        return [ends[0] - least, size - ends[1] + Linear((), -1)]


def _is_index(value: Value) -> bool:
    return isinstance(value.definition, Region)


def _product(one: Ends, other: Ends) -> Ends:
    if one[0] == one[1] and one[0].number is not None:
        one, other = other, one
    factor = other[0].number
    if other[0] == other[1] and factor is not None:
        ends = one[0].times(factor), one[1].times(factor)
        return ends if factor >= 0 else ends[::-1]
    if one[0].is_natural and other[0].is_natural:
        return one[0] * other[0], one[1] * other[1]
    corners = [a * b for a in one for b in other]
    return extreme("min", corners), extreme("max", corners)


def _divided(number: Linear, by: int) -> Linear:
    if number.number is not None:
        return Linear((), number.number // by)
    return atom(f"({number}) // {by}", is_size=number.is_natural)
