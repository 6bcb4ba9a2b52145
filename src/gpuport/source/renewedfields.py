"""Attributes that each iteration of a loop binds anew: ``self.w = self.w * decay``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.source.syntax import bound_in, dotted, walk
from gpuport.source.wholes import decided

_LEAVING = (
    ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Assert, ast.Try, ast.TryStar, ast.With,
)  # fmt: skip


def renewed_fields(
    loop: ast.For | ast.While, computes: Callable[[ast.Call], bool]
) -> dict[str, list[ast.Attribute]]:
    """Attributes that each iteration surely binds, and all that gives them values, by their text.

    Those alone that the loop knows under one name: no other object has an attribute of theirs there
    that might be the same. Before an iteration binds one, it changes nothing in place: what the
    attribute held before the loop may be a part of that.

    Parameters
    ----------
    loop : ast.For or ast.While
    computes : callable
        Whether a call changes nothing.
    """
    nodes = walk(loop)
    if any(isinstance(node, _LEAVING) for node in nodes):
        return {}
    fields = [node for node in nodes if isinstance(node, ast.Attribute)]
    known_as: dict[str, set[str | None]] = {}
    for one in fields:
        known_as.setdefault(one.attr, set()).add(dotted(one))
    stored = [one for one in fields if not isinstance(one.ctx, ast.Load)]
    found: dict[str, list[ast.Attribute]] = {}
    for statement in loop.body:
        target = _given(statement)
        if target is None or not _only_computes(statement, computes):
            break
        if isinstance(target, ast.Name):
            continue
        text, own = dotted(target), [one for one in stored if one.attr == target.attr]
        given = [node for node in nodes if any(_given(node) is one for one in own)]
        if text is not None and known_as[target.attr] == {text} and len(given) == len(own):
            found[text] = own
    return found


def _only_computes(statement: ast.stmt, computes: Callable[[ast.Call], bool]) -> bool:
    """Whether a statement gives a name or an attribute what it computes, and does no more."""
    made = isinstance(getattr(statement, "value", None), _MADE)
    return made and all(computes(one) for one in walk(statement) if isinstance(one, ast.Call))


def _given(node: ast.AST) -> ast.Name | ast.Attribute | None:
    """The one name, or attribute, that a statement gives a value."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return targets[0] if len(targets) == 1 and isinstance(targets[0], _NAMED) else None


_NAMED = (ast.Name, ast.Attribute)
_MADE = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Constant)


def runs(loop: ast.For | ast.While, resolve: Callable[[ast.expr], str | None]) -> str | None:
    """Text that is true, before a loop and after it, where it runs at all; None where none is.

    Parameters
    ----------
    loop : ast.For or ast.While
    resolve : callable
        The path of a function, or None.
    """
    if not isinstance(loop, ast.For):
        return None
    fixed = {one.id for one in walk(loop.iter) if isinstance(one, ast.Name)}
    texts = list(_running(loop.iter, resolve))
    if None in texts or fixed & bound_in(loop):
        return None
    return decided(" and ".join(dict.fromkeys(text for text in texts if text is not None)))


def _running(over: ast.expr, resolve: Callable[[ast.expr], str | None]) -> Iterator[str | None]:
    """Texts that are true where something has items; None for what may be anything."""
    path = resolve(over.func) if isinstance(over, ast.Call) and not over.keywords else None
    if isinstance(over, ast.Call) and path == "builtins.range":
        calls = (one for one in walk(over) if isinstance(one, ast.Call) and one is not over)
        sized = all(resolve(one.func) == "builtins.len" for one in calls)
        plain = all(isinstance(one, _WHOLE) or _is_extent(one) for one in walk(over))
        text = ast.unparse(over.args[-1]) if over.args else ""
        text = f"{text} > 0" if len(over.args) == 1 else f"len({ast.unparse(over)}) > 0"
        yield text if sized and plain else None
    elif isinstance(over, ast.Call) and path in _TOGETHER:
        for one in over.args:
            yield from _running(one, resolve)
    else:
        part = isinstance(over, ast.Subscript) and isinstance(over.slice, ast.Slice)
        array = over.value if isinstance(over, ast.Subscript) and part else over
        yield f"len({ast.unparse(over)}) > 0" if dotted(array) is not None else None


def _is_extent(node: ast.AST) -> bool:
    """Whether this is ``x.shape[k]``."""
    shape = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(shape, ast.Attribute) and shape.attr == "shape"


_WHOLE = (ast.Call, ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.UnaryOp)
_TOGETHER = ("builtins.enumerate", "builtins.zip", "builtins.reversed")

__all__ = ["renewed_fields", "runs"]
