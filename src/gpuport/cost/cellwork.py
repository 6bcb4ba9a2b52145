"""Work on what nested loops take out of an array for each cell: ``x[i - r:i + r + 1, j]``.

What is made of one window is little, and there is one for each cell: on the device that is a
launch for a handful of numbers, which the host is done with before the launch has begun. Of the
lines through an array, ``x[:, i, j]``, all together are the array once, with as many launches as
there are cells. So it is with the products of each two of them, ``z[:, s] @ z[:, t]``, of which
each is one number. A guess at costs, never a claim: what is not evident counts as large.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from gpuport.source.bindings import sources_of
from gpuport.source.syntax import children

_DEEPEST = 24
_FEW_TRIPS = 16
"""A loop over so many, as it is written, goes over no array."""


@lru_cache(maxsize=4)
def cell_work(function: ast.AST) -> frozenset[int]:
    """The expressions of a function that are made of windows around single cells, by their ids."""
    loops = list(_loops(function, (frozenset(), frozenset())))
    cells = _Cells(sources_of(function)) if loops else None
    found: set[int] = set()
    for loop, counters, items in loops:
        if cells is not None and len(counters) > 1:
            cells.inside(counters)
            found |= {id(one) for one in _expressions(loop) if cells.holds(one, 0)}
        if len(items) > 1:
            found |= {id(one) for one in _expressions(loop) if _multiplies_two(one, items)}
    return frozenset(found)


def _multiplies_two(node: ast.expr, items: frozenset[str]) -> bool:
    """``z[:, s] @ z[:, t]``, for what two loops give."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.MatMult):
        return False
    lines = {_line(node.left, items), _line(node.right, items)}
    return len(lines - {""}) == 2


def _line(node: ast.expr, items: frozenset[str]) -> str:
    """What a loop gives says which line of an array this is: ``x[:, s]``, ``x[s]``."""
    index: list[ast.expr] = []
    if isinstance(node, ast.Subscript):
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    named = [one.id for one in index if isinstance(one, ast.Name) and one.id in items]
    others = [one for one in index if not isinstance(one, ast.Slice)]
    return named[0] if len(named) == 1 == len(others) else ""


_Around = tuple[frozenset[str], frozenset[str]]


def _loops(
    node: ast.AST, around: _Around
) -> Iterator[tuple[ast.For, frozenset[str], frozenset[str]]]:
    """Loops, with the counters of those that go one by one, and the names of what loops give.

    Their own, and those of the loops around.
    """
    for child in children(node):
        inner = around
        if isinstance(child, ast.For) and isinstance(child.target, ast.Name):
            own = frozenset({child.target.id})
            inner = (around[0] | (own if _counts(child) else frozenset()), around[1] | own)
        if isinstance(child, ast.For):
            yield child, *inner
        yield from _loops(child, inner)


def _counts(loop: ast.For) -> bool:
    call = loop.iter
    if not isinstance(loop.target, ast.Name) or not isinstance(call, ast.Call):
        return False
    stop = call.args[-1] if call.args else None
    few = isinstance(stop, ast.Constant) and type(stop.value) is int and stop.value <= _FEW_TRIPS
    return getattr(call.func, "id", "") == "range" and len(call.args) in (1, 2) and not few


def _expressions(loop: ast.For) -> Iterator[ast.expr]:
    """The expressions in a loop, those of loops inside it left to them."""
    waiting: list[ast.AST] = [*loop.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.For):
            continue
        if isinstance(node, ast.expr):
            yield node
        waiting += children(node)


class _Cells:
    def __init__(self, sources: dict[str, list[ast.expr | None]]) -> None:
        self.sources = sources
        self.inside(frozenset())

    def inside(self, counters: frozenset[str]) -> None:
        """Ask of expressions in a loop with these counters."""
        self.counters = counters
        self.windows: dict[str, bool] = {}
        self.moving: dict[str, str | None] = {}

    def holds(self, node: ast.expr, depth: int) -> bool:
        """Whether an expression is made of a window."""
        if depth > _DEEPEST:
            return False
        if isinstance(node, ast.Name):
            return self._named(node.id, depth)
        if isinstance(node, ast.Subscript):
            taken = self._is_window(node) or self.holds(node.value, depth + 1)
            return taken or self.holds(node.slice, depth + 1)  # `t[ok]`, as many as the mask says
        if isinstance(node, ast.Call):
            owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            return any(self.holds(one, depth + 1) for one in (*owner, *node.args))
        if isinstance(node, (ast.List, ast.Tuple)):
            return any(self.holds(one, depth + 1) for one in node.elts)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute)):
            below = (one for one in children(node) if isinstance(one, ast.expr))
            return any(self.holds(one, depth + 1) for one in below)
        return False

    def _named(self, name: str, depth: int) -> bool:
        bound = self.sources.get(name, [])
        if name not in self.windows:
            self.windows[name] = False  # where it depends on itself
            self.windows[name] = bool(bound) and all(
                one is not None and self.holds(one, depth + 1) for one in bound
            )
        return self.windows[name]

    def _is_window(self, node: ast.Subscript) -> bool:
        """``x[i - 1:i + 2, j]``, ``x[:, i, j]``: two counters say which, and it is an array."""
        if not isinstance(node.slice, ast.Tuple):
            return False
        moving = set[str | None]()
        for index in node.slice.elts:
            if isinstance(index, ast.Slice):
                ends = {self._moves(end, 0) if end else None for end in (index.lower, index.upper)}
                moving |= ends if len(ends) == 1 else set()
            else:
                moving.add(self._moves(index, 0))
        slices = any(isinstance(index, ast.Slice) for index in node.slice.elts)
        return slices and len(moving - {None}) > 1

    def _moves(self, node: ast.expr, depth: int) -> str | None:
        """The counter with which a bound goes on one by one: ``i + 1``, ``max(i - r, 0)``."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Name):
            return self._named_bound(node.id, depth)
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            parts = [node.left, node.right] if isinstance(node.op, ast.Add) else [node.left]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("max", "min", "int"):
            parts = node.args
        found = {self._moves(one, depth + 1) for one in parts} - {None}
        return found.pop() if len(found) == 1 else None

    def _named_bound(self, name: str, depth: int) -> str | None:
        if name in self.counters:
            return name
        bound = self.sources.get(name, [])
        if len(bound) != 1 or bound[0] is None:
            return None
        if name not in self.moving:
            self.moving[name] = None  # where it depends on itself
            self.moving[name] = self._moves(bound[0], depth + 1)
        return self.moving[name]


__all__ = ["cell_work"]
