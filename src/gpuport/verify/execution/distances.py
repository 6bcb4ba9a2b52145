"""How far a call was from an outcome that a condition never had: the branch distance.

A condition that is false tells how false it is: ``n > 700`` with 650 for `n` is nearer than with 3,
and of ``a and b`` both have to become true. Searches that follow this number find inputs for
branches that random ones hardly ever meet (Korel, IEEE Transactions on Software Engineering 16,
1990; McMinn, Software Testing, Verification and Reliability 14, 2004).
"""

from __future__ import annotations

import ast
import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from gpuport.verify.sides.conditions import Condition, expression
from gpuport.verify.sides.instrument import COMPARISONS, call_of, instrumented
from gpuport.verify.sides.sides import Side

_HOOK = "__gpuport_distance__"
_RISING = {"Lt": -1.0, "LtE": -1.0, "Gt": 1.0, "GtE": 1.0}
_UNSEEN = 1.0
"""The distance of what a short circuit left out, or of which nothing is known but its truth."""
_INSIDE = 0.5
"""What the comparisons inside of a call have of its distance."""
_LARGEST = 1 << 16
"""Elements of a comparison that are looked at."""
UNREACHED = math.inf

Pair = tuple[float, float]  # how far it is from being false, and from being true
ToHost = Callable[[Any], Any]


@dataclass(slots=True)
class Distances:
    """The least distance of a call, over all times that the condition was asked."""

    test: ast.expr
    outcome: bool
    to_host: ToHost
    least: float = UNREACHED
    _seen: dict[int, Pair] = field(default_factory=dict)
    _numbers: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers = numbered(self.test)

    def begin(self) -> None:
        """Another call."""
        self.least = UNREACHED
        self._seen.clear()

    def hook(self, number: int, name: str, left: Any, right: Any) -> Any:
        """What the changed text calls: at each part of the condition, and behind the whole."""
        if number < 0:
            known, self._seen = self._seen, {}
            with contextlib.suppress(TypeError, ValueError):
                # the truth of what is no mask is what counts, whatever its parts are
                pair = _pair(self.test, self._numbers, known)
                held = _truth(self._host(left))
                far = pair[self.outcome]
                self.least = min(self.least, 0.0 if held[self.outcome] else max(far, 1e-9))
            return left
        if name:
            value, pair = self._chained(name.split(), left, right)
        else:
            value, pair = left, _atom(self._host(left))
        known_pair = self._seen.get(number)
        self._seen[number] = pair if known_pair is None else _nearer(known_pair, pair)
        return value

    def _chained(self, names: list[str], left: Any, right: tuple[Any, ...]) -> tuple[Any, Pair]:
        """The value of ``a < b < c`` and how far it is from being false, and from being true."""
        value: Any = True
        false, true = math.inf, 0.0
        for name, other in zip(names, right, strict=True):
            known = COMPARISONS[name](left, other)
            pair = _compared(name, self._host(left), self._host(other), self._host(known))
            value = known if value is True else value and known
            false, true, left = min(false, pair[0]), true + pair[1], other
        return value, (false, true)

    def _host(self, value: Any) -> Any:
        moved = self.to_host(value)
        return value if moved is None else moved


def numbered(test: ast.expr) -> dict[int, int]:
    """The parts of a condition, by identity, with numbers that are the same for equal texts."""
    return {id(node): number for number, node in enumerate(ast.walk(test))}


def _truth(value: Any) -> tuple[bool, bool]:
    """Whether some of it is false, and whether some is true."""
    if isinstance(value, np.ndarray) and value.size != 1:
        return bool((~value.astype(bool)).any()), bool(value.any())
    return not value, bool(value)


def _atom(value: Any) -> Pair:
    if not isinstance(value, bool | int | float | np.generic | np.ndarray | str | tuple | list):
        return _UNSEEN, _UNSEEN
    held = _truth(value)
    return (0.0 if held[0] else _UNSEEN), (0.0 if held[1] else _UNSEEN)


def _compared(name: str, left: Any, right: Any, value: Any) -> Pair:
    false, true = _atom(value)
    gap = _gap(left, right)
    if gap is None:
        return false, true
    if name in _RISING:
        toward = gap * _RISING[name]
        return (
            min(false, _nearest(np.maximum(toward, 0.0))) if false else 0.0,
            min(true, _nearest(np.maximum(-toward, 0.0))) if true else 0.0,
        )
    equal = min(_UNSEEN, _nearest(np.abs(gap)))
    return (equal if false else 0.0, true) if name == "NotEq" else (false, equal if true else 0.0)


def _gap(left: Any, right: Any) -> Any:
    """The difference of both sides, None where they are no numbers; of tuples that of all parts."""
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        if len(left) != len(right) or not left:
            return None
        return np.asarray(sum(_apart(a, b) for a, b in zip(left, right, strict=True)))
    try:
        with np.errstate(all="ignore"):
            gap = np.subtract(np.asarray(left, float), np.asarray(right, float))
    except (TypeError, ValueError):
        return None
    return gap if 0 < gap.size <= _LARGEST else None


def _apart(one: Any, other: Any) -> float:
    if isinstance(one, int) and isinstance(other, int):
        return float(abs(one - other))
    return float(not _truth(np.asarray(one == other))[1])


def _nearest(gaps: Any) -> float:
    """The least of some differences as a number below one, of all magnitudes."""
    with np.errstate(all="ignore"):
        least = float(np.nanmin(gaps)) if not np.isnan(gaps).all() else math.inf
    if math.isinf(least):
        return _UNSEEN
    grown = math.log1p(least) + 1e-6  # an equal pair is not less yet
    return grown / (1.0 + grown)


def _nearer(one: Pair, other: Pair) -> Pair:
    return min(one[0], other[0]), min(one[1], other[1])


def _pair(node: ast.expr, numbers: dict[int, int], seen: dict[int, Pair]) -> Pair:
    """The distances of a part of the condition."""
    if isinstance(node, ast.BoolOp):
        parts = [_pair(value, numbers, seen) for value in node.values]
        every, some = int(isinstance(node.op, ast.And)), int(isinstance(node.op, ast.Or))
        found = [0.0, 0.0]
        found[every] = sum(part[every] for part in parts)
        found[some] = min(part[some] for part in parts)
        return found[0], found[1]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        false, true = _pair(node.operand, numbers, seen)
        return true, false
    false, true = seen.get(numbers[id(node)], (_UNSEEN, _UNSEEN))
    inner = [seen[numbers[id(n)]] for n in _comparisons(node) if numbers[id(n)] in seen]
    if inner and not _is_told(node):
        share = _INSIDE + _INSIDE * min(min(pair) or max(pair) for pair in inner)
        return min(false, share) if false else 0.0, min(true, share) if true else 0.0
    return false, true


def _is_told(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and all(
        type(op).__name__ in COMPARISONS for op in node.ops
    )


def _comparisons(node: ast.expr) -> Iterator[ast.Compare]:
    for part in ast.walk(node):
        if part is not node and isinstance(part, ast.Compare) and _is_told(part):
            yield part


@dataclass(frozen=True)
class _Telling:
    """Makes what puts the hook into one condition of the file."""

    condition: Condition

    def __call__(self) -> ast.NodeTransformer:
        return _Instrument(self.condition)


class _Instrument(ast.NodeTransformer):
    """The condition's parts as calls that tell their values."""

    def __init__(self, condition: Condition) -> None:
        self._condition = condition
        self._numbers: dict[int, int] = {}

    def visit_Module(self, node: ast.Module) -> ast.AST:
        test = expression(node, self._condition.span)
        if test is not None:
            self._numbers = numbered(decisive(test, self._condition))
            changed: ast.Module = _Replaced(test, self._whole(test)).visit(node)
            return ast.fix_missing_locations(changed)
        return node

    def _whole(self, test: ast.expr) -> ast.expr:
        part = decisive(test, self._condition)
        told = self._hooked(-1, "", self._part(part), None)
        if part is test or not isinstance(test, ast.BoolOp):
            return told
        rest = test.values[self._condition.operands :]
        return ast.copy_location(ast.BoolOp(test.op, [told, *rest]), test)

    def _part(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            parts = [self._part(value) for value in node.values]
            return ast.copy_location(ast.BoolOp(node.op, parts), node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.copy_location(ast.UnaryOp(node.op, self._part(node.operand)), node)
        return self._leaf(node)

    def _leaf(self, node: ast.expr) -> ast.expr:
        number = self._numbers[id(node)]
        inside = _Inside(self)
        if _is_told(node) and isinstance(node, ast.Compare):
            inside.generic_visit(node)
            return self.compared(node)
        inside.generic_visit(node)
        return self._hooked(number, "", node, None)

    def compared(self, node: ast.Compare) -> ast.expr:
        """A comparison, with all its operands: none of them is left out any more."""
        names = " ".join(type(op).__name__ for op in node.ops)
        others = ast.Tuple(node.comparators, ast.Load())
        return self._hooked(self._numbers[id(node)], names, node.left, others)

    def _hooked(self, number: int, name: str, left: ast.expr, right: ast.expr | None) -> ast.expr:
        other = ast.Constant(None) if right is None else right
        return call_of(_HOOK, left, [ast.Constant(number), ast.Constant(name), left, other])


class _Inside(ast.NodeTransformer):
    """Comparisons inside of what is asked for its truth alone."""

    def __init__(self, around: _Instrument) -> None:
        self._around = around

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        told = _is_told(node)
        self.generic_visit(node)
        return self._around.compared(node) if told else node


class _Replaced(ast.NodeTransformer):
    """One expression in the place of another."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self._new if node is self._old else super().visit(node)


def decisive(test: ast.expr, condition: Condition) -> ast.expr:
    """What of an expression decides: of ``and`` and ``or`` perhaps only what comes first."""
    if condition.operands is None or not isinstance(test, ast.BoolOp):
        return test
    first = test.values[: condition.operands]
    return first[0] if len(first) == 1 else ast.copy_location(ast.BoolOp(test.op, first), test)


@contextlib.contextmanager
def measured(side: Side, condition: Condition, to_host: ToHost) -> Iterator[Distances | None]:
    """Inside the block calls of the side's functions tell how far they were from the outcome."""
    test = _test(side, condition)
    if test is None:
        yield None
        return
    distances = Distances(test, condition.outcome, to_host)
    with instrumented(side, _telling(condition), _HOOK, distances.hook):
        yield distances


@cache
def _telling(condition: Condition) -> _Telling:
    return _Telling(condition)


def _test(side: Side, condition: Condition) -> ast.expr | None:
    tree = side.tree()
    found = expression(tree, condition.span) if tree is not None else None
    return decisive(found, condition) if found is not None else None


__all__ = ["UNREACHED", "Distances", "measured"]
