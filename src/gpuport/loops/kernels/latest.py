"""Numbers that some iterations set: a kernel that tells which, the latest of each, and the rest.

``last_terms[i]`` is what iteration `i` sets the number to, ``last_at[i]`` is `i` where it does,
and -1 elsewhere; the greatest place so far, found by doubling, is the latest one. A count is the
running sum of its steps since then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpuport.loops.carried import Latest
from gpuport.loops.context.breadth import Breadth
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.names import Names
from gpuport.loops.cuda.symbols import PHYSICAL
from gpuport.loops.cuda.values import of_type
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.grid import axis_size
from gpuport.loops.kernels.scan_plans import element, with_array
from gpuport.loops.kernels.scan_types import literal_before
from gpuport.loops.kernels.stages import Make, assumed_by, dtypes_asked, staged
from gpuport.loops.kernels.sums import scalar_text
from gpuport.loops.kernels.symbols import outside
from gpuport.loops.kernels.text import renamed, unused
from gpuport.loops.names import constant_int, dotted, mentions, walk
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.loops.ties.latest import SMALL
from gpuport.loops.typing import PYTHON, Type, TypeRefusal
from gpuport.loops.typing import named as type_named
from gpuport.source import syntax


@dataclass(frozen=True)
class _Kept:
    """A number that some iterations set, and the arrays that tell of it.

    Attributes
    ----------
    latest : Latest
    type : Type
        What it is set to.
    bounded : bool
        It is a whole number that no array can be larger than.
    falls : bool
        And may be negative.
    terms, places, steps, scanned : str
        Names of arrays.
    """

    latest: Latest
    type: Type
    bounded: bool
    falls: bool
    terms: str
    places: str
    steps: str
    scanned: str

    @property
    def made(self) -> dict[str, str]:
        """The arrays of the first kernel, with their dtypes."""
        found = {self.terms: self.type.dtype, self.places: "int64"}
        return found | ({self.steps: "int64"} if self.latest.counts else {})

    def lines(self, size: str) -> Iterator[str]:
        """The value after each iteration, from what the kernel told of them."""
        name, at, step = self.latest.variable, self.places, f"{self.scanned}_step"
        yield f"{step} = 1"
        yield (
            f"while {step} < {at}.size:\n"
            f"    {at}[{step}:] = {{cupy}}.maximum({at}[{step}:], {at}[:-{step}])\n"
            f"    {step} *= 2"
        )
        yield f"{self.scanned} = {self.terms}[{at}]"
        yield f"{self.scanned}[{at} < 0] = {name}"
        if self.latest.counts:
            total = f"{self.steps}_sum"
            yield f"{total} = {{cupy}}.cumsum({self.steps})"
            yield f"{self.scanned} += {total} - {{cupy}}.where({at} < 0, 0, {total}[{at}])"


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
    (axis,) = plan.grid
    size = axis_size(axis, plan)
    kept = [_kept(plan, one, taken) for one in plan.latest]
    arrays = {name: dtype for one in kept for name, dtype in one.made.items()}
    made = make(_terms_plan(plan, kept), taken.union(arrays))
    if isinstance(made, Refusal):
        return made
    where = plan.latest[0].statement
    if made.flag:
        names = " and ".join(f"`{one.variable}`" for one in plan.latest)
        message = f"which iterations set {names} depends on elements that may not be there"
        raise Refused(UNSUPPORTED, where, message)
    first = renamed(made, unused(f"{made.name}_{plan.latest[0].variable}", taken))
    before = [f"{n} = {{cupy}}.zeros({size}, dtype={{cupy}}.{_cupy(t)})" for n, t in arrays.items()]
    before += [*first.before, first.call, *(line for one in kept for line in one.lines(size))]
    scanned = {one.scanned for one in kept}
    rest = make(_rest_plan(plan, kept), taken | arrays.keys() | scanned)
    if isinstance(rest, Refusal):
        return rest
    last = [
        f"{one.latest.variable} = {scalar_text(f'{one.scanned}[-1]', one.type)}"
        for one in kept
        if one.latest.variable in plan.nest.live_after
    ]
    assumed = assumed_by([first, rest], {*arrays, *scanned})
    guards = [*plan.guards, f"{size} > 0", *dtypes_asked(plan, assumed, rest)]
    return staged([first, rest], before, last, guards, assumed)


def _cupy(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype


# ------------------------------------------------------------------------------------- its type


def _kept(plan: LoopPlan, latest: Latest, taken: frozenset[str]) -> _Kept:
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
    falls = latest.counts or "negative" in small
    bounded = type_.kind == "i" and all(small)
    return _Kept(
        latest=latest,
        type=type_,
        bounded=bounded,
        falls=falls,
        terms=terms,
        places=places,
        steps=counted,
        scanned=scanned,
    )


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
    body = list(plan.body[: _position(plan) + 1])
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
    after = plan.body[_position(plan) + 1 :]
    stores = [
        node for node in walk(after)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
        and isinstance(node.value, ast.Name) and node.value.id == name
        and (wide or dotted(node.targets[0].value) not in lists)
    ]  # fmt: skip
    if len(stores) != mentions(after, name):
        raise refusal


# ------------------------------------------------------------------------------------ the plans


def _position(plan: LoopPlan) -> int:
    """The place of the last statement that sets one of the numbers."""
    return max(plan.body.index(one.statement) for one in plan.latest)


def _terms_plan(plan: LoopPlan, kept: list[_Kept]) -> LoopPlan:
    """What iterations set the numbers to, and which ones do."""
    by_statement = {id(one.latest.statement): one for one in kept}
    body: list[ast.stmt] = []
    nodes: list[tuple[str, str, ast.Subscript]] = []
    for statement in plan.body[: _position(plan) + 1]:
        one = by_statement.get(id(statement))
        body += [statement] if one is None else _told([statement], one, plan, nodes)
    made = plan
    for _, dtype, node in nodes:
        made = with_array(made, ArrayFact(dtype, 1, None, True), node, body)
    written = frozenset(name for name, _, _ in nodes)
    reads = frozenset(made.ranks) - written
    return replace(
        made, latest=(), writes=written, reads=reads, accumulations=(), elementwise=plan.elementwise
    )


def _told(
    body: list[ast.stmt], one: _Kept, plan: LoopPlan, nodes: list[tuple[str, str, ast.Subscript]]
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
                ways[1] = [store(one.places, "int64", _number(-1), statement)]
            made = ast.If(statement.test, ways[0], ways[1])
            found.append(ast.copy_location(made, statement))
        elif isinstance(statement, ast.Assign):
            found.append(store(one.terms, one.type.dtype, statement.value, statement))
            place = element(plan, one.places, ast.Load()).slice
            found.append(store(one.places, "int64", syntax.copied(place), statement))
        else:
            if isinstance(statement, ast.AugAssign):
                amount = constant_int(statement.value) or 0
                down = isinstance(statement.op, ast.Sub)
                value = _number(-amount if down else amount)
                found.append(store(one.steps, "int64", value, statement))
            found.append(store(one.places, "int64", _number(-1), statement))
    return found


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _rest_plan(plan: LoopPlan, kept: list[_Kept]) -> LoopPlan:
    """What is made of the numbers."""
    by_statement = {id(one.latest.statement): one for one in kept}
    body: list[ast.stmt] = []
    nodes: list[tuple[_Kept, ast.Subscript]] = []
    for statement in plan.body:
        one = by_statement.get(id(statement))
        if one is None:
            body.append(statement)
            continue
        node = element(plan, one.scanned, ast.Load())
        nodes.append((one, node))
        value: ast.expr = node
        if one.type.weak:
            value = ast.Call(ast.Name(str(one.type), ast.Load()), [node], [])
        load = ast.Assign([ast.Name(one.latest.variable, ast.Store())], value)
        for part in ast.walk(load):
            ast.copy_location(part, statement)
        body.append(load)
    made = plan
    for one, node in nodes:
        array = ArrayFact(
            one.type.dtype, 1, None, True, counts=one.bounded, falls=one.bounded and one.falls
        )
        made = with_array(made, array, node, body)
    scanned = {one.scanned for one in kept}
    return replace(
        made,
        latest=(),
        reads=(plan.reads | scanned) & frozenset(made.ranks),
        last_values=plan.last_values,
    )
