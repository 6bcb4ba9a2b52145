"""A plan as a kernel: its signature, and its body in CUDA C++."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.loops.context.breadth import Breadth
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.operands import Outgrown
from gpuport.loops.cuda.statements import Statements, folded, open_ended
from gpuport.loops.cuda.storage import storage
from gpuport.loops.cuda.symbols import GUARDED, PHYSICAL, Magnitudes
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.kernels.collected_types import with_kinds
from gpuport.loops.kernels.declared import in_words, is_alone, of_both, with_open_dtypes
from gpuport.loops.kernels.latest import latest_kernel
from gpuport.loops.kernels.marks import with_marks
from gpuport.loops.kernels.scan import scan_kernel
from gpuport.loops.kernels.single import check_snapshots, entered_where
from gpuport.loops.kernels.sums import Sums, ends_early, within_once
from gpuport.loops.kernels.symbols import Outside, outside
from gpuport.loops.kernels.tallies import tally_kernel
from gpuport.loops.kernels.told import Told, check_dtypes
from gpuport.loops.kernels.totals import sums
from gpuport.loops.names import kernel_name, walk
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.loops.ties.none_first import of_none
from gpuport.parallel.cuda.declared import stored_numbers
from gpuport.parallel.cuda.names import Names, is_called
from gpuport.parallel.cuda.text import ATOM, Text
from gpuport.parallel.declared import DeclaredKernel, with_own_element
from gpuport.runtime.kernels.declared import FLAG
from gpuport.runtime.kernels.text import KEYWORDS
from gpuport.source.fresh import unused

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
                    found = _Builder(limited, magnitudes, breadth).build(names_taken)
                    return replace(found, declared=_leaving(plan, found.declared))
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


def _leaving(plan: LoopPlan, declared: DeclaredKernel | None) -> DeclaredKernel | None:
    """The kernel whose call gives the arrays, too, that the loop leaves under new names.

    Raises
    ------
    Refused
        Where it has no form in which it gives anything.
    """
    if not plan.left:
        return declared
    if declared is None or declared.numbers or declared.ends:
        message = f"`{plan.left[0]}` is another array after the loop"
        raise Refused(UNSUPPORTED, plan.region, message)
    return replace(declared, numbers=plan.left, returns=", ".join(plan.left))


class _Builder:
    """Writes the kernel of a plan.

    Parameters
    ----------
    plan : LoopPlan
    magnitudes : Magnitudes
    breadth : Breadth
    """

    def __init__(self, plan: LoopPlan, magnitudes: Magnitudes, breadth: Breadth) -> None:
        self.body = [*plan.body]
        plan = self.plan = with_kinds(plan, self.body, magnitudes, breadth)
        self.magnitudes = magnitudes
        self.lists = [one for one in plan.workspaces if one.collected]
        self.outside: Outside = outside(plan, self.body, magnitudes, breadth)
        self.symbols = self.outside.symbols
        self.names = Names([FLAG], verbatim=True, stored=stored_numbers(plan.nest.facts))
        self.functions = DeviceFunctions(self.names, magnitudes)
        self.flow = Flow(self.symbols, entered_where(plan) & set(plan.guards))
        self.functions.attach(self.flow, self.symbols)
        self.sums: Sums = sums(plan, self.body, self.flow, self.symbols, breadth=breadth)
        self.body = self.sums.without_counted(self.body)
        self.body = with_marks(plan, self.body, self.sums, self.flow, self.symbols)
        check_snapshots(plan.snapshots, self.body)
        self.writer: Writer

    def build(self, taken: frozenset[str]) -> Kernel:
        """The kernel, under a name that is not taken."""
        operation = self._text()
        told = Told(self.plan, self.outside, self.sums, self.writer)
        if not self.plan.writes and not self.sums.operators and not self.lists:
            raise Refused(UNSUPPORTED, self.plan.region, "nothing that the loop computes is kept")
        check_dtypes(self.plan, self.symbols.arrays)
        return Kernel(
            name=self._name(taken),
            guards=told.guards,
            checked=self.writer.flagged,
            notes=told.notes(self.functions.notes),
            remarks=told.remarks,
            kinds=self.sums.of_either_kind,
            lists=told.lists,
            declared=self._declared(operation, told.guards),
        )

    def _declared(self, operation: str, guards: tuple[str, ...]) -> DeclaredKernel | None:
        """The kernel in the form of `gpuport.runtime.kernel`, where it has one."""
        if not is_alone(self.plan):
            return None
        try:
            text = self._with_definitions(operation)
            found = in_words(
                self.plan, guards, self.outside, self.names, text,
                (self.sums, self.partial, self.shares()), self.olds,
            )  # fmt: skip
            single = None if found is None else with_open_dtypes(self.plan, found)
            if found is None or single is None:
                return found
        except (Refused, ValueError):
            return None
        try:  # NumPy's own float64 and int64 are refused among float32
            narrow = _Builder(single, self.magnitudes, Breadth.MEDIUM)
            return of_both(self.plan, found, narrow.text(), narrow.shares(), narrow.rooms())
        except (Refused, ValueError):
            return found

    def shares(self) -> dict[str, str]:
        """The dtypes of what each iteration has in numbers, by the names of their arrays."""
        lists = {one.name: self.symbols.arrays[one.name].dtype for one in self.lists}
        return {self.partial[n]: dtype for n, dtype in (*self.sums.dtypes.items(), *lists.items())}

    def rooms(self) -> dict[str, str]:
        """The dtypes of the arrays that the text alone has, by their names."""
        arrays, spaces = self.symbols.arrays, self.plan.workspaces
        made = {self.names[o.name]: arrays[o.name].dtype for o in spaces if o.name in arrays}
        return made | {self.olds[name]: arrays[name].dtype for name in self.plan.snapshots}

    def text(self) -> tuple[str, str]:
        """The kernel's body, and the functions of the project that it calls."""
        return self._with_definitions(self._text())

    def _text(self) -> str:
        """The kernel's body."""
        self._names()
        operation = self._operation(thorough=False)
        if self.writer.flagged and self.writer.unchecked:
            operation = self._operation(thorough=True)
        return operation

    def _with_definitions(self, operation: str) -> tuple[str, str]:
        for one in self.lists:
            operation = with_own_element(operation, self.names[one.name], self.partial[one.name])
        return operation, self.functions.definitions()

    def _names(self) -> None:
        """C++ names: the parameters' first, so that they look like the user's."""
        for name in self.sums.dtypes:
            if self.sums.operators[name] in ("+", "*"):  # which is a parameter, too
                self.names.same(name, self.names.fresh(f"{name}_here"))
        for name in (*self.outside.numbers, *self.symbols.arrays):
            if name in KEYWORDS or is_called(name):
                self.names.same(name, name)
            _ = self.names[name]
        self.locals = {
            name: self.sums.dtypes.get(name) or storage(value, self.plan.region)
            for name, value in self.flow.locals.items()
        }
        self.partial = {name: self.names.fresh(f"{name}_terms") for name in self.sums.dtypes}
        self.partial |= {
            one.name: self.names.fresh(f"{one.of}_kept" if one.marks else f"{one.name}_items")
            for one in self.lists
        }
        self.olds = {name: self.names.fresh(f"{name}_old") for name in sorted(self.plan.snapshots)}

    def _operation(self, *, thorough: bool) -> str:
        """The kernel's body; where it is thorough, integers of 32 bits are checked too."""
        names = self.names.copy()
        for axis in self.plan.grid:
            _ = names[axis.variable]
        parameters = {
            name: storage(self.symbols.scalars[name], self.plan.region)
            for name in self.outside.numbers
            if self.symbols.scalars[name].constant is None
        }
        counters = {axis.variable: "int64" for axis in self.plan.grid}
        self.writer = Writer(
            expressions=self.flow.expressions,
            names=names,
            locals=self.locals | counters,
            parameters=parameters,
            ranges={(known.node, known.axis): known for known in self.plan.ranges},
            lengths=lambda array, axis: Text(
                f"{names[array]}.shape()[{axis}]", ATOM, "int64", loose=True
            ),
            function=self.functions.write_call,
            olds=self.olds,
            lent=frozenset(one.name for one in self.plan.workspaces if one.lent),
            thorough=thorough,
            guards=[],
        )
        statements = Statements(self.writer, names, self.plan.atomics)
        statements.flags = self.sums.flags
        statements.stops = self._may_run_on()
        if statements.stops:
            self.writer.flag = names.fresh("outside")
        lines = statements.body(self.body, [*self.sums.dtypes, *counters])
        lines = self.sums.around(lines, self.body, names, self.partial)
        if self.writer.flagged and statements.stops:
            if ends_early(self.body) and not self.sums.dtypes:
                lines = within_once(lines)
            flag = self.writer.flag
            lines = [f"bool {flag} = false;", *lines, f"if ({flag}) {{ {FLAG}[0] = true; }}"]
        return "\n".join(folded(lines))

    def _may_run_on(self) -> bool:
        """Whether a loop may go on, or threads meet, once an index is out of range."""
        if any(isinstance(n, ast.For | ast.While) and open_ended(n) for n in walk(self.body)):
            return True
        return any(
            isinstance(one.node.ctx, ast.Store)
            and not one.proven
            and one.array not in self.plan.atomics
            for one in self.plan.ranges
        )

    def _name(self, taken: frozenset[str]) -> str:
        lists = [one.name for one in self.lists if not one.marks]
        made = sorted(self.plan.writes) or lists or list(self.sums.dtypes)
        function = getattr(self.plan.nest.function, "name", "")
        if not function:
            return unused(f"_make_{made[0].rpartition('.')[2]}", taken)
        base = kernel_name(function)
        if base not in taken:
            return base
        return unused(f"{base}_{made[0].rpartition('.')[2]}" if made else f"{base}_loop", taken)
