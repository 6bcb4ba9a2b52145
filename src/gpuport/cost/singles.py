"""Single elements of arrays in loops, and what is cut out of an array for each cell of another."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from itertools import chain

from gpuport.source.bindings import Item
from gpuport.source.syntax import dotted, walk

_Sources = Mapping[str, list[ast.expr | None]]
_DEEPEST = 24


class Singles:
    """Which expressions are of single elements: ``s[i, j]``, ``2 * s[i, j] + h``.

    Parameters
    ----------
    nodes : iterable of ast.AST
        Those of a function.
    sources : mapping
        What binds its names.
    """

    def __init__(self, nodes: Iterable[ast.AST], sources: _Sources) -> None:
        self.sources = sources
        self.found: dict[str, bool] = {}
        self.unpacked = _unpacked(nodes, self)

    def are_computed(self, node: ast.AST) -> bool:
        """Whether a node takes a single element, or computes with such and numbers alone."""
        if not isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Call | ast.Subscript):
            return False
        return self.is_single(node, 0) or self.counts(node, 0)

    def is_single(self, node: ast.expr, depth: int) -> bool:
        """Whether an expression is likely one number, of an array's elements."""
        if depth > _DEEPEST:
            return False
        if isinstance(node, ast.Name):
            return self._is_named(node.id, depth)
        if isinstance(node, ast.Subscript):
            index = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
            return len(index) > 1 and all(self.counts(one, depth + 1) for one in index)
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.UnaryOp):
            parts = [node.operand]
        elif isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and not node.keywords:
            parts = node.args
            if not all(self.is_single(one, depth + 1) for one in parts):
                return False  # `np.roll(field, n[i, j])`
        single = [self.is_single(one, depth + 1) for one in parts]
        compares = isinstance(node, ast.Compare)  # `u[k] < np.exp(-e)`: a number, too
        return any(single) and (compares or all(map(max, single, map(self._may_be, parts))))

    def _may_be(self, node: ast.expr) -> bool:
        """Whether something may be a number: ``h``, ``lam[k]`` beside elements."""
        if isinstance(node, ast.Subscript):
            return self.counts(node.slice, 0)
        return _may_be_number(node)

    def _is_named(self, name: str, depth: int) -> bool:
        if name not in self.found:
            self.found[name] = False  # where it depends on itself
            bound = self.sources.get(name, [])
            self.found[name] = bool(bound) and all(
                one is not None and self.is_single(one, depth + 1) for one in bound
            )
        return self.found[name]

    def counts(self, node: ast.expr, depth: int) -> bool:
        """Whether an index is likely one whole number: counted, or read of a row of such."""
        if depth > _DEEPEST:
            return False
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _WHOLE:
            parts = node.args
        if parts:
            told = (one for one in parts if not isinstance(one, ast.Constant))
            likely = any(self.counts(one, depth + 1) for one in told)
            return likely and all(
                _may_be_number(one) or self.counts(one, depth + 1) for one in parts
            )
        if not isinstance(node, ast.Name):
            return False
        bound = self.sources.get(node.id, [])
        return node.id in self.unpacked or (bool(bound) and all(map(_is_counted, bound)))


_WHOLE = frozenset({"int", "abs", "min", "max", "remainder", "floor_divide"})
"""Python's functions that give whole numbers of such, and those that ports have for operators."""


def picks(node: ast.expr) -> bool:
    """Whether what is asked for its truth is computed of elements at places, and of numbers.

    ``g[left] > 0.5 * g[0]``: in a condition that is one number, so each of them is. One of the
    places has a name: ``best[2]`` alone may be the item of a tuple.
    """
    places = [one.slice for one in walk(node) if isinstance(one, ast.Subscript)]
    return _is_picked(node) and any(isinstance(n, ast.Name) for p in places for n in walk(p))


def _is_picked(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    else:
        return isinstance(node, ast.Subscript) and _is_place(node.slice)
    told = [one for one in parts if not _may_be_number(one)]
    return bool(told) and all(map(_is_picked, told))


def _is_place(index: ast.expr) -> bool:
    """``k``, ``k + 1``, ``(i, j)``: no part of an array, and no mask."""
    if isinstance(index, ast.Tuple):
        return all(map(_is_place, index.elts))
    return _may_be_number(index) and not isinstance(index, ast.Attribute)


def _may_be_number(node: ast.expr) -> bool:
    """``h``, ``-2.0 * beta``, ``self.dt``: nothing says otherwise."""
    if isinstance(node, ast.UnaryOp):
        return _may_be_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _may_be_number(node.left) and _may_be_number(node.right)
    return isinstance(node, ast.Constant | ast.Name) or dotted(node) is not None


def _is_counted(source: ast.expr | None) -> bool:
    return isinstance(source, Item) and getattr(getattr(source.of, "func", 0), "id", "") == "range"


def _unpacked(nodes: Iterable[ast.AST], singles: Singles) -> frozenset[str]:
    """Names that the items of a row are given to, and nothing else: ``i, j = sites[k]``."""
    taken: dict[str, int] = {}
    singles.unpacked = frozenset()
    for node in nodes:
        value = node.value if isinstance(node, ast.Assign) else None
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Subscript):
            continue
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        if len(names) == len(target.elts) and singles.counts(value.slice, 0):
            for name in names:
                taken[name] = taken.get(name, 0) + 1
    bound = singles.sources
    return frozenset(n for n, times in taken.items() if bound.get(n, []) == [None] * times)


def cut_for_cells(nodes: Iterable[ast.AST], sources: _Sources) -> set[int]:
    """What is computed of parts of arrays that loops cut out for one cell, by ids.

    Parameters
    ----------
    nodes : iterable of ast.AST
    sources : mapping
    """
    nodes = list(nodes)
    loops = [one for one in nodes if isinstance(one, ast.For)]
    moving = {n.id for one in loops for n in walk(one.target) if isinstance(n, ast.Name)}
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Assign) and _is_cell(node.targets[0], moving):
            parts = [node.value, *_behind(node.value, sources)]
            if any(_is_cut(one, moving) for one in chain.from_iterable(map(walk, parts))):
                found |= {id(one) for part in parts for one in walk(part)}
    return found


def _is_cell(target: ast.expr, moving: set[str]) -> bool:
    """``out[a, b]``, with two counters."""
    index = target.slice if isinstance(target, ast.Subscript) else None
    if not isinstance(index, ast.Tuple):
        return False
    counters = {one.id for one in index.elts if isinstance(one, ast.Name)} & moving
    return len(counters) > 1 and not any(isinstance(one, ast.Slice) for one in index.elts)


def _behind(value: ast.expr, sources: _Sources) -> list[ast.expr]:
    """What the names in an expression are, where they are bound once."""
    names = {one.id for one in walk(value) if isinstance(one, ast.Name)}
    bound = [sources.get(name, []) for name in sorted(names)]
    return [one[0] for one in bound if len(one) == 1 and one[0] is not None]


def _is_cut(node: ast.AST, moving: set[str]) -> bool:
    """``x[lag:]``, where a loop says which."""
    if not isinstance(node, ast.Subscript):
        return False
    ends = (one for one in walk(node.slice) if isinstance(one, ast.Slice))
    names = (n for end in ends for n in walk(end) if isinstance(n, ast.Name))
    return any(one.id in moving for one in names)


def is_renewed(name: str, value: ast.expr | None) -> bool:
    """Whether a name is computed of itself element by element: ``x = x + k * (v - y)``."""
    if isinstance(value, ast.BinOp) and not isinstance(value.op, ast.MatMult):
        return is_renewed(name, value.left) or is_renewed(name, value.right)
    return isinstance(value, ast.Name) and value.id == name


__all__ = ["Singles", "cut_for_cells", "picks"]
