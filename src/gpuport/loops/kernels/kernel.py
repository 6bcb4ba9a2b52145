"""A plan as a kernel object and its launch: Python text with CUDA C++ in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpuport.loops.context.breadth import Breadth, accepted
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.helpers import used_by
from gpuport.loops.cuda.names import Names
from gpuport.loops.cuda.operands import Outgrown
from gpuport.loops.cuda.statements import Statements, folded
from gpuport.loops.cuda.storage import storage
from gpuport.loops.cuda.symbols import GUARDED, PHYSICAL, Magnitudes
from gpuport.loops.cuda.text import ATOM, Text
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.facts import ArrayFact
from gpuport.loops.kernels.collected_types import with_kinds
from gpuport.loops.kernels.grid import Grid, grid
from gpuport.loops.kernels.latest import latest_kernel
from gpuport.loops.kernels.loops import entered_where
from gpuport.loops.kernels.marks import with_marks
from gpuport.loops.kernels.scan import scan_kernel
from gpuport.loops.kernels.single import is_single
from gpuport.loops.kernels.snapshots import check_snapshots
from gpuport.loops.kernels.sums import Sums, ends_early, unasked, within_once
from gpuport.loops.kernels.symbols import Outside, outside
from gpuport.loops.kernels.tallies import tally_kernel
from gpuport.loops.kernels.text import definition, unused
from gpuport.loops.kernels.totals import sums
from gpuport.loops.names import decided, kernel_name, walk
from gpuport.loops.private.workspaces import without
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.loops.ties.none_first import of_none

FLAG = "out_of_range"
_MOST_LIMITS = 4
"""Numbers from outside that are asked to fit a narrow type."""


def kernel(plan: LoopPlan, names_taken: frozenset[str]) -> Kernel | Refusal:
    """Write the kernel of a plan.

    Parameters
    ----------
    plan : LoopPlan
    names_taken : frozenset of str
        Names that the module or the function uses already.

    Returns
    -------
    Kernel or Refusal
        The kernel computes what the loop does wherever its guards hold and its arguments are of
        the types that it assumes; a refusal says which construct has no such form.
    """
    if plan.scan is not None or plan.tallies is not None or plan.latest:
        make = latest_kernel if plan.latest else scan_kernel if plan.scan else tally_kernel
        try:
            return make(plan, names_taken, kernel)
        except Refused as refused:
            return refused.refusal()
    refusal: Refused | None = None
    for magnitudes in (PHYSICAL, *GUARDED):
        for breadth in Breadth:
            limited = plan
            for _ in range(_MOST_LIMITS):
                try:
                    return _Builder(limited, names_taken, magnitudes, breadth).build()
                except Refused as refused:
                    refusal = refused
                limit = refusal.limit if isinstance(refusal, Outgrown) else ""
                if not limit or limit in limited.guards:
                    break
                limited = replace(limited, guards=(*limited.guards, limit))
        if not isinstance(refusal, Outgrown):
            break
    assert refusal is not None
    entered = sorted(entered_where(plan) - set(plan.guards))
    if refusal.code == UNKNOWN_TYPE and entered:
        # ``s = 0.0; for ...: s += x32[k]`` is float32 where the loop inside runs at all.
        made = kernel(replace(plan, guards=(*plan.guards, *entered)), names_taken)
        if isinstance(made, Kernel):
            return made
    return of_none(refusal, plan.region).refusal()


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of the kernel, and what the launch passes for it."""

    name: str
    dtype: str
    raw: bool
    argument: str

    def declared(self) -> str:
        return f"{'raw ' if self.raw else ''}{self.dtype} {self.name}"


class _Builder:
    def __init__(
        self, plan: LoopPlan, taken: frozenset[str], magnitudes: Magnitudes, breadth: Breadth
    ) -> None:
        self.taken = set(taken)
        self.body = [*_prologue(plan), *plan.body]
        plan = self.plan = with_kinds(plan, self.body, magnitudes, breadth)
        self.workspaces = {one.name: one for one in plan.workspaces}
        self.lists = [one for one in plan.workspaces if one.collected]
        self.outside: Outside = outside(plan, self.body, magnitudes, breadth)
        self.symbols = self.outside.symbols
        self.single = is_single(plan, self.body, self.symbols)
        self.names = Names([FLAG])
        self.functions = DeviceFunctions(self.names, magnitudes)
        self.flow = Flow(self.symbols, entered_where(plan) & set(plan.guards))
        self.functions.attach(self.flow, self.symbols)
        self.sums: Sums = sums(plan, self.body, self.flow, self.symbols, breadth=breadth)
        self.sums.spread = self.single and len(plan.grid) > 1
        self.body = self.sums.without_counted(self.body)
        self.body = with_marks(plan, self.body, self.sums, self.flow, self.symbols, self._unused)
        check_snapshots(plan.snapshots, self.body)
        self.thorough = False
        self.writer: Writer
        self.grid: Grid

    def build(self) -> Kernel:
        self._names()
        operation = self._operation(bare=True)
        if used_by(operation.replace("checked(", "").replace("wrap(", "")) or "[{" in operation:
            operation = self._operation(bare=False)
        if self.writer.flagged and self.writer.unchecked:
            self.thorough = True
            operation = self._operation(bare=False)
        inputs, outputs = self._parameters(operation)
        if not self.plan.writes and not self.sums.operators and not self.lists:
            raise Refused(UNSUPPORTED, self.plan.region, "nothing that the loop computes is kept")
        name = self._name()
        listed = [[p.declared() for p in part] for part in (inputs, outputs)]
        text = definition(name, listed[0], listed[1], operation, self.functions.definitions())
        return self._launch(name, text, [*inputs, *outputs])

    def _names(self) -> None:
        """C++ names: the parameters' first, so that they look like the user's."""
        for name in (*self.outside.numbers, *self.symbols.arrays):
            _ = self.names[name]
        self.locals = {
            name: self.sums.dtypes.get(name) or storage(value, self.plan.region)
            for name, value in self.flow.locals.items()
        }
        self.partial = {
            name: self.names[name] if self.single else self.names.fresh(f"{name}_terms")
            for name in self.sums.dtypes
        }
        self.olds = {name: self.names.fresh(f"{name}_old") for name in sorted(self.plan.snapshots)}

    def _operation(self, bare: bool) -> str:
        """The kernel's body."""
        shaped = frozenset() if self.single else frozenset(self.symbols.arrays)
        names = self.names.copy()
        self.grid = grid(self.plan, self.symbols, names, shaped, bare)
        parameters = {
            name: storage(self.symbols.scalars[name], self.plan.region)
            for name in self.outside.numbers
            if self.symbols.scalars[name].constant is None
        }
        counters = {axis.variable: "int64" for axis in self.plan.grid}
        self.writer = Writer(
            self.flow.expressions,
            names,
            self.locals | counters,
            parameters,
            frozenset(self.symbols.arrays) if self.single else frozenset(),
            {(known.node, known.axis): known for known in self.plan.ranges},
            lambda array, axis: Text(f"{names[array]}.shape()[{axis}]", ATOM, "int64", loose=True),
            self.functions.write_call,
        )
        self.writer.olds = self.olds
        self.writer.thorough = self.thorough
        self.writer.guards = []
        statements = Statements(self.writer, names, self.plan.atomics)
        statements.flags = self.sums.flags
        statements.stops = any(isinstance(n, ast.While) for n in walk(self.body))
        if statements.stops:
            self.writer.flag = names.fresh("outside")
        declared = [*self.sums.dtypes, *counters]
        lines = statements.body(self.body, declared)
        lines = self.sums.around(lines, self.body, names, self.partial, self.single, self.locals)
        if self.writer.flagged and statements.stops:
            if ends_early(self.body) and not self.sums.dtypes:
                lines = within_once(lines)
            flag = self.writer.flag
            lines = [f"bool {flag} = false;", *lines, f"if ({flag}) {{ {FLAG}[0] = true; }}"]
        used = "\n".join(lines)
        head = [line for line in self.grid.lines if _needed(line, used, self.grid.lines)]
        return "\n".join(folded([*head, *lines]))

    def _parameters(self, operation: str) -> tuple[list[_Parameter], list[_Parameter]]:
        raw = not self.single
        inputs: list[_Parameter] = []
        outputs: list[_Parameter] = []
        for name, array in self.symbols.arrays.items():
            if name in self.plan.snapshots:
                inputs.append(_Parameter(self.olds[name], array.dtype, raw, self._old(name)))
            parameter = _Parameter(self.names[name], array.dtype, raw, name)
            written = name in self.plan.writes or name in self.workspaces
            (outputs if written else inputs).append(parameter)
        for name in self.outside.numbers:
            value = self.symbols.scalars[name]
            if value.constant is None and _mentioned(self.names[name], operation):
                dtype = storage(value, self.plan.region)
                inputs.append(_Parameter(self.names[name], dtype, False, name))
        for c_name, text in self.grid.passed:
            if _mentioned(c_name, operation):
                inputs.append(_Parameter(c_name, "int64", False, text))
        for name, dtype in self.sums.dtypes.items():
            outputs.append(_Parameter(self.partial[name], dtype, raw, self._terms(name)))
        if self.writer.flagged:
            outputs.append(_Parameter(FLAG, "bool", True, self._unused(FLAG)))
        return inputs, outputs

    def _unused(self, wanted: str) -> str:
        return unused(wanted, self.taken)

    def _old(self, array: str) -> str:
        return self._unused(f"{array.rpartition('.')[2]}_old")

    def _terms(self, name: str) -> str:
        return self._unused(f"{name}_terms")

    def _name(self) -> str:
        lists = [one.name for one in self.lists]
        made = sorted(self.plan.writes) or lists or list(self.sums.dtypes)
        function = getattr(self.plan.nest.function, "name", "")
        if not function:
            return self._unused(f"_make_{made[0].rpartition('.')[2]}")
        base = kernel_name(function)
        if base not in self.taken:
            return base
        return self._unused(f"{base}_{made[0].rpartition('.')[2]}" if made else f"{base}_loop")

    def _launch(self, name: str, text: str, parameters: list[_Parameter]) -> Kernel:
        size = self.grid.size
        hit = self.plan.hit
        before = [] if hit is None or hit.flag else [f"{hit.variable} = {hit.none}"]
        before += [f"{n} = {e}".replace("cupy_.", "{cupy}.") for n, e in self.plan.begins]
        before += self._allocations()
        before += [f"{self._old(a)} = {a}.copy()" for a in sorted(self.plan.snapshots)]
        undo, flag = [], ""
        if self.writer.flagged:
            flag = self._unused(FLAG)
            before.append(f"{flag} = {{cupy}}.zeros(1, dtype={{cupy}}.bool_)")
            for array in sorted(self.plan.writes):
                kept = self._old(array)
                if array not in self.plan.snapshots:
                    before.append(f"{kept} = {array}.copy()")
                undo.append(f"{array}[...] = {kept}")
            undo += [f"{one.name} = []" for one in self.lists]
            undo = undo or ["pass"]
        given = [p.argument for p in parameters]
        terms = {name: self._terms(name) for name in self.sums.dtypes}
        alone = not (self.plan.writes or self.lists or flag)
        if self.single and self.sums.dtypes and alone:
            given = [g for g in given if g not in terms.values()]
            call = f"{', '.join(terms.values())} = {name}({', '.join(given)})"
        else:
            # a kernel without subscripts takes arrays of one shape alone
            shape = f"{next(iter(self.symbols.arrays))}.shape" if self.sums.spread else size
            for variable, dtype in self.sums.dtypes.items():
                before.append(
                    f"{terms[variable]} = {{cupy}}.empty({shape}, dtype={{cupy}}.{_cupy(dtype)})"
                )
            last = [] if self.single else [f"size={size}"]
            call = f"{name}({', '.join([*given, *last])})"
        ended = {hit.variable} if hit is not None and hit.flag else set()
        after = self.sums.after(terms, size, ended, self._unused)
        after += [f"{n} = {e}" for n, e in self.plan.last_values]
        if hit is not None and (hit.lines or hit.otherwise):
            test = f"{terms[hit.variable]}.any()" if hit.flag else hit.test
            lines = [f"if {test}:", *(f"    {one}" for one in hit.lines or ("pass",))]
            if hit.otherwise:
                lines += ["else:", *(f"    {one}" for one in hit.otherwise)]
            after.append("\n".join(lines))
        return Kernel(
            name=name,
            definition=text,
            before=tuple(before),
            call=call,
            after=tuple(after),
            arguments=tuple(given),
            guards=(*unasked(self.plan.guards, self.sums.assumed), *self._guards(size)),
            assumed=self._assumed(parameters) | self.sums.assumed,
            flag=flag,
            undo=tuple(undo),
            notes=self._notes(),
            kinds=self.sums.of_either_kind,
            marks={name: terms[mark] for name, mark in self.sums.marks.items()},
            lists={one.name: self.symbols.arrays[one.name].dtype for one in self.lists},
        )

    def _allocations(self) -> Iterator[str]:
        """Statements that make the workspaces."""
        for name, one in self.workspaces.items():
            if name not in self.symbols.arrays:
                continue
            dtype = self.symbols.arrays[name].dtype
            like = self.symbols.arrays.get(one.like)
            if one.dtype is None and not one.collected and (like is None or like.dtype != dtype):
                message = f"the dtype of `{one.of}` is not known: it is that of `{one.like}`"
                raise Refused(UNKNOWN_TYPE, self.plan.region, message)
            shape = one.extents[0] if one.collected else f"({', '.join(one.extents)})"
            yield f"{name} = {{cupy}}.empty({shape}, dtype={{cupy}}.{_cupy(dtype)})"

    def _notes(self) -> tuple[str, ...]:
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
        return tuple(dict.fromkeys([*found, *self.functions.notes]))

    def _guards(self, size: str) -> list[str]:
        found = [f"{size} > 0"] if self.sums.needs_threads or self.sums.dtypes else []
        # an empty list becomes an array of float64, whatever the loop appends
        kinds = {self.symbols.arrays[one.name].dtype for one in self.lists}
        found += [f"{size} > 0"] if kinds - {"float64"} else []
        if self.symbols.magnitudes.guarded:
            for name in self.outside.numbers:
                value = self.symbols.scalars[name]
                if value.constant is None and value.whole:
                    found.append(f"abs({name}) < {self.symbols.magnitudes.below}")
            for axis in self.plan.grid:
                for text in (axis.start, axis.stop):
                    if not text.lstrip("-").isdigit():
                        found.append(f"abs({text}) < {self.symbols.magnitudes.below}")
        for array in sorted(self.writer.checks):
            found.append(f"{array}.size > 0")
        # where a thread counts from 0 or more up to a number, that is not 0
        counted = {
            f"{axis.stop} != 0"
            for axis in self.plan.grid
            if axis.start.isdigit() and axis.step.isdigit()
        }
        found += [guard for guard in self.writer.guards or () if guard not in counted]
        found = [without(self.plan.workspaces, guard) for guard in found]
        return [guard for guard in dict.fromkeys(found) if decided(guard) != "True"]

    def _assumed(self, parameters: list[_Parameter]) -> dict[str, str]:
        found = {}
        for parameter in parameters:
            if parameter.argument in self.workspaces:
                continue
            if parameter.argument in self.symbols.arrays:
                found[parameter.argument] = parameter.dtype
            elif parameter.argument in self.symbols.scalars:
                found[parameter.argument] = accepted(self.symbols.scalars[parameter.argument])
        for name, _ in () if self.plan.hit is None else self.plan.hit.reads:
            fact = self.plan.nest.facts.get(name)
            known = fact.dtype if isinstance(fact, ArrayFact) else None
            found.setdefault(name, known or "float64")
        return found


def _prologue(plan: LoopPlan) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for name, text in plan.prologue:
        node = ast.parse(f"{name} = {text}").body[0]
        for part in ast.walk(node):
            ast.copy_location(part, plan.region)
        made.append(node)
    return made


def _mentioned(name: str, text: str) -> bool:
    import re

    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _needed(line: str, body: str, lines: tuple[str, ...]) -> bool:
    name = line.partition(" = ")[0].rpartition(" ")[2]
    return _mentioned(name, body)


def _cupy(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype
