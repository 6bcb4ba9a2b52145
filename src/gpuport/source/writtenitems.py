"""What the names in the head of a loop are one after the other, where that is written out."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

from gpuport.source.names import Scope
from gpuport.source.syntax import walk


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of loops in a scope; lists of the names in ``changed`` are not what they were."""

    scope: Scope
    changed: Collection[str]

    def keys(self, name: str, loop: ast.AST, *, alone: bool) -> list[str]:
        """The texts of which a name in the head of a loop is one; none where it may be another.

        ``loop`` is the statement or, of a comprehension, what it goes through: there the name has
        to stand ``alone``.
        """
        if not isinstance(loop, ast.For):
            return _texts(self._display(loop)) if alone else []
        return [] if _binds_again(loop, name) else _texts(self._of(loop.target, loop.iter, name))

    def _of(self, target: ast.expr, iterable: ast.expr, name: str) -> list[ast.expr] | None:
        """What a name in a target is one after the other; None where that is not written out."""
        if isinstance(target, ast.Name):
            return self._display(iterable) if target.id == name else None
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
        if any(isinstance(one, ast.Starred) for one in parts):
            return None
        if isinstance(iterable, ast.Call):
            pairs = zip(parts, self._sources(iterable), strict=False)
            found = (self._of(one, source, name) for one, source in pairs if source is not None)
            return next((one for one in found if one is not None), None)
        rows = self._display(iterable) or []
        columns = [row.elts for row in rows if isinstance(row, (ast.Tuple, ast.List))]
        if len(columns) < len(rows) or any(len(column) != len(parts) for column in columns):
            return None
        places = [k for k, one in enumerate(parts) if isinstance(one, ast.Name) and one.id == name]
        return [column[places[0]] for column in columns] if len(places) == 1 else None

    def _sources(self, call: ast.Call) -> list[ast.expr | None]:
        """What ``zip`` and ``enumerate`` give the items of, by place; none of other calls."""
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if self.scope.owner(name) is not None:
            return []
        if name == "enumerate":
            return [None, *call.args[:1]]
        return [*call.args] if name == "zip" else []

    def _display(self, iterable: ast.AST) -> list[ast.expr] | None:
        """The items of a list or tuple that is written out, in its place or before it."""
        if isinstance(iterable, ast.Name):
            bound = bound_once(self.scope.owner(iterable.id), iterable.id)
            changed = isinstance(bound, ast.List) and iterable.id in self.changed
            return None if bound is None or changed else bound.elts
        return iterable.elts if isinstance(iterable, (ast.List, ast.Tuple)) else None


def _texts(items: list[ast.expr] | None) -> list[str]:
    texts = [one.value for one in items or () if isinstance(one, ast.Constant)]
    known = [one for one in texts if isinstance(one, str)]
    return known if items and len(known) == len(items) else []


def _binds_again(loop: ast.For, name: str) -> bool:
    """Whether the body of a loop binds a name of its head to something else."""
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for statement in loop.body for node in walk(statement)
    )  # fmt: skip


def bound_once(scope: Scope | None, name: str) -> ast.List | ast.Tuple | None:
    """The display that a name always is."""
    if scope is None or scope.bound.get(name) != 1 or isinstance(scope.node, ast.Lambda):
        return None
    for statement in getattr(scope.node, "body", ()):
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in statement.targets
        ):
            value = statement.value
            return value if isinstance(value, (ast.List, ast.Tuple)) else None
    return None


__all__ = ["Heads", "bound_once"]
