"""What a call is asked before a loop is launched as a kernel, in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Value
from gpuport.parallel.cuda.expressions import SUMMED
from gpuport.parallel.cuda.kernels import NARROW, Argument, KernelText
from gpuport.parallel.intervals import Intervals
from gpuport.parallel.linear import Linear, atom, not_negative
from gpuport.parallel.numbers import Numbers
from gpuport.parallel.returning import Returned
from gpuport.parallel.typing import Type
from gpuport.parallel.wording import Wording
from gpuport.runtime.kernels.indices import indices_of
from gpuport.runtime.kernels.intervals import bounds_of

DOUBLE = frozenset({"float64", "complex128"})
LARGEST_SUM = 2**62


class Asking:
    """Writes the conditions of one kernel.

    Parameters
    ----------
    region : ParallelRegion
    numbers : Numbers
    wording : Wording
    arguments : mapping of Value to Argument
    name : callable
        What a value is called in the kernel; raises `Blocked` for one that is no argument.
    """

    def __init__(
        self,
        region: ParallelRegion,
        numbers: Numbers,
        wording: Wording,
        arguments: Mapping[Value, Argument],
        name: Callable[[Value], str],
    ) -> None:
        self.region, self.numbers, self.wording = region, numbers, wording
        self.arguments, self.name = arguments, name
        self.intervals = Intervals(region.body, region.grid, numbers, name, self._exact)

    def _exact(self, value: Value) -> Linear:
        return self.wording.exact(value, self.name)

    def conditions(self, kernel: KernelText, made: Returned, body: str) -> list[str]:
        """What the runtime has to ask; none where it finds the bounds of indices itself."""
        asked = [*self._constants(), *self._needs(), *self._kinds(made)]
        limits = [*self._least(), *self._fits(kernel), *self._counts(made)]
        asked += [*self._fits_truncated(kernel), *self._divisors(kernel)]
        own = self._own(kernel, body)
        asked += self.intervals.reals.finite  # of all numbers that anything was found out of
        return self._with_bounds(asked, limits, own)

    def _own(self, kernel: KernelText, body: str) -> set[str]:
        """Arrays of which the runtime does not find what their indices are, or is too strict."""
        arrays = {a.name for a in self.arguments.values() if a.is_array}
        ends = dict.fromkeys(kernel.indices, ("0", "0"))
        known = {a.name for a in self.arguments.values()}
        open_ends = bounds_of(body, indices_of(body, arrays, "loop"), ends, known)[1]
        guarded, plain = self.intervals.places(), self.intervals.places(guarded=False)
        differing = {
            self.name(op.operands[0])
            for (op, one), (_, other) in zip(list(guarded), list(plain), strict=True)
            if one != other
        }
        return differing | {array for array, _ in open_ends}

    def _with_bounds(self, asked: list[str], limits: list[Linear], own: set[str]) -> list[str]:
        """All conditions: what names an array has to say of it all that its indices need."""
        places = [(op, self.name(op.operands[0]), one) for op, one in self.intervals.places()]
        arrays = [a for a in self.arguments.values() if a.is_array]
        ranks = {a.name: len(self.numbers.known(a.value).shape or ()) for a in arrays}
        while True:
            needed = [*limits]
            for op, name, distance in places:
                if name in own and distance is None:
                    raise Blocked(
                        f"nothing tells that indices of `{op.operands[0].name}` stay in bounds",
                        op.span,
                    )
                if name in own and distance is not None:
                    needed.append(distance)
            try:
                found = list(dict.fromkeys([*asked, *not_negative(needed)]))
            except ValueError:
                raise Blocked(
                    "an index leaves its array, or a number its type, in all calls"
                ) from None
            said = {word for text in found for word in re.findall(r"\w+", text)} & ranks.keys()
            if said <= own:
                break
            own |= said
        return [*found, *(f"{name}.ndim == {ranks[name]}" for name in sorted(own - said))]

    def _constants(self) -> Iterator[str]:
        """Small sizes and numbers that are known in the program: the text is made for these."""
        for argument in self.arguments.values():
            known, made = self.numbers.known(argument.value), argument.value.definition
            for axis, extent in enumerate(known.shape or () if argument.is_array else ()):
                if extent is not None and extent.number is not None:
                    yield f"{argument.name}.shape[{axis}] == {extent.number}"
            said = isinstance(made, Op) and made.kind == "Const"
            if known.number is not None and not argument.is_array and not said:
                yield f"{argument.name} == {known.number}"

    def _needs(self) -> Iterator[str]:
        """What the map rests on; overlap, and how large numbers are, is asked anyway."""
        for what, *sides in self.region.map.attributes["needs"]:
            if what == "apart":
                if any(side not in self.arguments for side in sides):
                    raise Blocked("nothing can be asked of two arrays that must not overlap")
            elif what == "equal":
                left, right = (self.wording.extent(side, self.name) for side in sides)
                yield f"{left} == {right}"

    def _least(self) -> Iterator[Linear]:
        """What must not be negative for numbers to be as large as they have to."""
        for what, *sides in self.region.map.attributes["needs"]:
            if what == "least" and sides[1].number != -SUMMED:
                left, right = (self.wording.extent(side, self.name) for side in sides)
                yield left - right

    def _kinds(self, made: Returned) -> Iterator[str]:
        """Whether numbers are Python's, or NumPy's, where that makes a difference."""
        every = {a.dtype for a in self.arguments.values() if a.is_array}
        whole = {d for d in every if d not in DOUBLE | NARROW | {"bool"}}
        whole |= {"int64"} if made.totals else set()  # a number may be what is returned
        for argument in self.arguments.values():
            if argument.is_array:
                continue
            yield from self._kind(argument, self.numbers.of(argument.value), every, whole)

    def _kind(self, argument: Argument, t: Type, every: set[str], whole: set[str]) -> Iterator[str]:
        name = argument.name
        if t.dtype == "bool":
            if not self._is_tested(argument.value):
                yield f"type({name}) is bool" if t.weak else f"type({name}) is not bool"
        elif t.weak and t.kind == "i" and whole - {"int64"}:
            yield f"type({name}) is int"
        elif t.weak and t.kind == "f" and whole:
            yield f"type({name}) is not int"
        elif not t.weak and every & NARROW and t.dtype not in NARROW:
            raise Blocked(f"`{name}` is a number of {t.dtype} among those of single precision")
        elif not t.weak and t.kind == "i" and whole - {"int64"}:
            yield f"type({name}) is not int"
        elif not t.weak and t.dtype in NARROW and self._is_read(argument.value):
            yield f"type({name}) not in (int, float)"

    def _is_read(self, value: Value) -> bool:
        return any(value in op.operands for op in walk(self.region.body))

    def _is_tested(self, value: Value) -> bool:
        users = [op for op in walk(self.region.body) if value in op.operands]
        return all(op.kind == "If" for op in users)

    def _fits(self, kernel: KernelText) -> Iterator[Linear]:
        """What must not be negative for whole numbers of Python's to fit what they become."""
        for value, dtype, span in kernel.fits:
            if self.numbers.of(value).kind == "f":
                continue
            ends, limits = self.intervals.of(value), np.iinfo(dtype)
            if ends is None:
                raise Blocked(f"nothing tells that a whole number fits {dtype}", span)
            yield ends[0] - Linear((), int(limits.min))
            yield Linear((), int(limits.max)) - ends[1]

    def _fits_truncated(self, kernel: KernelText) -> Iterator[str]:
        """Whether floating numbers fit the whole ones that they become."""
        for value, dtype, span in kernel.fits:
            if self.numbers.of(value).kind != "f":
                continue
            ends, limits = self.intervals.reals.of(value), np.iinfo(dtype)
            if ends is None:
                raise Blocked(f"nothing tells that a number that becomes {dtype} is finite", span)
            yield f"{limits.min} <= {ends[0]}"
            yield f"{ends[1]} < {limits.max}"

    def _divisors(self, kernel: KernelText) -> Iterator[str]:
        """Whether no number of Python's is divided by zero."""
        for value, span in kernel.nonzero:
            ends = self.intervals.reals.of(value)
            if ends is None:
                raise Blocked("Python raises where it divides by zero", span)
            yield f"{ends[0]} != 0" if ends[0] == ends[1] else f"({ends[0]} > 0 or {ends[1]} < 0)"

    def _counts(self, made: Returned) -> Iterator[Linear]:
        """The same for sums of Python's whole numbers to fit 64 bits."""
        count = Linear((), 1)
        for place in self.region.grid:
            low, high = self.intervals.bounds(place)
            plain = place.step == 1 and low.number == 0
            steps = f"len(range({low}, {high}, {place.step}))"
            count = count * (high if plain else atom(steps, is_size=True))
        for term in made.counted:
            ends = self.intervals.of(term)
            if ends is None:
                raise Blocked("a sum of whole numbers may outgrow 64 bits", self.wording.loop.span)
            for end, sign in zip(ends, (1, -1), strict=True):
                if end.number is None or abs(end.number) > 1:
                    yield (end * count).times(sign) + Linear((), LARGEST_SUM)
