"""Numbers that some iterations set: a kernel that tells which, the latest of each, and the rest.

``last_terms[i]`` is what iteration `i` sets the number to, ``last_at[i]`` is `i` where it does,
and -1 elsewhere. The greatest place so far is the latest one (``running_latest`` of the runtime).
"""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.loops.facts import ArrayFact
from gpuport.loops.kernels.grid import grid_size
from gpuport.loops.kernels.latest_types import Kept, kept_number, position
from gpuport.loops.kernels.scan_plans import element, number_taken, with_array
from gpuport.loops.kernels.stages import Make, asked_besides, staged
from gpuport.loops.names import constant_int
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.parallel.staged import of_latest
from gpuport.source import syntax


def latest_kernel(plan: LoopPlan, taken: frozenset[str], make: Make) -> Kernel | Refusal:
    """The kernels of a plan whose iterations are tied by numbers that some of them set.

    Parameters
    ----------
    plan : LoopPlan
    taken : frozenset of str
        Names that the kernels may not have.
    make : Make

    Raises
    ------
    Refused
        Where the number would not be what the loop makes it.
    """
    size = grid_size(plan)
    kept = [kept_number(plan, one, taken) for one in plan.latest]
    arrays = {name for one in kept for name in one.held.arrays}
    first = make(_terms_plan(plan, kept), taken.union(arrays))
    if isinstance(first, Refusal):
        return first
    where = plan.latest[0].statement
    if first.checked:
        names = " and ".join(f"`{one.variable}`" for one in plan.latest)
        message = f"which iterations set {names} depends on elements that may not be there"
        raise Refused(UNSUPPORTED, where, message)
    rest = make(_rest_plan(plan, kept), taken | arrays | {one.held.scanned for one in kept})
    if isinstance(rest, Refusal):
        return rest
    made = staged([first, rest], [*plan.guards, f"{size} > 0"])
    held = [one.held for one in kept]
    both = first.declared, rest.declared
    return replace(made, declared=of_latest(*both, held, asked_besides(plan)))


def _terms_plan(plan: LoopPlan, kept: list[Kept]) -> LoopPlan:
    """What iterations set the numbers to, and which ones do."""
    by_statement = {id(one.latest.statement): one for one in kept}
    body: list[ast.stmt] = []
    nodes: list[tuple[str, str, ast.Subscript]] = []
    for statement in plan.body[: position(plan) + 1]:
        one = by_statement.get(id(statement))
        body += [statement] if one is None else _told([statement], one, plan, nodes)
    made = plan
    for _, dtype, node in nodes:
        made = with_array(made, ArrayFact(dtype, 1), node, body)
    written = frozenset(name for name, _, _ in nodes)
    reads = frozenset(made.ranks) - written
    return replace(made, latest=(), writes=written, reads=reads, accumulations=())


def _told(
    body: list[ast.stmt], one: Kept, plan: LoopPlan, nodes: list[tuple[str, str, ast.Subscript]]
) -> list[ast.stmt]:
    """Statements that store what those of an update set the number to."""

    def store(array: str, dtype: str, value: ast.expr, where: ast.stmt) -> ast.stmt:
        node = element(plan, array, ast.Store())
        nodes.append((array, dtype, node))
        made = ast.copy_location(ast.Assign([node], value), where)
        return ast.fix_missing_locations(made)

    found: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.If):
            ways = [_told(way, one, plan, nodes) for way in (statement.body, statement.orelse)]
            if not ways[1]:
                ways[1] = [store(one.held.places, "int64", _number(-1), statement)]
            made = ast.If(statement.test, ways[0], ways[1])
            found.append(ast.copy_location(made, statement))
        elif isinstance(statement, ast.Assign):
            found.append(store(one.held.terms, one.held.type.dtype, statement.value, statement))
            place = element(plan, one.held.places, ast.Load()).slice
            found.append(store(one.held.places, "int64", syntax.copied(place), statement))
        else:
            if isinstance(statement, ast.AugAssign):
                amount = constant_int(statement.value) or 0
                down = isinstance(statement.op, ast.Sub)
                value = _number(-amount if down else amount)
                found.append(store(one.held.counts, "int64", value, statement))
            found.append(store(one.held.places, "int64", _number(-1), statement))
    return found


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _rest_plan(plan: LoopPlan, kept: list[Kept]) -> LoopPlan:
    """What is made of the numbers."""
    by_statement = {id(one.latest.statement): one for one in kept}
    body: list[ast.stmt] = []
    nodes: list[tuple[Kept, ast.Subscript]] = []
    for statement in plan.body:
        one = by_statement.get(id(statement))
        if one is None:
            body.append(statement)
            continue
        node = element(plan, one.held.scanned, ast.Load())
        nodes.append((one, node))
        body.append(number_taken(one.latest.variable, node, one.held.type, statement))
    made = plan
    for one, node in nodes:
        array = ArrayFact(
            one.held.type.dtype, 1, counts=one.bounded, falls=one.bounded and one.falls
        )
        made = with_array(made, array, node, body)
    scanned = {one.held.scanned for one in kept}
    return replace(
        made,
        latest=(),
        reads=(plan.reads | scanned) & frozenset(made.ranks),
        last_values=plan.last_values,
    )
