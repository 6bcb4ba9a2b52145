"""Parts of arrays that an operation takes as a whole: ``x[i, :]``, ``x[i:i + w]``, ``x[i]``, ``x``.

An operation on parts is one on their elements, where all have as many axes.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpuport.loops.context.terms import shown, terms_of
from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.heads.heads import Row, parse
from gpuport.loops.names import (
    Expr,
    constant_int,
    dotted,
    function_path,
    is_shape,
    subscript_indices,
)
from gpuport.parallel.cuda.rules import functions
from gpuport.source import syntax


@dataclass(frozen=True)
class Extent:
    """One axis of a part: its bounds counted from the start, and its length, as Python text."""

    low: str
    high: str
    length: str
    whole: bool

    @property
    def full(self) -> bool:
        """Whether it is the array's own axis."""
        return self.whole and self.low == "0" and self.high == self.length


@dataclass(frozen=True)
class Part:
    """A part of an array.

    Attributes
    ----------
    node : expr
        As it stands in the text.
    array : expr
    indices : tuple of (expr or None)
        One for each axis; None for those that are taken as a whole.
    axes : tuple of Extent
        Of those taken as a whole.
    """

    node: Expr
    array: Expr
    indices: tuple[Expr | None, ...]
    axes: tuple[Extent, ...]

    def element(self, places: Sequence[str], context: ast.expr_context) -> ast.Subscript:
        """The element at a place of the part, one name or number for each of its axes."""
        waiting = list(zip(self.axes, places, strict=True))
        indices: list[Expr] = []
        for index in self.indices:
            if index is not None:
                indices.append(syntax.copied(index))
                continue
            axis, place = waiting.pop(0)
            text = place if axis.low == "0" else f"({axis.low}) + {place}"
            indices.append(parse(axis.low if place == "0" else text, self.node))
        slice_ = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
        made = ast.Subscript(syntax.copied(self.array), slice_, context)
        return ast.fix_missing_locations(ast.copy_location(made, self.node))

    @property
    def by_rows(self) -> bool:
        """Whether its elements lie together, or both ends of each axis are given."""
        leading = all(index is None for index in self.indices[len(self.indices) - len(self.axes) :])
        return leading or not any(axis.whole for axis in self.axes)


class Parts:
    """Finds the parts in expressions.

    Parameters
    ----------
    facts : mapping of str to Fact
    rows : mapping of str to Row
        Names that stand for a row of an array.
    ranks : mapping of str to int
        How many axes arrays are shown to have.
    """

    def __init__(
        self, facts: Mapping[str, Fact], rows: Mapping[str, Row], ranks: Mapping[str, int]
    ) -> None:
        self.facts = facts
        self.rows = rows
        self.ranks = ranks

    def dtype(self, part: Part) -> str | None:
        """The dtype of a part's array, where it is known."""
        fact = self.facts.get(dotted(part.array) or "")
        return fact.dtype if isinstance(fact, ArrayFact) else None

    def sliced(self, node: ast.AST) -> Part | None:
        """``x[i, :]``, ``x[i:i + w, j:j + w]``."""
        if not isinstance(node, ast.Subscript) or is_shape(node.value):
            return None
        indices = subscript_indices(node)
        if dotted(node.value) is None or not any(isinstance(i, ast.Slice) for i in indices):
            return None
        array = node.value
        before: tuple[Expr, ...] = ()
        if isinstance(array, ast.Name) and array.id in self.rows:
            array, before = self.rows[array.id]
        return self._part(node, array, [*before, *indices])

    def row(self, node: ast.AST, axes: int = 1) -> Part | None:
        """``x[i]``, or the name of a row, taken as all that it holds."""
        if isinstance(node, ast.Name) and node.id in self.rows:
            array, before = self.rows[node.id]
            return self._part(node, array, [*before, ast.Slice()])
        if not isinstance(node, ast.Subscript) or is_shape(node.value):
            return None
        indices = subscript_indices(node)
        named = isinstance(self.facts.get(dotted(node.value) or ""), ArrayFact)
        if not named or any(isinstance(index, ast.Slice) for index in indices):
            return None
        return self._part(node, node.value, [*indices, *(ast.Slice() for _ in range(axes))])

    def is_part(self, node: ast.AST) -> bool:
        """Whether it is shown to be more than one element: a slice, or short of one index."""
        return self.short(node) is not None or self.sliced(node) is not None

    def short(self, node: ast.AST) -> Part | None:
        """``x[i]`` where ``x`` is shown to have more axes than one."""
        if not isinstance(node, ast.Subscript):
            return None
        missing = self.rank(node.value) - len(subscript_indices(node))
        return self.row(node, missing) if missing > 0 else None

    def is_element(self, node: ast.AST) -> bool:
        """Whether a subscript has as many indices as its array is shown to have axes."""
        if not isinstance(node, ast.Subscript):
            return False
        return self.rank(node.value) == len(subscript_indices(node))

    def rank(self, array: Expr) -> int:
        """How many axes an array is known or shown to have; 0 where nothing tells."""
        name = dotted(array) or ""
        fact = self.facts.get(name)
        known = fact.rank if isinstance(fact, ArrayFact) else None
        return self.ranks.get(name, 0) if known is None else known

    def assume(self, array: Expr, rank: int) -> None:
        """Take an array of which nothing tells how many axes it has for one of so many.

        Each index of the kernel goes by that, and the launch asks for it.
        """
        if not self.rank(array):
            self.ranks = {**self.ranks, dotted(array) or "": rank}

    def is_array(self, node: ast.AST) -> bool:
        """Whether it is an array by its name."""
        name = dotted(node) if isinstance(node, ast.Name | ast.Attribute) else None
        return isinstance(self.facts.get(name or ""), ArrayFact)

    def whole(self, node: ast.AST, axes: int) -> Part | None:
        """``x``, taken as all that it holds, where it may have so many axes."""
        if not isinstance(node, ast.Name | ast.Attribute) or not self.is_array(node):
            return None
        if self.rank(node) not in (0, axes):
            return None
        return self._part(node, node, [ast.Slice() for _ in range(axes)])

    def _part(self, node: ast.AST, array: Expr, indices: Sequence[Expr]) -> Part | None:
        assert isinstance(node, Expr)
        axes: list[Extent] = []
        kept: list[Expr | None] = []
        for position, index in enumerate(indices):
            if not isinstance(index, ast.Slice):
                if isinstance(index, ast.Constant) and type(index.value) is not int:
                    return None  # `...` and `None` leave or make axes
                kept.append(index)
                continue
            if index.step is not None and constant_int(index.step) != 1:
                return None
            extent = f"{ast.unparse(array)}.shape[{position}]"
            low = "0" if index.lower is None else _from_start(index.lower, extent)
            high = extent if index.upper is None else _from_start(index.upper, extent)
            length = parse(f"({high}) - ({low})", node)
            terms = terms_of(length)
            text = ast.unparse(length) if terms is None else shown(terms)
            given = index.lower is not None and index.upper is not None
            axes.append(Extent(low, high, text, not given))
            kept.append(None)
        return Part(node, array, tuple(kept), tuple(axes))


def _from_start(bound: Expr, extent: str) -> str:
    """A bound that counts from the end, as one that counts from the start."""
    value = constant_int(bound)
    return f"{extent} - {-value}" if value is not None and value < 0 else ast.unparse(bound)


@dataclass(frozen=True)
class Operation:
    """An expression of parts, element by element.

    Attributes
    ----------
    node : expr
    parts : mapping of expr to Part
    """

    node: Expr
    parts: Mapping[Expr, Part]

    @property
    def axes(self) -> int:
        """How many axes its parts have."""
        return len(next(iter(self.parts.values())).axes)

    def element(self, places: Sequence[str]) -> Expr:
        """What it is at a place."""

        def at(node: ast.AST) -> ast.AST:
            part = self.parts.get(node) if isinstance(node, Expr) else None
            if part is not None:
                return part.element(places, ast.Load())
            made = copy.copy(node)
            for name, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(made, name, [at(v) if isinstance(v, ast.AST) else v for v in value])
                elif isinstance(value, Expr):
                    setattr(made, name, at(value))
            return made

        found = at(self.node)
        assert isinstance(found, Expr)
        return found


def operation(node: Expr, parts: Parts, axes: int | None) -> Operation | None:
    """An expression as an operation on parts; None where it is none.

    Parameters
    ----------
    node : expr
    parts : Parts
    axes : int or None
        How many axes all parts have; None where the parts tell.
    """
    leaves = _leaves(node, parts.facts)
    if leaves is None:
        return None
    found = {leaf: parts.sliced(leaf) or parts.short(leaf) for leaf in leaves}
    if any(one is None and _is_sliced(leaf) for leaf, one in found.items()):
        return None
    known = {len(one.axes) for one in found.values() if one is not None}
    if axes is not None:
        known |= {axes}
    if not known and any(parts.row(leaf) for leaf in leaves):
        known = {1}
        found = {leaf: None if parts.is_element(leaf) else parts.row(leaf) for leaf in leaves}
    if len(known) != 1:
        return None
    (count,) = known
    for leaf in leaves:
        if found[leaf] is None:
            is_row = count == 1 and isinstance(leaf, ast.Name) and leaf.id in parts.rows
            found[leaf] = parts.row(leaf) if is_row else parts.whole(leaf, count)
            if found[leaf] is None and parts.is_array(leaf):
                return None  # of as many axes as the others it would be another operation
    kept = {leaf: one for leaf, one in found.items() if one is not None}
    for leaf in leaves:
        if leaf in kept and parts.is_array(leaf):
            parts.assume(leaf, count)
    return Operation(node, kept) if kept else None


def single(node: Expr, parts: Parts) -> Operation | None:
    """A vector that stands by itself: ``x[i, :]``, ``x[i]``, ``x``."""
    if _is_sliced(node):
        part = parts.sliced(node)
        return None if part is None or len(part.axes) != 1 else Operation(node, {node: part})
    row = parts.row(node)
    known = 0 if row is None or not isinstance(node, ast.Subscript) else parts.rank(row.array)
    if row is not None and known not in (0, len(row.indices)):
        return None
    part = row or parts.whole(node, 1)
    return None if part is None else Operation(node, {node: part})


def _is_sliced(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and any(
        isinstance(index, ast.Slice) for index in subscript_indices(node)
    )


def _leaves(node: Expr, facts: Mapping[str, Fact]) -> list[Expr] | None:
    """The operands of an elementwise expression; None for any other one."""
    if isinstance(node, ast.Subscript | ast.Name | ast.Constant):
        return [node]
    if isinstance(node, ast.Attribute):
        return [node] if dotted(node) is not None else None
    children: Sequence[Expr]
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        children = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        children = [node.operand]
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        children = [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and not node.keywords and _by_element(node.func, facts):
        children = node.args
    else:
        return [node] if not _mentions_array(node, facts) else None
    found: list[Expr] = []
    for child in children:
        inner = _leaves(child, facts)
        if inner is None:
            return None
        found += inner
    return found


def computed_with(node: Expr, facts: Mapping[str, Fact]) -> Iterator[ast.Name | ast.Subscript]:
    """What an expression computes with element by element: it is a number where all of this is.

    What other functions are given is not among it: ``np.sum(x[i])`` is a number of its own.
    """
    if isinstance(node, ast.Name | ast.Subscript):
        yield node
    elif isinstance(node, ast.Call):
        for one in node.args if _by_element(node.func, facts) else ():
            yield from computed_with(one, facts)
    else:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Expr):
                yield from computed_with(child, facts)


def _by_element(function: Expr, facts: Mapping[str, Fact]) -> bool:
    path = function_path(function, facts) or ""
    return path in functions().by_element or is_ufunc(path)


def is_ufunc(path: str) -> bool:
    """Whether a function computes each element of those at its place, all of which it reads."""
    import numpy as np

    library, _, name = path.rpartition(".")
    if library != "numpy":
        return path == "builtins.abs"
    function = getattr(np, name, None)
    return isinstance(function, np.ufunc) and function.signature is None


def _mentions_array(node: ast.AST, facts: Mapping[str, Fact]) -> bool:
    """Whether a slice or a whole array is among what an expression is made of."""
    for child in ast.walk(node):
        if isinstance(child, ast.Slice):
            return True
        if isinstance(child, ast.Name) and isinstance(facts.get(child.id), ArrayFact):
            return True
    return False


__all__ = [
    "Extent", "Operation", "Part", "Parts", "computed_with", "is_ufunc", "operation", "single"
]  # fmt: skip
