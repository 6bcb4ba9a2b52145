"""Whole numbers that a loop counts on by small steps: how far they get.

A name is set in two ways: by steps (``n = n + 1``), and to something else, which is where counting
begins again. No thread lives long enough to take a number further from its beginnings than the
steps of so many iterations. Where a beginning is made of the count itself (``n = 2 * n``), the
beginnings grow with it, and nothing is promised.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from gpuport.parallel.cuda.rules import functions
from gpuport.source.syntax import dotted

Bounds = tuple[int | None, int | None]
Node = ast.expr

_REACHES = ((16, 2**52), (256, 2**53), (2**31, 2**62))
"""How far steps of a size may take a number.

The least leaves room for what is made of a count before it is divided.
"""

_MOST_GROWN = 12
"""How often beginnings get further apart before they are taken to be a step further apart."""

_FURTHER = (2**20, 2**31, 2**48, 2**52)


@dataclass(frozen=True, slots=True)
class _Count:
    low: int | None
    high: int | None
    reach: int | None = 0
    grown: int = 0


class Counts:
    """The beginnings of names, and how far steps take them from there."""

    def __init__(self) -> None:
        self._found: dict[str, _Count] = {}

    def now(self) -> dict[str, _Count]:
        """What is known so far, to be compared later."""
        return dict(self._found)

    def begins(self, name: str, bounds: Bounds) -> None:
        """A name is set to what is not the number that it was and a step."""
        known = self._found.get(name)
        if known is None:
            self._found[name] = _Count(*bounds)
            return
        low = None if None in (known.low, bounds[0]) else min(known.low, bounds[0])  # type: ignore[type-var]
        high = None if None in (known.high, bounds[1]) else max(known.high, bounds[1])  # type: ignore[type-var]
        if (low, high) != (known.low, known.high):
            if known.grown >= _MOST_GROWN:
                low, high = _further(low), _further(high)
            known = replace(known, grown=known.grown + 1)
        self._found[name] = replace(known, low=low, high=high)

    def stepped(self, name: str, before: Bounds, steps: Iterable[Bounds]) -> Bounds:
        """Bounds of a name that is changed by one of some steps."""
        known = self._found.get(name)
        if known is None or known.reach == 0:  # no step yet: it is as it began
            self.begins(name, before)
        found = self._found[name]
        for step in steps:
            reach = _reach(step)
            most = None if None in (reach, found.reach) else max(reach, found.reach)  # type: ignore[type-var]
            found = replace(found, reach=most)
        self._found[name] = found
        if found.low is None or found.high is None or found.reach is None:
            return None, None
        return found.low - found.reach, found.high + found.reach


def of_range(start: Bounds, stop: Bounds, step: Bounds, most: int) -> tuple[int, int]:
    """Bounds of what a range counts, which are no further than some number from nothing."""
    up = step[0] is not None and step[0] > 0
    down = step[1] is not None and step[1] < 0
    bounded = [x for x in (*start, *stop) if x is not None]
    low = min(bounded) if len(bounded) == 4 else -most
    high = max(bounded) if len(bounded) == 4 else most
    if up and start[0] is not None:
        low, high = start[0], high if stop[1] is None else stop[1] - 1
    elif down and start[1] is not None:
        low, high = low if stop[0] is None else stop[0] + 1, start[1]
    low, high = max(low, -most), min(max(high, low), most)
    return min(low, high), max(low, high)


def _further(bound: int | None) -> int | None:
    """A bound that is one of a few, so that beginnings made of the count itself come to an end."""
    if bound is None or bound == 0:
        return bound
    least = next((most for most in _FURTHER if abs(bound) <= most), None)
    return -least if least is not None and bound < 0 else least


def _reach(step: Bounds) -> int | None:
    low, high = step
    if low is None or high is None:
        return None
    return next((reach for size, reach in _REACHES if -size <= low <= high <= size), None)


def parted(
    node: Node, name: str, path: Callable[[Node], str | None]
) -> tuple[list[Node], list[Node]]:
    """By how much a name that is set to this may go on from what it was, and what else it may be.

    Parameters
    ----------
    node : Node
    name : str
    path : callable
        What a function is called, for those that choose one of their arguments.
    """
    if isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.Call) and path(node.func) in functions().atomic_extremes:
        parts = node.args
    elif dotted(node) == name:
        return [], []  # it stays what it was
    else:
        by = _step(node, name)
        return ([], [node]) if by is None else ([by], [])
    each = [parted(part, name, path) for part in parts]
    return [one for steps, _ in each for one in steps], [one for _, rest in each for one in rest]


def _step(node: Node, name: str) -> Node | None:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return None
    if dotted(node.left) == name:
        return node.right
    return node.left if dotted(node.right) == name and isinstance(node.op, ast.Add) else None
