"""Scans: a kernel for the terms, CuPy's cumulative function, a kernel for what is made of them.

``running += f(i); out[i] = g(running)`` becomes ``running_terms[i] = f(i)``, a cumulative sum that
starts at the number from before the loop, and ``out[i] = g(running_scan[i])``. Products and sums of
floating numbers are taken in another order than the loop's. Extremes, of which CuPy has no
cumulative function, are found by doubling: the first 2, 4, 8, ... of each prefix.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuport.loops.carried import Scan
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.grid import axis_size
from gpuport.loops.kernels.scan_plans import check_steps, copied, rest_plan, terms_plan
from gpuport.loops.kernels.scan_types import (
    CUMULATIVE,
    ScanType,
    changes_at_start,
    check_types,
    held,
    keeps_positive_zero,
    literal_before,
    starts_as,
    type_of_scan,
)
from gpuport.loops.kernels.stages import (
    Make,
    asked_besides,
    assumed_by,
    dtypes_asked,
    in_another_order,
    renamed,
    staged,
)
from gpuport.loops.kernels.sums import scalar_text, unasked
from gpuport.loops.kernels.totals import keeps_last
from gpuport.loops.names import constant_int, dotted, subscript_indices
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.parallel.conditions import operand
from gpuport.parallel.cuda.objects import unused
from gpuport.parallel.declared import DeclaredKernel, Given, storing, woven
from gpuport.parallel.shares import last_of, running
from gpuport.parallel.staged import types_asked, word_before
from gpuport.parallel.typing import Type


@dataclass(frozen=True)
class _Typed:
    """A scan whose type is known.

    Attributes
    ----------
    plan : LoopPlan
    scan : Scan
    told : ScanType
    terms, scanned : str
        The arrays of what each iteration contributes, and of the scanned numbers.
    """

    plan: LoopPlan
    scan: Scan
    told: ScanType
    terms: str
    scanned: str


def scan_kernel(plan: LoopPlan, taken: frozenset[str], make: Make) -> Kernel | Refusal:
    """The kernels of a plan whose iterations are tied by a scan.

    Parameters
    ----------
    plan : LoopPlan
    taken : frozenset of str
        Names that the kernels may not have.
    make : Make

    Returns
    -------
    Kernel or Refusal
        The kernel after the scan; the one before it is among its ``others``.

    Raises
    ------
    Refused
        Where the scan would not give what the loop gives.
    """
    scan = plan.scan
    assert scan is not None
    told = type_of_scan(plan, scan)
    check_steps(plan, scan, told.type)
    _check_zeros(scan, told.type)
    plan = replace(plan, guards=tuple(unasked(plan.guards, told.start)))
    base = scan.variable.rstrip("_")
    terms, scanned = (unused(f"{base}_{w}", taken) for w in ("terms", "scan"))
    place = _stored_at(plan, scan, told.type)
    if place is not None:
        made = _stored_scan(plan, scan, told, (terms, *place), taken, make)
    else:
        made = _scanned(_Typed(plan, scan, told, terms, scanned), taken, make)
    if isinstance(made, Refusal):
        return made
    either = [scan.variable] if told.either and scan.variable in plan.nest.live_after else []
    return replace(
        made,
        assumed={**made.assumed, **told.start},
        kinds=tuple(dict.fromkeys([*made.kinds, *either])),
    )


def _check_zeros(scan: Scan, type_: Type) -> None:
    """Refuse an extreme that is the last of equal numbers: the scan gives the first of them."""
    chosen = isinstance(scan.statement, ast.If) and scan.operator not in CUMULATIVE
    if type_.kind == "f" and chosen and keeps_last(scan.statement, scan.variable):
        message = f"`{scan.variable}` becomes the last of equal numbers, which for zeros of two"
        raise Refused(UNSUPPORTED, scan.statement, f"{message} signs matters: compare with < or >")


def _scanned(typed: _Typed, taken: frozenset[str], make: Make) -> Kernel | Refusal:
    """A kernel for the terms, where they are no array, the scan, and a kernel for the rest."""
    plan, scan, type_ = typed.plan, typed.scan, typed.told.type
    terms, scanned = typed.terms, typed.scanned
    size = axis_size(plan.grid[0], plan)
    source = whole = copied(plan, scan, type_)
    starts = changes_at_start(plan, scan)
    first: list[Kernel] = []
    before: list[str] = []
    if source is None:
        made = _terms_kernel(plan, scan, type_, (terms, scanned), taken, make)
        if isinstance(made, Refusal):
            return made
        first = [renamed(made, unused(f"{made.name}_terms", taken))]
        before = [f"{terms} = {{cupy}}.empty({size}, dtype={{cupy}}.{type_.dtype})", first[0].call]
    elif starts and scan.operator in CUMULATIVE:
        before = [f"{terms} = {source}.copy()"]
        source = None
    before += _scan_lines(scan, source or terms, scanned, type_, starts)
    zero = source is not None and keeps_positive_zero(plan, scan, type_)
    remaining = rest_plan(plan, scan, scanned, type_, from_zero_on=zero)
    check_types(plan, scan, remaining, typed.told.given)
    rest = make(remaining, taken | {terms, scanned})
    if isinstance(rest, Refusal):
        return rest
    assumed = assumed_by([*first, rest], (terms, scanned))
    assumed |= {} if source is None else {source: type_.dtype}
    guards = [*plan.guards, f"{size} > 0", *_guards(plan, scan, type_, typed.told.start)]
    guards += dtypes_asked(plan, assumed, rest)
    made = staged([*first, rest], before, _last(typed, zero), guards, assumed)
    return replace(
        made,
        notes=tuple(dict.fromkeys([*made.notes, *_notes(plan, scan, type_)])),
        remarks=(*_remarks(scan, type_), *made.remarks),
        kinds=(*made.kinds, *_kinds(plan, scan, type_)),
        declared=_in_two_steps(typed, first, rest, whole, zero),
    )


def _in_two_steps(
    typed: _Typed, first: list[Kernel], rest: Kernel, source: str | None, zero: bool
) -> DeclaredKernel | None:
    """The same in the form of `gpuport.runtime.kernel`."""
    plan, scan, type_, name = typed.plan, typed.scan, typed.told.type, typed.scanned
    begins, terms = _begins(plan, scan, typed.told.start), first[0].declared if first else None
    if begins is None or rest.declared is None or (first and terms is None):
        return None
    starts = changes_at_start(plan, scan)
    begin = scan.initial if starts or scan.operator not in CUMULATIVE else ""
    copy = f"{source}.copy()" if source and starts and scan.operator in CUMULATIVE else source
    left = {}
    if scan.variable in plan.nest.live_after:
        keeps = scan.operator not in CUMULATIVE and not starts_as(plan, scan, type_)
        kept = scan.variable if keeps else ""
        left = {scan.variable: last_of(name, type_, zero=zero, keeps=kept)}
    known = getattr(plan.nest.facts.get(scan.initial), "type", None) == "float"
    exact = known and type_.dtype == "float64"  # then all but NaN is
    guards = _guards(plan, scan, type_, typed.told.start)
    asked = [*asked_besides(plan), *types_asked(typed.told.start)]
    asked += [operand(g) for g in guards if not (exact and type_.dtype in g)]
    lengths = (f"len({source})", f"{source}.shape[0]")
    told = source is None or plan.grid[0].stop in lengths
    asked += [] if told else [f"len({source}) == {plan.grid[0].stop}"]
    return woven(
        None if terms is None else (terms, {typed.terms: name}),
        rest.declared,
        [Given(name, type_.dtype, False, "")],
        f"{name} = {running(scan.operator, copy or name, '', begin)}",
        left,
        [*begins, *([Given(source, type_.dtype, True, source)] if source else [])],
        asked,
    )


def _begins(plan: LoopPlan, scan: Scan, start: Mapping[str, str]) -> list[Given] | None:
    """The number that a scan begins with, as a parameter; None where there are no words for it."""
    fact, name = plan.nest.facts.get(scan.initial), scan.variable
    if scan.initial != name:
        return [] if not start else None
    known = isinstance(fact, ScalarFact) and (fact.type or fact.value is not None)
    word = "object" if known else word_before(start.get(name))
    return [Given(name, word, False, name)] if word else None


def _terms_kernel(
    plan: LoopPlan,
    scan: Scan,
    type_: Type,
    names: tuple[str, str],
    taken: frozenset[str],
    make: Make,
) -> Kernel | Refusal:
    """The kernel that stores what each iteration contributes."""
    made = make(terms_plan(plan, scan, names[0], type_), taken.union(names))
    if isinstance(made, Kernel) and made.flag:
        message = f"`{ast.unparse(scan.term)}`, of which `{scan.variable}` is made, may raise"
        raise Refused(UNSUPPORTED, scan.statement, message)
    return made


def _last(typed: _Typed, zero: bool) -> list[str]:
    """Statements that bind the scanned number after the loop."""
    plan, name = typed.plan, typed.scan.variable
    if name not in plan.nest.live_after:
        return []
    value = scalar_text(f"{typed.scanned}[-1]", typed.told.type)
    value = f"0.0 + {value}" if zero else value
    if typed.scan.operator in CUMULATIVE or starts_as(plan, typed.scan, typed.told.type):
        return [f"{name} = {value}"]
    # The loop keeps the very number, and its type, that it began with until one is beyond it.
    return [f"{name}_found = {value}", f"if {name}_found != {name}:\n    {name} = {name}_found"]


def _stored_scan(
    plan: LoopPlan,
    scan: Scan,
    told: ScanType,
    names: tuple[str, str, str],
    taken: frozenset[str],
    make: Make,
) -> Kernel | Refusal:
    """A scan that is stored as it is: the cumulative function does that too."""
    terms, array, place = names
    type_, start = told.type, told.start
    made = make(terms_plan(plan, scan, terms, type_), taken | {terms})
    if isinstance(made, Refusal):
        return made
    size = axis_size(plan.grid[0], plan)
    lines = _scan_lines(scan, terms, "", type_, changes_at_start(plan, scan))
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
        remarks=(*_remarks(scan, type_), *made.remarks),
        kinds=(*made.kinds, *_kinds(plan, scan, type_)),
        declared=_declared(plan, scan, (type_, start), made.declared, names),
    )


def _declared(
    plan: LoopPlan,
    scan: Scan,
    types: tuple[Type, Mapping[str, str]],
    made: DeclaredKernel | None,
    names: tuple[str, ...],
) -> DeclaredKernel | None:
    """The kernel of the terms with their scan in the form of `gpuport.runtime.kernel`."""
    type_, start = types
    terms, array, place = names
    begins = _begins(plan, scan, start)
    if made is None or begins is None:
        return None
    begin = scan.initial if changes_at_start(plan, scan) else ""
    left = dict(plan.last_values)
    if scan.variable in plan.nest.live_after:
        left = {scan.variable: last_of(place, type_), **left}
    return storing(
        made,
        Given(terms, type_.dtype, False, ""),
        Given(array, type_.dtype, True, array),
        running(scan.operator, terms, place, begin),
        left,
        begins,
        [*asked_besides(plan), *types_asked(start)],
    )


def _kinds(plan: LoopPlan, scan: Scan, type_: Type) -> tuple[str, ...]:
    """The number, where the loop leaves Python's that no iteration changes."""
    return (scan.variable,) if _notes(plan, scan, type_) and not type_.weak else ()


def _remarks(scan: Scan, type_: Type) -> tuple[str, ...]:
    """The order in which floating numbers are added, or multiplied."""
    exact = type_.kind not in "fc" or scan.operator not in CUMULATIVE
    return () if exact else (in_another_order(scan.variable, scan.operator, type_.dtype),)


def _notes(plan: LoopPlan, scan: Scan, type_: Type) -> tuple[str, ...]:
    """A number that no iteration changes keeps its type in the loop."""
    same = starts_as(plan, scan, type_)
    if same or scan.variable not in plan.nest.live_after or not isinstance(scan.term, ast.IfExp):
        return ()
    return (
        f"`{scan.variable}` (line {scan.statement.lineno}) keeps its type where no iteration "
        f"gives it another one (a Python number raises where it is divided by zero); the port "
        f"makes it {type_}",
    )


def _stored_at(plan: LoopPlan, scan: Scan, type_: Type) -> tuple[str, str] | None:
    """The array, and the part of it, that takes the scan unchanged where nothing else is done."""
    (axis,) = plan.grid
    rest = plan.body[plan.body.index(scan.statement) + 1 :]
    start = constant_int(ast.parse(axis.start, mode="eval").body)
    if len(rest) != 1 or axis.step != "1" or scan.operator not in CUMULATIVE:
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
    if name in {one.name for one in plan.workspaces}:
        return None  # it is not there yet
    if name is None or shown != [axis.variable, scan.variable] or dtype != type_.dtype:
        return None
    return name, f"{name}[{start or ''}:{axis.stop}]"


def _scan_lines(scan: Scan, terms: str, scanned: str, type_: Type, starts: bool) -> list[str]:
    if scan.operator in CUMULATIVE:
        first, function = f"{terms}[:1]", {"+": "add", "*": "multiply"}[scan.operator]
        start = f"{{cupy}}.{function}({first}, {scan.initial}, out={first})"
        lines = [start] if starts else []
        dtype = f", dtype={{cupy}}.{type_.dtype}" if type_.kind in "iu" else ""
        return [*lines, f"{scanned} = {{cupy}}.{CUMULATIVE[scan.operator]}({terms}{dtype})"]
    function = f"{{cupy}}.f{scan.operator}"
    step = f"{scanned}_step"
    return [
        f"{scanned} = {function}({terms}, {scan.initial})",
        f"{step} = 1",
        f"while {step} < {scanned}.size:\n"
        f"    {scanned}[{step}:] = {function}({scanned}[{step}:], {scanned}[:-{step}])\n"
        f"    {step} *= 2",
        *(_first_zero(scan.initial, scanned) if type_.kind == "f" else ()),
    ]


def _first_zero(initial: str, scanned: str) -> list[str]:
    """Of zeros of two signs, which are equal, an extreme stays the first one.

    As long as it is zero it is one and the same: what it began with, or the first that was beyond
    all before it, which met no other zero.
    """
    zero = f"{scanned}_zero"
    first = f"{initial} if {initial} == 0 else {scanned}[{zero}.argmax()]"
    return [
        f"{zero} = {scanned} == 0",
        f"{scanned} = {{cupy}}.where({zero}, {first}, {scanned})",
    ]


def _other_start(known: float, type_: Type) -> str:
    """The number that an extreme may begin with instead, where there is one."""
    if type_.kind not in "iu":
        return f"`np.{type_.dtype}({known!r})` or with "
    return f"`{int(known)}` or with " if float(known).is_integer() else ""


def _guards(plan: LoopPlan, scan: Scan, type_: Type, start: Mapping[str, str]) -> list[str]:
    """What an extreme has to start from.

    A loop that starts at NaN keeps it; the cumulative extreme would not. And what it starts from
    is one of its values, which the scan's type has to hold.
    """
    if scan.operator in CUMULATIVE:
        return []
    guards = [f"{scan.initial} == {scan.initial}"] if type_.kind == "f" else []
    fact = plan.nest.facts.get(scan.initial)
    known = fact.value if isinstance(fact, ScalarFact) else literal_before(plan, scan.initial)
    whole = type_.kind in "iu"  # a float among them would make floating numbers of all
    if isinstance(known, int | float):
        other = isinstance(known, int) or type_.dtype != "float64"
        listed = plan.workspaces and not whole and other
        if held(known, type_.dtype) and not (whole and isinstance(known, float)) and not listed:
            return []
        raise Refused(
            UNSUPPORTED,
            scan.statement,
            f"`{scan.initial}` begins as {known!r}, which is no {type_.dtype}: begin with "
            f"{_other_start(known, type_)}the first element",
        )
    if whole:
        guards.append(f"not isinstance({scan.initial}, float)")
    asked = scan.variable in start or scan.array is not None
    if not asked and not starts_as(plan, scan, type_):
        # A number of NumPy's brings its own type to all that is made of it.
        guards.append(f"getattr({scan.initial}, 'dtype', '{type_.dtype}') == '{type_.dtype}'")
        guards.append(f"float({{cupy}}.{type_.dtype}({scan.initial})) == {scan.initial}")
    return guards
