"""Arrays that hold few elements wherever the program is read: work on them is no launch worth.

A guess at costs, never a claim: what is not evident counts as large.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import prod

from gpuport.source.syntax import walk

MOST = 1024
"""Elements of the operands up to which the host multiplies matrices in the time of a launch."""

_DEEPEST = 24


def few(function: ast.AST, *arrays: ast.expr, words: Mapping[str, frozenset[str]]) -> bool:
    """Whether arrays of a function hold few elements each.

    ``words`` are the names of what makes arrays whose lengths are shown: ``shown_lengths`` of the
    words of placement.
    """
    known = _Known(sources_of(function), words)
    counts = [known.elements(array, 0) for array in arrays]
    return all(count is not None and count <= MOST for count in counts)


class _Known:
    """Upper bounds of what the names of a function are."""

    def __init__(
        self, sources: dict[str, list[ast.expr | None]], words: Mapping[str, frozenset[str]]
    ) -> None:
        self.sources = sources
        self.words = words
        self.found: dict[tuple[str, str], int | None] = {}

    def elements(self, node: ast.expr, depth: int) -> int | None:
        """How many elements an expression's value has at most; None where nothing says so."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Constant):
            return 1
        if isinstance(node, ast.Name):
            return self._of_name(node.id, self.elements, depth)
        if isinstance(node, ast.Attribute):
            return self.elements(node.value, depth + 1) if node.attr in ("T", "mT") else None
        if isinstance(node, _Item):
            return self._of_item(node.of, depth + 1)
        if isinstance(node, ast.BinOp):
            return _times(self.elements(side, depth + 1) for side in (node.left, node.right))
        return self._made(node, depth) if isinstance(node, ast.Call) else None

    def _made(self, node: ast.Call, depth: int) -> int | None:
        """Elements of what a call makes, where its lengths are written there."""
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        sizes = [k.value for k in node.keywords if k.arg in ("size", "shape")]
        if name in self.words["displays"] and node.args:
            return _leaves(node.args[0])
        if not sizes and name in self.words["lengths"] and node.args:
            square = name in self.words["squares"] and len(node.args) == 1
            sizes = [node.args[0]] * 2 if square else list(node.args)
        return _times(self.length(size, depth + 1) for size in sizes) if sizes else None

    def length(self, node: ast.expr, depth: int) -> int | None:
        """The largest whole number that an expression is, or the product of a tuple of them."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Tuple):
            return _times(self.length(one, depth + 1) for one in node.elts)
        if isinstance(node, ast.Name):
            return self._of_name(node.id, self.length, depth)
        if isinstance(node, _Item):
            return self._of_numbers(node.of, depth + 1)
        return None

    def _of_item(self, node: ast.expr, depth: int) -> int | None:
        """Elements of the arrays in a list."""
        if isinstance(node, ast.Name):
            return self._of_name(node.id, self._of_item, depth)
        return self.elements(node.elt, depth + 1) if isinstance(node, ast.ListComp) else None

    def _of_numbers(self, node: ast.expr, depth: int) -> int | None:
        """The largest number in a list."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Name):
            return self._of_name(node.id, self._of_numbers, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return self._of_numbers(node.left, depth + 1)
        if isinstance(node, (ast.List, ast.Tuple)):
            return _most(self.length(one, depth + 1) for one in node.elts)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
            return _most(self.length(one, depth + 1) for one in node.args)
        return None

    def _of_name(
        self, name: str, asked: Callable[[ast.expr, int], int | None], depth: int
    ) -> int | None:
        """The largest answer for what a name is bound to; None where it depends on itself."""
        key = name, asked.__name__
        if key not in self.found:
            self.found[key] = None
            sources = self.sources.get(name, [])
            bound = [one for one in sources if one is not None]
            if len(bound) == len(sources):
                self.found[key] = _most(asked(one, depth + 1) for one in bound)
        return self.found[key]


class _Item(ast.expr):
    """What a loop takes from something, time after time."""

    def __init__(self, of: ast.expr) -> None:
        super().__init__()
        self.of = of


@lru_cache(maxsize=4)
def sources_of(function: ast.AST) -> dict[str, list[ast.expr | None]]:
    """What binds the names of a function; None for what is not looked into."""
    found: dict[str, list[ast.expr | None]] = {}
    known: set[int] = set()
    every = walk(function)
    for node in every:
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [pair for target in node.targets for pair in _pairs(target, node.value)]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs = [(node.target, _Item(node.iter))]
        for target, value in pairs:
            if isinstance(target, ast.Name):
                known.add(id(target))
                found.setdefault(target.id, []).append(value)
    for node in every:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in known:
            found.setdefault(node.id, []).append(None)
    return found


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment binds to what: ``a, b = x, y`` is two of them."""
    both = (ast.Tuple, ast.List)
    if isinstance(target, both) and isinstance(value, both):
        starred = any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts))
        if len(target.elts) == len(value.elts) and not starred:
            return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _leaves(node: ast.expr) -> int | None:
    """Numbers in a nested list as it is written."""
    if isinstance(node, (ast.List, ast.Tuple)):
        counts = [_leaves(one) for one in node.elts]
        return None if None in counts else sum(count or 0 for count in counts)
    return 1 if isinstance(node, (ast.Constant, ast.UnaryOp)) else None


def _most(counts: Iterable[int | None]) -> int | None:
    found = list(counts)
    return max((c or 0 for c in found), default=None) if None not in found else None


def _times(counts: Iterable[int | None]) -> int | None:
    found = list(counts)
    return prod(c or 0 for c in found) if None not in found else None


__all__ = ["few", "sources_of"]
