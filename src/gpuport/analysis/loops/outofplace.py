"""Why a kernel, right by itself, cannot stand where its loop is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gpuport.analysis.functions.calledfunctions import written_under_helper
from gpuport.analysis.functions.callsites import trips_shown
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.refusing import Loop, refused
from gpuport.analysis.statements.exits import not_shown_a_number
from gpuport.analysis.values.contents import is_no_table
from gpuport.analysis.values.lattice import Array, Either, Sequence, Value
from gpuport.cost.threads import too_few
from gpuport.loops.context.scalars import SCOPES, Function, exposed, surely_runs
from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import stored, walk
from gpuport.source.lengths import innermost_loops
from gpuport.source.literals import is_no_table as shows_no_table

if TYPE_CHECKING:
    from gpuport.loops.records import LoopPlan, Refusal

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def unbound_without_trips(function: Function, node: ast.stmt) -> list[str]:
    """Names that a loop reads and that before it only loops bind, which may make no trip at all.

    Such a name may be unbound where the loop makes none either. What is bound under a condition is
    taken to be bound where it is needed, as the condition tends to be the same.

    Parameters
    ----------
    function : ast.FunctionDef, ast.AsyncFunctionDef or ast.Module
    node : ast.stmt
        A loop of it, at any depth.
    """
    others = {name for part in walk(function.body) if isinstance(part, (ast.Global, ast.Nonlocal))
              for name in part.names}  # fmt: skip
    own = (stored(function.body) - others) & exposed([node])
    arguments = getattr(function, "args", None)
    if arguments is not None:
        own -= {part.arg for part in ast.walk(arguments) if isinstance(part, ast.arg)}
    return sorted(own - set(_bound(function.body, node))) if own else []


def _bound(block: list[ast.stmt], node: ast.stmt) -> Iterator[str]:
    """Names that statements before another one bind, by themselves or in loops that surely run."""
    for statement in block:
        if statement is node:
            return
        if isinstance(statement, SCOPES):
            continue
        holds = any(part is node for part in walk([statement]))
        if isinstance(statement, _LOOPS) and not holds:
            yield from _of_first_trip(statement, node)
        elif any(isinstance(part, _LOOPS) for part in walk([statement])):
            yield from _own(statement)
            for inner in _blocks(statement):
                yield from _bound(inner, node)
        else:
            yield from stored([statement])
        if holds:
            return


def _of_first_trip(loop: ast.stmt, node: ast.stmt) -> Iterator[str]:
    """What a loop that surely makes a trip binds on it."""
    body: list[ast.stmt] = loop.body  # type: ignore[attr-defined]
    if isinstance(loop, ast.For) and surely_runs(loop.iter):
        yield from stored([loop.target])
    elif not (isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)):
        return
    for position, statement in enumerate(body):
        if leaves([statement]):
            body = body[:position]
            break
    yield from _bound(body, node)


def _own(statement: ast.stmt) -> set[str]:
    """Names that a compound statement binds outside of its blocks."""
    within = {id(part) for block in _blocks(statement) for part in walk(block)}
    return {
        part.id for part in walk([statement])
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and id(part) not in within
    }  # fmt: skip


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement."""
    for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for name in ("body", "orelse", "finalbody"):
            yield getattr(part, name, [])


def out_of_place(
    unit: Unit,
    node: Loop,
    arrays: Mapping[str, Flow | None],
    plan: LoopPlan,
    constants: tuple[tuple[str, object], ...],
    changed_outside: frozenset[str],
) -> Refusal | None:
    """Why a kernel, right by itself, cannot stand where the loop is; None where it can.

    Parameters
    ----------
    unit : Unit
    node : ast.For or ast.While
    arrays : mapping of str to (Flow or None)
        What it takes for arrays.
    plan : LoopPlan
    constants : tuple of (str, number)
        Numbers of the module that it holds.
    changed_outside : frozenset of str
        Arrays of the host that it writes.
    """
    found = (
        _of_unknown_arrays(unit, node, arrays),
        _of_other_axes(unit, node, arrays, plan),
        _of_values_before(unit, node, plan),
        _of_few_threads(unit, node, plan),
        _of_other_code(unit, node, arrays, plan, constants, changed_outside),
    )
    return next((one for reasons in found for one in reasons), None)


def _of_unknown_arrays(
    unit: Unit, node: Loop, arrays: Mapping[str, Flow | None]
) -> Iterator[Refusal]:
    """What has no name, or is not known to be an array."""
    for name, flow in arrays.items():
        if name.endswith(".flat"):
            message = f"`{name}`: go over `{name.removesuffix('flat')}ravel()` instead"
            yield refused(node, "GP201", message)
        if "." in name:
            message = f"`{name}` has no name of its own: give it one before the loop"
            yield refused(node, "GP201", message)
        value = _value_of(flow)
        shown = is_no_table(unit.project.constant(name)) or shows_no_table(unit.module.tree, name)
        if value is None and not shown:
            continue
        if isinstance(value, Array) or (value is not None and _relied_on(value)):
            continue
        message = f"it is not known whether `{name}` is an array"
        if value is None:
            message = f"`{name}` is a list of which no array can be made that holds it as it is"
        elif isinstance(value, Sequence):
            message = f"`{name}` is no array: make one of it before the loop, `np.array({name})`"
        yield refused(node, "GP205", message)


def _of_other_axes(
    unit: Unit, node: Loop, arrays: Mapping[str, Flow | None], plan: LoopPlan
) -> Iterator[Refusal]:
    """Arrays of another number of axes than the kernel is for."""
    passed = unit.project.calls.of(unit.node)
    for name, rank in plan.ranks.items():
        seen = passed.get(name) if unit.scope.bound.get(name) == 1 else None
        if isinstance(seen, Array) and seen.rank not in (None, rank):
            message = f"a kernel is for `{name}` with {rank} axes, and calls pass {seen.rank}"
            yield refused(node, "GP205", message)
        held = _value_of(arrays.get(name))
        if isinstance(held, Array) and held.rank not in (None, rank):
            message = f"`{name}` has {held.rank} axes, and a kernel would be for {rank}"
            yield refused(node, "GP205", message)
        elif isinstance(held, Array) and held.fewest > rank:
            message = f"`{name}` has {held.fewest} axes or more, and a kernel would be for {rank}"
            yield refused(node, "GP205", message)


def _of_values_before(unit: Unit, node: Loop, plan: LoopPlan) -> Iterator[Refusal]:
    """Names that may hold something else, or nothing, where the loop begins."""
    unsure = not_shown_a_number(unit, plan)
    if unsure is not None:
        message = f"it is not known whether `{unsure}`, of which its result is made, is a number"
        yield refused(node, "GP205", message)
    unbound = unbound_without_trips(unit.node, node)
    if unbound:
        message = f"`{unbound[0]}` has no value where the loops that give it one make no trip: "
        yield refused(node, "GP201", f"{message}give it one before them")


def _of_other_code(
    unit: Unit,
    node: Loop,
    arrays: Mapping[str, Flow | None],
    plan: LoopPlan,
    constants: tuple[tuple[str, object], ...],
    changed_outside: frozenset[str],
) -> Iterator[Refusal]:
    """What other code reads or writes, or other names of the loop."""
    if any(unit.scope.owner(name) is not unit.project.root for name, _ in constants):
        yield refused(node, "GP205", "a name of the module is hidden here")
    if changed_outside or not unit.module.stands_alone(node):
        message = "it writes into an array of the module, which other code may read"
        yield refused(node, "GP205", message)
    under = written_under_helper(unit, plan.nest.facts, arrays, plan.writes)
    if under is not None:
        yield refused(node, "GP203", under)
    shared = _shared_memory(arrays, plan.writes)
    if shared is not None:
        yield refused(node, "GP202", shared)


def _of_few_threads(unit: Unit, node: Loop, plan: LoopPlan) -> Iterator[Refusal]:
    """A few threads that would each go through arrays, element by element, as NumPy does faster.

    What goes through single elements in the program takes Python longer than any thread.
    """
    innermost = list(innermost_loops(plan.body))
    if not innermost or any(name not in plan.places for name, _ in innermost):
        return
    trips = [trips_shown(unit, axis.stop, axis.start) for axis in plan.grid]
    threads = too_few(trips, [trips_shown(unit, one) for _, one in innermost])
    if threads:
        message = (
            f"as far as the program shows it runs {threads} times, and works on whole arrays: as a "
            f"kernel, {threads} threads would go through them one element after another, which "
            "NumPy does faster. Give the arrays an axis for the loop, so that an operation is over "
            "all of its iterations"
        )
        yield refused(node, "GP201", message)


def _value_of(flow: Flow | None) -> Value | None:
    return None if flow is None else flow.value


def _relied_on(value: Value) -> bool:
    """Whether the boundary can be told to take nothing but an array."""
    return isinstance(value, Either) and bool(value.sources)


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


__all__ = ["out_of_place"]
