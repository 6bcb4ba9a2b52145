"""Expressions of vectors as expressions of one of their elements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpuport.canonicalise.arithmetic import is_elementwise
from gpuport.canonicalise.knowledge import element_rules
from gpuport.source.entries import filled_up, is_whole, subscript_indices
from gpuport.source.making import placed, read
from gpuport.source.syntax import copied, dotted, walk


class Tied(Exception):
    """An operation that is none of each element by itself, or of which that is not known."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of what an expression gives.

    Attributes
    ----------
    text : ast.expr
    axes : int
        Of the whole; 0 of a number.
    mask : bool
        Whether it is a truth value.
    of : frozenset of str
        The arrays, or names, of which the whole is one or a part: they share memory.
    """

    text: ast.expr
    axes: int = 0
    mask: bool = False
    of: frozenset[str] = frozenset()


@dataclass(slots=True)
class Vectors:
    """What a loop's names hold, and where an element of each is.

    Attributes
    ----------
    arrays : mapping of str to int
        Arrays that are there before the loop, by their text, and how many axes they have.
    resolve : callable
        The path of a function, or None.
    names : callable
        A name that nothing has, for an index.
    places : list of str
        Names of the indices of an element; as many as the vectors have axes, once one is seen.
    local : dict of str to Element
        What the loop binds, by its name.
    extents : dict of str to int
        Texts of the extents of all arrays of which elements are taken, with the axis that each has
        to be as long as.
    """

    arrays: Mapping[str, int]
    resolve: Callable[[ast.expr], str | None]
    names: Callable[[], str]
    places: list[str] = field(default_factory=list)
    local: dict[str, Element] = field(default_factory=dict)
    extents: dict[str, int] = field(default_factory=dict)

    def element(self, node: ast.expr) -> Element:
        """An element of an expression.

        Raises
        ------
        Tied
        """
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._named(node)
        if isinstance(node, ast.Subscript):
            return self.part(node)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = [self.element(one) for one in (node.left, *node.comparators)]
            asked = ast.Compare(sides[0].text, node.ops, [sides[1].text])
            return Element(self._at(asked, node), self._axes(sides), mask=True)
        if isinstance(node, ast.IfExp):
            test, *ways = map(self.element, (node.test, node.body, node.orelse))
            if test.axes:
                raise Tied
            text = ast.IfExp(test.text, ways[0].text, ways[1].text)
            return Element(self._at(text, node), self._axes(ways), of=ways[0].of | ways[1].of)
        if isinstance(node, ast.Call):
            return self._call(node)
        return Element(self.number(node))

    def number(self, node: ast.expr) -> ast.expr:
        """An expression that has nothing of vectors in it, as it is."""
        for part in walk(node):
            name = part.id if isinstance(part, ast.Name) else ""
            if name in self.local and self.local[name].axes:
                raise Tied
            whole = dotted(part) if isinstance(part, (ast.Name, ast.Attribute)) else None
            if whole in self.arrays and not _asked_for_size(node, part):
                raise Tied
            if isinstance(part, ast.Call) and not only_computes(self.resolve(part.func), part):
                raise Tied
        return copied(node)

    def _named(self, node: ast.Name | ast.Attribute) -> Element:
        text = dotted(node) or ""
        if text in self.local:
            known = self.local[text]
            return Element(copied(known.text), known.axes, known.mask, frozenset((text,)))
        if text not in self.arrays:
            return Element(self.number(node))
        return self.taken(node, text, [])

    def taken(self, node: ast.expr, array: str, index: list[ast.expr]) -> Element:
        """An element of a part of an array: of what the index leaves, along all its axes."""
        spelt = filled_up(index, self.arrays[array])
        if spelt is None:
            raise Tied  # what is no number and no whole axis
        axes = [axis for axis, one in enumerate(spelt) if is_whole(one)]
        if axes:
            self._have(len(axes))
        places = iter(self.places)
        entries: list[ast.expr] = []
        for axis, one in enumerate(spelt):
            if is_whole(one):
                self.extents.setdefault(f"{array}.shape[{axis}]", axes.index(axis))
                entries.append(read(next(places)))
            else:
                entries.append(self.number(one))
        inner = entries[0] if len(entries) == 1 else ast.Tuple(entries, ast.Load())
        base = copied(node.value if isinstance(node, ast.Subscript) else node)
        base.ctx = ast.Load()  # type: ignore[attr-defined]
        text = ast.Subscript(base, inner, ast.Load())
        return Element(self._at(text, node), len(axes), of=frozenset((array,) if axes else ()))

    def part(self, node: ast.Subscript) -> Element:
        """An element of ``x[t]``, ``x[:, t - 1]``; not of what the loop made under that name."""
        array = dotted(node.value) or ""
        if array in self.arrays and array not in self.local:
            return self.taken(node, array, subscript_indices(node))
        return Element(self.number(node))

    def _binary(self, node: ast.BinOp) -> Element:
        if isinstance(node.op, ast.MatMult):
            return Element(self.number(node))
        sides = [self.element(one) for one in (node.left, node.right)]
        axes = self._axes(sides)
        if axes and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            if not all(one.mask for one in sides):
                raise Tied
            both = ast.And() if isinstance(node.op, ast.BitAnd) else ast.Or()
            text: ast.expr = ast.BoolOp(both, [one.text for one in sides])
            return Element(self._at(text, node), axes, mask=True)
        text = ast.BinOp(sides[0].text, node.op, sides[1].text)
        return Element(self._at(text, node), axes)

    def _unary(self, node: ast.UnaryOp) -> Element:
        one = self.element(node.operand)
        if not one.axes:
            return Element(self.number(node))
        inverts = isinstance(node.op, ast.Invert)
        if isinstance(node.op, ast.Not) or inverts != one.mask:
            raise Tied
        text = ast.UnaryOp(ast.Not() if inverts else node.op, one.text)
        return Element(self._at(text, node), one.axes, mask=inverts)

    def _call(self, node: ast.Call) -> Element:
        path = self.resolve(node.func)
        if path is None or node.keywords or not is_elementwise(path, len(node.args)):
            return Element(self.number(node))
        given = [self.element(one) for one in node.args]
        axes = self._axes(given)
        if not axes:
            return Element(self.number(node))
        if path in element_rules().chosen_by_test:
            text: ast.expr = ast.IfExp(*(one.text for one in given))
        else:
            text = ast.Call(copied(node.func), [one.text for one in given], [])
        return Element(self._at(text, node), axes)

    def _axes(self, parts: list[Element]) -> int:
        """How many axes what is computed of these has: all that have some have as many."""
        found = {one.axes for one in parts if one.axes}
        if len(found) > 1:
            raise Tied
        return found.pop() if found else 0

    def _have(self, axes: int) -> None:
        """See that all vectors have as many axes."""
        if not self.places:
            self.places += [self.names() for _ in range(axes)]
        if len(self.places) != axes:
            raise Tied

    @staticmethod
    def _at(made: ast.expr, node: ast.expr) -> ast.expr:
        return placed(made, node)


def only_computes(path: str | None, call: ast.Call) -> bool:
    """Whether a call of a function does no more than compute, element by element or a number."""
    rules = element_rules()
    if path is None:
        return False
    module = path.rpartition(".")[0]
    known = path in rules.numbers or module in rules.number_modules or path in _COUNTING
    return known or (not call.keywords and is_elementwise(path, len(call.args)))


def _asked_for_size(node: ast.expr, array: ast.AST) -> bool:
    """Whether an array stands in an expression where its size alone is asked for."""
    for part in walk(node):
        asked = part.value if isinstance(part, ast.Attribute) and part.attr in _SIZES else None
        if isinstance(part, ast.Call) and getattr(part.func, "id", "") == "len":
            asked = part.args[0] if part.args else None
        if asked is array:
            return True
    return False


_COUNTING = ("builtins.len", "builtins.range")
_SIZES = ("shape", "size", "ndim")

__all__ = ["Element", "Tied", "Vectors", "only_computes"]
