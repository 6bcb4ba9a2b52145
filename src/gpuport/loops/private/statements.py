"""Statements about small arrays of an iteration's own, as statements about their elements."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gpuport.loops.heads.counting import leaves
from gpuport.loops.heads.heads import range_arguments
from gpuport.loops.heads.literals import without_continue
from gpuport.loops.names import Expr, dotted, function_path, mentions, stored, walk
from gpuport.loops.parts.parts import Part
from gpuport.loops.parts.reductions import may_reduce
from gpuport.loops.parts.vectors import vector_names
from gpuport.loops.private.arrays import MOST, Private, made_of, private_arrays
from gpuport.loops.private.elements import Elements, index_of, number, root
from gpuport.loops.private.own_products import NotWritable
from gpuport.loops.private.own_steps import in_steps
from gpuport.loops.private.tables import Table
from gpuport.source import syntax
from gpuport.source.making import Standing

if TYPE_CHECKING:
    from gpuport.loops.parts.slices import Slices

Loop = ast.For | ast.While


def privates_written_out(
    loop: Loop, slices: Slices, live: frozenset[str], tables: Mapping[str, Table]
) -> None:
    """Write out the small arrays that each iteration makes, in place; all of them, or none.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    slices : Slices
    live : frozenset of str
        Names that something reads after the loop.
    tables : mapping of str to Table
        Numbers that are written out before the loop: elements of these are wanted, too.
    """
    apart = syntax.copied(loop)
    steps = in_steps(apart, slices, live)
    if steps is None or not _written_out(apart, slices, live, tables, steps):
        _written_out(loop, slices, live, tables)
        return
    loop.body = apart.body


def _written_out(
    loop: Loop,
    slices: Slices,
    live: frozenset[str],
    tables: Mapping[str, Table],
    wanted: frozenset[str] = frozenset(),
) -> bool:
    """Write out small arrays, all of which and ``wanted`` have to be such; whether that is done."""
    privates = private_arrays(loop, slices.parts, live)
    constants = {name: t.elts for name, t in tables.items() if mentions([loop], name)}
    privates |= {name: Private(name, len(t), "", listed=True) for name, t in constants.items()}
    if not privates or not wanted <= privates.keys():
        return False
    elements = Elements(privates, slices, constants, stored([loop]))
    try:
        made = _Statements(elements, loop).block([syntax.copied(one) for one in loop.body])
    except NotWritable:
        return False
    before, loop.body = loop.body, made
    if elements.numbers & vector_names(loop, slices.parts):
        loop.body = before  # what is done with each of several elements is done with all at once
        return False
    slices.guards += elements.guards
    return True


class _Statements:
    """Writes statements for elements."""

    def __init__(self, elements: Elements, loop: Loop) -> None:
        self.elements = elements
        self.loop = loop
        self.privates = elements.privates

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for one in statements:
            found = self._statement(one)
            for new in found:
                ast.fix_missing_locations(ast.copy_location(new, one))
            made += found
        return made

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if not any(mentions([node], name) for name in self.privates):
            return [node]
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return self._assign(node, node.targets[0])
        if isinstance(node, ast.AugAssign):
            return self._augmented(node)
        if isinstance(node, ast.If):
            node.test = self.elements.scalar(node.test, vectors=False)
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return [node]
        if isinstance(node, ast.While):
            node.test = self.elements.scalar(node.test, vectors=False)
            node.body = self.block(node.body)
            return [node]
        if isinstance(node, ast.For):
            return self._for(node)
        raise NotWritable

    def _assign(self, node: ast.Assign, target: Expr) -> list[ast.stmt]:
        one = self._private(target)
        if one is not None:
            return self._set(node, one, self._values(node.value, one, target))
        if isinstance(target, ast.Tuple):
            return self._unpacked(node, target)
        length = self.elements.length(node.value)
        if length is None:
            node.targets = [self._place(target)]
            node.value = self._held(target, self._number(node.value, target))
            return [node]
        part = self._row(target)
        self._same_places(part, node.value)
        self.elements.check(part, length)
        places = [part.element([str(k)], ast.Store()) for k in range(length)]
        values = self.elements.all_of(node.value, length)
        return [ast.Assign([ast.Tuple([*places], ast.Store())], ast.Tuple(values, ast.Load()))]

    def _values(self, value: Expr, one: Private, target: Expr) -> list[Expr]:
        if one.listed:
            assert isinstance(value, ast.List | ast.Tuple)
            return [self.elements.scalar(item) for item in value.elts]
        made = made_of(value, self.elements.facts)
        if made is not None:
            return [self.elements.number(item) for item in made[2]]
        values = self.elements.all_of(value, one.length)
        if isinstance(target, ast.Name) and not self.elements.seen:
            raise NotWritable  # it names a number from here on
        return values

    def _set(self, node: ast.stmt, one: Private, values: list[Expr]) -> list[ast.stmt]:
        """Give all elements new values: at once, where these are made of the old ones."""
        values = [self.elements.stored(value, one.cast) for value in values]
        places: list[Expr] = [
            ast.Name(self.elements.names[one.name, k], ast.Store()) for k in range(one.length)
        ]
        old = {self.elements.names[one.name, k] for k in range(one.length)}
        tied = any(
            isinstance(n, ast.Name) and n.id in old - {place.id}  # type: ignore[attr-defined]
            for place, value in zip(places, values, strict=True)
            for n in walk([value])
        )
        if tied:
            return [ast.Assign([ast.Tuple(places, ast.Store())], ast.Tuple(values, ast.Load()))]
        pairs = zip(places, values, strict=True)
        return [ast.Assign([place], value) for place, value in pairs]

    def _unpacked(self, node: ast.Assign, target: ast.Tuple) -> list[ast.stmt]:
        """``x, y = v``, ``v[0], v[1] = v[1], v[0]``."""
        items: list[Expr]
        if isinstance(node.value, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=False)
            items = [self._number(item, place) for place, item in pairs]
        elif isinstance(node.value, ast.Name) and node.value.id in self.privates:
            one = self.privates[node.value.id]
            items = [self.elements.name(one.name, k, node) for k in range(one.length)]
        else:
            length = self.elements.length(node.value)
            if length is None:
                raise NotWritable
            items = self.elements.all_of(node.value, length)
        if len(items) != len(target.elts):
            raise NotWritable
        pairs = zip(target.elts, items, strict=True)
        values = [self._held(place, item) for place, item in pairs]
        places = [self._place(place) for place in target.elts]
        return [ast.Assign([ast.Tuple(places, ast.Store())], ast.Tuple(values, ast.Load()))]

    def _augmented(self, node: ast.AugAssign) -> list[ast.stmt]:
        one = self._private(node.target)
        if one is not None:
            if one.listed or (one.cast and not one.cast.startswith("float")):
                raise NotWritable
            added = self.elements.all_of(node.value, one.length)
            values: list[Expr] = [
                ast.BinOp(self.elements.name(one.name, k, node), node.op, value)
                for k, value in enumerate(added)
            ]
            return self._set(node, one, values)
        length = self.elements.length(node.value)
        if length is not None:
            return self._added_row(node, length)
        place, value = self._place(node.target), self._number(node.value, node.target)
        if isinstance(place, ast.Name) and not isinstance(node.target, ast.Name):
            old = ast.Name(place.id, ast.Load())
            changed = ast.copy_location(ast.BinOp(old, node.op, value), node)
            return [ast.Assign([place], self._held(node.target, changed))]
        assert isinstance(place, ast.Name | ast.Attribute | ast.Subscript)
        return [ast.AugAssign(place, node.op, value)]

    def _added_row(self, node: ast.AugAssign, length: int) -> list[ast.stmt]:
        """``out[i] += v``."""
        part = self._row(node.target)
        dtype = self.elements.slices.parts.dtype(part)
        if dtype is not None and not dtype.startswith("float"):
            raise NotWritable
        self._same_places(part, node.value)
        self.elements.check(part, length)
        return [
            ast.AugAssign(part.element([str(k)], ast.Store()), node.op, value)
            for k, value in enumerate(self.elements.all_of(node.value, length))
        ]

    def _number(self, value: Expr, target: Expr) -> Expr:
        """What is not made of vectors of the iteration's own alone: a number, or a row."""
        parts = self.elements.slices.parts
        if self._element(target) is not None:
            return self.elements.number(value)
        if isinstance(target, ast.Name):
            wanted = self._taken_apart(target.id)
        else:
            wanted = parts.is_part(target)
        return self.elements.scalar(value, vectors=wanted)

    def _taken_apart(self, name: str) -> bool:
        """Whether a name of the loop is used as those of vectors alone are."""
        return any(
            (isinstance(n, ast.Subscript) and dotted(n.value) == name)
            or (may_reduce(n) and mentions([n], name))
            for n in walk(self.loop.body)
        )

    def _private(self, target: Expr) -> Private | None:
        """The private array that is set as a whole: ``v = f``, ``v[:] = f``."""
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            bounds = (target.slice.lower, target.slice.upper, target.slice.step)
            one = self.privates.get(dotted(target.value) or "")
            return one if bounds == (None, None, None) and one and not one.listed else None
        return self.privates.get(target.id) if isinstance(target, ast.Name) else None

    def _element(self, target: Expr) -> tuple[Private, int] | None:
        if not isinstance(target, ast.Subscript):
            return None
        one = self.privates.get(dotted(target.value) or "")
        return None if one is None else (one, index_of(target.slice, one.length))

    def _place(self, target: Expr) -> Expr:
        """What is assigned to, with elements by their names."""
        found = self._element(target)
        if found is not None:
            return ast.Name(self.elements.names[found[0].name, found[1]], ast.Store())
        if isinstance(target, ast.Name) and target.id in self.privates:
            raise NotWritable
        made = syntax.copied(target)
        if isinstance(made, ast.Subscript):
            made.slice = self.elements.scalar(made.slice)
        return made

    def _held(self, target: Expr, value: Expr) -> Expr:
        found = self._element(target)
        return value if found is None else self.elements.stored(value, found[0].cast)

    def _row(self, target: Expr) -> Part:
        parts = self.elements.slices.parts
        part = parts.sliced(target) or parts.row(target)
        if part is None or len(part.axes) != 1 or self._element(target) is not None:
            raise NotWritable
        return part

    def _same_places(self, part: Part, value: Expr) -> None:
        """Refuse to read other places of the array that is written."""
        array = dotted(part.array)
        for node in walk([value]):
            if not isinstance(node, ast.Subscript) or dotted(node.value) != array:
                continue
            other = self.elements.slices.parts.sliced(node)
            low = other.axes[0].low if other is not None and other.axes else "0"
            if low != part.axes[0].low:
                raise NotWritable

    def _for(self, node: ast.For) -> list[ast.stmt]:
        items = self._items(node)
        if items is None:
            node.iter = self.elements.scalar(node.iter)
            node.body = self.block(node.body)
            return [node]
        body = without_continue(node.body)
        if leaves(body) or stored([node.target]) & stored(body) or node.orelse:
            raise NotWritable
        names = [n.id for n in walk([node.target]) if isinstance(n, ast.Name)]
        made: list[ast.stmt] = []
        for values in items:
            given = dict(zip(names, values, strict=True))
            for one in [syntax.copied(one) for one in body]:
                changed = Standing(given).visit(one)
                made += self.block([changed])
        return made

    def _items(self, node: ast.For) -> list[list[Expr]] | None:
        """What the variables of a loop over elements are, time after time."""
        facts, call = self.elements.slices.facts, node.iter
        one = self.privates.get(call.id) if isinstance(call, ast.Name) else None
        if one is not None and isinstance(node.target, ast.Name):
            return [[self.elements.name(one.name, k, call)] for k in range(one.length)]
        path = function_path(call.func, facts) if isinstance(call, ast.Call) else None
        if path != "builtins.range" or not isinstance(node.target, ast.Name):
            return None
        assert isinstance(call, ast.Call)
        if not self._indexed_by(node, node.target.id):
            return None
        bounds = [number(self.elements.scalar(one)) for one in range_arguments(call)]
        start, stop, step = bounds
        if start is None or stop is None or not step or range(start, stop, step)[MOST:]:
            raise NotWritable
        return [[ast.copy_location(ast.Constant(k), call)] for k in range(start, stop, step)]

    def _indexed_by(self, node: ast.For, variable: str) -> bool:
        """Whether elements of private arrays are asked for by a variable."""
        return any(
            isinstance(n, ast.Subscript)
            and root(n) in self.privates
            and mentions([n.slice], variable)
            for n in walk(node.body)
        )
