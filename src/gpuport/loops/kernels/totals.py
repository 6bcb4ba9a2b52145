"""Types of what all iterations make together, and which position belongs to which extreme."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.loops.context.breadth import Breadth, accepted, broadened
from gpuport.loops.cuda.flow import Flow, State
from gpuport.loops.cuda.symbols import Symbols, scalar_value
from gpuport.loops.facts import Fact, ScalarFact
from gpuport.loops.kernels.sums import Sums
from gpuport.loops.names import constant_int, stored
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.loops.records import Axis, LoopPlan
from gpuport.loops.ties.patterns import extreme
from gpuport.parallel.ranges import NOTHING, Value, join
from gpuport.parallel.typing import PYTHON
from gpuport.source.syntax import is_name


def sums(
    plan: LoopPlan,
    body: Sequence[ast.stmt],
    flow: Flow,
    symbols: Symbols,
    *,
    breadth: Breadth = Breadth.NARROW,
    carried: frozenset[str] = frozenset(),
) -> Sums:
    """Types of a body, and of what its iterations make together.

    Parameters
    ----------
    plan : LoopPlan
    body : sequence of ast.stmt
    flow : Flow
        Goes through the body here.
    symbols : Symbols
    breadth : Breadth
        For how many types of numbers from outside the result has to be right.
    carried : frozenset of str
        Numbers that the iterations read besides, as they are after those before.

    Raises
    ------
    Refused
        For a form of which the parallel one would differ.
    """
    found = Sums()
    for accumulation in plan.accumulations:
        name = accumulation.variable
        found.operators[name] = accumulation.operator
        found.statements[name] = _setting(body, name)
    state = _first_state(plan, found, symbols, breadth, carried)
    broad = breadth is not Breadth.NARROW
    counters = {axis.variable: symbols.scalars[axis.variable] for axis in plan.grid}
    for _ in range(8):
        end = flow.run_thread(body, {**counters, **state})
        after = {name: join(state[name], end.get(name, state[name])) for name in state}
        if after == state:
            break
        state = after
    for axis in plan.grid:
        flow.locals.pop(axis.variable, None)
    for name, operator in found.operators.items():
        if operator in ("last", "latest"):
            _last(found, name, end or {}, flow)
        else:
            _typed(found, name, flow, broad)
    _pairs(found, plan)
    for name, operator in found.operators.items():
        whole = name not in found.types or found.types[name].kind != "f"
        if operator in ("min", "max") and name not in found.bests and not whole:
            found.last_of_equals |= {name} if _last_of_equals(body, name) else set()
    return found


def _setting(body: Sequence[ast.stmt], name: str) -> list[ast.stmt]:
    """The assignments of a body that set a number; the ``if`` around those that set others too."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If):
            inner = [*_setting(node.body, name), *_setting(node.orelse, name)]
            plain = [one for one in node.body if isinstance(one, ast.Assign | ast.AugAssign)]
            together = name in stored(plain) and len(stored(plain)) > 1
            found += [node] if together else inner
        elif isinstance(node, ast.For | ast.While):
            found += _setting(node.body, name)
        elif name in stored([node]):
            found.append(node)
    return found


def _first_state(
    plan: LoopPlan, found: Sums, symbols: Symbols, breadth: Breadth, carried: frozenset[str]
) -> State:
    state = {}
    for name, operator in found.operators.items():
        if operator in ("last", "latest"):
            continue
        if operator in ("min", "max") and name not in carried:
            # A thread's share is one of its own values: what the number was is compared later.
            state[name] = NOTHING
            continue
        whole = operator in ("argmin", "argmax")
        assumed = PYTHON["int"] if whole else PYTHON["float"]
        fact = plan.nest.facts.get(name)
        state[name] = scalar_value(fact, assumed, symbols.magnitudes, plan.region)
        if operator in ("+", "*") and not _is_known(fact):
            # What a sum becomes depends on what it was: an extreme is one of the terms.
            state[name] = broadened(state[name], breadth)
            found.assumed[name] = accepted(state[name])
    return state


def _is_known(fact: Fact | None) -> bool:
    return isinstance(fact, ScalarFact) and (fact.type is not None or fact.value is not None)


def _typed(found: Sums, name: str, flow: Flow, broad: bool) -> None:
    """The type of what the iterations give for a number."""
    statements = found.statements[name]
    values = [v for s in statements for v in _given(s, name, flow)]
    if not values:
        raise Refused(UNSUPPORTED, statements[0], f"it is not clear what `{name}` is given")
    types = {t for v in values for t in v.types}
    found.given[name] = frozenset(types)
    if found.operators[name] == "any":
        found.flags |= {name}
        found.dtypes[name] = "bool"
        constant = next(constants_of(statements[0], name), None)
        if constant is None:
            raise Refused(UNSUPPORTED, statements[0], f"`{name}` is set to several things")
        found.constants[name] = ast.unparse(constant)
        return
    mixed = broad and len({t.weak for t in types}) > 1
    if len({t.dtype for t in types}) != 1 or mixed:
        shown = " or ".join(sorted(map(str, types)))
        raise Refused(UNKNOWN_TYPE, statements[0], f"`{name}` becomes {shown}")
    type_ = min(types)  # NumPy's before Python's: that is what some path makes it
    if type_.kind not in "iuf" and not (type_.kind == "c" and found.operators[name] in "+*"):
        raise Refused(UNKNOWN_TYPE, statements[0], f"`{name}` is {type_}")
    found.types[name] = type_
    found.dtypes[name] = type_.dtype


def _last(found: Sums, name: str, end: State, flow: Flow) -> None:
    """The type of what an iteration leaves in a name."""
    types = end[name].types | flow.locals[name].types if name in end else frozenset()
    if len(types) != 1:
        shown = " or ".join(sorted(map(str, types))) or "nothing"
        raise Refused(UNKNOWN_TYPE, found.statements[name][0], f"`{name}` becomes {shown}")
    (type_,) = types
    found.types[name], found.dtypes[name] = type_, type_.dtype


def _given(statement: ast.stmt, name: str, flow: Flow) -> list[Value]:
    found = []
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign) and is_name(node.target, name):
            found.append(flow.expressions.known(node))
        elif isinstance(node, ast.Assign):
            targets = node.targets[0]
            listed = targets.elts if isinstance(targets, ast.Tuple) else [targets]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            for target, value in zip(listed, values, strict=False):
                if is_name(target, name):
                    found += _contributed(value, name, flow)
    return found


def _contributed(value: ast.expr, name: str, flow: Flow) -> list[Value]:
    """Values that may become the number's, itself left out of ``max(name, x)``."""
    if isinstance(value, ast.Call) and any(is_name(a, name) for a in value.args):
        shown = ast.unparse(value.func)
        others = [a for a in value.args if not is_name(a, name)]
        if shown in ("min", "max") and not is_name(value.args[0], name):
            raise Refused(
                UNSUPPORTED,
                value,
                f"`{ast.unparse(value)}` depends on the order where it meets NaN",
            )
        if shown in ("min", "max"):
            return [flow.expressions.known(a) for a in others]
        raise Refused(UNSUPPORTED, value, f"`{ast.unparse(value)}` as a reduction")
    return [flow.expressions.known(value)]


def constants_of(statement: ast.stmt, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Assign) and is_name(node.targets[0], name):
            yield node.value


def _pairs(found: Sums, plan: LoopPlan) -> None:
    """Which position belongs to which extreme: those set in the same ``if``."""
    for name, operator in found.operators.items():
        if operator not in ("argmin", "argmax"):
            continue
        wanted = operator.removeprefix("arg")
        statements = set(found.statements[name])
        partners = [
            other
            for other, o in found.operators.items()
            if o == wanted and statements & set(found.statements[other])
        ]
        if len(partners) != 1:
            raise Refused(UNSUPPORTED, found.statements[name][0], f"`{name}` without its extreme")
        found.bests.setdefault(partners[0], []).append(name)
    for best, names in found.bests.items():
        statement = found.statements[names[0]][0]
        for name in names if keeps_last(statement, best) else ():
            if _counts(found.statements[name], name, plan) and found.dtypes[name] == "int64":
                found.later_wins.setdefault(best, name)
        if best not in found.later_wins:
            found.last_at |= {best} if keeps_last(statement, best) else set()
            found.counted |= {n for n in names if _is_counter(found.statements[n], n, plan.grid)}
            for name in names:
                if name in found.counted:
                    del found.dtypes[name]


def _is_counter(statements: list[ast.stmt], name: str, grid: Sequence[Axis]) -> bool:
    """Whether a position is a loop's variable."""
    values = [v for s in statements for v in constants_of(s, name)]
    return len(values) == 1 and any(is_name(values[0], axis.variable) for axis in grid)


def _counts(statements: list[ast.stmt], name: str, plan: LoopPlan) -> bool:
    """Whether a position is the variable of the one loop, which only grows from 0 on."""
    axis = plan.grid[0]
    start, step = (constant_int(ast.parse(t, mode="eval").body) for t in (axis.start, axis.step))
    if len(plan.grid) != 1 or start is None or start < 0 or step is None or step < 1:
        return False
    return _is_counter(statements, name, plan.grid)


def _last_of_equals(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether an extreme becomes the last of equal numbers, and not the first."""
    tests = [n for s in body for n in ast.walk(s) if isinstance(n, ast.If) and extreme(n, {name})]
    kept = {keeps_last(test, name) for test in tests}
    others = [s for s in _setting(body, name) if not any(s in test.body for test in tests)]
    kept |= {False for _ in others}
    if len(kept) > 1:
        message = f"`{name}` becomes the first of equal numbers in one place, the last in another"
        raise Refused(UNSUPPORTED, tests[0], message)
    return True in kept


def keeps_last(statement: ast.stmt, extreme: str) -> bool:
    """Whether an extreme becomes the last of equal numbers where a comparison sets it."""
    tests = [n for n in ast.walk(statement) if isinstance(n, ast.Compare)]
    for test in tests:
        sides = [test.left, *test.comparators]
        if any(is_name(side, extreme) for side in sides):
            return isinstance(test.ops[0], ast.LtE | ast.GtE)
    raise Refused(UNSUPPORTED, statement, f"the comparison with `{extreme}` is not found")
