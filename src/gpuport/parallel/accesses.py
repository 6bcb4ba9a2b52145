"""Loads and stores of a parallel region, with their index expressions over loop indices."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.structure import Op, Region, Value

MOST_PIECES = 8  #: of one index


@dataclass(frozen=True, slots=True)
class Range:
    """An index and the affine bounds that it runs between; None for a bound that is not affine."""

    symbol: Symbol
    low: Affine | None
    high: Affine | None
    step: int


@dataclass(frozen=True, slots=True)
class Piece:
    """What an index is where some conditions hold, each an expression that is not negative."""

    index: Affine
    conditions: tuple[Affine, ...] = ()


#: An index that is another affine expression here and there; None for one that depends on data.
Pieces = tuple[Piece, ...] | None
#: Whether an expression may be negative in ranges, where conditions hold.
MayBeNegative = Callable[[Affine, tuple[Range, ...], tuple[Affine, ...]], bool]


@dataclass(frozen=True, slots=True)
class Access:
    """One load or store under loops, where some conditions hold.

    An index that is not affine is None.
    """

    op: Op
    array: Value
    indices: tuple[Affine | None, ...]
    ranges: tuple[Range, ...]
    conditions: tuple[Affine, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether it changes an element."""
        return self.op.kind in ("Store", "Update")

    def commutes(self, other: Access) -> bool:
        """Whether two updates of an element give the same in either order."""
        both = self.op.kind == other.op.kind == "Update"
        return both and self.op.attributes["operator"] == other.op.attributes["operator"]


class AccessReader:
    """Reads the accesses of a region, indices as affine expressions.

    Attributes
    ----------
    settled : dict
        Indices that were found not to be negative, and what they are then.
    """

    def __init__(self, elements: Elements, may_be_negative: MayBeNegative) -> None:
        self._elements, self._may_be_negative = elements, may_be_negative
        self._known: dict[Value, Pieces] = {}
        self.accesses: list[Access] = []
        self.settled: dict[Value, Value] = {}

    def read(self, region: ParallelRegion) -> list[Access]:
        """All accesses of a parallel region, in order."""
        ranges = tuple(
            self._range(place.index, place.low, place.high, place.step) for place in region.grid
        )
        self._collect(region.body, ranges)
        return self.accesses

    def _range(self, index: Value, low: Value, high: Value, step: int) -> Range:
        symbol = Symbol(index, (), index.name or repr(index))
        self._known[index] = (Piece(Affine.of(symbol)),)
        return Range(symbol, self.affine(low), self.affine(high), step)

    def _collect(self, region: Region, ranges: tuple[Range, ...]) -> None:
        for op in region.ops:
            if op.kind == "Wrap":
                self._known[op.result] = self._wrapped(op, ranges)
            if op.kind in ("Load", "Store", "Update"):
                self._add(op, ranges)
            inner = self._inner(op, ranges)
            for each in op.regions:
                self._collect(each, inner)

    def _add(self, op: Op, ranges: tuple[Range, ...]) -> None:
        array, *rest = op.operands
        indices = rest if op.kind == "Load" else rest[:-1]
        choices = [self.pieces(index) or (None,) for index in indices]
        for chosen in itertools.product(*choices):
            places = tuple(piece.index if piece else None for piece in chosen)
            conditions = tuple(c for piece in chosen if piece for c in piece.conditions)
            self.accesses.append(Access(op, array, places, ranges, conditions))

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

    def _wrapped(self, op: Op, ranges: tuple[Range, ...]) -> Pieces:
        """An index that counts from the end where it is negative, or the start of a slice."""
        index, size = op.operands
        pieces, length = self.pieces(index), self.affine(size)
        found: list[Piece] = []
        for piece in pieces or ():
            if not self._may_be_negative(piece.index, ranges, piece.conditions):
                found.append(piece)
                continue
            if op.attributes["clamped"]:
                raise Blocked("the start of a slice may be negative", op.span)
            if length is None:
                return None
            # elements that are not there are asked for: each is one of the array's
            front = (piece.index, length - piece.index - 1)
            back = (piece.index * -1 - 1, piece.index + length)
            found.append(Piece(piece.index, (*piece.conditions, *front)))
            found.append(Piece(piece.index + length, (*piece.conditions, *back)))
        if pieces and found == list(pieces):
            self.settled[op.result] = self.settled.get(index, index)
        elif not pieces and op.attributes["clamped"]:
            raise Blocked("the start of a slice depends on data", op.span)
        return tuple(found) if 0 < len(found) <= MOST_PIECES else None

    def affine(self, value: Value) -> Affine | None:
        """A value as one affine expression of indices, extents and numbers of the program."""
        pieces = self.pieces(value)
        whole = pieces is not None and len(pieces) == 1 and not pieces[0].conditions
        return pieces[0].index if pieces and whole else None

    def pieces(self, value: Value) -> Pieces:
        """A value as affine expressions, each where its conditions hold."""
        if value not in self._known:
            self._known[value] = self._pieces(value)
        return self._known[value]

    def _pieces(self, value: Value) -> Pieces:
        found: Affine | None = None
        made = value.definition
        if value not in self._elements.like:
            found = self._elements.type(value).integer
        elif not isinstance(made, Op):
            return None
        elif made.kind == "Const":
            number = made.attributes["value"]
            found = Affine((), number) if type(number) is int else None
        elif made.kind == "Extent":
            shape = self._elements.type(made.operands[0]).shape
            found = shape[made.attributes["axis"]] if shape else None
        elif made.kind == "Binary":
            return self._sum(made)
        return None if found is None else (Piece(found),)

    def _sum(self, op: Op) -> Pieces:
        left, right = (self.pieces(value) for value in op.operands)
        if left is None or right is None or len(left) * len(right) > MOST_PIECES:
            return None
        found = [
            (_combined(op.attributes["operator"], one.index, other.index), one, other)
            for one in left
            for other in right
        ]
        pieces = [
            Piece(index, (*one.conditions, *other.conditions))
            for index, one, other in found
            if index is not None
        ]
        return tuple(pieces) if len(pieces) == len(found) else None


def _combined(symbol: str, left: Affine, right: Affine) -> Affine | None:
    if symbol in ("+", "-"):
        return left + right if symbol == "+" else left - right
    if symbol == "*" and left.number is not None:
        return right * left.number
    if symbol == "*" and right.number is not None:
        return left * right.number
    return None
