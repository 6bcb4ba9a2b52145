"""What a scanned number is: its type, what it begins with, and whether that can be told."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuport.loops.carried import Accumulation, Scan
from gpuport.loops.context.breadth import Breadth
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.symbols import PHYSICAL
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.sums import Sums
from gpuport.loops.kernels.symbols import outside
from gpuport.loops.kernels.totals import sums
from gpuport.loops.names import constant_int, dotted
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import LoopPlan
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.typing import Type
from gpuport.source.bindings import statements_before, value_set

CUMULATIVE = {"+": "cumsum", "*": "cumprod"}


_NEUTRAL = {"+": 0, "*": 1}


_BEGINNINGS = {"float64": "float|float64|int24", "int64": "int|int64"}
"""Numbers of unknown type that a running extreme may begin with, as the launch asks for them."""


def starts_as(plan: LoopPlan, scan: Scan, type_: Type) -> bool:
    """Whether the number is of the scan's type before the loop."""
    fact = plan.nest.facts.get(scan.variable)
    return isinstance(fact, ScalarFact) and fact.type == str(type_)


Given = Mapping[str, frozenset[Type]]
"""Types of what iterations add to numbers, by name."""


def check_types(plan: LoopPlan, scan: Scan, remaining: LoopPlan, given: Given) -> None:
    """Refuse what is made of the carried number itself while that may be Python's still."""
    if not plan.accumulations:
        return
    types = summed(remaining, list(remaining.body)).given
    for name in sorted({a.variable for a in plan.accumulations}):
        if given.get(name) != types.get(name):
            raise Refused(
                UNSUPPORTED,
                scan.statement,
                f"`{name}` takes its type from `{scan.variable}`, which begins as another type "
                "than the loop gives it; begin with a number of NumPy's",
            )


@dataclass(frozen=True)
class ScanType:
    """What type the carried number of a scan has.

    Attributes
    ----------
    type : Type
        Once there has been an iteration.
    start : mapping of str to str
        What it is before, where that has to be asked.
    given : Given
        The types of what is made of it.
    either : bool
        Where each iteration takes numbers of Python's, it stays one of Python's.
    """

    type: Type
    start: Mapping[str, str]
    given: Given
    either: bool


def type_of_scan(plan: LoopPlan, scan: Scan) -> ScanType:
    """The type of the carried number."""
    facts = dict(plan.nest.facts)
    initial = ast.parse(scan.initial, mode="eval").body
    if isinstance(initial, ast.Subscript):
        fact = facts.get(dotted(initial.value) or "")
        dtype = (fact.dtype if isinstance(fact, ArrayFact) else None) or "float64"
        facts[scan.variable] = ScalarFact(dtype)
    only = replace(
        plan,
        nest=replace(plan.nest, facts=facts),
        accumulations=(
            Accumulation(scan.variable, scan.operator, scan.statement),
            *plan.accumulations,
        ),
        scan=None,
    )
    body = list(plan.body)
    made = summed(only, body, frozenset({scan.variable}))
    type_ = made.types[scan.variable]
    start = {name: kind for name, kind in made.assumed.items() if name == scan.variable}
    fact = plan.nest.facts.get(scan.variable)
    unknown = not isinstance(fact, ScalarFact) or (fact.type is None and fact.value is None)
    if scan.operator not in CUMULATIVE and scan.array is None and unknown:
        kinds = _BEGINNINGS.get(type_.dtype)
        if kinds is not None and literal_before(plan, scan.initial) is None:
            start = {scan.variable: kinds}
    if isinstance(initial, ast.Subscript) and type_.dtype != dtype:
        shown = ast.unparse(initial.value)
        raise Refused(
            UNSUPPORTED,
            scan.statement,
            f"`{shown}` holds {dtype}, and what it is made of is {type_}: each step rounds",
        )
    either = scan.variable in made.of_either_kind and not starts_as(plan, scan, type_)
    return ScanType(type_, start, made.given, either)


def summed(plan: LoopPlan, body: list[ast.stmt], carried: frozenset[str] = frozenset()) -> Sums:
    """The carried number as a sum, for as many types of what it starts from as give one type."""
    refusal: Refused | None = None
    for breadth in Breadth:
        found = outside(plan, body, PHYSICAL, Breadth.NARROW)
        flow = Flow(found.symbols)
        DeviceFunctions(Names()).attach(flow, found.symbols)
        try:
            return sums(plan, body, flow, found.symbols, breadth=breadth, carried=carried)
        except Refused as refused:
            refusal = refused
    assert refusal is not None
    raise refusal


def changes_at_start(plan: LoopPlan, scan: Scan) -> bool:
    """Whether the scan starts from a number that changes it."""
    known = _begins_as(plan, scan)
    return known is None or scan.operator not in _NEUTRAL or known != _NEUTRAL[scan.operator]


def keeps_positive_zero(plan: LoopPlan, scan: Scan, type_: Type) -> bool:
    """Whether a sum begins at a zero whose sign a cumulative function would lose.

    ``0.0 + -0.0`` is ``0.0`` (IEEE 754, 6.3), and stays so until a number is added that is not
    zero; a cumulative function begins with the first term as it is.
    """
    if scan.operator != "+" or type_.kind not in "fc" or not _may_be_negative_zero(scan.term):
        return False
    known = _begins_as(plan, scan)
    return isinstance(known, int | float | complex) and known == 0 and str(known)[0] != "-"


def _may_be_negative_zero(term: ast.expr) -> bool:
    if isinstance(term, ast.IfExp):
        return _may_be_negative_zero(term.body) or _may_be_negative_zero(term.orelse)
    return not isinstance(term, ast.Constant) and not constant_int(term)


def _begins_as(plan: LoopPlan, scan: Scan) -> object:
    """The number that a scan begins at, where it is known."""
    fact = plan.nest.facts.get(scan.initial)
    known: object = fact.value if isinstance(fact, ScalarFact) else None
    return literal_before(plan, scan.initial) if known is None else known


def literal_before(plan: LoopPlan, name: str) -> object:
    """The number that a name is set to right before the loop, where the text tells."""
    value = value_set(statements_before(plan.nest.function, plan.region), name)
    return value.value if isinstance(value, ast.Constant) else None
