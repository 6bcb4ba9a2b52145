"""A loop plan carried out in Python, its iterations in any order: what a kernel would do.

This is how plans are tested without a compiler: the result has to be that of the loop itself,
whatever the order.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Callable, Mapping
from typing import Any

from gpuport.loops.carried import Accumulation, Scan, Tallies
from gpuport.loops.names import dotted
from gpuport.loops.records import FirstHit, LoopPlan
from gpuport.source import syntax

_OLD = "old_of_{}"

RETURNED = "return"
"""What a loop returns at its first hit, among the names that a launch binds."""


class Unsound(AssertionError):
    """A plan claimed something of an index that is not so."""


class OutOfRange(IndexError):
    """An index that the plan left to be checked is out of range: the loop itself has to run."""


def guards_hold(plan: LoopPlan, names: Mapping[str, Any]) -> bool:
    """Whether every guard of a plan is true for these values."""
    return all(eval(guard, dict(names)) for guard in plan.guards)


def carry_out(plan: LoopPlan, names: Mapping[str, Any], order: random.Random) -> dict[str, Any]:
    """Do what the plan's launch would do.

    Parameters
    ----------
    plan : LoopPlan
    names : mapping of str to object
        Every name that is bound before the launch, modules included. Arrays change in place.
    order : random.Random
        Shuffles the grid.

    Returns
    -------
    dict
        The names that the launch binds: accumulations and last values.

    Raises
    ------
    OutOfRange
        Where an unproven index left its array. Arrays may have changed.
    Unsound
        Where a proven claim about an index is wrong.
    """
    space = dict(names)
    ranges = [
        range(*(eval(text, dict(names)) for text in (axis.start, axis.stop, axis.step)))
        for axis in plan.grid
    ]
    points = list(itertools.product(*ranges))
    if plan.workspaces:
        import numpy as np
    for one in plan.workspaces:
        shape = tuple(eval(text, dict(names)) for text in one.extents)
        dtype = object if one.collected else one.dtype or eval(f"{one.like}.dtype", dict(names))
        space[one.name] = _Lent(shape) if one.lent else np.empty(shape, dtype)
    for array in plan.snapshots:
        space[_OLD.format(array)] = eval(array, dict(names)).copy()
    for name, text in plan.begins:
        space[name] = eval(text.replace("cupy_.asnumpy", ""), dict(names))
    if plan.hit is not None:
        space[plan.hit.variable] = eval(plan.hit.none, dict(names))
    places = list(range(len(points)))
    order.shuffle(places)
    if plan.scan is not None:
        bound = _scan(plan, plan.scan, space, points, places)
    elif plan.latest:
        bound = _set_by_some(plan, space, points, places)
    elif plan.tallies is not None:
        bound = _tallied(plan, plan.tallies, space, points, places)
    else:
        bound = _threads(plan, space, points, places)
    for name, text in plan.last_values:
        bound[name] = eval(text, dict(names))
    bound |= {one.name: list(space[one.name]) for one in plan.workspaces if one.collected}
    if plan.hit is not None:
        bound |= _at_hit(plan.hit, bound.pop(plan.hit.variable), names)
    return bound


class _Lent:
    """An array of which no element may be read that nothing was written to."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.cells: dict[tuple[int, ...], float] = {}

    def _place(self, index: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(k) % n for k, n in zip(index, self.shape, strict=True))

    def __getitem__(self, index: tuple[int, ...]) -> Any:
        import numpy as np

        if self._place(index) not in self.cells:
            raise OutOfRange
        return np.float64(self.cells[self._place(index)])

    def __setitem__(self, index: tuple[int, ...], value: Any) -> None:
        self.cells[self._place(index)] = float(value)


def _at_hit(hit: FirstHit, first: int, names: Mapping[str, Any]) -> dict[str, Any]:
    """What the loop sets where it ends."""
    bound: dict[str, Any] = {}
    space = {**names, hit.variable: first}
    for line in hit.lines if eval(hit.test, dict(space)) else hit.otherwise:
        target, _, value = line.replace("cupy_.asnumpy", "").partition(" = ")
        if line.startswith("return "):
            target, value = RETURNED, value or target.removeprefix("return ")
        bound[target] = space[target] = eval(value, dict(space))
    return bound


def _threads(
    plan: LoopPlan, space: dict[str, Any], points: list[tuple[int, ...]], places: list[int]
) -> dict[str, Any]:
    followed = {a.statement for a in plan.accumulations if a.operator.startswith("arg")}
    last = {a.variable for a in plan.accumulations if a.operator == "last"}
    latest = {a.variable for a in plan.accumulations if a.operator == "latest"}
    shared = {a.variable for a in plan.accumulations if a.statement not in followed}
    shared -= last | latest
    kept = {a.variable for a in plan.accumulations if a.statement in followed}
    thread = _function(plan, list(plan.body), shared, kept, followed, last | latest)
    exec(compile(thread, "<plan>", "exec"), space)
    space["check_"] = _check
    results: dict[int, dict[str, Any]] = {}
    for place in places:
        results[place] = space["thread_"](*points[place])
    _follow(plan.accumulations, space, [results[k] for k in range(len(points))])
    if points:
        space.update({name: results[len(points) - 1][name] for name in last})
    for place in range(len(points)):
        space.update({name: results[place][name] for name in latest if name in results[place]})
    bound = {name: space[name] for name in shared | kept | last | latest if name in space}
    whole = {one.name: eval(one.text, space) for one in plan.packed if one.parts[0] in bound}
    return bound | whole


def _follow(
    accumulations: tuple[Accumulation, ...], space: dict[str, Any], results: list[dict[str, Any]]
) -> None:
    """Extremes with followers: the threads' own results, compared in the loop's order."""
    for extreme in accumulations:
        if extreme.operator not in ("min", "max"):
            continue
        same = [a.variable for a in accumulations if a.statement is extreme.statement]
        if len(same) == 1:
            continue
        assert isinstance(extreme.statement, ast.If)
        test = extreme.statement.test
        assert isinstance(test, ast.Compare)
        either = isinstance(test.ops[0], ast.GtE | ast.LtE)
        for result in results:
            if extreme.variable not in result:
                continue
            new, old = result[extreme.variable], space[extreme.variable]
            better = new > old if extreme.operator == "max" else new < old
            if better or (either and new == old):
                space.update({name: result[name] for name in same})


def _scan(
    plan: LoopPlan,
    scan: Scan,
    space: dict[str, Any],
    points: list[tuple[int, ...]],
    places: list[int],
) -> dict[str, Any]:
    position = list(plan.body).index(scan.statement)
    first = [*plan.body[:position], ast.Return(scan.term)]
    second = [
        *plan.body[:position],
        *ast.parse(f"{scan.variable} = scanned_").body,
        *plan.body[position + 1 :],
    ]
    space["check_"] = _check
    running = eval(scan.initial, space) if points else None
    exec(compile(_function(plan, first, set(), set(), set()), "<terms>", "exec"), space)
    terms = {place: space["thread_"](*points[place]) for place in places}
    scanned: list[Any] = []
    combine: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b,
        "*": lambda a, b: a * b,
        "min": lambda a, b: min(a, b),
        "max": lambda a, b: max(a, b),
    }
    for place in range(len(points)):
        running = combine[scan.operator](running, terms[place])
        scanned.append(running)
    followed = {a.statement for a in plan.accumulations if a.operator.startswith("arg")}
    shared = {a.variable for a in plan.accumulations if a.statement not in followed}
    kept = {a.variable for a in plan.accumulations if a.statement in followed}
    exec(compile(_function(plan, second, shared, kept, followed), "<scanned>", "exec"), space)
    results: dict[int, dict[str, Any]] = {}
    for place in places:
        space["scanned_"] = scanned[place]
        results[place] = space["thread_"](*points[place])
    _follow(plan.accumulations, space, [results[k] for k in range(len(points))])
    found = {name: space[name] for name in shared | kept if name in space}
    return found | ({scan.variable: scanned[-1]} if scanned else {})


def _set_by_some(
    plan: LoopPlan, space: dict[str, Any], points: list[tuple[int, ...]], places: list[int]
) -> dict[str, Any]:
    """What the numbers are after each iteration, and then what is made of them."""
    names = [one.variable for one in plan.latest]
    updates = [one.statement for one in plan.latest]
    last = max(plan.body.index(one) for one in updates)
    begins = [ast.parse(f"{n} = before_[{n!r}]").body[0] for n in names]
    first = _function(plan, [*begins, *plan.body[: last + 1]], set(), set(), set(), set(names))
    exec(compile(first, "<updates>", "exec"), space)
    space["check_"] = _check
    space["before_"] = {name: space[name] for name in names} if points else {}
    after: list[dict[str, Any]] = []
    for place in range(len(points)):
        space["before_"] = space["thread_"](*points[place])
        after.append(space["before_"])
    loads = {
        id(one.statement): ast.parse(f"{one.variable} = before_[{one.variable!r}]").body[0]
        for one in plan.latest
    }
    followed = {a.statement for a in plan.accumulations if a.operator.startswith("arg")}
    shared = {a.variable for a in plan.accumulations if a.statement not in followed}
    kept = {a.variable for a in plan.accumulations if a.statement in followed}
    second = [loads.get(id(one), one) for one in plan.body]
    exec(compile(_function(plan, second, shared, kept, followed), "<rest>", "exec"), space)
    results: dict[int, dict[str, Any]] = {}
    for place in places:
        space["before_"] = after[place]
        results[place] = space["thread_"](*points[place])
    _follow(plan.accumulations, space, [results[k] for k in range(len(points))])
    found = {name: space[name] for name in shared | kept if name in space}
    return found | (after[-1] if after else {})


def _tallied(
    plan: LoopPlan,
    tallies: Tallies,
    space: dict[str, Any],
    points: list[tuple[int, ...]],
    places: list[int],
) -> dict[str, Any]:
    """What the iterations add, by themselves, and then each from what those before it added."""
    zeros = [ast.parse(f"{name} = 0").body[0] for name in tallies.variables]
    count = _function(plan, [*zeros, *tallies.body], set(), set(), set(), set(tallies.variables))
    space["check_"] = _check
    exec(compile(count, "<additions>", "exec"), space)
    added = {place: space["thread_"](*points[place]) for place in places}
    before: list[dict[str, Any]] = [{name: space[name] for name in tallies.variables}]
    for place in range(len(points)):
        before.append({n: before[-1][n] + added[place][n] for n in tallies.variables})
    shared = {a.variable for a in plan.accumulations}
    begins = [ast.parse(f"{n} = before_[{n!r}]").body[0] for n in tallies.variables]
    rest = _function(plan, [*begins, *plan.body], shared, set(), set())
    exec(compile(rest, "<rest>", "exec"), space)
    for place in places:
        space["before_"] = before[place]
        space["thread_"](*points[place])
    return {name: space[name] for name in shared if name in space} | before[-1]


def _function(
    plan: LoopPlan,
    body: list[ast.stmt],
    shared: set[str],
    kept: set[str],
    followed: set[ast.stmt],
    last: set[str] | frozenset[str] = frozenset(),
) -> ast.Module:
    """``def thread_(i, j)`` with the plan's body."""
    for one in plan.ranges:
        known = getattr(one.node, "known_", {})
        known[one.axis] = (one.negative, one.proven)
        one.node.known_ = known  # type: ignore[attr-defined]
    for statement in followed:
        statement.followed_ = True  # type: ignore[attr-defined]
    plain = _Threads(plan.snapshots)
    inner: list[ast.stmt] = [plain.visit(syntax.copied(node)) for node in body]
    names = ", ".join(axis.variable for axis in plan.grid)
    text = f"def thread_({names}):\n"
    if shared:
        text += f"    global {', '.join(sorted(shared))}\n"
    for name in sorted(kept):
        # A keyword would do as well; each thread begins with the value from before the launch.
        text += f"    {name} = globals().get({name!r})\n"
    text += "    touched_ = False\n    for once_ in (0,):\n        pass\n"
    wanted = f"name in {set(last)!r} or touched_ and name in {kept!r}"
    text += f"    return {{name: value for name, value in locals().items() if {wanted}}}\n"
    module = ast.parse(text)
    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    once = next(node for node in function.body if isinstance(node, ast.For))
    once.body = inner or once.body
    return ast.fix_missing_locations(module)


class _Threads(ast.NodeTransformer):
    """Checks indices, reads snapshots, and marks the threads that set an extreme."""

    def __init__(self, snapshots: frozenset[str]) -> None:
        self.snapshots = snapshots

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        known: dict[int, tuple[bool, bool]] | None = getattr(node, "known_", None)
        array = dotted(node.value)
        if known is None:
            return node
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        checked: list[ast.expr] = []
        for k, index in enumerate(indices):
            negative, proven = known[k]
            call = ast.parse(f"check_({array}, {k}, 0, {negative}, {proven})", mode="eval").body
            assert isinstance(call, ast.Call)
            call.args[2] = index
            checked.append(call)
        base: ast.expr = node.value
        if array in self.snapshots and isinstance(node.ctx, ast.Load):
            base = ast.Name(_OLD.format(array), ast.Load())
        return ast.Subscript(base, ast.Tuple(checked, ast.Load()), node.ctx)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if isinstance(node.target, ast.Subscript) and dotted(node.target.value) in self.snapshots:
            read = syntax.copied(node.target)
            read.ctx = ast.Load()
            made = ast.Assign([node.target], ast.BinOp(read, node.op, node.value))
            found: ast.AST = self.visit(made)
            return found
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        followed = getattr(node, "followed_", False)
        self.generic_visit(node)
        if followed:
            node.body = [*node.body, *ast.parse("touched_ = True").body]
        return node


def _check(array: Any, axis: int, index: Any, negative: bool, proven: bool) -> Any:
    size = array.shape[axis]
    if index < 0 and not negative:
        raise Unsound(f"index {index} was to be zero or more")
    if not -size <= index < size:
        raise Unsound(f"index {index} was proven") if proven else OutOfRange(str(index))
    return index
