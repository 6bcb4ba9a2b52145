"""Of what type a number is that some iterations set, and what its arrays are called.

A kernel stores it in arrays of one dtype: all that the loop sets it to has to be of one type, and
what it was before the loop must be of that type too where anybody could see the difference.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.loops.carried import Latest
from gpuport.loops.context.breadth import Breadth
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.symbols import PHYSICAL
from gpuport.loops.facts import ScalarFact
from gpuport.loops.kernels.scan_types import literal_before
from gpuport.loops.kernels.symbols import outside
from gpuport.loops.names import constant_int, dotted, mentions, walk
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.loops.records import LoopPlan
from gpuport.loops.ties.latest import SMALL
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.ranges import of_type
from gpuport.parallel.staged import Held
from gpuport.parallel.typing import PYTHON, Type, TypeRefusal
from gpuport.parallel.typing import named as type_named
from gpuport.source.fresh import unused


@dataclass(frozen=True)
class Kept:
    """A number that some iterations set.

    Attributes
    ----------
    latest : Latest
    held : Held
        The arrays that tell of it.
    bounded : bool
        It is a whole number that no array can be larger than.
    falls : bool
        And may be negative.
    """

    latest: Latest
    held: Held
    bounded: bool
    falls: bool


def kept_number(plan: LoopPlan, latest: Latest, taken: frozenset[str]) -> Kept:
    """What is kept of a number, with arrays of names that are not taken.

    Raises
    ------
    Refused
        Where it is of more than one type, or of one that is not known.
    """
    name = latest.variable
    values = [
        node.value
        for node in walk([latest.statement])
        if isinstance(node, ast.Assign) and dotted(node.targets[0]) == name
    ]
    begin, literal = _beginning(plan, latest)
    type_ = _type_of(plan, latest, values, begin)
    if type_ != begin:
        _check_mixed(plan, latest, type_, begin, literal)
    first = ast.Constant(literal if type(literal) is int else None)
    small = [_small(value, plan) for value in (first, *values)]
    if latest.counts and (type_ != PYTHON["int"] or not all(small)):
        message = (
            f"`{name}` is counted, and set to something that is no small whole number of Python's"
        )
        raise Refused(UNSUPPORTED, latest.statement, message)
    base = name.rstrip("_")
    terms, places, counted, scanned = (
        unused(f"{base}_{word}", taken) for word in ("terms", "at", "counts", "scan")
    )
    counts = counted if latest.counts else ""
    held = Held(name, type_, terms, places, scanned, counts, name in plan.nest.live_after)
    bounded = type_.kind == "i" and all(small)
    return Kept(latest, held, bounded, bounded and (latest.counts or "negative" in small))


def _small(value: ast.expr, plan: LoopPlan) -> str:
    """Whether a value is a small literal or the loop's variable: ``negative`` if it may be."""
    (axis,) = plan.grid
    if isinstance(value, ast.Name) and value.id == axis.variable:
        return "negative"
    known = constant_int(value)
    if known is None or abs(known) > SMALL:
        return ""
    return "negative" if known < 0 else "known"


def _beginning(plan: LoopPlan, latest: Latest) -> tuple[Type, object]:
    """The type of the number before the loop, and its value where the text tells."""
    fact = plan.nest.facts.get(latest.variable)
    known: object = fact.value if isinstance(fact, ScalarFact) else None
    known = literal_before(plan, latest.variable) if known is None else known
    name = fact.type if isinstance(fact, ScalarFact) else None
    if name is None and type(known) in (bool, int, float, complex):
        name = type(known).__name__
    try:
        if name is not None:
            return type_named(name), known
    except TypeRefusal:
        pass
    raise Refused(
        UNKNOWN_TYPE,
        latest.statement,
        f"`{latest.variable}` keeps what it was before the loop until an iteration sets it, and "
        f"of what type that is is not known: set it to a number right before the loop",
    )


def _type_of(plan: LoopPlan, latest: Latest, values: list[ast.expr], begin: Type) -> Type:
    """The one type of all that the number is set to."""
    body = list(plan.body[: position(plan) + 1])
    found = outside(plan, body, PHYSICAL, Breadth.NARROW)
    flow = Flow(found.symbols)
    DeviceFunctions(Names()).attach(flow, found.symbols)
    (axis,) = plan.grid
    state = {axis.variable: found.symbols.scalars[axis.variable]}
    for one in plan.latest:  # what they are is read by nothing but their own steps
        kind = _beginning(plan, one)[0]
        state[one.variable] = found.symbols.length() if kind.kind == "i" else of_type(kind)
    flow.run_thread(body, state)
    types = {one for value in values for one in flow.expressions.known(value).types}
    types = types or {begin}
    if len(types) == 1:
        return next(iter(types))
    shown = " or ".join(sorted(map(str, types)))
    message = f"`{latest.variable}` is set to {shown}: set it to numbers of one type"
    raise Refused(UNKNOWN_TYPE, latest.statement, message)


def _check_mixed(plan: LoopPlan, latest: Latest, type_: Type, begin: Type, literal: object) -> None:
    """Refuse a number of which the type is to be seen before an iteration has set it."""
    name = latest.variable
    wanted = str(type_) if type_.weak else f"np.{type_.dtype}"
    refusal = Refused(
        UNKNOWN_TYPE,
        latest.statement,
        f"`{name}` begins as {begin}, and the loop sets it to {type_}: begin with a number of "
        f"that type, `{name} = {wanted}(...)`",
    )
    small = type(literal) is int and 0 <= literal <= 127
    held = begin.dtype == type_.dtype if begin.kind not in "iu" else small and type_.kind in "iufc"
    if not held or name in plan.nest.live_after:
        raise refusal
    lists = {one.name for one in plan.workspaces if one.collected}
    wide = begin.dtype == type_.dtype and type_.dtype in ("float64", "int64", "bool", "complex128")
    after = plan.body[position(plan) + 1 :]
    stores = [
        node for node in walk(after)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
        and isinstance(node.value, ast.Name) and node.value.id == name
        and (wide or dotted(node.targets[0].value) not in lists)
    ]  # fmt: skip
    if len(stores) != mentions(after, name):
        raise refusal


def position(plan: LoopPlan) -> int:
    """The place of the last statement that sets one of the numbers."""
    return max(plan.body.index(one.statement) for one in plan.latest)


__all__ = ["Kept", "kept_number", "position"]
