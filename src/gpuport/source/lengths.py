"""How long arrays are at most, as far as the text of a function says."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import TypeVar

from gpuport.source.bindings import Item
from gpuport.source.syntax import children
from gpuport.source.wholes import constant_int

_DEEPEST = 24

_Shape = tuple[int | None, ...]
_Answer = TypeVar("_Answer", int, _Shape)


class Lengths:
    """Upper bounds of what the names of a function are."""

    def __init__(
        self,
        sources: dict[str, list[ast.expr | None]],
        words: Mapping[str, frozenset[str]],
        elsewhere: Callable[[str], list[Bound]] = lambda name: [],
    ) -> None:
        self.sources = sources
        self.words = words
        self.elsewhere = elsewhere
        self.found: dict[tuple[str, str], int | _Shape | None] = {}

    def elements(self, node: ast.expr, depth: int) -> int | None:
        """How many elements an expression's value has at most; None where nothing says so."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Constant):
            return 1
        if isinstance(node, ast.Name):
            return self._of_name(node.id, "elements", _most, depth)
        if isinstance(node, ast.Attribute):
            return self.elements(node.value, depth + 1) if node.attr in ("T", "mT") else None
        if isinstance(node, Item):
            return self._of_item(node.of, depth + 1)
        if isinstance(node, ast.BinOp):
            return _times(self.elements(side, depth + 1) for side in (node.left, node.right))
        return self._made(node, depth) if isinstance(node, ast.Call) else None

    def _made(self, node: ast.Call, depth: int) -> int | None:
        """Elements of what a call makes, where its lengths are written there."""
        if _word(node) in self.words["displays"] and node.args:
            return _leaves(node.args[0])
        sizes = self._sizes(node)
        return _times(self.length(size, depth + 1) for size in sizes) if sizes else None

    def _sizes(self, node: ast.Call) -> list[ast.expr]:
        """The lengths of what a call makes."""
        sizes = [k.value for k in node.keywords if k.arg in ("size", "shape")]
        if not sizes and _word(node) in self.words["lengths"] and node.args:
            square = _word(node) in self.words["squares"] and len(node.args) == 1
            sizes = [node.args[0]] * 2 if square else list(node.args)
        return sizes

    def shape(self, node: ast.expr, depth: int) -> _Shape | None:
        """The largest extents of an expression's value, as far as they show."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Name):
            return self._of_name(node.id, "shape", _widest, depth)
        if isinstance(node, (ast.List, ast.Tuple)):
            inner = {self.shape(one, depth + 1) or () for one in node.elts}
            starred = any(isinstance(one, ast.Starred) for one in node.elts)
            return None if starred else (len(node.elts), *(inner.pop() if len(inner) == 1 else ()))
        if isinstance(node, ast.BinOp):
            sides = [self.shape(side, depth + 1) for side in (node.left, node.right)]
            numbers = any(isinstance(side, ast.Constant) for side in (node.left, node.right))
            return next((one for one in sides if one is not None), None) if numbers else None
        return self._shape_made(node, depth) if isinstance(node, ast.Call) else None

    def _shape_made(self, node: ast.Call, depth: int) -> _Shape | None:
        if _word(node) in self.words["displays"] and node.args:
            return self.shape(node.args[0], depth + 1)
        if _word(node) in self.words["alike"]:
            owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            shapes = (self.shape(one, depth + 1) for one in (*owner, *node.args[:1]))
            return next((shape for shape in shapes if shape is not None), None)
        if _word(node) in self.words["spaced"] and len(node.args) > 2:
            size = node.args[2]
            sizes = size.elts if isinstance(size, (ast.Tuple, ast.List)) else [size]
            return tuple(self.length(one, depth + 1) for one in sizes)
        if _word(node) in self.words["counted"] and node.args:
            stop = _stop(node)
            return (None if stop is None else self.length(stop, depth + 1),)
        sizes = self._sizes(node)
        if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
            sizes = sizes[0].elts
        known = tuple(self.length(size, depth + 1) for size in sizes)
        return known if len(known) > 1 or known not in ((), (None,)) else None

    def _of_shape(self, node: ast.expr, axis: int, depth: int) -> int | None:
        shape = self.shape(node, depth)
        return shape[axis] if shape is not None and -len(shape) <= axis < len(shape) else None

    def trips(self, stop: str | ast.expr, start: str) -> int | None:
        """How often a loop over a range runs at most."""
        end = ast.parse(stop, mode="eval").body if isinstance(stop, str) else stop
        length = self.length(end, 0)
        return None if length is None else max(length - (int(start) if start.isdigit() else 0), 0)

    def length(self, node: ast.expr, depth: int) -> int | None:
        """The largest whole number that an expression is, or the product of a tuple of them."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Tuple):
            return _times(self.length(one, depth + 1) for one in node.elts)
        if isinstance(node, ast.Name):
            return self._of_name(node.id, "length", _most, depth)
        if isinstance(node, Item):
            return self._of_numbers(node.of, depth + 1)
        if isinstance(node, ast.Call) and node.args:
            return self._length_called(node, depth + 1)
        if isinstance(node, ast.Attribute) and node.attr == "size":
            shape = self.shape(node.value, depth + 1)
            return None if shape is None else _times(shape)
        return self._length_taken(node, depth + 1) if isinstance(node, ast.Subscript) else None

    def _length_called(self, node: ast.Call, depth: int) -> int | None:
        """``len(x)``, ``max(n, 0)``, ``min(n, m)``."""
        name = getattr(node.func, "id", "")
        if name == "len":
            return self._of_shape(node.args[0], 0, depth)
        counts = [self.length(one, depth) for one in node.args]
        if name == "min":
            return min((count for count in counts if count is not None), default=None)
        return _most(counts) if name == "max" else None

    def _length_taken(self, node: ast.Subscript, depth: int) -> int | None:
        """``x.shape[0]``."""
        axis = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(node.value, ast.Attribute) or node.value.attr != "shape":
            return None
        return self._of_shape(node.value.value, axis, depth) if isinstance(axis, int) else None

    def _of_item(self, node: ast.expr, depth: int) -> int | None:
        """Elements of the arrays in a list."""
        if isinstance(node, ast.Name):
            return self._of_name(node.id, "_of_item", _most, depth)
        return self.elements(node.elt, depth + 1) if isinstance(node, ast.ListComp) else None

    def _of_numbers(self, node: ast.expr, depth: int) -> int | None:
        """The largest number in a list."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Name):
            return self._of_name(node.id, "_of_numbers", _most, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return self._of_numbers(node.left, depth + 1)
        if isinstance(node, (ast.List, ast.Tuple)):
            return _most(self.length(one, depth + 1) for one in node.elts)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
            return _most(self.length(one, depth + 1) for one in node.args)
        return None

    def _of_name(
        self,
        name: str,
        asked: str,
        largest: Callable[[Iterable[_Answer | None]], _Answer | None],
        depth: int,
    ) -> _Answer | None:
        """The largest answer for what a name is bound to; None where it depends on itself."""
        key = name, asked
        if key not in self.found:
            self.found[key] = None
            bound: list[Bound] = [(self, one) for one in self.sources.get(name, [])]
            bound += self.elsewhere(name)
            self.found[key] = largest(
                None if one is None else getattr(where, asked)(one, depth + 1)
                for where, one in bound
            )
        return self.found[key]  # type: ignore[return-value]


Bound = tuple[Lengths, ast.expr | None]
"""What binds a name, and where that is written; None for what is not looked into."""


def parameters_of(function: ast.FunctionDef) -> list[str]:
    """The parameters of a function, those that are given by place first."""
    given = function.args
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return [one.arg for one in every if one is not None]


def argument_given(function: ast.FunctionDef, name: str, call: ast.Call) -> ast.expr | None:
    """What a call gives a parameter, or its default; None where it is not written there."""
    arguments = function.args
    plain = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    alone = [one.arg for one in arguments.kwonlyargs]
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    if starred or any(one.arg is None for one in call.keywords):
        return None
    given = dict(zip(plain[::-1], arguments.defaults[::-1], strict=False))
    given |= {one: value for one, value in zip(alone, arguments.kw_defaults, strict=True) if value}
    given |= {one.arg: one.value for one in call.keywords if one.arg in (*plain, *alone)}
    given |= dict(zip(plain, call.args, strict=False))
    return given.get(name)


def _stop(node: ast.Call) -> ast.expr | None:
    """Where ``arange`` ends, if it counts by ones from no less than 0."""
    begins = constant_int(node.args[0]) if len(node.args) == 2 else 0
    if len(node.args) > 2 or begins is None or begins < 0:
        return None
    return node.args[-1] if all(one.arg == "dtype" for one in node.keywords) else None


def _word(node: ast.Call) -> str:
    """The last word of what is called."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def _widest(shapes: Iterable[_Shape | None]) -> _Shape | None:
    """The largest extents of arrays of as many axes."""
    found = list(shapes)
    known = [one for one in found if one is not None]
    if len(known) < len(found) or len({len(one) for one in known}) != 1:
        return None
    return tuple(_most(extents) for extents in zip(*known, strict=True))


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


def innermost_loops(body: Sequence[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The variables of the loops without loops inside, and where they end."""
    for node in body:
        inner = list(innermost_loops(list(children(node))))
        if isinstance(node, ast.For | ast.While) and not inner:
            inner = [_end_of(node)]
        yield from inner


def _end_of(node: ast.For | ast.While) -> tuple[str, ast.expr]:
    if isinstance(node, ast.While) or not isinstance(node.iter, ast.Call):
        return "", ast.Constant(None)
    name = getattr(node.target, "id", "")
    return name, node.iter.args[min(1, len(node.iter.args) - 1)]


__all__ = ["Bound", "Lengths", "argument_given", "innermost_loops", "parameters_of"]
