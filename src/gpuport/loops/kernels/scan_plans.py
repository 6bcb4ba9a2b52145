"""The plans of a scan's two kernels: of the terms, and of what is made of the scanned numbers.

Whether a scan's term, made of several steps or of a step down, rounds and wraps as they did.

``s -= x[i]`` contributes ``-x[i]``, and ``s += x[i]; s -= y[i]`` contributes ``x[i] + -y[i]``. In
``s``, which may be wider, neither wraps; among int8 or unsigned numbers both do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.loops.carried import Scan
from gpuport.loops.context.breadth import Breadth
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.symbols import PHYSICAL
from gpuport.loops.facts import ArrayFact
from gpuport.loops.kernels.scan_types import keeps_positive_zero, literal_before
from gpuport.loops.kernels.single import is_single
from gpuport.loops.kernels.symbols import outside
from gpuport.loops.names import constant_int, dotted, stored, subscript_indices, walk
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.loops.records import LoopPlan, SubscriptRange
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.typing import Type
from gpuport.source.making import assigned


def check_steps(plan: LoopPlan, scan: Scan, type_: Type) -> None:
    """Refuse a term that is worked out in another type than the scanned number's.

    Raises
    ------
    Refused
    """
    made = list(_made(scan))
    if not made:
        return
    (axis,) = plan.grid
    kept = assigned(scan.variable, scan.term, scan.statement)
    body = [*plan.body[: plan.body.index(scan.statement)], kept]
    symbols = outside(plan, body, PHYSICAL, Breadth.NARROW).symbols
    flow = Flow(symbols)
    DeviceFunctions(Names()).attach(flow, symbols)
    flow.run_thread(body, {axis.variable: symbols.scalars[axis.variable]})
    for node in made:
        for one in flow.expressions.known(node).types:
            exact = isinstance(node, ast.UnaryOp) and one.kind in "fc"
            if not (one.weak or exact or one.dtype == type_.dtype):
                raise Refused(
                    UNKNOWN_TYPE,
                    scan.statement,
                    f"`{scan.array or scan.variable}` is {type_}, and what it is changed by is "
                    f"{one}, in which `{ast.unparse(node)}` may not be what it is in {type_}: "
                    f"give it that type, `np.{type_.dtype}(...)`",
                )


def _made(scan: Scan) -> Iterator[ast.UnaryOp | ast.BinOp]:
    """What of a term stands for several steps, or for one down, and is none of the user's.

    It stands where its operand does, or where the whole statement does.
    """
    for node in ast.walk(scan.term):
        if isinstance(node, ast.UnaryOp) and _place(node) == _place(node.operand):
            yield node
        if isinstance(node, ast.BinOp) and _place(node) == _place(scan.statement):
            yield node


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", -1)


SMALL = 1000
"""A number from which a count that adds no more at a time stays below what memory can hold."""


def _index(plan: LoopPlan) -> ast.expr:
    """The number of an iteration, from the loop's variable."""
    (axis,) = plan.grid
    start, step = (ast.parse(t, mode="eval").body for t in (axis.start, axis.step))
    index: ast.expr = ast.Name(axis.variable, ast.Load())
    if constant_int(start) != 0:
        index = ast.BinOp(index, ast.Sub(), start)
    if constant_int(step) != 1:
        index = ast.BinOp(index, ast.FloorDiv(), step)
    return index


def element(plan: LoopPlan, array: str, context: ast.expr_context) -> ast.Subscript:
    """The element of an array that belongs to an iteration."""
    node = ast.Subscript(ast.Name(array, ast.Load()), _index(plan), context)
    for part in ast.walk(node):
        ast.copy_location(part, plan.region)
    return node


def number_taken(name: str, value: ast.expr, type_: Type, where: ast.stmt) -> ast.stmt:
    """A number that an iteration takes from an array, as one of Python's where the loop has such.

    What is made of a Python number has the other operand's type: float32 stays float32.
    """
    if type_.weak:
        value = ast.Call(ast.Name(str(type_), ast.Load()), [value], [])
    made = ast.Assign([ast.Name(name, ast.Store())], value)
    for part in ast.walk(made):
        ast.copy_location(part, where)
    return made


def with_array(
    plan: LoopPlan, array: ArrayFact, node: ast.Subscript, body: list[ast.stmt]
) -> LoopPlan:
    """The plan with a body that reads or stores an element of one more array."""
    name = dotted(node.value) or ""
    facts = {**plan.nest.facts, name: array}
    mentioned = {dotted(n.value) for n in walk(body) if isinstance(n, ast.Subscript)}
    return replace(
        plan,
        nest=replace(plan.nest, facts=facts),
        body=tuple(body),
        scan=None,
        tallies=None,
        ranges=(*plan.ranges, SubscriptRange(node, name, 0, False, True)),
        ranks={**{n: r for n, r in plan.ranks.items() if n in mentioned}, name: 1},
        last_values=(),
        guards=(),
        workspaces=tuple(one for one in plan.workspaces if one.name in mentioned),
    )


def terms_plan(plan: LoopPlan, scan: Scan, terms: str, type_: Type) -> LoopPlan:
    at = plan.body.index(scan.statement)
    node = element(plan, terms, ast.Store())
    term = from_zero(scan.term) if keeps_positive_zero(plan, scan, type_) else scan.term
    store = ast.copy_location(ast.Assign([node], term), scan.statement)
    body = [*plan.body[:at], store]
    made = with_array(plan, ArrayFact(type_.dtype, 1), node, body)
    reads = frozenset(made.ranks) - {terms}
    return replace(made, writes=frozenset({terms}), reads=reads, accumulations=())


def rest_plan(
    plan: LoopPlan, scan: Scan, scanned: str, type_: Type, *, from_zero_on: bool = False
) -> LoopPlan:
    """The plan of what is made of the scanned numbers.

    Parameters
    ----------
    plan : LoopPlan
    scan : Scan
    scanned : str
        The array that holds the numbers.
    type_ : Type
        What the loop gives the number that it carries.
    from_zero_on : bool
        Whether the scan lacks the zero that the loop begins with.
    """
    at = plan.body.index(scan.statement)
    node = element(plan, scanned, ast.Load())
    value = from_zero(node) if from_zero_on else node
    load = number_taken(scan.variable, value, type_, scan.statement)
    body = [*plan.body[:at], load, *plan.body[at + 1 :]]
    body = _without_unused(body, {a.variable for a in plan.accumulations})
    steps = _steps(scan.term) if scan.operator == "+" and str(type_) == "int" else None
    begin = literal_before(plan, scan.initial)
    counts = steps is not None and isinstance(begin, int) and 0 <= begin < SMALL
    falls = counts and min(steps or (0,)) < 0
    array = ArrayFact(type_.dtype, 1, counts=counts, falls=falls)
    made = with_array(plan, array, node, body)
    return replace(
        made,
        reads=(plan.reads | {scanned}) & frozenset(made.ranks),
        last_values=plan.last_values,
    )


def from_zero(value: ast.expr) -> ast.expr:
    """A number as what begins at zero has it: ``-0.0`` becomes ``0.0``, all else stays."""
    made = ast.BinOp(ast.Constant(0.0), ast.Add(), value)
    for part in (made, made.left):
        ast.copy_location(part, value)
    return made


def _steps(term: ast.expr) -> tuple[int, ...] | None:
    """The small literals of which a term is one; None where it is anything else."""
    if isinstance(term, ast.IfExp):
        sides = _steps(term.body), _steps(term.orelse)
        return None if sides[0] is None or sides[1] is None else (*sides[0], *sides[1])
    amount = constant_int(term)
    return None if amount is None or abs(amount) >= SMALL else (amount,)


def _without_unused(body: list[ast.stmt], together: set[str]) -> list[ast.stmt]:
    """The body without assignments to names that nothing reads any more, on the way or later."""
    kept = body
    while True:
        read = {n.id for n in walk(kept) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        read |= together
        left = [
            node
            for node in kept
            if not (isinstance(node, ast.Assign) and stored([node]) and not stored([node]) & read)
        ]
        if len(left) == len(kept):
            return kept
        kept = left


def copied(plan: LoopPlan, scan: Scan, type_: Type) -> str | None:
    """The array whose elements are the terms, one for each iteration."""
    term: ast.expr = scan.term
    at = plan.body.index(scan.statement)
    for node in plan.body[:at]:
        if isinstance(node, ast.Assign) and isinstance(term, ast.Name):
            target = node.targets[0]
            term = node.value if isinstance(target, ast.Name) and target.id == term.id else term
    if not isinstance(term, ast.Subscript) or not plan.elementwise:
        return None
    name = dotted(term.value)
    index = [e.id for e in subscript_indices(term) if isinstance(e, ast.Name)]
    fact = plan.nest.facts.get(name or "")
    dtype = (fact.dtype if isinstance(fact, ArrayFact) else None) or "float64"
    body = list(plan.body)
    symbols = outside(plan, body, PHYSICAL, Breadth.NARROW).symbols
    if not is_single(plan, body, symbols) or index != [a.variable for a in plan.grid]:
        return None
    return name if dtype == type_.dtype else None
