"""What iterations do with arrays of their own, done to their places in a common array."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuport.loops.heads.heads import parse
from gpuport.loops.names import Fresh, constant_int, function_path, mentions, subscript_indices
from gpuport.loops.private.workspace_checks import exchanged, root
from gpuport.loops.private.workspace_makers import Makers
from gpuport.source import syntax


@dataclass(frozen=True)
class Room:
    """The places of one array of an iteration's own.

    Attributes
    ----------
    name : str
        Of the common array.
    extents : tuple of str
        Of the iteration's own.
    places : tuple of str
        The further indices: which iteration it is.
    """

    name: str
    extents: tuple[str, ...]
    places: tuple[str, ...]


class Uses:
    """Writes statements for places in common arrays.

    Parameters
    ----------
    rooms : mapping of str to Room
    makers : Makers
    fresh : Fresh
    """

    def __init__(self, rooms: Mapping[str, Room], makers: Makers, fresh: Fresh) -> None:
        self.rooms = rooms
        self.makers = makers
        self.fresh = fresh

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements, with places in the stead of the arrays."""
        made: list[ast.stmt] = []
        for one in statements:
            for new in self._statement(one):
                for child in syntax.walk(new):
                    if not hasattr(child, "lineno"):
                        ast.copy_location(child, one)
                made.append(ast.fix_missing_locations(ast.copy_location(new, one)))
        return made

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if not any(mentions([node], name) for name in self.rooms):
            return [node]
        swapped = exchanged(node, self.rooms)
        if swapped is not None:
            return self._exchange(node, swapped)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and target.id in self.rooms:
                return self._set(self.rooms[target.id], node.value)
        added = node.target if isinstance(node, ast.AugAssign) else None
        if isinstance(added, ast.Name) and added.id in self.rooms:
            assert isinstance(node, ast.AugAssign)
            target = self._whole(self.rooms[added.id], ast.Store())
            return [ast.AugAssign(target, node.op, self._expression(node.value))]
        if isinstance(node, ast.For):
            node.iter, node.body = self._over(node)
            return [node]
        if isinstance(node, ast.If | ast.While):
            node.test, node.body = self._expression(node.test), self.block(node.body)
            node.orelse = self.block(node.orelse)
            return [node]
        changed = _Places(self).visit(node)
        assert isinstance(changed, ast.stmt)
        return [changed]

    def _over(self, node: ast.For) -> tuple[ast.expr, list[ast.stmt]]:
        """``for v in row`` as a loop over places."""
        room = self.rooms.get(node.iter.id) if isinstance(node.iter, ast.Name) else None
        body = self.block(node.body)
        if room is None or len(room.extents) != 1:
            return self._expression(node.iter), body
        place = self.fresh.name("k")
        value = self._element(room, [ast.Name(place, ast.Load())], ast.Load())
        first = ast.Assign([node.target], value)
        node.target = ast.Name(place, ast.Store())
        return parse(f"range({room.extents[0]})", node.iter), [first, *body]

    def _set(self, room: Room, value: ast.expr) -> list[ast.stmt]:
        if isinstance(value, ast.Name):
            return [ast.Assign([self._whole(room, ast.Store())], self._expression(value))]
        filled = self.makers.filled(value)
        if filled is None:
            return self._copied(room, value)
        fill = filled[2]
        if fill is None:
            return []
        counted = isinstance(fill, ast.Constant) and fill.value is ...
        names = [self.fresh.place() for _ in room.extents]
        places: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        given = ast.Name(names[0], ast.Load()) if counted else self._expression(syntax.copied(fill))
        return self._loops(
            room, names, ast.Assign([self._element(room, places, ast.Store())], given)
        )

    def _copied(self, room: Room, value: ast.expr) -> list[ast.stmt]:
        """``x[i].copy()``, element by element."""
        part = self.makers.copied(value)
        assert part is not None
        names = [self.fresh.place() for _ in room.extents]
        waiting: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        if not isinstance(part, ast.Subscript):
            place = waiting[0] if len(waiting) == 1 else ast.Tuple(waiting, ast.Load())
            read = self._expression(ast.Subscript(part, place, ast.Load()))
            stored: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
            inner = ast.Assign([self._element(room, stored, ast.Store())], read)
            return self._loops(room, names, inner)
        given = list(map(self._expression, subscript_indices(part)))
        given += [ast.Slice()] * (len(waiting) - sum(isinstance(g, ast.Slice) for g in given))
        every = [waiting.pop(0) if isinstance(one, ast.Slice) else one for one in given]
        read = ast.Subscript(part.value, ast.Tuple(every, ast.Load()), ast.Load())
        places: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        inner = ast.Assign([self._element(room, places, ast.Store())], read)
        return self._loops(room, names, inner)

    def _exchange(self, node: ast.stmt, names: Sequence[str]) -> list[ast.stmt]:
        """``a, b = b, a``: what they hold changes places."""
        assert isinstance(node, ast.Assign)
        rooms = [self.rooms[name] for name in names]
        others = [self.rooms[one.id] for one in node.value.elts]  # type: ignore[attr-defined]
        counters = [self.fresh.place() for _ in rooms[0].extents]
        places: list[ast.expr] = [ast.Name(name, ast.Load()) for name in counters]
        left: list[ast.expr] = [self._element(room, places, ast.Store()) for room in rooms]
        right: list[ast.expr] = [self._element(room, places, ast.Load()) for room in others]
        inner = ast.Assign([ast.Tuple(left, ast.Store())], ast.Tuple(right, ast.Load()))
        return self._loops(rooms[0], counters, inner)

    def _loops(self, room: Room, names: Sequence[str], inner: ast.stmt) -> list[ast.stmt]:
        for name, extent in reversed([*zip(names, room.extents, strict=True)]):
            call = ast.parse(f"range({extent})", mode="eval").body
            inner = ast.For(ast.Name(name, ast.Store()), call, [inner], [])
        return [inner]

    def _expression(self, node: ast.expr) -> ast.expr:
        changed = _Places(self).visit(node)
        assert isinstance(changed, ast.expr)
        return changed

    def _element(
        self, room: Room, indices: Sequence[ast.expr], context: ast.expr_context
    ) -> ast.Subscript:
        places = [ast.parse(text, mode="eval").body for text in room.places]
        every = [*(syntax.copied(one) for one in indices), *places]
        return ast.Subscript(ast.Name(room.name, ast.Load()), ast.Tuple(every, ast.Load()), context)

    def _whole(self, room: Room, context: ast.expr_context) -> ast.Subscript:
        return self.subscript(room, [], context)

    def subscript(
        self, room: Room, indices: Sequence[ast.expr], context: ast.expr_context
    ) -> ast.Subscript:
        """The place of ``row[indices]``."""
        found = [*indices, *([ast.Slice()] * (len(room.extents) - len(indices)))]
        for axis, index in enumerate(found):
            if isinstance(index, ast.Slice):
                extent = room.extents[axis]
                low = "0" if index.lower is None else _from_start(index.lower, extent)
                high = extent if index.upper is None else _from_start(index.upper, extent)
                bounds = [ast.parse(text, mode="eval").body for text in (low, high)]
                found[axis] = ast.Slice(bounds[0], bounds[1])
        return self._element(room, found, context)


def _from_start(bound: ast.expr, extent: str) -> str:
    value = constant_int(bound)
    return f"({extent}) - {-value}" if value is not None and value < 0 else ast.unparse(bound)


class _Places(ast.NodeTransformer):
    """Puts places in the stead of arrays."""

    def __init__(self, uses: Uses) -> None:
        self.uses = uses

    def visit_Name(self, node: ast.Name) -> ast.AST:
        room = self.uses.rooms.get(node.id)
        return node if room is None else self._at(node, room, [], node.ctx)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name, indices = root(node)
        room = self.uses.rooms.get(name)
        if room is None:
            made = self.generic_visit(node)
            return _item(made) or made
        return self._at(node, room, [self.visit(one) for one in indices], node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        given = node.args[0] if len(node.args) == 1 else None
        room = self.uses.rooms.get(given.id) if isinstance(given, ast.Name) else None
        facts = self.uses.makers.facts
        if room is not None and function_path(node.func, facts) == "builtins.len":
            return parse(room.extents[0], node)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        room = self.uses.rooms.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if room is not None and node.attr == "size" and len(room.extents) == 1:
            return parse(room.extents[0], node)
        if room is not None and node.attr == "shape":
            return ast.copy_location(
                ast.Tuple([parse(text, node) for text in room.extents], ast.Load()), node
            )
        return self.generic_visit(node)

    def _at(
        self, node: ast.expr, room: Room, indices: list[ast.expr], context: ast.expr_context
    ) -> ast.AST:
        made = self.uses.subscript(room, indices, context)
        for child in ast.walk(made):
            ast.copy_location(child, node)
        return made


def _item(node: ast.AST) -> ast.expr | None:
    """The item of a tuple that is written out, as ``d.shape[0]`` is then; else None."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Tuple):
        return None
    place, items = constant_int(node.slice), node.value.elts
    return items[place] if place is not None and -len(items) <= place < len(items) else None
