"""The Python statements around the call of a kernel object: what it is given, and what is left."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gpuport.loops.context.breadth import accepted
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.facts import ArrayFact
from gpuport.loops.kernels.stages import in_another_order
from gpuport.loops.kernels.sums import Sums, unasked
from gpuport.loops.kernels.symbols import Outside
from gpuport.loops.names import decided
from gpuport.loops.private.workspaces import without
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.loops.records import Kernel, LoopPlan, Workspace
from gpuport.parallel.conditions import less_in_size
from gpuport.parallel.cuda.objects import unused
from gpuport.parallel.typing import kind

FLAG = "out_of_range"
"""What tells that an index was out of range: the parameter, and the array that is passed for it."""


UNWRITTEN = "0x7FF8A5A5A5A5A5A5"
"""The bits of the NaN that means that nothing was written (``written`` in ``provided.py``)."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel, and what the launch passes for it."""

    name: str
    dtype: str
    raw: bool
    argument: str

    def declared(self) -> str:
        """Its declaration, as CuPy reads it."""
        return f"{'raw ' if self.raw else ''}{self.dtype} {self.name}"


@dataclass(frozen=True, slots=True)
class Fresh:
    """Python names that neither the module nor the function uses.

    Attributes
    ----------
    taken : frozenset of str
    """

    taken: frozenset[str]

    def name(self, wanted: str) -> str:
        """The one that is wanted, or one like it."""
        return unused(wanted, self.taken)

    def old(self, array: str) -> str:
        """For what an array holds before the launch."""
        return self.name(f"{array.rpartition('.')[2]}_old")

    def terms(self, number: str) -> str:
        """For the shares that the threads have in a number."""
        return self.name(f"{number}_terms")

    @property
    def flag(self) -> str:
        """For the array of one bool that says whether an index was out of range."""
        return self.name(FLAG)


@dataclass(frozen=True, slots=True)
class Launch:
    """What decides how a kernel is launched.

    Attributes
    ----------
    plan : LoopPlan
    outside : Outside
    sums : Sums
    size : str
        How many threads there are: Python text.
    single : bool
        Whether each thread sees one element of each array, so that no size is passed.
    writer : Writer
        Of the kernel's body, which is written: what it checks and what it leaves unchecked.
    fresh : Fresh
    """

    plan: LoopPlan
    outside: Outside
    sums: Sums
    size: str
    single: bool
    writer: Writer
    fresh: Fresh

    def kernel(
        self, name: str, definition: str, parameters: Sequence[Parameter], notes: Collection[str]
    ) -> Kernel:
        """The kernel object with the statements of its launch.

        Parameters
        ----------
        name, definition : str
        parameters : sequence of Parameter
        notes : collection of str
            What the functions that it calls do not check.

        Raises
        ------
        Refused
            Where the dtype of an array that has to be made for it is not known.
        """
        before, undo = self._before()
        terms = {number: self.fresh.terms(number) for number in self.sums.dtypes}
        given = [parameter.argument for parameter in parameters]
        if self._returns_terms():
            given = [one for one in given if one not in terms.values()]
            call = f"{', '.join(terms.values())} = {name}({', '.join(given)})"
        else:
            before += self._term_arrays(terms)
            last = [] if self.single else [f"size={self.size}"]
            call = f"{name}({', '.join([*given, *last])})"
        return Kernel(
            name=name,
            definition=definition,
            before=tuple(before),
            call=call,
            after=tuple(self._after(terms)),
            arguments=tuple(given),
            guards=(*unasked(self.plan.guards, self.sums.assumed), *self._guards()),
            assumed=self._assumed(parameters) | self.sums.assumed,
            flag=self.fresh.flag if self.writer.flagged else "",
            undo=tuple(undo),
            notes=self._notes(notes),
            remarks=tuple(self._remarks()),
            kinds=self.sums.of_either_kind,
            marks={number: terms[mark] for number, mark in self.sums.marks.items()},
            lists={one.name: self._kind(one) for one in self._lists},
        )

    @property
    def _lists(self) -> list[Workspace]:
        """The lists that the loop fills."""
        return [one for one in self.plan.workspaces if one.collected and not one.marks]

    def _kind(self, one: Workspace) -> str:
        """The dtype of the array that a list becomes; empty where that depends on its length."""
        dtype = self.outside.symbols.arrays[one.name].dtype
        return "" if one.kept and dtype != "float64" else dtype

    # -- before the call -------------------------------------------------------------------

    def _before(self) -> tuple[list[str], list[str]]:
        """What is made for the kernel, and what takes back what it did to an index out of range."""
        hit = self.plan.hit
        before = [] if hit is None or hit.flag else [f"{hit.variable} = {hit.none}"]
        before += [f"{n} = {e}".replace("cupy_.", "{cupy}.") for n, e in self.plan.begins]
        before += self._allocations()
        before += [f"{self.fresh.old(a)} = {a}.copy()" for a in sorted(self.plan.snapshots)]
        if not self.writer.flagged:
            return before, []
        before.append(f"{self.fresh.flag} = {{cupy}}.zeros(1, dtype={{cupy}}.bool_)")
        undo = []
        for array in sorted(self.plan.writes):
            kept = self.fresh.old(array)
            if array not in self.plan.snapshots:
                before.append(f"{kept} = {array}.copy()")
            undo.append(f"{array}[...] = {kept}")
        undo += [f"{one.name} = []" for one in self._lists]
        return before, undo or ["pass"]

    def _allocations(self) -> Iterator[str]:
        """Statements that make the workspaces."""
        arrays = self.outside.symbols.arrays
        for one in self.plan.workspaces:
            if one.name not in arrays:
                continue
            dtype = arrays[one.name].dtype
            like = arrays.get(one.like)
            if one.dtype is None and not one.collected and (like is None or like.dtype != dtype):
                message = f"the dtype of `{one.of}` is not known: it is that of `{one.like}`"
                raise Refused(UNKNOWN_TYPE, self.plan.region, message)
            shape = one.extents[0] if one.collected else f"({', '.join(one.extents)})"
            if one.lent:
                yield f"{one.name} = {{cupy}}.full({shape}, {UNWRITTEN}).view({{cupy}}.{dtype})"
            else:
                yield f"{one.name} = {{cupy}}.empty({shape}, dtype={{cupy}}.{_cupy(dtype)})"

    def _returns_terms(self) -> bool:
        """Whether the call makes the arrays of the shares itself, as they are all that it gives."""
        alone = not (self.plan.writes or self._lists or self.writer.flagged)
        return self.single and bool(self.sums.dtypes) and alone

    def _term_arrays(self, terms: dict[str, str]) -> Iterator[str]:
        """Statements that make the arrays of the shares."""
        # A kernel without subscripts takes arrays of one shape alone.
        first = next(iter(self.outside.symbols.arrays), "")
        shape = f"{first}.shape" if self.sums.spread else self.size
        for number, dtype in self.sums.dtypes.items():
            yield f"{terms[number]} = {{cupy}}.empty({shape}, dtype={{cupy}}.{_cupy(dtype)})"

    # -- after it --------------------------------------------------------------------------

    def _after(self, terms: dict[str, str]) -> list[str]:
        """Statements that make of the shares what the loop leaves."""
        hit = self.plan.hit
        ended = {hit.variable} if hit is not None and hit.flag else set()
        after = self.sums.after(terms, self.size, ended, self.fresh.name)
        after += [f"{n} = {e}" for n, e in self.plan.last_values]
        after += [
            f"{one.name} = {one.name}[{one.kept}] if {one.kept}.any() else {{cupy}}.empty(0)"
            for one in self._lists if one.kept
        ]  # fmt: skip
        if hit is not None and (hit.lines or hit.otherwise):
            test = f"{terms[hit.variable]}.any()" if hit.flag else hit.test
            lines = [f"if {test}:", *(f"    {one}" for one in hit.lines or ("pass",))]
            if hit.otherwise:
                lines += ["else:", *(f"    {one}" for one in hit.otherwise)]
            after.append("\n".join(lines))
        return after

    # -- where it holds --------------------------------------------------------------------

    def _guards(self) -> list[str]:
        """Conditions without which the kernel does not compute what the loop does."""
        symbols = self.outside.symbols
        found = [f"{self.size} > 0"] if self.sums.needs_threads or self.sums.dtypes else []
        # an empty list becomes an array of float64, whatever the loop appends
        kinds = {symbols.arrays[one.name].dtype for one in self._lists}
        found += [f"{self.size} > 0"] if kinds - {"float64"} else []
        found += self._small_numbers()
        found += [f"{array}.size > 0" for array in sorted(self.writer.checks)]
        # where a thread counts from 0 or more up to a number, that is not 0
        counted = {
            f"{axis.stop} != 0"
            for axis in self.plan.grid
            if axis.start.isdigit() and axis.step.isdigit()
        }
        found += [guard for guard in self.writer.guards or () if guard not in counted]
        found = [without(self.plan.workspaces, guard) for guard in found]
        return [guard for guard in dict.fromkeys(found) if decided(guard) != "True"]

    def _small_numbers(self) -> Iterator[str]:
        """Conditions under which whole numbers stay within the type that was taken for them."""
        magnitudes = self.outside.symbols.magnitudes
        if not magnitudes.guarded:
            return
        for name in self.outside.numbers:
            value = self.outside.symbols.scalars[name]
            if value.constant is None and value.whole:
                yield less_in_size(name, magnitudes.below)
        for axis in self.plan.grid:
            for text in (axis.start, axis.stop):
                if not text.lstrip("-").isdigit():
                    yield less_in_size(text, magnitudes.below)

    def _assumed(self, parameters: Sequence[Parameter]) -> dict[str, str]:
        """The types that arguments were taken to have."""
        symbols, made = self.outside.symbols, {one.name for one in self.plan.workspaces}
        found = {}
        for parameter in parameters:
            if parameter.argument in made:
                continue
            if parameter.argument in symbols.arrays:
                found[parameter.argument] = parameter.dtype
            elif parameter.argument in symbols.scalars:
                found[parameter.argument] = accepted(symbols.scalars[parameter.argument])
        for name, _ in () if self.plan.hit is None else self.plan.hit.reads:
            fact = self.plan.nest.facts.get(name)
            known = fact.dtype if isinstance(fact, ArrayFact) else None
            found.setdefault(name, known or "float64")
        return found

    def _notes(self, of_functions: Collection[str]) -> tuple[str, ...]:
        """What the loop does and the kernel does not."""
        found = [
            f"`{ast.unparse(node)}` (line {node.lineno}) is stored in a smaller integer: where it "
            "does not fit, the loop raises OverflowError, and the kernel wraps around"
            for node in self.writer.unchecked
        ]
        found += [
            f"`{ast.unparse(node)}` (line {getattr(node, 'lineno', 0)}) {text}"
            for node, text in self.writer.raising
        ]
        return tuple(dict.fromkeys([*found, *of_functions]))

    def _remarks(self) -> Iterator[str]:
        """In what results differ by the order in which the iterations come together."""
        made = {name: (self.sums.operators[name], t.dtype) for name, t in self.sums.types.items()}
        for name, (operator, dtype) in {**made, **self.writer.together}.items():
            if operator in ("+", "*") and kind(dtype) in "fc":
                yield in_another_order(name, operator, dtype)
            elif operator in _ZEROS and name not in made and kind(dtype) == "f":
                yield f"of zeros of both signs `{name}` becomes {_ZEROS[operator]}"


_ZEROS = {"max": "0.0, and not the first", "min": "-0.0, and not the first"}
"""Extremes that are kept in an element: what becomes of zeros there (``semantics/``)."""


def _cupy(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype


__all__ = ["FLAG", "Fresh", "Launch", "Parameter"]
