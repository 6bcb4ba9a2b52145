"""Types of every expression and local of a body, by going through it as it runs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Sequence

from gpuport.loops.cuda.expressions import Expressions, method_for
from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.heads.counting import nonempty
from gpuport.loops.names import dotted
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.parallel.counts import Bounds, Counts, of_range, parted
from gpuport.parallel.ranges import Value, join, of_type, widen, within
from gpuport.parallel.typing import PYTHON
from gpuport.source.limits import limits

State = dict[str, Value]
_ROUNDS = 40
_EXACT = 2**53


class _Loop:
    """States in which a loop is left, or begins its next round."""

    def __init__(self) -> None:
        self.broken: list[State] = []
        self.continued: list[State] = []


class Flow:
    """Goes through statements with a state: the value of each local.

    Parameters
    ----------
    symbols : Symbols
        Names from outside.
    entered : collection of str
        Conditions that hold: where one of them is that a loop runs at all, it does.

    Attributes
    ----------
    expressions : Expressions
        Holds the value of every expression met, by node.
    locals : dict of str to Value
        All that each local ever is.
    returned : Value or None
        What ``return`` gives, in a function.
    """

    def __init__(self, symbols: Symbols, entered: Collection[str] = ()) -> None:
        self.symbols = symbols
        self.entered = entered
        self.expressions = Expressions(symbols)
        self.locals: dict[str, Value] = {}
        self.counts = Counts()
        self.returned: Value | None = None
        self._loops: list[_Loop] = []

    def run(self, statements: Sequence[ast.stmt], state: State) -> State | None:
        """The state after statements; None where their end is not reached."""
        current: State | None = dict(state)
        for statement in statements:
            if current is None:
                return None
            current = self._statement(statement, current)
        return current

    def run_thread(self, statements: Sequence[ast.stmt], state: State) -> State:
        """The state after a whole body, in which ``continue`` ends the thread."""
        loop = _Loop()
        self._loops.append(loop)
        end = self.run(statements, state)
        self._loops.pop()
        return _merge([*([] if end is None else [end]), *loop.continued])

    def bind(self, state: State, name: str, value: Value) -> None:
        """Record an assignment of what is no step from the number before."""
        self.counts.begins(name, (value.low, value.high))
        self._bind(state, name, value)

    def _bind(self, state: State, name: str, value: Value) -> None:
        state[name] = value
        known = self.locals.get(name)
        self.locals[name] = value if known is None else join(known, value)

    def _statement(self, node: ast.stmt, state: State) -> State | None:
        visit = getattr(self, method_for(node), None)
        if visit is None:
            what = type(node).__name__.lower()
            raise Refused(UNSUPPORTED, node, f"a kernel has no form for '{what}'")
        found: State | None = visit(node, state)
        return found

    def _expr(self, node: ast.Expr, state: State) -> State:
        if not isinstance(node.value, ast.Constant):
            raise Refused(UNSUPPORTED, node, "an expression whose value is not used")
        return state

    def _pass(self, node: ast.Pass, state: State) -> State:
        return state

    def _assign(self, node: ast.Assign, state: State) -> State:
        for target, value in pairs(node):
            self.expressions.value(value, state)
            self._subscript_of(target, state)
        for target, value in pairs(node):
            if isinstance(target, ast.Name):
                self._set(state, target.id, value)
        return state

    def _set(self, state: State, name: str, node: ast.expr) -> None:
        """Record an assignment: some of what it chooses from may be steps."""
        value, known = self.expressions.known(node), self.expressions.known
        steps, begins = parted(node, name, self.symbols.path)
        for one in begins:
            self.counts.begins(name, _bounds(known(one)))
        if steps and name in state:
            reached = self.counts.stepped(
                name, _bounds(state[name]), [_bounds(known(one)) for one in steps]
            )
            value = within(value, *reached)
        self._bind(state, name, value)

    def _annassign(self, node: ast.AnnAssign, state: State) -> State:
        if node.value is not None:
            value = self.expressions.value(node.value, state)
            self._subscript_of(node.target, state)
            if isinstance(node.target, ast.Name):
                self.bind(state, node.target.id, value)
        return state

    def _augassign(self, node: ast.AugAssign, state: State) -> State:
        loaded = as_load(node.target)
        value = self.expressions.binary(node, loaded, node.op, node.value, state)
        if isinstance(node.target, ast.Name):
            name, begun = node.target.id, _bounds(self.expressions.known(loaded))
            if not isinstance(node.op, ast.Add | ast.Sub):
                self.bind(state, name, value)
                return state
            by = _bounds(self.expressions.known(node.value))
            value = within(value, *self.counts.stepped(name, begun, [by]))
            self.expressions.settle(node, value)
            self._bind(state, name, value)
        return state

    def _subscript_of(self, target: ast.expr, state: State) -> None:
        if isinstance(target, ast.Subscript):
            self.expressions.value(target, state)

    def _if(self, node: ast.If, state: State) -> State | None:
        self.expressions.truth(node.test, state)
        ends = [self.run(node.body, state), self.run(node.orelse, state)]
        reached = [end for end in ends if end is not None]
        return _merge(reached) if reached else None

    def _for(self, node: ast.For, state: State) -> State:
        start, stop, step = (self.expressions.value(a, state) for a in range_arguments(node))
        assert isinstance(node.target, ast.Name)
        ends = _bounds(start), _bounds(stop), _bounds(step)
        counter = of_type(PYTHON["int"], *of_range(*ends, self.symbols.magnitudes.counted))

        def head(before: State) -> State:
            inside = dict(before)
            self.bind(inside, node.target.id, counter)  # type: ignore[attr-defined]
            return inside

        entered = bool(
            step.constant == 1
            and start.high is not None
            and stop.low is not None
            and start.high < stop.low
        ) or (bool(self.entered) and nonempty(node) in self.entered)
        return self._rounds(node.body, state, head, entered=entered)

    def _while(self, node: ast.While, state: State) -> State:
        def head(before: State) -> State:
            self.expressions.truth(node.test, before)
            return self._limited(node.test, before)

        always = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return self._rounds(node.body, state, head, endless=always)

    def _limited(self, test: ast.expr, state: State) -> State:
        """The state where a test holds: whole numbers are within the limits that it gives them."""
        found = dict(state)
        for name, limit, above, apart in limits(test):
            value, other = found.get(name.id), self.expressions.known(limit)
            bound = other.low if above else other.high
            if value is None or bound is None or not (value.whole and other.whole):
                continue
            if abs(bound) > _EXACT:  # NumPy may compare them as floats
                continue
            ends = (bound + apart, value.high) if above else (value.low, bound - apart)
            found[name.id] = within(value, *ends)
        return found

    def _rounds(
        self,
        body: list[ast.stmt],
        state: State,
        head: Callable[[State], State],
        endless: bool = False,
        entered: bool = False,
    ) -> State:
        """The state after a loop: when it is left by itself, or by ``break``."""
        before = dict(state)
        for turn in range(_ROUNDS):
            loop, counts = _Loop(), self.counts.now()
            self._loops.append(loop)
            end = self.run(body, head(dict(before)))
            self._loops.pop()
            turns = [*([] if end is None else [end]), *loop.continued]
            merged = _merge([before, *turns])
            after = merged
            if turn > 2:
                after = {k: widen(before[k], v) if k in before else v for k, v in merged.items()}
            if after == before and counts == self.counts.now():
                left = [] if endless else turns if entered and turns else [before]
                return _merge([*left, *loop.broken] or [before])
            before = after
        raise AssertionError("types of a loop do not settle")

    def _break(self, node: ast.Break, state: State) -> None:
        self._loops[-1].broken.append(dict(state))

    def _continue(self, node: ast.Continue, state: State) -> None:
        self._loops[-1].continued.append(dict(state))

    def _return(self, node: ast.Return, state: State) -> None:
        if node.value is None:
            raise Refused(UNSUPPORTED, node, "a function that returns nothing")
        value = self.expressions.value(node.value, state)
        self.returned = value if self.returned is None else join(self.returned, value)


def pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """Targets of an assignment, each with its value.

    Raises
    ------
    Refused
        Where a tuple is taken apart that is not written out.
    """
    found: list[tuple[ast.expr, ast.expr]] = []
    for target in node.targets:
        if not isinstance(target, ast.Tuple | ast.List):
            found.append((target, node.value))
        elif isinstance(node.value, ast.Tuple | ast.List) and len(target.elts) == len(
            node.value.elts
        ):
            found += zip(target.elts, node.value.elts, strict=True)
        else:
            raise Refused(UNSUPPORTED, node, "several names set from one value")
    for target, _ in found:
        if not isinstance(target, ast.Name | ast.Subscript):
            raise Refused(
                UNSUPPORTED, node, "an assignment to something else than a name or element"
            )
    return found


def as_load(target: ast.expr) -> ast.expr:
    """A target as an expression that reads it; the node itself for an element."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


def range_arguments(node: ast.For) -> tuple[ast.expr, ast.expr, ast.expr]:
    """Start, stop and step of a loop over ``range``.

    Raises
    ------
    Refused
        For any other loop.
    """
    call = node.iter
    named_range = isinstance(call, ast.Call) and dotted(call.func) == "range"
    if not named_range or not isinstance(node.target, ast.Name) or node.orelse:
        raise Refused(UNSUPPORTED, node, "an inner loop that is not over range()")
    assert isinstance(call, ast.Call)
    zero, one = (ast.copy_location(ast.Constant(v), call) for v in (0, 1))
    given: list[ast.expr] = list(call.args)
    if len(given) == 1:
        return zero, given[0], one
    return given[0], given[1], given[2] if len(given) == 3 else one


def _bounds(value: Value) -> Bounds:
    return value.low, value.high


def _merge(states: Iterable[State]) -> State:
    found: State = {}
    for state in states:
        for name, value in state.items():
            found[name] = join(found[name], value) if name in found else value
    return found
