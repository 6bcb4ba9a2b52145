"""Arrays as functions from indices to elements.

An array that an expression makes is "delayed" (pull arrays, as in Repa: Keller et al., "Regular,
shape-polymorphic, parallel arrays in Haskell", ICFP 2010): `Elements.element` emits the operations
of one element. Chains of elementwise operations, products by rank, small vectors, slices,
transposes and reductions are cases of it, and a chain is the same as a loop: one ``Map`` over
extents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from gpuport.canonicalise.accumulation import Accumulated, Beyond, Reader
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.writer import INDEX, Writer, constant_of
from gpuport.facts.contexts import Context
from gpuport.ir.extents import Affine
from gpuport.ir.queries import is_inside
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.ir.types import NUMBERS, Assumptions, Type
from gpuport.records import Span

Indices = list[Value]
ElementOf = Callable[["Elements", Op, Type, Indices], Value]
ELEMENTS: dict[str, ElementOf] = {}
"""How each kind of operation that makes an array computes one element of it."""

#: What an operation gives that makes no array of its own.
VIEWS = frozenset({"GetItem", "GetAttr", "InPlace"})


def element_of(*kinds: str) -> Callable[[ElementOf], ElementOf]:
    """Register how an element of what an operation makes is computed."""

    def register(function: ElementOf) -> ElementOf:
        ELEMENTS.update(dict.fromkeys(kinds, function))
        return function

    return register


@dataclass
class Private:
    """A small array that an iteration makes for itself: its elements are numbers.

    ``home`` is the region in which it is made: a store in an inner one may not happen; ``changed``
    is when the last store was.
    """

    home: Region
    elements: dict[tuple[int, ...], Value] = field(default_factory=dict)
    changed: int = 0


class Elements(Writer):
    """Elements of the array expressions that a region, or a chain, makes.

    Parameters
    ----------
    made_here : callable
        Whether an operation is one of those that are rewritten; arrays made elsewhere are buffers.
    bound_here : Region, optional
        The body of the loop that is rewritten: what its regions bind is no value outside.
    has_size : callable
        Whether an array that is made here can be asked for its size all the same.

    Attributes
    ----------
    numbers : dict
        New values of the program's numbers; and what is put together with those that go from one
        iteration to the next.
    parts : dict
        What the parts of a tuple are that a loop goes over.
    rows : dict
        Arrays that a loop goes over row by row: the element of the loop is a row, at an index.
    stored : dict
        Sites of the buffers that the region has written so far, and when the last time was.
    times : dict
        When each operation of the program was reached: how many stores were before it.
    naturals : set
        Indices of loops that begin at 0 or later, and go up.
    needs, apart : set
        What the result rests on beside facts: extents that have to be equal, and arrays that must
        not overlap.
    collect : callable
        Stores what an operation adds to a list; whether it does that.
    reader : Reader or None
        Gives the value of a carried one where an iteration reads it; without it, that blocks.
    """

    def __init__(
        self,
        function: Function,
        contexts: Iterable[Context],
        span: Span,
        made_here: Callable[[Op], bool],
        bound_here: Region | None = None,
        has_size: Callable[[Op], bool] = lambda op: False,
    ) -> None:
        super().__init__(function, contexts, span)
        self._made_here, self._bound_here, self._has_size = made_here, bound_here, has_size
        self.numbers: dict[Value, Value | Accumulated | Beyond] = {}
        self.parts: dict[Value, list[Any]] = {}
        self.private: dict[Value, Private] = {}
        self.rows: dict[Value, tuple[Value, Value]] = {}
        self.stored: dict[object, int] = {}
        self.times: dict[Op, int] = {}
        self.clock = 0
        self.needs: set[tuple[str, Affine, Affine]] = set()
        self._since: int | None = None  # when the array was computed whose element is asked for
        self.seen: dict[tuple[object, ...], Value] = {}
        self.apart: set[tuple[str, Value, Value]] = set()
        self.naturals: set[Value] = set()
        self.reader: Reader | None = None
        self.collect: Callable[[Op], bool] = lambda op: False

    def counter(self, region: Region, name: str, natural: bool = True) -> Value:
        """The index of a loop; whether it begins at 0 or later, and goes up."""
        index = self.parameter(region, name, INDEX)
        if natural:
            self.naturals.add(index)
        return index

    @property
    def is_chain(self) -> bool:
        """Whether it is no loop that is rewritten."""
        return self._bound_here is None

    def made_here(self, value: Value) -> Op | None:
        """The operation that makes a value, where it is one of those that are rewritten."""
        made = value.definition
        return made if isinstance(made, Op) and self._made_here(made) else None

    def number(self, value: Value) -> Value:
        """A number of the program; those from outside are used as they are."""
        if value in self.numbers:
            found = self.numbers[value]
            if isinstance(found, Accumulated) and self.reader is not None:
                return self.reader.read(found)
            if not isinstance(found, Value):
                raise Blocked(f"`{found.start.name}` goes from one iteration to the next")
            return found
        if value in self.parts:
            raise Blocked("a tuple is used as a number")
        outside = self.made_here(value) is None and not self._is_bound_here(value)
        if not outside:
            span = value.definition.span if isinstance(value.definition, Op) else None
            raise Blocked("a value is not made of elements", span)
        return value

    def accumulated(self, value: Value) -> Accumulated | None:
        """What is put together with a value that goes from one iteration to the next."""
        found = self.numbers.get(value)
        return found if isinstance(found, Accumulated) else None

    def beyond(self, value: Value) -> Beyond | None:
        """The carried extreme that a condition compares with, where it is such a condition."""
        found = self.numbers.get(value)
        return found if isinstance(found, Beyond) else None

    def _is_bound_here(self, value: Value) -> bool:
        home = value.definition
        here = self._bound_here
        return here is not None and isinstance(home, Region) and is_inside(home, here)

    def element(self, value: Value, indices: Indices) -> Value:
        """The operations of ``value[indices]``."""
        t = self.type(value)
        if t.kind in NUMBERS:
            return self.number(value)
        if value in self.private:
            return self._of_private(value, indices)
        if t.kind != "array" or t.shape is None:
            raise Blocked(f"nothing tells the number of axes of `{value.name}`")
        if len(indices) != len(t.shape):
            raise Blocked(f"`{value.name}` has another number of axes than its index")
        self.rest_on(t.assumed)
        key = (self.region, value, *indices)
        if key not in self.seen:  # what several expressions share is computed once
            self.seen[key] = self._new_element(value, t, indices)
            found = self.seen[key]
            if (
                not found.name
                and isinstance(found.definition, Op)
                and found.definition.kind != "Load"
            ):
                found.name = value.name
        return self.seen[key]

    def _of_private(self, value: Value, indices: Indices) -> Value:
        if self._since is not None and self.private[value].changed > self._since:
            raise Blocked(f"`{value.name}` is changed between two reads")
        key = tuple(map(constant_of, indices))
        if key not in self.private[value].elements:
            raise Blocked(f"`{value.name}` has no such element")
        return self.private[value].elements[key]

    def snapshot(self, value: Value, indices: Indices) -> Value:
        """An element of an array as it was when what is computed of it was computed."""
        return self.element(value, indices)

    def note_store(self, array: Value) -> None:
        """Note that the memory of an array changes now."""
        self.clock += 1
        self.seen.clear()
        self.stored |= dict.fromkeys(self.type(array).sites or (None,), self.clock)

    def note_change(self, private: Private) -> None:
        """Note that a small array of the iteration's own changes now."""
        self.clock += 1
        self.seen.clear()
        private.changed = self.clock

    def is_changed_since(self, array: Value, time: int) -> bool:
        """Whether the memory of an array may have changed since a time."""
        sites = self.type(array).sites
        found = self.stored if sites is None else (None, *sites)
        return any(self.stored.get(site, 0) > time for site in found)

    def _new_element(self, value: Value, t: Type, indices: Indices) -> Value:
        if value in self.rows:
            array, index = self.rows[value]
            return self.element(array, [index, *indices])
        op = self.made_here(value)
        if op is None:
            if self._since is not None and self.is_changed_since(value, self._since):
                raise Blocked(f"`{value.name}` is changed between two reads")
            return self.value("Load", [value, *indices], value)
        how = ELEMENTS.get(op.kind)
        if how is None:
            raise Blocked(f"{op.kind} does not go element by element", op.span)
        if op.kind in VIEWS:
            return how(self, op, t, indices)
        before, self._since = self._since, self.times.get(op, 0)
        try:
            return how(self, op, t, indices)
        finally:
            self._since = before

    def operand(self, value: Value, indices: Indices, shape: tuple[Affine | None, ...]) -> Value:
        """An operand's element for an element of the result, as broadcasting pairs them."""
        t = self.type(value)
        if t.kind in NUMBERS:
            return self.number(value)
        if t.kind != "array" or t.shape is None:
            raise Blocked(f"a {t.kind} among arrays")
        own = indices[len(indices) - len(t.shape) :]
        whole = shape[len(shape) - len(own) :]
        paired = [
            self._paired(index, extent, result)
            for index, extent, result in zip(own, t.shape, whole, strict=True)
        ]
        return self.snapshot(value, paired)

    def _paired(self, index: Value, extent: Affine | None, result: Affine | None) -> Value:
        if extent is not None and extent.number == 1 and (result is None or result.number != 1):
            return self.const(0)
        if extent is None or result is None:
            raise Blocked("nothing tells whether two arrays have the same extents")
        if extent != result:
            self.need("equal", extent, result)
        return index

    # -- what the result rests on

    def need(self, what: str, one: Affine, other: Affine) -> None:
        """Ask that two extents are equal, or one at least the other, where the region is entered.

        Raises
        ------
        Blocked
            Where an extent is not known there yet.
        """
        for symbol in (*one.symbols, *other.symbols):
            made = self.made_here(symbol.source)
            inside = made is not None and not self._has_size(made)
            if inside or self._is_bound_here(symbol.source) or not self._is_mine(symbol.source):
                raise Blocked(f"nothing can be asked of {symbol} before the loop")
        if not (one.number is not None and other.number is not None):
            self.needs.add((what, one, other))
        elif one.number != other.number and not (what == "least" and one.number > other.number):
            raise Blocked(f"{one} is not {'at least ' if what == 'least' else ''}{other}")

    def _is_mine(self, value: Value) -> bool:
        home = value.definition
        while not isinstance(home, Function):
            home = home.parent if isinstance(home, Op) else home.owner
        return home is self.function

    def rest_on(self, assumed: Assumptions) -> None:
        """Ask for what is assumed of extents; what is assumed of parameters is asked elsewhere."""
        for assumption in assumed:
            if assumption.about == "equal":
                self.need("equal", *assumption.test)
            elif assumption.about == "least":
                extent, least = assumption.test
                self.need("least", extent, Affine((), least))
            elif assumption.about == "int64":
                (number,) = assumption.test
                self.need("least", number, Affine((), -(2**63)))
                self.need("least", -number, Affine((), 1 - 2**63))

    # -- extents

    def extent(self, base: Value, axis: int) -> Value:
        """The extent of an array along an axis, as a value."""
        if base in self.rows:
            return self.extent(self.rows[base][0], axis + 1)
        extent = (self.type(base).shape or ())[axis]
        if extent is not None and extent.number is not None:
            return self.const(extent.number)
        if self.made_here(base) is not None:
            return self.size(extent)
        if self._is_bound_here(base):
            raise Blocked(f"nothing tells the size of `{base.name}` before the loop")
        return self.value("Extent", [base], INDEX, axis=axis)

    def size(self, extent: Affine | None) -> Value:
        """An extent as operations on the arrays and numbers that its symbols are read from."""
        if extent is None:
            raise Blocked("nothing tells the size of an array")
        total: Value | None = None
        for symbol, factor in extent.terms:
            made = self.made_here(symbol.source)
            if made is not None and not self._has_size(made):
                raise Blocked(f"the size {symbol} is that of an array made here")
            if not symbol.path:
                part = self.number(symbol.source)
            elif symbol.source in self.rows and symbol.path[0][0] == "axis":
                part = self.extent(self.rows[symbol.source][0], symbol.path[0][1] + 1)
            elif self._is_bound_here(symbol.source):
                raise Blocked(f"the size {symbol} is that of an array of an iteration")
            elif len(symbol.path) == 1 and symbol.path[0][0] == "axis":
                part = self.value("Extent", [symbol.source], INDEX, axis=symbol.path[0][1])
            else:
                raise Blocked(f"the size {symbol} is no number of its own")
            if factor != 1:
                part = self.value("Binary", [part, self.const(factor)], INDEX, operator="*")
            total = part if total is None else self.sum(total, part)
        if total is None:
            return self.const(extent.constant)
        return self.sum(total, self.const(extent.constant)) if extent.constant else total
