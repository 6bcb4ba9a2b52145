"""A loop as a function that a kernel stands for: all that ``gpuport.runtime.kernel`` needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.facts.contexts import Context
from gpuport.ir.queries import walk
from gpuport.ir.structure import Value
from gpuport.ir.types import NUMBERS, UNKNOWN, assumptions
from gpuport.parallel.asking import Asking
from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.kernels import Argument, KernelText, kernel_text
from gpuport.parallel.dependence import Independence
from gpuport.parallel.intervals import Intervals
from gpuport.parallel.numbers import Numbers
from gpuport.parallel.returning import returned
from gpuport.parallel.wording import Wording
from gpuport.records import Span
from gpuport.runtime.kernels.provided import PROVIDED

WEAK = {"int64": "int", "float64": "float", "bool": "bool", "complex128": "complex128"}
PLAIN = NUMBERS | {"array"}
OBJECTS = frozenset({"record", "class", "module"})
UNUSED = frozenset({"none", "string", "tuple", "list", "unknown"})  #: where the loop uses none


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
        if not any(argument.is_array for argument in given):
            raise Blocked("no array takes part in the loop")
        if made.totals and kernel.outputs:
            raise Blocked("the loop stores to arrays and computes numbers as well")
        body = (*kernel.body, *made.lines, *(f"{t.name} = {t.text};" for t in made.totals))
        asking = Asking(self.region, self.numbers, self.wording, self.arguments, self._name)
        where = " and ".join(asking.conditions(kernel, made, "\n".join(body)))
        outputs = [*(a.text for a in kernel.outputs), *(f"{t.dtype} {t.name}" for t in made.totals)]
        return Decorated(
            inputs=", ".join(self._said(argument) for argument in kernel.inputs),
            outputs=", ".join(outputs),
            body=body,
            over=", ".join(self._axes(kernel, asking.intervals)),
            where=where,
            returns=", ".join(made.texts),
            preamble=used_by("\n".join(body), PROVIDED),
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
        for op in self.region.loads:
            name = op.attributes["name"]
            own = op.kind != "LoadGlobal" or name in head.words
            if not own and self._kind_of(op.result) == "array":
                raise Blocked(f"a function that the loop calls reads the array `{name}`", loop.span)
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
        used = any(value in op.operands for op in (loop, *inside))
        return not used and value not in self.region.reads

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

    def _axes(self, kernel: KernelText, intervals: Intervals) -> Iterator[str]:
        for name, place in zip(kernel.indices, self.region.grid, strict=True):
            bounds = list(map(str, intervals.bounds(place)))
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

    def _assumed(self) -> frozenset[object]:
        """Assumptions about values that are no arguments: those are asked at the call."""
        inside = [v for op in walk(self.region.body) for v in (*op.operands, *op.results)]
        like = self.region.elements.like
        known = (like.get(value, value) for value in inside)
        types = (self.context.types.get(v, UNKNOWN) for v in known if isinstance(v, Value))
        return frozenset(assumptions(types))
