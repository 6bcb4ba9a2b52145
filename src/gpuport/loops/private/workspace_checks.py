"""Whether arrays of an iteration's own are nothing but read and written, and bear one name each."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from gpuport.loops.context.scalars import exposed
from gpuport.loops.names import mentions, stored, subscript_indices, walk
from gpuport.loops.private.workspace_makers import Made

Loop = ast.For | ast.While


class _Misused(Exception):
    """More is done with an array than to read and write it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def usable(body: Sequence[ast.stmt], made: Mapping[str, Made]) -> dict[str, Made]:
    """Those of the arrays that no other name shares, and that are nothing but read and written."""
    names = dict(made)
    while names:
        check = _Check(body, dict(names))
        try:
            check.block(body)
        except _Misused as misused:
            del names[misused.name]
        else:
            return check.made
    return {}


def root(node: ast.expr) -> tuple[str, list[ast.expr]]:
    """The name of what is subscripted, once or several times, and all indices."""
    indices: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        indices = [*subscript_indices(node), *indices]
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), indices


def exchanged(node: ast.stmt, names: Mapping[str, object]) -> list[str] | None:
    """The names of ``a, b = b, a``."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return None
    left = [one.id for one in target.elts if isinstance(one, ast.Name)]
    right = [one.id for one in value.elts if isinstance(one, ast.Name)]
    same = sorted(left) == sorted(right) and len({*left}) == len(left) == len(target.elts)
    return left if same and len(right) == len(value.elts) and {*left} <= {*names} else None


class _Check:
    def __init__(self, body: Sequence[ast.stmt], made: dict[str, Made]) -> None:
        self.body = body
        self.made = made

    def block(self, statements: Sequence[ast.stmt], loop: Sequence[ast.stmt] | None = None) -> None:
        """Check statements that stand in the body of a loop inside, or in no such loop."""
        for position, node in enumerate(statements):
            if not any(mentions([node], name) for name in self.made):
                continue
            if isinstance(node, ast.If):
                self._plain(node.test)
                self.block(node.body)
                self.block(node.orelse)
            elif isinstance(node, ast.For | ast.While):
                self._head(node)
                self.block(node.body, node.body)
                self.block(node.orelse)
            elif isinstance(node, ast.Assign):
                self._assign(node, statements[position + 1 :], loop)
            elif isinstance(node, ast.AugAssign):
                if not isinstance(node.target, ast.Name):
                    self._plain(node.target, whole=True)
                self._plain(node.value, whole=True)
            else:
                self._plain(node)

    def _head(self, node: Loop) -> None:
        if isinstance(node, ast.While):
            self._plain(node.test)
            return
        self._unbound(node.target)
        self._plain(node.iter, whole=True)

    def _unbound(self, target: ast.AST) -> None:
        for name in stored([target]) & set(self.made):
            raise _Misused(name)

    def _assign(
        self, node: ast.Assign, later: Sequence[ast.stmt], loop: Sequence[ast.stmt] | None
    ) -> None:
        swapped = exchanged(node, self.made)
        if swapped is not None:
            first = swapped[0]
            for other in swapped[1:]:
                self._alike(first, other)
            return
        target, value = node.targets[0], node.value
        if len(node.targets) > 1 or isinstance(target, ast.Tuple | ast.List | ast.Starred):
            for one in node.targets:
                self._unbound(one)
            self._plain(value)
        elif isinstance(target, ast.Name) and target.id in self.made:
            if isinstance(value, ast.Name):
                self._renamed(target.id, value.id, later, loop)
            elif not isinstance(value, ast.Call):
                raise _Misused(target.id)
            else:
                self._made(target.id, value)
        else:
            stored_in = isinstance(target, ast.Subscript)
            self._plain(target, whole=stored_in)
            self._plain(value, whole=stored_in)

    def _made(self, name: str, value: ast.Call) -> None:
        for argument in value.args:
            self._plain(argument, whole=True)
        if isinstance(value.func, ast.Attribute):
            self._plain(value.func.value, whole=True)

    def _renamed(
        self, new: str, old: str, later: Sequence[ast.stmt], loop: Sequence[ast.stmt] | None
    ) -> None:
        """``previous = current``: a copy does, where ``current`` is made anew before it is used."""
        if old not in self.made:
            raise _Misused(new)
        self._alike(new, old)
        inside = mentions(loop or (), old)
        if mentions(later, old) or loop is None or old in exposed(loop):
            raise _Misused(old)
        if mentions(self.body, old) != inside + self._set_elsewhere(old, loop):
            raise _Misused(old)

    def _alike(self, one: str, other: str) -> None:
        joined = self.made[one].alike(self.made[other])
        if joined is None:
            raise _Misused(one)
        self.made[one] = joined

    def _set_elsewhere(self, name: str, loop: Sequence[ast.stmt]) -> int:
        """How often a name is bound outside of a loop."""
        within = {id(node) for node in walk(loop)}
        return sum(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
            for node in walk(self.body) if id(node) not in within
        )  # fmt: skip

    def _plain(self, node: ast.AST, *, whole: bool = False) -> None:
        """Check an expression; ``whole``: what it gives is read at once and kept by no name."""
        if isinstance(node, ast.Name):
            if node.id in self.made and not whole:
                raise _Misused(node.id)
            return
        if isinstance(node, ast.Subscript):
            name, indices = root(node)
            if name in self.made:
                self._subscript(name, indices, whole)
                return
        if isinstance(node, ast.Call):
            for argument in (*node.args, *node.keywords):
                self._plain(argument, whole=True)
            if isinstance(node.func, ast.Attribute):
                self._plain(node.func.value, whole=True)
            return
        if self._is_size(node):
            return
        inner = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.keyword)
        for child in ast.iter_child_nodes(node):
            self._plain(child, whole=inner)

    def _is_size(self, node: ast.AST) -> bool:
        """``d.shape``, and ``d.size`` of an array of one axis."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return False
        made = self.made.get(node.value.id)
        one = made is not None and len(made.extents) == 1
        return made is not None and (node.attr == "shape" or (node.attr == "size" and one))

    def _subscript(self, name: str, indices: Sequence[ast.expr], whole: bool) -> None:
        axes = len(self.made[name].extents)
        parts = [index for index in indices if isinstance(index, ast.Slice)]
        odd = any(isinstance(i, ast.Constant) and type(i.value) is not int for i in indices)
        stepped = any(one.step is not None for one in parts)
        if len(indices) > axes or odd or stepped or ((parts or len(indices) < axes) and not whole):
            raise _Misused(name)
        for index in indices:
            for child in (index.lower, index.upper) if isinstance(index, ast.Slice) else (index,):
                if child is not None:
                    self._plain(child)
