"""Numbers under a condition: one to which nothing was added is what it was, its type included.

``s = 0.0`` stays Python's where no iteration adds one of NumPy's numbers. So each thread also keeps
whether it added, and the share of all is added where one did. The same goes for extremes of whole
numbers that may have begun beyond what their type holds, and for what now and then is set.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Sequence

from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.symbols import Symbols, scalar_value
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.sums import Sums, ends_early
from gpuport.loops.names import dotted, stored, subscript_indices
from gpuport.loops.records import LoopPlan
from gpuport.loops.ties.patterns import extreme
from gpuport.parallel.ranges import dtype_bounds, of_type
from gpuport.parallel.typing import PYTHON, Type
from gpuport.source.bindings import statements_before, value_set


def within(plan: LoopPlan, name: str, type_: Type) -> bool:
    """Whether a whole number is certain to be one that a type holds, where the loop begins.

    A thread's share of an extreme begins with the last number that the type holds: what the loop
    began with may be beyond that, as -1 is for unsigned numbers, or ``-np.inf`` for all of them.
    """
    own = {begun for begun, _ in plan.begins} | ({plan.hit.variable} if plan.hit else set())
    if name in own:
        return True
    fact = plan.nest.facts.get(name)
    if isinstance(fact, ScalarFact) and fact.type == type_.dtype:
        return True
    known = fact.value if isinstance(fact, ScalarFact) else None
    before = statements_before(plan.nest.function, plan.region)
    value = value_set(before, name) if known is None else ast.Constant(known)
    if isinstance(value, ast.Subscript):
        array = plan.nest.facts.get(dotted(value.value) or "")
        indices = subscript_indices(value)
        if not isinstance(array, ArrayFact) or any(isinstance(i, ast.Slice) for i in indices):
            return False
        return array.dtype == type_.dtype and len(indices) in (array.rank, array.told)
    sign = -1 if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else 1
    literal = value.operand if isinstance(value, ast.UnaryOp) else value
    if not isinstance(literal, ast.Constant) or not isinstance(literal.value, int | float):
        return False
    low, high = dtype_bounds(type_.dtype)
    return low <= sign * literal.value <= high


_COMPOUND = ast.If | ast.For | ast.While
_Runs = dict[str, list[int]]


def with_marks(
    plan: LoopPlan,
    body: Sequence[ast.stmt],
    found: Sums,
    flow: Flow,
    symbols: Symbols,
) -> list[ast.stmt]:
    """The body with a mark after each addition that may not happen, where the type tells.

    Parameters
    ----------
    plan : LoopPlan
    body : sequence of ast.stmt
    found : Sums
        Of the body; the marks are added here.
    flow : Flow
        Went through the body.
    symbols : Symbols
    """
    wanted = {n for n in found.types if _may_stay(n, plan, body, found, symbols)}
    if not wanted:
        return list(body)
    runs: _Runs = {name: [] for name in wanted}
    _find_runs(body, wanted, runs)
    shared: dict[tuple[int, ...], str] = {}
    for name in sorted(wanted):
        mark = shared.setdefault(tuple(runs[name]), f"{name}_added")
        found.marks[name] = mark
        found.operators[mark], found.dtypes[mark], found.statements[mark] = "any", "bool", []
        found.flags |= {mark}
        flow.locals[mark] = of_type(PYTHON["bool"])
    return _Marked(found, flow).block(body)


def _may_stay(
    name: str, plan: LoopPlan, body: Sequence[ast.stmt], found: Sums, symbols: Symbols
) -> bool:
    """Whether no iteration may add to a number, and that leaves another type."""
    if found.operators[name] == "latest":
        return True
    if found.operators[name] in ("min", "max"):
        whole = found.types[name].kind in "iu" and name not in found.later_wins
        return name in found.last_at | found.last_of_equals or (
            whole and not within(plan, name, found.types[name])
        )
    if found.operators[name] not in ("+", "*"):
        return False
    fact = plan.nest.facts.get(name)
    initial = scalar_value(fact, PYTHON["float"], symbols.magnitudes, plan.region)
    if initial.types == {found.types[name]}:
        return False
    return not any(_adds(node, {name}) and not ends_early(body[:k]) for k, node in enumerate(body))


def _adds(node: ast.stmt, names: set[str]) -> set[str]:
    """Which of these names a plain statement sets."""
    return set() if isinstance(node, _COMPOUND) else stored([node]) & names


def _find_runs(block: Sequence[ast.stmt], names: set[str], runs: _Runs) -> None:
    """In which rows of additions, by the first of them, each number is added to."""
    run: int | None = None
    for node in block:
        added = _adds(node, names)
        run = (run or id(node)) if added else None
        for name in added:
            assert run is not None
            if run not in runs[name]:
                runs[name].append(run)
        if isinstance(node, _COMPOUND):
            _find_runs(node.body, names, runs)
            _find_runs(node.orelse, names, runs)


class _Marked:
    """Writes the marks into a body."""

    def __init__(self, found: Sums, flow: Flow) -> None:
        self.types = found.types
        self.marks = found.marks
        self.flow = flow

    def block(self, block: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Statements with the marks after them."""
        lines: list[ast.stmt] = []
        due: dict[str, ast.stmt] = {}
        for node in block:
            added = _adds(node, set(self.marks))
            if not added:
                lines += [_mark(mark, after, self.flow) for mark, after in due.items()]
                due = {}
            if isinstance(node, _COMPOUND):
                node = copy.copy(node)
                node.body, node.orelse = self.block(node.body), self.block(node.orelse)
                if isinstance(node, ast.If):
                    self._first_or_beyond(node)
            lines.append(node)
            due |= {self.marks[name]: node for name in sorted(added)}
        return [*lines, *(_mark(mark, after, self.flow) for mark, after in due.items())]

    def _first_or_beyond(self, node: ast.If) -> None:
        """``if f > s: s = f`` as ``if not s_added or f > s: ...``, in place: the first does.

        Of floating numbers those that take part are beyond an infinity, or it: NaN is not.
        """
        plain = ast.If(node.test, [n for n in node.body if not _sets(n, self.marks.values())], [])
        found = None if node.orelse else extreme(plain, set(self.marks))
        if found is None or self.types[found.name].kind not in "iu":
            return
        mark = ast.Name(self.marks[found.name], ast.Load())
        none = ast.UnaryOp(ast.Not(), mark)
        test = ast.BoolOp(ast.Or(), [none, node.test])
        for made in (mark, none, test):
            ast.copy_location(made, node.test)
            self.flow.expressions.settle(made, of_type(PYTHON["bool"]))
        node.test = test


def _sets(node: ast.stmt, names: Collection[str]) -> bool:
    return not isinstance(node, _COMPOUND) and bool(stored([node]) & set(names))


def _mark(mark: str, after: ast.stmt, flow: Flow) -> ast.stmt:
    node = ast.Assign([ast.Name(mark, ast.Store())], ast.Constant(True))
    for part in ast.walk(node):
        ast.copy_location(part, after)
    flow.expressions.settle(node.value, of_type(PYTHON["bool"]))
    return node
