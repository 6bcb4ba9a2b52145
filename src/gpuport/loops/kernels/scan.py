"""Scans: a kernel for the terms, their running numbers, a kernel for what is made of these.

``running += f(i); out[i] = g(running)`` becomes ``running_terms[i] = f(i)``, a running sum that
starts at the number from before the loop, and ``out[i] = g(running_scan[i])``. Products and sums of
floating numbers are taken in another order than the loop's.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuport.loops.carried import Scan
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.grid import grid_size
from gpuport.loops.kernels.scan_plans import check_steps, copied, rest_plan, terms_plan
from gpuport.loops.kernels.scan_types import (
    CUMULATIVE,
    ScanType,
    changes_at_start,
    check_types,
    keeps_positive_zero,
    literal_before,
    starts_as,
    type_of_scan,
)
from gpuport.loops.kernels.stages import Make, asked_besides, in_another_order, staged
from gpuport.loops.kernels.sums import unasked
from gpuport.loops.kernels.totals import keeps_last
from gpuport.loops.names import constant_int, dotted, subscript_indices
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.parallel.conditions import operand
from gpuport.parallel.declared import DeclaredKernel, Given, storing, woven
from gpuport.parallel.ranges import held
from gpuport.parallel.shares import last_of, running
from gpuport.parallel.staged import types_asked, word_before
from gpuport.parallel.typing import Type
from gpuport.source.fresh import unused


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
        The kernel after the scan, with the one before it as its ``first``.

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
    return replace(made, kinds=tuple(dict.fromkeys([*made.kinds, *either])))


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
    source = copied(plan, scan, type_)
    first: list[Kernel] = []
    if source is None:
        made = _terms_kernel(plan, scan, type_, (terms, scanned), taken, make)
        if isinstance(made, Refusal):
            return made
        first = [made]
    zero = source is not None and keeps_positive_zero(plan, scan, type_)
    remaining = rest_plan(plan, scan, scanned, type_, from_zero_on=zero)
    check_types(plan, scan, remaining, typed.told.given)
    rest = make(remaining, taken | {terms, scanned})
    if isinstance(rest, Refusal):
        return rest
    guards = [*plan.guards, f"{grid_size(plan)} > 0"]
    made = staged([*first, rest], [*guards, *_guards(plan, scan, type_, typed.told.start)])
    return replace(
        made,
        notes=tuple(dict.fromkeys([*made.notes, *_notes(plan, scan, type_)])),
        remarks=(*_remarks(scan, type_), *made.remarks),
        kinds=(*made.kinds, *_kinds(plan, scan, type_)),
        declared=_in_two_steps(typed, first, rest, source, zero),
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
    if isinstance(made, Kernel) and made.checked:
        message = f"`{ast.unparse(scan.term)}`, of which `{scan.variable}` is made, may raise"
        raise Refused(UNSUPPORTED, scan.statement, message)
    return made


def _stored_scan(
    plan: LoopPlan,
    scan: Scan,
    told: ScanType,
    names: tuple[str, str, str],
    taken: frozenset[str],
    make: Make,
) -> Kernel | Refusal:
    """A scan that is stored as it is: the cumulative function does that too."""
    terms, type_ = names[0], told.type
    made = make(terms_plan(plan, scan, terms, type_), taken | {terms})
    if isinstance(made, Refusal):
        return made
    return replace(
        made,
        guards=tuple(dict.fromkeys([*plan.guards, f"{grid_size(plan)} > 0", *made.guards])),
        notes=(*made.notes, *_notes(plan, scan, type_)),
        remarks=(*_remarks(scan, type_), *made.remarks),
        kinds=(*made.kinds, *_kinds(plan, scan, type_)),
        declared=_declared(plan, scan, (type_, told.start), made.declared, names),
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
