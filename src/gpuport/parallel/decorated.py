"""A loop as a function that a kernel stands for: all that ``gpuport.runtime.kernel`` needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.facts.contexts import Context
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Value
from gpuport.ir.types import NUMBERS, UNKNOWN, assumptions
from gpuport.parallel.cuda.expressions import SUMMED
from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.kernels import NARROW, Argument, KernelText, kernel_text
from gpuport.parallel.dependence import Independence
from gpuport.parallel.intervals import Intervals
from gpuport.parallel.linear import Linear, atom, not_negative
from gpuport.parallel.numbers import Numbers
from gpuport.parallel.returning import Returned, returned
from gpuport.parallel.typing import Type
from gpuport.parallel.wording import Wording
from gpuport.records import Span
from gpuport.runtime.kernels.indices import indices_of
from gpuport.runtime.kernels.intervals import bounds_of
from gpuport.runtime.kernels.weak import HELPERS

WEAK = {"int64": "int", "float64": "float", "bool": "bool", "complex128": "complex128"}
PLAIN = NUMBERS | {"array"}
OBJECTS = frozenset({"record", "class", "module"})
UNUSED = frozenset({"none", "string", "tuple", "list", "unknown"})  #: where the loop uses none
DOUBLE = frozenset({"float64", "complex128"})
LARGEST_SUM = 2**62


@dataclass(frozen=True, slots=True)
class Decorated:
    """A loop, as the function of Python's that stands for it and the kernel above that.

    The body of the function is the text of the loop, in which the arguments go by their names.

    Attributes
    ----------
    inputs, outputs, over, where, returns, preamble : str
        As `gpuport.runtime.kernel` has them.
    body : tuple of str
        Lines of CUDA.
    arguments : tuple of (str, str)
        The parameters of the function, and what is handed in: expressions of the program, in the
        place of which the parameters stand in the text of the loop.
    assigned : tuple of str
        Names of the program to which what the function gives is assigned, and which it returns.
    span : Span
        What the call takes the place of.
    assumptions : tuple of str
        What it rests on that nothing asks at the call.
    notes : tuple of (Span, str)
        What Python raises where the kernel gives a value.
    """

    inputs: str
    outputs: str
    body: tuple[str, ...]
    over: str
    where: str
    returns: str
    preamble: str
    arguments: tuple[tuple[str, str], ...]
    assigned: tuple[str, ...]
    span: Span
    assumptions: tuple[str, ...]
    notes: tuple[tuple[Span, str], ...]


def decorated(region: ParallelRegion, context: Context, independence: Independence) -> Decorated:
    """A loop nest as a decorated function.

    Raises
    ------
    Blocked
        Where its domain, its bounds or its results cannot be said in words of the program, or where
        a kernel computes something else.
    """
    return _Writer(region, context, independence).write()


class _Writer:
    def __init__(
        self, region: ParallelRegion, context: Context, independence: Independence
    ) -> None:
        self.region, self.context, self.independence = region, context, independence
        self.wording = Wording(region)
        self.numbers = Numbers(region.elements, context)
        self.arguments: dict[Value, Argument] = {}

    def write(self) -> Decorated:
        """All of it."""
        self._check()
        called = {value: self.wording.text(value) for value in self._wanted()}
        shared = self.independence.shared
        kernel = kernel_text(self.region, self.context, shared, called, self.wording.head.words)
        given = (*kernel.inputs, *kernel.outputs)
        self.arguments = {argument.value: argument for argument in given}
        made = returned(self.region, kernel, self.context, self._name)
        if made.totals and kernel.outputs:
            raise Blocked("the loop stores to arrays and computes numbers as well")
        body = (*kernel.body, *made.lines, *(f"{t.name} = {t.text};" for t in made.totals))
        self.intervals = Intervals(
            self.region.body, self.region.grid, self.numbers, self._name, self._exact
        )
        over = ", ".join(self._axes(kernel))
        where = " and ".join(self._conditions(kernel, made, "\n".join(body)))
        outputs = [*(a.text for a in kernel.outputs), *(f"{t.dtype} {t.name}" for t in made.totals)]
        return Decorated(
            inputs=", ".join(self._said(argument) for argument in kernel.inputs),
            outputs=", ".join(outputs),
            body=body,
            over=over,
            where=where,
            returns=", ".join(made.texts),
            preamble=used_by("\n".join(body), frozenset(HELPERS)),
            arguments=tuple((a.name, self.wording.text(a.value)) for a in given),
            assigned=made.names,
            span=self.wording.loop.span,
            assumptions=tuple(sorted(map(repr, self._assumed()))),
            notes=kernel.notes,
        )

    # -- what may be said

    def _check(self) -> None:
        """Refuse what is no loop of one kernel: arrays made before, or behind."""
        for op in self.region.prologue.ops:
            if op.kind in ("Alloc", "Scan", "Compact"):
                raise Blocked("the loop makes arrays of running totals, or of what it collects")
        loop, head = self.wording.loop, self.wording.head
        for name in sorted(head.words & head.values.keys()):
            kind = self._kind_of(head.values[name])
            if kind not in PLAIN | OBJECTS | UNUSED:
                raise Blocked(f"`{name}` is no array and no number", loop.span)
        read = {value: self.wording.text(value) for value in self.wording.loaded_objects()}
        for value, text in (self.wording.named() | read).items():
            kind = self._kind_of(value)
            looked_into = kind in OBJECTS and self._is_looked_into(value)
            if kind not in PLAIN and not looked_into:
                raise Blocked(f"`{text}` is no array and no number", loop.span)

    def _kind_of(self, value: Value) -> str:
        return self.context.types.get(value, UNKNOWN).kind

    def _is_looked_into(self, value: Value) -> bool:
        """Whether an object is there for its attributes alone, which are arguments."""
        loop = self.wording.loop
        inside = [op for r in loop.regions for op in walk(r)]
        return not any(value in op.operands for op in (loop, *inside))

    def _wanted(self) -> Iterator[Value]:
        """Values that are arguments whatever the kernel reads: those that Python reads."""
        found: dict[Value, None] = {}

        def note(value: Value) -> str:
            found[value] = None
            return "_"

        for value in (*self.wording.named(), *self.wording.loaded()):
            if self._kind_of(value) in PLAIN:
                found[value] = None
        for place in self.region.grid:
            for end in (place.low, place.high):
                if end not in self.region.elements.like:
                    self.wording.exact(end, note)
        for what, *sides in self.region.map.attributes["needs"]:
            for side in sides if what != "apart" else ():
                self.wording.extent(side, note)
        starts = self.region.map.operands[2 * len(self.region.grid) :]
        return iter(dict.fromkeys([*found, *starts]))

    def _name(self, value: Value) -> str:
        if value not in self.arguments:
            raise Blocked(f"`{value.name}` is no argument of the kernel")
        return self.arguments[value].name

    def _exact(self, value: Value) -> Linear:
        return self.wording.exact(value, self._name)

    def _axes(self, kernel: KernelText) -> Iterator[str]:
        for name, place in zip(kernel.indices, self.region.grid, strict=True):
            bounds = list(map(str, self.intervals.bounds(place)))
            if place.step != 1:
                bounds.append(str(place.step))
            elif bounds[0] == "0":
                bounds = bounds[1:]
            yield f"{name} in range({', '.join(bounds)})"

    def _said(self, argument: Argument) -> str:
        if argument.is_array:
            return argument.text
        t = self.numbers.of(argument.value)
        return f"{WEAK[t.dtype] if t.weak else t.dtype} {argument.name}"

    # -- what is asked at the call

    def _conditions(self, kernel: KernelText, made: Returned, body: str) -> list[str]:
        """What the runtime has to ask; none where it finds the bounds of indices itself."""
        asked = [*self._constants(), *self._needs(), *self._kinds(made)]
        limits = [*self._least(), *self._fits(kernel), *self._counts(made)]
        asked += [*self._fits_truncated(kernel), *self._divisors(kernel)]
        arrays = {a.name for a in self.arguments.values() if a.is_array}
        ends = dict.fromkeys(kernel.indices, ("0", "0"))
        known = {a.name for a in self.arguments.values()}
        open_ends = bounds_of(body, indices_of(body, arrays, "loop"), ends, known)[1]
        places = list(self.intervals.places())
        plain = [distance for _, distance in self.intervals.places(guarded=False)]
        if not asked and not limits and not open_ends and plain == [one for _, one in places]:
            return []
        for op, distance in places:
            if distance is None:
                array = op.operands[0].name
                raise Blocked(f"nothing tells that indices of `{array}` stay in bounds", op.span)
            limits.append(distance)
        asked += self.intervals.reals.finite
        try:
            asked += not_negative(limits)
        except ValueError:
            raise Blocked("an index leaves its array, or a number its type, in all calls") from None
        return list(dict.fromkeys(asked))

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
                left, right = (self.wording.extent(side, self._name) for side in sides)
                yield f"{left} == {right}"

    def _least(self) -> Iterator[Linear]:
        """What must not be negative for numbers to be as large as they have to."""
        for what, *sides in self.region.map.attributes["needs"]:
            if what == "least" and sides[1].number != -SUMMED:
                left, right = (self.wording.extent(side, self._name) for side in sides)
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

    def _assumed(self) -> frozenset[object]:
        """Assumptions about values that are no arguments: those are asked at the call."""
        inside = [v for op in walk(self.region.body) for v in (*op.operands, *op.results)]
        like = self.region.elements.like
        known = (like.get(value, value) for value in inside)
        types = (self.context.types.get(v, UNKNOWN) for v in known if isinstance(v, Value))
        return frozenset(assumptions(types))
