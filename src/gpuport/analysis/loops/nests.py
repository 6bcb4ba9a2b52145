"""Loops over elements: those that become kernels, and the arrays that have to be there for it.

What is known of the names goes to the loop compiler as facts. Where it makes a kernel, the loop
is one operation of the data-flow graph; where not, its reason is kept for the findings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpuport.analysis.functions.calledfunctions import written_under_helper
from gpuport.analysis.functions.innerfunctions import reading_arrays
from gpuport.analysis.functions.interest import mentions_arrays
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.elements import (
    changes_elements,
    counted_through,
    goes_over_unknown,
    order_of_its_own,
    works_on_elements,
)
from gpuport.analysis.loops.facts import facts_in, modules_in
from gpuport.analysis.loops.heldnumbers import held_numbers
from gpuport.analysis.loops.holding import first_uses, held_together, on_host_already
from gpuport.analysis.loops.leaving import keep_rows, rows_left, unsure_before
from gpuport.analysis.objects.methodbodies import call_with_instance, left_to_kernel
from gpuport.analysis.objects.receivers import numbers_read
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.project.modulenames import name_followed
from gpuport.analysis.statements.exits import not_shown_a_number
from gpuport.analysis.values.lattice import Array, Either, Scalar, Sequence, Value
from gpuport.records import Severity
from gpuport.source.syntax import inside

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.loops.facts import Fact, LoopNest
    from gpuport.loops.records import Kernel, LoopPlan, Refusal

Loop = ast.For | ast.While

_OF_INSTANCE = ("GP203", "GP205")
"""Codes of what the loop compiler says of calls that need an instance."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A loop that becomes a kernel where ``graph_node`` is on the device.

    Attributes
    ----------
    plan, kernel
        What the loop compiler made.
    graph_node : Node
    borrowed : frozenset of str
        Arrays of the host that the kernel reads copies of.
    constants : tuple of (str, number)
        Names of the module with the values that the kernel holds.
    written : frozenset of str
        Arrays that the loop itself may write: more than the kernel does, where what it takes for
        numbers may be rows.
    axes : tuple of (str, int)
        Parameters of which only a run tells how many axes they have, with the number that the
        kernel is for: with another one the names that the loop leaves hold rows, not numbers.
    held : tuple of (str, str)
        Attributes that hold arrays which methods read that the loop calls: the names of an
        instance and of the attribute.
    calls : tuple of str
        Functions of the function around the loop that it calls, and that read arrays of it.
    """

    plan: LoopPlan
    kernel: Kernel
    graph_node: Node
    borrowed: frozenset[str]
    constants: tuple[tuple[str, object], ...]
    written: frozenset[str]
    axes: tuple[tuple[str, int], ...]
    held: tuple[tuple[str, str], ...]
    calls: tuple[str, ...]


@dataclass(slots=True)
class Compiled:
    """What the loop compiler has said so far, by the loop and what was known of its names."""

    answers: dict[tuple[int, str], LoopPlan | Refusal] = field(default_factory=dict)
    kernels: dict[tuple[int, str], Kernel | Refusal] = field(default_factory=dict)
    names: dict[int, frozenset[str]] = field(default_factory=dict)
    asked: dict[int, tuple[LoopNest, tuple[Loop, ...]]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    elementwise: dict[int, frozenset[str]] = field(default_factory=dict)


def launched(unit: Unit, node: Loop) -> bool:
    """Make a loop one operation, if a kernel can do what it does.

    Returns
    -------
    bool
        Whether the loop is dealt with; otherwise it is a Python loop like any other.
    """
    _withdraw(unit, node)
    if unit.guarded is not None or not works_on_elements(unit, node):
        reason = None if unit.guarded is not None or unit.trial is not None else _left(unit, node)
        if reason is not None:
            _refuse(unit, node, reason)
        return False
    if unit.trial is not None:
        unit.trial[id(node)] = {name: flow.value for name, flow in unit.env.items()}
        return False
    flat = counted_through(unit, node)
    found = _compiled(unit, node) if flat is None else _refused(node, "GP201", _of_flat(flat))
    if not isinstance(found, tuple):
        called = call_with_instance(unit, node) if found.code in _OF_INSTANCE else None
        _refuse(unit, node, found if called is None else _refused(node, "GP203", called))
        return False
    return _launch(unit, node, *found)


def _launch(unit: Unit, node: Loop, plan: LoopPlan, kernel: Kernel) -> bool:
    """Make a loop the launch of a kernel, if the arrays may be where that runs."""
    used = sorted(plan.reads | plan.writes)
    arrays = {name: unit.load(name) or name_followed(unit, name) for name in used}
    borrowed = on_host_already(unit, arrays)
    constants = tuple(dict.fromkeys(_constants(unit, plan.nest.facts)))
    written = plan.writes | plan.reads if changes_elements(node) else plan.writes
    reason = _out_of_place(unit, node, arrays, plan, constants, borrowed & written)
    if reason is not None:
        _refuse(unit, node, reason)
        return False
    for inner in inside(node):
        _withdraw(unit, inner)
    whole = _whole_after(unit, plan)
    unsure = unsure_before(unit, node) - arrays.keys()
    keep_rows(unit, node, kernel.guards, unsure)
    graph_node = held_together(unit, node, arrays, borrowed, written)
    numbers = {text.rpartition(".")[2] for text in numbers_read(unit, node)}
    unit.parameters.receiver_numbers |= numbers
    unit.env.update({name: Flow(Scalar("int")) for name in whole})
    for name, dtype in kernel.lists.items():
        unit.env[name] = Flow(Array(dtype, 1), graph_node, fresh=True, ordered=True)
    axes = rows_left(unit, node, kernel.guards, unsure)
    held = left_to_kernel(unit, node)
    launch = Launch(
        plan=plan,
        kernel=kernel,
        graph_node=graph_node,
        borrowed=borrowed,
        constants=constants,
        written=written,
        axes=axes,
        held=held,
        calls=reading_arrays(node, plan.nest.facts, used),
    )
    unit.forms.launches[id(node)] = launch
    _tell_differences(unit, node, kernel, graph_node)
    return True


def _tell_differences(unit: Unit, node: Loop, kernel: Kernel, graph_node: Node) -> None:
    """What the launch of a kernel leaves otherwise than the loop does."""
    if kernel.notes:
        notes = unit.module.in_lines_of_file("; ".join(kernel.notes))
        unit.note("GP518", notes, node, on=graph_node)
    if kernel.kinds:
        names = ", ".join(f"`{name}`" for name in kernel.kinds)
        message = (
            f"{names} is a number of NumPy's here; where each iteration took one of Python's, "
            "the loop leaves one of Python's"
        )
        unit.note("GP515", message, node, on=graph_node)


def _left(unit: Unit, node: Loop) -> Refusal | None:
    """Why a loop is none over elements as far as is known, and may be one all the same."""
    call = order_of_its_own(unit, node)
    if call is not None:
        from gpuport.loops.loop_rules import orders_of_their_own

        path, over = unit.scope.resolve(call.func), call.args[:1]
        array = ast.unparse(over[0]) if over else "x"
        return _refused(node, "GP201", orders_of_their_own()[path or ""].format(array=array))
    name = goes_over_unknown(unit, node)
    if name is None:
        return None
    message = (
        f"it is not known whether `{name}`, which it goes over, is an array: annotate it, "
        f"`{name}: np.ndarray`"
    )
    return _refused(node, "GP205", message)


def _of_flat(flat: str) -> str:
    whole = flat.removesuffix(".flat")
    return (
        f"`{flat}[...]` counts through all axes of `{whole}`: loop over each of them, "
        f"`{whole}[i, j]`, or use operations on whole arrays"
    )


def _whole_after(unit: Unit, plan: LoopPlan) -> frozenset[str]:
    """Counters that are Python's integers before the loop, and so after it."""
    found = set()
    for name, _ in plan.last_values:
        value = unit.env[name].value if name in unit.env else None
        if isinstance(value, Scalar) and value.type == "int":
            found.add(name)
    return frozenset(found)


def _withdraw(unit: Unit, node: ast.AST) -> None:
    """Forget what was said of a loop when a loop around it was gone through with other values."""
    if unit.forms.launches.pop(id(node), None) is not None:
        for code in ("GP515", "GP518"):
            unit.notes.pop((code, id(node)), None)
    refusal = unit.forms.refusals.pop(id(node), None)
    if refusal is not None:
        unit.notes.pop((refusal.code, id(node)), None)


def _out_of_place(
    unit: Unit,
    node: Loop,
    arrays: Mapping[str, Flow | None],
    plan: LoopPlan,
    constants: tuple[tuple[str, object], ...],
    changed_outside: frozenset[str],
) -> Refusal | None:
    """Why a kernel, right by itself, cannot stand where the loop is."""
    from gpuport.loops.context.surely_bound import unbound_without_trips

    for name, flow in arrays.items():
        if "." in name:
            message = f"`{name}` has no name of its own: give it one before the loop"
            if name.endswith(".flat"):
                message = f"`{name}`: go over `{name.removesuffix('flat')}ravel()` instead"
            return _refused(node, "GP201", message)
        value = _value_of(flow)
        if not (value is None or isinstance(value, Array) or _relied_on(value)):
            message = f"it is not known whether `{name}` is an array"
            if isinstance(value, Sequence):
                message = (
                    f"`{name}` is no array: make one of it before the loop, `np.array({name})`"
                )
            return _refused(node, "GP205", message)
    passed = unit.project.calls.of(unit.node)
    for name, rank in plan.ranks.items():
        seen = passed.get(name) if unit.scope.bound.get(name) == 1 else None
        if isinstance(seen, Array) and seen.rank not in (None, rank):
            message = f"a kernel is for `{name}` with {rank} axes, and calls pass {seen.rank}"
            return _refused(node, "GP205", message)
        held = _value_of(arrays.get(name))
        if isinstance(held, Array) and held.rank not in (None, rank):
            message = f"`{name}` has {held.rank} axes, and a kernel would be for {rank}"
            return _refused(node, "GP205", message)
    unsure = not_shown_a_number(unit, plan)
    if unsure is not None:
        message = f"it is not known whether `{unsure}`, of which its result is made, is a number"
        return _refused(node, "GP205", message)
    unbound = unbound_without_trips(unit.node, node)
    if unbound:
        message = f"`{unbound[0]}` has no value where the loops that give it one make no trip: "
        return _refused(node, "GP201", f"{message}give it one before them")
    if any(unit.scope.owner(name) is not unit.project.root for name, _ in constants):
        return _refused(node, "GP205", "a name of the module is hidden here")
    if changed_outside or not unit.module.stands_alone(node):
        message = "it writes into an array of the module, which other code may read"
        return _refused(node, "GP205", message)
    under = written_under_helper(unit, plan.nest.facts, arrays, plan.writes)
    if under is not None:
        return _refused(node, "GP203", under)
    shared = _shared_memory(arrays, plan.writes)
    return None if shared is None else _refused(node, "GP202", shared)


def _value_of(flow: Flow | None) -> Value | None:
    return None if flow is None else flow.value


def _relied_on(value: Value) -> bool:
    """Whether the boundary can be told to take nothing but an array."""
    return isinstance(value, Either) and bool(value.sources)


def _refuse(unit: Unit, node: Loop, refusal: Refusal) -> None:
    refusal = replace(refusal, message=unit.module.in_lines_of_file(refusal.message))
    unit.forms.refusals[id(node)] = refusal
    # Loops of a function that does not speak of NumPy may be over lists.
    severity = Severity.WARNING if mentions_arrays(unit.scope) else Severity.INFO
    message = f"the loop stays in Python: {refusal.message}"
    unit.note(refusal.code, message, node, severity=severity)


def _shared_memory(arrays: Mapping[str, Flow | None], writes: frozenset[str]) -> str | None:
    """Why two names are likely to overlap: they are views of one array."""
    for name in sorted(writes):
        mine = arrays[name]
        for other, flow in arrays.items():
            if other == name or mine is None or flow is None or None in (mine.origin, flow.origin):
                continue
            assert mine.origin is not None
            assert flow.origin is not None
            if mine.origin.root() is flow.origin.root() and (mine.view or flow.view):
                return (
                    f"not parallel: `{name}` and `{other}` are views of one array, so that an "
                    "iteration may read what another one wrote (they may overlap)"
                )
    return None


def _compiled(unit: Unit, node: Loop) -> tuple[LoopPlan, Kernel] | Refusal:
    """The kernel of a loop.

    Numbers of the module are passed to it, unless it needs to know them: where nothing can be
    made without, or where their values show that an error cannot occur.
    """
    from gpuport.loops.facts import ScalarFact

    facts = modules_in(unit) | facts_in(unit, node, first_uses(unit, node))
    facts |= held_numbers(unit, node)
    facts |= {text: ScalarFact(n.type) for text, n in numbers_read(unit, node).items()}
    plain = {name: _without_value(unit, name, fact) for name, fact in facts.items()}
    found = _asked(unit, node, plain)
    if plain == facts or (isinstance(found, tuple) and _doubts(found[1]) == (0, False)):
        return found
    held = _asked(unit, node, facts)
    if isinstance(held, tuple) and isinstance(found, tuple):
        return held if _doubts(held[1]) < _doubts(found[1]) else found
    return held if isinstance(held, tuple) else found


def _doubts(kernel: Kernel) -> tuple[int, bool]:
    """How many errors of the loop a kernel does not raise, and whether its launch waits for any."""
    return len(kernel.notes), bool(kernel.flag)


def _without_value(unit: Unit, name: str, fact: Fact) -> Fact:
    """A number of the module may be set to another one from outside."""
    from gpuport.loops.facts import ScalarFact

    known = isinstance(fact, ScalarFact) and fact.value is not None and "." not in name
    return ScalarFact(fact.type) if known and name not in unit.env else fact  # type: ignore[union-attr]


def _asked(unit: Unit, node: Loop, facts: dict[str, Fact]) -> tuple[LoopPlan, Kernel] | Refusal:
    from gpuport.loops.context.scalars import live_after
    from gpuport.loops.facts import LoopNest, ModuleFact
    from gpuport.loops.kernels.kernel import kernel
    from gpuport.loops.planning.plan import region_plan
    from gpuport.loops.records import Refusal

    facts = {**facts, "numpy_": ModuleFact("numpy")}  # for what stands for methods of arrays
    project, outer = unit.project, tuple(_around(unit, node))
    key = (id(node), repr(facts))
    memory = project.remembered.compiled
    if key not in memory.answers:
        assert not isinstance(unit.node, ast.AsyncFunctionDef)
        nest = LoopNest(node, unit.node, facts, live_after(unit.node, node))
        memory.asked[id(node)] = nest, outer
        memory.answers[key] = region_plan(nest, outer)
    plan = memory.answers[key]
    if isinstance(plan, Refusal):
        return plan
    if key not in memory.kernels:
        others = (names for other, names in memory.names.items() if other != id(node))
        memory.kernels[key] = kernel(plan, _taken(project).union(*others))
    made = memory.kernels[key]
    if isinstance(made, Refusal):
        return made
    memory.names[id(node)] = frozenset((made.name, *(name for name, _ in made.others)))
    return plan, made


def _constants(unit: Unit, facts: Mapping[str, Fact]) -> Iterator[tuple[str, object]]:
    """Numbers of the module that a kernel holds as literals: the launch is guarded by them."""
    from gpuport.loops.facts import FunctionFact, ScalarFact

    for name, fact in facts.items():
        if isinstance(fact, ScalarFact) and fact.value is not None and name not in unit.env:
            if "." not in name:  # members of enumerations are what they are
                yield name, fact.value
        elif isinstance(fact, FunctionFact):
            yield from _constants(unit, fact.globals)


def _taken(project: Project) -> frozenset[str]:
    """Names that the module uses anywhere."""
    if not project.remembered.compiled.taken:
        module = project.module
        own = module.names.union(project.root.imports, project.root.bound)
        project.remembered.compiled.taken = own | module.parameters
    return project.remembered.compiled.taken


def _around(unit: Unit, node: Loop) -> Iterator[Loop]:
    for loop in unit.loop_nodes:
        if isinstance(loop, ast.For | ast.While) and loop is not node:
            yield loop


def _refused(node: Loop, code: str, message: str) -> Refusal:
    from gpuport.loops.records import Refusal

    return Refusal(code, message, node.lineno, node.col_offset)


# ---------------------------------------------------------------------- is it a loop over elements
