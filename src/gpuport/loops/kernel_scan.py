"""Scans: a kernel for the terms, CuPy's cumulative function, a kernel for what is made of them.

``running += f(i); out[i] = g(running)`` becomes ``running_terms[i] = f(i)``, a cumulative sum that
starts at the number from before the loop, and ``out[i] = g(running_scan[i])``. Products and sums of
floating numbers are taken in another order than the loop's. Extremes, of which CuPy has no
cumulative function, are found by doubling: the first 2, 4, 8, ... of each prefix.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

from .cuda_flow import Flow
from .cuda_functions import DeviceFunctions
from .cuda_names import Names
from .cuda_symbols import PHYSICAL
from .kernel_grid import axis_size
from .kernel_single import is_single
from .kernel_sums import Sums, scalar_text, sums, unasked
from .kernel_symbols import Breadth, outside
from .names import constant_int, dotted, stored, subscript_indices, walk
from .reasons import UNSUPPORTED, Refused
from .records import (
    Accumulation,
    ArrayFact,
    Kernel,
    LoopPlan,
    Refusal,
    ScalarFact,
    Scan,
    SubscriptRange,
)
from .typing import Type

Make = Callable[[LoopPlan, frozenset[str]], Kernel | Refusal]
_CUMULATIVE = {"+": "cumsum", "*": "cumprod"}
_NEUTRAL = {"+": 0, "*": 1}
_BEGINNINGS = {"float64": "float|float64|int24", "int64": "int|int64"}
"""Numbers of unknown type that a running extreme may begin with, as the launch asks for them."""


def scan_kernel(plan: LoopPlan, taken: frozenset[str], make: Make) -> Kernel | Refusal:
    """The kernels of a plan whose iterations are tied by a scan.

    Parameters
    ----------
    plan : LoopPlan
    taken : frozenset of str
    make : callable
        Makes the kernel of a plan without a scan.

    Returns
    -------
    Kernel or Refusal
        The kernel after the scan; the one before it is among its ``others``.

    Raises
    ------
    Refused
        Where the scan would not give what the loop gives.
    """
    scan, (axis,) = plan.scan, plan.grid
    assert scan is not None
    type_, start, given = _type(plan, scan)
    plan = replace(plan, guards=tuple(unasked(plan.guards, start)))
    base = scan.variable.rstrip("_")
    terms, scanned = (_unused(f"{base}_{w}", taken) for w in ("terms", "scan"))
    size = axis_size(axis, plan)
    place = _stored_at(plan, scan, type_)
    if place is not None:
        made = _stored_scan(plan, scan, type_, (terms, *place), taken, make)
        return (
            replace(made, assumed={**made.assumed, **start}) if isinstance(made, Kernel) else made
        )
    source = _copied(plan, scan, type_)
    before: list[str] = []
    first: Kernel | None = None
    if source is None:
        made = make(_terms_plan(plan, scan, terms, type_), taken | {terms, scanned})
        if isinstance(made, Refusal):
            return made
        if made.flag:
            message = f"`{ast.unparse(scan.term)}`, of which `{scan.variable}` is made, may raise"
            raise Refused(UNSUPPORTED, scan.statement, message)
        first = replace(made, name=_unused(f"{made.name}_terms", taken))
        text = made.call.replace(f"{made.name}(", f"{first.name}(", 1)
        before += [f"{terms} = {{cupy}}.empty({size}, dtype={{cupy}}.{type_.dtype})", text]
    starts = _starts(plan, scan)
    if source is not None and starts and scan.operator in _CUMULATIVE:
        before.append(f"{terms} = {source}.copy()")
        source = None
    before += _scan_lines(scan, source or terms, scanned, type_, starts)
    remaining = _rest_plan(plan, scan, scanned, type_)
    _check_types(plan, scan, remaining, given)
    rest = make(remaining, taken | {terms, scanned})
    if isinstance(rest, Refusal):
        return rest
    last = []
    if scan.variable in plan.nest.live_after:
        last = _last(plan, scan, scalar_text(f"{scanned}[-1]", type_), type_)
    parts = [k for k in (first, rest) if k is not None]
    guards = [*plan.guards, f"{size} > 0", *_guards(plan, scan, type_, start)]
    assumed: dict[str, str] = {}
    for part in parts:
        assumed |= {n: t for n, t in part.assumed.items() if n not in (terms, scanned)}
    if source is not None:
        assumed[source] = type_.dtype
    guards += [
        f"{name}.dtype == '{dtype}'"
        for name, dtype in assumed.items()
        if name not in rest.arguments
        and isinstance(plan.nest.facts.get(name), ArrayFact | None)
        and name in plan.reads
    ]
    return replace(
        rest,
        before=(*before, *rest.before),
        after=(*last, *rest.after),
        guards=tuple(dict.fromkeys([*guards, *(g for p in parts for g in p.guards)])),
        assumed=assumed | start,
        others=() if first is None else ((first.name, first.definition),),
        notes=tuple(
            dict.fromkeys([*(n for p in parts for n in p.notes), *_notes(plan, scan, type_)])
        ),
    )


def _last(plan: LoopPlan, scan: Scan, value: str, type_: Type) -> list[str]:
    """Statements that bind the scanned number after the loop."""
    name = scan.variable
    if scan.operator in _CUMULATIVE or _starts_as(plan, scan, type_):
        return [f"{name} = {value}"]
    # The loop keeps the very number, and its type, that it began with until one is beyond it.
    return [f"{name}_found = {value}", f"if {name}_found != {name}:\n    {name} = {name}_found"]


def _starts_as(plan: LoopPlan, scan: Scan, type_: Type) -> bool:
    """Whether the number is of the scan's type before the loop."""
    fact = plan.nest.facts.get(scan.variable)
    return isinstance(fact, ScalarFact) and fact.type == str(type_)


def _stored_scan(
    plan: LoopPlan,
    scan: Scan,
    type_: Type,
    names: tuple[str, str, str],
    taken: frozenset[str],
    make: Make,
) -> Kernel | Refusal:
    """A scan that is stored as it is: the cumulative function does that too."""
    terms, array, place = names
    made = make(_terms_plan(plan, scan, terms, type_), taken | {terms})
    if isinstance(made, Refusal):
        return made
    size = axis_size(plan.grid[0], plan)
    lines = _scan_lines(scan, terms, "", type_, _starts(plan, scan))
    lines[-1] = f"{lines[-1].removeprefix(' = ')[:-1]}, out={place})"
    if scan.variable in plan.nest.live_after:
        lines.append(f"{scan.variable} = {scalar_text(f'{place}[-1]', type_)}")
    return replace(
        made,
        before=(f"{terms} = {{cupy}}.empty({size}, dtype={{cupy}}.{type_.dtype})", *made.before),
        after=(*lines, *(f"{n} = {e}" for n, e in plan.last_values), *made.after),
        guards=tuple(dict.fromkeys([*plan.guards, f"{size} > 0", *made.guards])),
        assumed={**{n: t for n, t in made.assumed.items() if n != terms}, array: type_.dtype},
        notes=(*made.notes, *_notes(plan, scan, type_)),
    )


def _notes(plan: LoopPlan, scan: Scan, type_: Type) -> tuple[str, ...]:
    """A number that no iteration changes keeps its type in the loop."""
    same = _starts_as(plan, scan, type_)
    if same or scan.variable not in plan.nest.live_after or not isinstance(scan.term, ast.IfExp):
        return ()
    return (
        f"`{scan.variable}` (line {scan.statement.lineno}) keeps its type where no iteration "
        f"changes it (a Python number raises where it is divided by zero); the port makes it "
        f"{type_}",
    )


def _stored_at(plan: LoopPlan, scan: Scan, type_: Type) -> tuple[str, str] | None:
    """The array, and the part of it, that takes the scan unchanged where nothing else is done."""
    (axis,) = plan.grid
    rest = plan.body[plan.body.index(scan.statement) + 1 :]
    start = constant_int(ast.parse(axis.start, mode="eval").body)
    if len(rest) != 1 or axis.step != "1" or scan.operator not in _CUMULATIVE:
        return None
    if start is None or start < 0:
        return None
    (node,) = rest
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return None
    target = node.targets[0]
    name = dotted(target.value)
    shown = [dotted(e) for e in (*subscript_indices(target), node.value)]
    fact = plan.nest.facts.get(name or "")
    dtype = (fact.dtype if isinstance(fact, ArrayFact) else None) or "float64"
    if name is None or shown != [axis.variable, scan.variable] or dtype != type_.dtype:
        return None
    return name, f"{name}[{start or ''}:{axis.stop}]"


Given = Mapping[str, frozenset[Type]]
"""Types of what iterations add to numbers, by name."""


def _check_types(plan: LoopPlan, scan: Scan, remaining: LoopPlan, given: Given) -> None:
    """Refuse what is made of the carried number itself while that may be Python's still."""
    if not plan.accumulations:
        return
    types = _summed(remaining, list(remaining.body)).given
    for name in {a.variable for a in plan.accumulations}:
        if given.get(name) != types.get(name):
            raise Refused(
                UNSUPPORTED,
                scan.statement,
                f"`{name}` takes its type from `{scan.variable}`, which begins as another type "
                "than the loop gives it; begin with a number of NumPy's",
            )


def _type(plan: LoopPlan, scan: Scan) -> tuple[Type, dict[str, str], Given]:
    """The type of the carried number, once there has been an iteration.

    And what it is before, where that has to be asked; and the types of what is made of it.
    """
    facts = dict(plan.nest.facts)
    initial = ast.parse(scan.initial, mode="eval").body
    if isinstance(initial, ast.Subscript):
        fact = facts.get(dotted(initial.value) or "")
        dtype = (fact.dtype if isinstance(fact, ArrayFact) else None) or "float64"
        facts[scan.variable] = ScalarFact(dtype)
    summed = replace(
        plan,
        nest=replace(plan.nest, facts=facts),
        accumulations=(
            Accumulation(scan.variable, scan.operator, scan.statement),
            *plan.accumulations,
        ),
        scan=None,
    )
    body = list(plan.body)
    made = _summed(summed, body)
    type_ = made.types[scan.variable]
    start = {name: kind for name, kind in made.assumed.items() if name == scan.variable}
    fact = plan.nest.facts.get(scan.variable)
    unknown = not isinstance(fact, ScalarFact) or (fact.type is None and fact.value is None)
    if scan.operator not in _CUMULATIVE and scan.array is None and unknown:
        kinds = _BEGINNINGS.get(type_.dtype)
        if kinds is not None and _literal_before(plan, scan.initial) is None:
            start = {scan.variable: kinds}
    if isinstance(initial, ast.Subscript) and type_.dtype != dtype:
        shown = ast.unparse(initial.value)
        raise Refused(
            UNSUPPORTED,
            scan.statement,
            f"`{shown}` holds {dtype}, and what it is made of is {type_}: each step rounds",
        )
    return type_, start, made.given


def _summed(plan: LoopPlan, body: list[ast.stmt]) -> Sums:
    """The carried number as a sum, for as many types of what it starts from as give one type."""
    refusal: Refused | None = None
    for breadth in Breadth:
        found = outside(plan, body, PHYSICAL, Breadth.NARROW)
        flow = Flow(found.symbols)
        DeviceFunctions(Names()).attach(flow, found.symbols)
        try:
            return sums(plan, body, flow, found.symbols, breadth=breadth)
        except Refused as refused:
            refusal = refused
    assert refusal is not None
    raise refusal


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


def _element(plan: LoopPlan, array: str, context: ast.expr_context) -> ast.Subscript:
    node = ast.Subscript(ast.Name(array, ast.Load()), _index(plan), context)
    for part in ast.walk(node):
        ast.copy_location(part, plan.region)
    return node


def _with_array(
    plan: LoopPlan, array: str, type_: Type, node: ast.Subscript, body: list[ast.stmt]
) -> LoopPlan:
    facts = {**plan.nest.facts, array: ArrayFact(type_.dtype, 1, None, True)}
    mentioned = {dotted(n.value) for n in walk(body) if isinstance(n, ast.Subscript)}
    return replace(
        plan,
        nest=replace(plan.nest, facts=facts),
        body=tuple(body),
        scan=None,
        ranges=(*plan.ranges, SubscriptRange(node, array, 0, False, True)),
        ranks={**{n: r for n, r in plan.ranks.items() if n in mentioned}, array: 1},
        last_values=(),
        guards=(),
    )


def _terms_plan(plan: LoopPlan, scan: Scan, terms: str, type_: Type) -> LoopPlan:
    at = plan.body.index(scan.statement)
    node = _element(plan, terms, ast.Store())
    store = ast.copy_location(ast.Assign([node], scan.term), scan.statement)
    body = [*plan.body[:at], store]
    made = _with_array(plan, terms, type_, node, body)
    reads = frozenset(made.ranks) - {terms}
    return replace(made, writes=frozenset({terms}), reads=reads, accumulations=())


def _rest_plan(plan: LoopPlan, scan: Scan, scanned: str, type_: Type) -> LoopPlan:
    at = plan.body.index(scan.statement)
    node = _element(plan, scanned, ast.Load())
    target = ast.copy_location(ast.Name(scan.variable, ast.Store()), scan.statement)
    load = ast.copy_location(ast.Assign([target], node), scan.statement)
    body = [*plan.body[:at], load, *plan.body[at + 1 :]]
    body = _without_unused(body, {a.variable for a in plan.accumulations})
    made = _with_array(plan, scanned, type_, node, body)
    return replace(
        made,
        reads=(plan.reads | {scanned}) & frozenset(made.ranks),
        last_values=plan.last_values,
    )


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


def _copied(plan: LoopPlan, scan: Scan, type_: Type) -> str | None:
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


def _starts(plan: LoopPlan, scan: Scan) -> bool:
    """Whether the scan starts from a number that changes it."""
    fact = plan.nest.facts.get(scan.initial)
    known: object = fact.value if isinstance(fact, ScalarFact) else None
    if known is None:
        known = _literal_before(plan, scan.initial)
    return known is None or scan.operator not in _NEUTRAL or known != _NEUTRAL[scan.operator]


def _literal_before(plan: LoopPlan, name: str) -> object:
    """The number that a name is set to right before the loop, where the text tells."""
    for parent in ast.walk(plan.nest.function):
        for _, block in ast.iter_fields(parent):
            if not isinstance(block, list) or not any(node is plan.region for node in block):
                continue
            for node in reversed(block[: [n is plan.region for n in block].index(True)]):
                if name in stored([node]):
                    known = isinstance(node, ast.Assign) and len(node.targets) == 1
                    plain = known and isinstance(node.targets[0], ast.Name)
                    value = node.value if plain else None
                    return value.value if isinstance(value, ast.Constant) else None
    return None


def _scan_lines(scan: Scan, terms: str, scanned: str, type_: Type, starts: bool) -> list[str]:
    if scan.operator in _CUMULATIVE:
        first, function = f"{terms}[:1]", {"+": "add", "*": "multiply"}[scan.operator]
        start = f"{{cupy}}.{function}({first}, {scan.initial}, out={first})"
        lines = [start] if starts else []
        dtype = f", dtype={{cupy}}.{type_.dtype}" if type_.kind in "iu" else ""
        return [*lines, f"{scanned} = {{cupy}}.{_CUMULATIVE[scan.operator]}({terms}{dtype})"]
    function = f"{{cupy}}.f{scan.operator}"
    step = f"{scanned}_step"
    return [
        f"{scanned} = {function}({terms}, {scan.initial})",
        f"{step} = 1",
        f"while {step} < {scanned}.size:\n"
        f"    {scanned}[{step}:] = {function}({scanned}[{step}:], {scanned}[:-{step}])\n"
        f"    {step} *= 2",
    ]


def _guards(plan: LoopPlan, scan: Scan, type_: Type, start: Mapping[str, str]) -> list[str]:
    """What an extreme has to start from.

    A loop that starts at NaN keeps it; the cumulative extreme would not. And what it starts from
    is one of its values, which the scan's type has to hold.
    """
    if scan.operator in _CUMULATIVE:
        return []
    guards = [f"{scan.initial} == {scan.initial}"] if type_.kind == "f" else []
    fact = plan.nest.facts.get(scan.initial)
    known = fact.value if isinstance(fact, ScalarFact) else _literal_before(plan, scan.initial)
    if isinstance(known, int | float):
        if _held(known, type_.dtype):
            return []
        raise Refused(
            UNSUPPORTED,
            scan.statement,
            f"`{scan.initial}` begins as {known!r}, which {type_.dtype} does not hold: begin with "
            f"`np.{type_.dtype}({known!r})` or with the first element",
        )
    asked = scan.variable in start or scan.array is not None
    if not asked and not _starts_as(plan, scan, type_):
        guards.append(f"float({{cupy}}.{type_.dtype}({scan.initial})) == {scan.initial}")
    return guards


def _held(value: float, dtype: str) -> bool:
    """Whether a dtype holds a number exactly."""
    import numpy as np

    try:
        with np.errstate(over="ignore"):
            return bool(np.dtype(dtype).type(value).item() == value)
    except (OverflowError, ValueError):
        return False


def _unused(wanted: str, taken: frozenset[str] | Mapping[str, object]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name
