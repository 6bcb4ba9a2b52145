"""Work in loops on a few numbers at a time: ``force += masses[j] * (q - p)``, `force` of three.

What is added to an array of a few elements has no more of them, nor has anything that it is
computed of element by element. What is computed of single elements, ``s[i, j]``, is one number,
and what a nest of loops cuts out of an array for each cell of another, ``out[a, b] = f(x[a:])``, is
little too. Each such operation is a launch for what the host is done with before the launch has
begun. A guess at costs, never a claim: what is not evident counts as large.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from gpuport.cost.cellwork import cell_work
from gpuport.cost.singles import Singles, cut_for_cells
from gpuport.cost.smallness import MOST
from gpuport.source.bindings import Item, sources_of
from gpuport.source.lengths import Lengths
from gpuport.source.syntax import LOOPS, children, walk

_Words = Mapping[str, frozenset[str]]


def is_little(function: ast.AST, node: ast.AST, loops: int, words: _Words) -> bool:
    """Whether work within so many loops of a function is done on a few elements each time.

    Parameters
    ----------
    function, node : ast.AST
    loops : int
    words : mapping
        As of `gpuport.cost.smallness.few`.
    """
    if loops and id(node) in few_elements(function, words):
        return True
    return loops > 1 and id(node) in cell_work(function)


def few_elements(function: ast.AST, words: _Words) -> frozenset[int]:
    """The expressions, and statements, of a function that make a few elements of a few, by ids.

    Parameters
    ----------
    function : ast.AST
    words : mapping
        As of `gpuport.cost.smallness.few`.
    """
    return _few_elements(function, tuple(sorted(words.items())))


@lru_cache(maxsize=4)
def _few_elements(
    function: ast.AST, words: tuple[tuple[str, frozenset[str]], ...]
) -> frozenset[int]:
    if not any(isinstance(node, LOOPS) for node in walk(function)):
        return frozenset()
    nodes = walk(function)
    singles = Singles(nodes, _kept_in_place(sources_of(function), nodes))
    found = _Few(singles, dict(words))
    for target, value in _stores(nodes):
        if found.is_few(target):
            found.fits(value)
    found.of_few(nodes)
    computed = (one for one in nodes if singles.are_computed(one))
    found.known |= {id(part) for one in computed for part in walk(one)}
    return frozenset(found.known | cut_for_cells(nodes, found.sources))


def _kept_in_place(
    sources: dict[str, list[ast.expr | None]], nodes: list[ast.AST]
) -> dict[str, list[ast.expr | None]]:
    """What binds names but for ``a += b``, after which an array has as many elements as before."""
    changed = Counter(
        node.target.id
        for node in nodes
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    )
    kept = dict(sources)
    for name, times in changed.items():
        if kept.get(name, []).count(None) == times:
            kept[name] = [one for one in kept[name] if one is not None]
    return kept


def _stores(nodes: list[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is stored in, and what: no more elements than there are places."""
    for node in nodes:
        if isinstance(node, ast.AugAssign):
            yield node.target, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript):
                    yield target, node.value


class _Few:
    def __init__(self, singles: Singles, words: _Words) -> None:
        self.sources = dict(singles.sources)
        self.singles = singles
        self.displays = words["displays"]
        self.lengths = Lengths(self.sources, words)
        self.known: set[int] = set()
        self.names: set[str] = set()
        self.asked: set[str] = set()

    def is_few(self, node: ast.expr) -> bool:
        """Whether something holds a few elements."""
        if isinstance(node, ast.Name) and (node.id in self.names or self._stays_few(node.id)):
            return True
        if isinstance(node, ast.Subscript):
            return self._is_few_of(node)
        count = self.lengths.elements(node, 0) or self._written_out(node)
        return count is not None and 1 < count <= MOST

    def _stays_few(self, name: str) -> bool:
        """``m = np.eye(2)``, then ``m = m @ r``: a few of a few, time after time."""
        bound = self.sources.get(name, [])
        if len(bound) < 2 or name in self.asked:
            return False
        self.asked.add(name)
        begun = [one for one in bound if one is not None and self.is_few(one)]
        self.names.add(name)
        if not begun or not all(one is not None and self._is_made_of_few(one) for one in bound):
            self.names.discard(name)
        return name in self.names

    def _is_made_of_few(self, node: ast.expr) -> bool:
        """Whether something is few, or computed of such and numbers."""
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            return all(isinstance(one, ast.Constant) or self._is_made_of_few(one) for one in sides)
        return self.is_few(node)

    def _written_out(self, node: ast.expr) -> int | None:
        """Numbers that ``np.array([1.0, c * s])`` holds: where one item is a number, all are."""
        word = getattr(getattr(node, "func", None), "attr", "")
        if not isinstance(node, ast.Call) or word not in self.displays or not node.args:
            return None
        items = [node.args[0]]
        for one in items:
            items += one.elts if isinstance(one, ast.List | ast.Tuple) else []
        leaves = [one for one in items if not isinstance(one, ast.List | ast.Tuple)]
        numbers = (isinstance(e, ast.Constant) or self.singles.is_single(e, 0) for e in leaves)
        starred = any(isinstance(one, ast.Starred) for one in leaves)
        return len(leaves) if len(leaves) < len(items) and not starred and any(numbers) else None

    def _is_few_of(self, node: ast.Subscript) -> bool:
        """``forces[i]``, a row of three, or a part of a few."""
        if self.is_few(node.value):
            return True
        shape = self.lengths.shape(node.value, 0)
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if shape is None or len(index) >= len(shape):
            return False
        if not all(map(self._counts, index)):
            return False
        count = 1
        for extent in shape[len(index) :]:
            if extent is None:
                return False
            count *= extent
        return count <= MOST

    def _counts(self, node: ast.expr) -> bool:
        """Whether an index is a number that a loop counts, or made of such."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.BinOp):
            return self._counts(node.left) and self._counts(node.right)
        bound = self.sources.get(node.id, []) if isinstance(node, ast.Name) else []
        return bool(bound) and all(
            isinstance(one, Item) and getattr(getattr(one.of, "func", None), "id", "") == "range"
            for one in bound
        )

    def fits(self, node: ast.expr) -> None:
        """Note that something has a few elements, and what it is computed of one by one."""
        if isinstance(node, ast.Name):
            bound = self.sources.get(node.id, [])
            if node.id not in self.names and len(bound) == 1 and bound[0] is not None:
                self.names.add(node.id)
                self.fits(bound[0])
        elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            self.known.add(id(node))
            self.fits(node.left)
            self.fits(node.right)
        elif isinstance(node, ast.UnaryOp):
            self.known.add(id(node))
            self.fits(node.operand)

    def of_few(self, nodes: list[ast.AST]) -> None:
        """Note what is computed of a few elements alone, and what is added to them."""
        for node in nodes:
            if isinstance(node, ast.AugAssign) and self.is_few(node.target):
                self.known.add(id(node))
            elif isinstance(node, ast.BinOp | ast.Call | ast.Compare | ast.UnaryOp):
                self._made_of_few(node)

    def _made_of_few(self, node: ast.expr) -> None:
        given = [one for one in children(node) if isinstance(one, ast.expr)]
        if isinstance(node, ast.Call):
            owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            given = [*(one for one in owner if self.is_few(one)), *node.args]
        arrays = [one for one in given if not isinstance(one, ast.Constant)]
        if arrays and all(self.is_few(one) for one in arrays):
            self.known.add(id(node))


__all__ = ["few_elements", "is_little"]
