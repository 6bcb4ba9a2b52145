"""Steps of a path closure: ``d[i, j] = min(d[i, j], d[i, k] + d[k, j])`` for all `i` and `j`.

The cells of row and column `k`, which the others read, are written too, but with what they hold:
``min(d[i, k], d[i, k] + d[k, k])`` is ``d[i, k]`` where ``d[k, k]`` is not negative. So the values
from before the step are right for all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from gpuport.loops.context.given import given_once, worked_in
from gpuport.loops.dependence.conflicts import Conflict
from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.names import constant_int, dotted, function_path, stored, subscript_indices


@dataclass(frozen=True)
class Closure:
    """A step through one place.

    Attributes
    ----------
    array : str
    target : str
        The cell that an iteration writes, as ``ast.dump`` gives its indices.
    guards : tuple of str
        What makes the row and the column of the place stay as they are.
    """

    array: str
    target: str
    guards: tuple[str, ...]

    def settles(self, conflict: Conflict) -> bool:
        """Whether a conflict is one with a cell that keeps what it holds."""
        nodes = (conflict.first.node, conflict.second.node)
        if any(dotted(node.value) != self.array for node in nodes):
            return False
        return any(_dumped(node) != self.target for node in nodes)


def closure_step(loop: ast.For, facts: Mapping[str, Fact]) -> Closure | None:
    """The step that a nest of two loops is; None for any other.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    facts : mapping of str to Fact
    """
    loops, body, values = [loop], list(loop.body), given_once(loop)
    while isinstance(body[-1], ast.For) and len(loops) < 2:
        loops.append(body[-1])
        if not all(_names_something(one) for one in body[:-1]):
            return None
        body = list(body[-1].body)
    variables = [one.target.id for one in loops if isinstance(one.target, ast.Name)]
    *named, last = body
    if len(variables) != 2 or not all(_names_something(one) for one in named):
        return None
    found = _Updates(values, facts).of(last)
    if found is None:
        return None
    target, first, second, kind = found
    array, indices = dotted(target.value), subscript_indices(target)
    if array is None or [dotted(one) for one in indices] != variables:
        return None
    place = _place(target, first, second) or _place(target, second, first)
    if place is None or stored([loop]) & {n.id for n in ast.walk(place) if isinstance(n, ast.Name)}:
        return None
    guards = _guards(array, ast.unparse(place), kind, facts)
    return None if guards is None else Closure(array, _dumped(target), tuple(guards))


def _names_something(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)


def _guards(array: str, place: str, kind: str, facts: Mapping[str, Fact]) -> list[str] | None:
    """What makes the row and the column stay as they are; None where nothing does."""
    fact = facts.get(array)
    dtype = (fact.dtype if isinstance(fact, ArrayFact) else None) or "float64"
    if kind == "any":
        return [] if dtype == "bool" else None
    if kind == "least":
        return []
    if dtype.startswith("float"):
        sign = ">="
    elif dtype.startswith(("int", "uint")):
        sign = "=="  # a sum with anything else may wrap around
    else:
        return None
    # A part, as there is no such element where the loops do not run.
    own = f"{place}:{place} + 1"
    return [f"{place} >= 0", f"({array}[{own}, {own}] {sign} 0).all()"]


def _dumped(node: ast.Subscript) -> str:
    return " ".join(ast.dump(one) for one in subscript_indices(node))


def _place(target: ast.Subscript, one: ast.Subscript, other: ast.Subscript) -> ast.expr | None:
    """`k` of ``d[i, j]``, ``d[i, k]`` and ``d[k, j]``."""
    if len({dotted(node.value) for node in (target, one, other)}) != 1:
        return None
    parts = [subscript_indices(node) for node in (target, one, other)]
    if [len(part) for part in parts] != [2, 2, 2]:
        return None
    (i, j), (a, k), (b, c) = ([ast.dump(one) for one in part] for part in parts)
    plain = isinstance(parts[1][1], ast.Name) or constant_int(parts[1][1]) is not None
    return parts[1][1] if plain and (a, b, c) == (i, k, j) else None


_Found = tuple[ast.Subscript, ast.Subscript, ast.Subscript, str]
"""The cell, the two that it is compared with, and how: by their ``sum``, the ``least`` of them, or
whether ``any`` of it and both of them is true."""


class _Updates:
    """Understands what a step does to a cell.

    Parameters
    ----------
    values : mapping of str to expr
        Of names that are given one in the loop.
    facts : mapping of str to Fact
    """

    def __init__(self, values: Mapping[str, ast.expr], facts: Mapping[str, Fact]) -> None:
        self.values = values
        self.facts = facts

    def of(self, node: ast.stmt) -> _Found | None:
        """``d = min(d, a + b)``, ``d = max(d, min(a, b))``, ``d |= a & b`` and the like."""
        if isinstance(node, ast.If):
            return self._compared(node)
        if isinstance(node, ast.AugAssign):
            pair = self._pair(node.value, ast.BitAnd)
            joins = isinstance(node.op, ast.BitOr)
            return _cells(node.target, pair, "least") if joins else None
        if not isinstance(node, ast.Assign):
            return None
        target, value = node.targets[0], worked_in(node.value, self.values)
        if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
            kept, *others = value.values
            kind, pair = "any", self._both(others)
        else:
            calls = self._called(value)
            if calls is None:
                return None
            function, (kept, other) = calls
            inner = self._called(other)
            kind, pair = "sum", self._pair(other, ast.Add) if function == "min" else None
            if function == "max" and inner is not None and inner[0] == "min":
                kind, pair = "least", inner[1]
        return _cells(target, pair, kind) if ast.unparse(kept) == ast.unparse(target) else None

    def _called(self, node: ast.expr) -> tuple[str, list[ast.expr]] | None:
        """``min`` or ``max`` of two."""
        if not isinstance(node, ast.Call) or node.keywords or len(node.args) != 2:
            return None
        path = function_path(node.func, self.facts) or ""
        name = path.removeprefix("builtins.")
        return (name, list(node.args)) if path in ("builtins.min", "builtins.max") else None

    def _pair(self, node: ast.expr, operator: type[ast.operator]) -> list[ast.expr] | None:
        value = worked_in(node, self.values)
        both = isinstance(value, ast.BinOp) and isinstance(value.op, operator)
        return [value.left, value.right] if both and isinstance(value, ast.BinOp) else None

    def _both(self, nodes: list[ast.expr]) -> list[ast.expr] | None:
        """``a and b``."""
        node = nodes[0] if len(nodes) == 1 else None
        both = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)
        return node.values if both and isinstance(node, ast.BoolOp) else None

    def _compared(self, node: ast.If) -> _Found | None:
        """``if a + b < d: d = a + b``, ``if a and b: d = True``."""
        test, body = worked_in(node.test, self.values), node.body
        if node.orelse or len(body) != 1 or not isinstance(body[0], ast.Assign):
            return None
        target, value = body[0].targets[0], worked_in(body[0].value, self.values)
        if isinstance(value, ast.Constant) and value.value is True:
            return _cells(target, self._both([test]), "any")
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return None
        less, more = test.left, test.comparators[0]
        if isinstance(test.ops[0], ast.Gt):
            less, more = more, less
        elif not isinstance(test.ops[0], ast.Lt):
            return None
        same = ast.unparse(more) == ast.unparse(target) and ast.unparse(less) == ast.unparse(value)
        return _cells(target, self._pair(value, ast.Add), "sum") if same else None


def _cells(target: ast.expr, pair: list[ast.expr] | None, kind: str) -> _Found | None:
    if pair is None or len(pair) != 2 or not isinstance(target, ast.Subscript):
        return None
    one, other = pair
    if not isinstance(one, ast.Subscript) or not isinstance(other, ast.Subscript):
        return None
    return target, one, other, kind
