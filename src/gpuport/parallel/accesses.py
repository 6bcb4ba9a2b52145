"""Loads and stores of a parallel region, with their index expressions over loop indices."""

from __future__ import annotations

from dataclasses import dataclass

from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.structure import Op, Region, Value


@dataclass(frozen=True, slots=True)
class Range:
    """An index and the affine bounds that it runs between; None for a bound that is not affine."""

    symbol: Symbol
    low: Affine | None
    high: Affine | None
    step: int


@dataclass(frozen=True, slots=True)
class Access:
    """One load or store under loops. An index that is not affine is None."""

    op: Op
    array: Value
    indices: tuple[Affine | None, ...]
    ranges: tuple[Range, ...]

    @property
    def writes(self) -> bool:
        """Whether it changes an element."""
        return self.op.kind in ("Store", "Update")

    def commutes(self, other: Access) -> bool:
        """Whether two updates of an element give the same in either order."""
        both = self.op.kind == other.op.kind == "Update"
        return both and self.op.attributes["operator"] == other.op.attributes["operator"]


class AccessReader:
    """Reads the accesses of a region, indices as affine expressions."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._known: dict[Value, Affine | None] = {}
        self.accesses: list[Access] = []

    def read(self, region: ParallelRegion) -> list[Access]:
        """All accesses of a parallel region, in order."""
        ranges = tuple(
            self._range(place.index, place.low, place.high, place.step) for place in region.grid
        )
        self._collect(region.body, ranges)
        return self.accesses

    def _range(self, index: Value, low: Value, high: Value, step: int) -> Range:
        symbol = Symbol(index, (), index.name or repr(index))
        self._known[index] = Affine.of(symbol)
        return Range(symbol, self.affine(low), self.affine(high), step)

    def _collect(self, region: Region, ranges: tuple[Range, ...]) -> None:
        for op in region.ops:
            if op.kind in ("Load", "Store", "Update"):
                array, *rest = op.operands
                indices = rest if op.kind == "Load" else rest[:-1]
                affine = tuple(self.affine(index) for index in indices)
                self.accesses.append(Access(op, array, affine, ranges))
            inner = self._inner(op, ranges)
            for each in op.regions:
                self._collect(each, inner)

    def _inner(self, op: Op, ranges: tuple[Range, ...]) -> tuple[Range, ...]:
        """The ranges inside an operation."""
        if op.kind == "For":
            over = op.operands[0].definition
            assert isinstance(over, Op), "serial loops of a region go over ranges"
            low, high, *step = over.operands
            size = self.affine(step[0]) if step else Affine((), 1)
            number = size.number if size is not None else None
            index = op.regions[0].parameters[0]
            return (*ranges, self._range(index, low, high, number or 1))
        if op.kind == "Reduce":
            index, step_of = op.regions[0].parameters[0], op.attributes["step"]
            return (*ranges, self._range(index, op.operands[0], op.operands[1], step_of))
        return ranges

    def affine(self, value: Value) -> Affine | None:
        """A value as an affine expression of indices, extents and numbers of the program."""
        if value not in self._known:
            self._known[value] = self._affine(value)
        return self._known[value]

    def _affine(self, value: Value) -> Affine | None:
        if value not in self._elements.like:
            return self._elements.type(value).integer
        made = value.definition
        if not isinstance(made, Op):
            return None
        if made.kind == "Const":
            number = made.attributes["value"]
            return Affine((), number) if type(number) is int else None
        if made.kind == "Extent":
            shape = self._elements.type(made.operands[0]).shape
            return shape[made.attributes["axis"]] if shape else None
        if made.kind == "Binary":
            return self._sum(made)
        return None

    def _sum(self, op: Op) -> Affine | None:
        left, right = (self.affine(value) for value in op.operands)
        if left is None or right is None:
            return None
        symbol = op.attributes["operator"]
        if symbol in ("+", "-"):
            return left + right if symbol == "+" else left - right
        if symbol == "*" and left.number is not None:
            return right * left.number
        if symbol == "*" and right.number is not None:
            return left * right.number
        return None
