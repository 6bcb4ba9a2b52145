"""Names that the trips of a loop hand on to each other, as the text shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.source.syntax import children, walk

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

_BLOCKS = ("body", "orelse", "finalbody")


def own_names(node: ast.AST, hidden: frozenset[str] = frozenset()) -> Iterator[ast.Name]:
    """The names in some code that mean something outside of it, in the order of the text.

    Those that comprehensions and lambdas in it have for themselves are none.
    """
    if isinstance(node, ast.Name):
        if node.id not in hidden:
            yield node
        return
    if isinstance(node, ast.Lambda):
        hidden |= {part.arg for part in walk(node.args) if isinstance(part, ast.arg)}
    if isinstance(node, COMPREHENSIONS):
        targets = (part for one in node.generators for part in walk(one.target))
        inner = hidden | {part.id for part in targets if isinstance(part, ast.Name)}
        first = node.generators[0].iter
        yield from own_names(first, hidden)
        for one in children(node):
            for part in children(one) if isinstance(one, ast.comprehension) else [one]:
                if part is not first:
                    yield from own_names(part, inner)
        return
    for one in children(node):
        yield from own_names(one, hidden)


def bound_names(statements: Sequence[ast.AST]) -> dict[str, None]:
    """Names that some statements bind, in the order of the text."""
    return {
        part.id: None for one in statements for part in own_names(one)
        if not isinstance(part.ctx, ast.Load)
    }  # fmt: skip


def left_over(body: Sequence[ast.stmt]) -> list[str]:
    """Names that an iteration binds, and reads before that, as the one before it has left them."""
    anew = bound_names(body)
    return list(dict.fromkeys(name for name in _read_first(body, set()) if name in anew))


def _read_first(statements: Sequence[ast.stmt], bound: set[str]) -> Iterator[str]:
    """Names that some statements read before they bind them, in this order."""
    for one in statements:
        blocks = [block for block in (getattr(one, name, ()) for name in _BLOCKS) if block]
        within = {id(part) for block in blocks for inner in block for part in walk(inner)}
        own = [part for part in walk(one) if isinstance(part, ast.Name) and id(part) not in within]
        read = {part.id: None for part in own if isinstance(part.ctx, ast.Load)}
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            read[one.target.id] = None
        yield from (name for name in read if name not in bound)
        heads = {part.id for part in own if not isinstance(part.ctx, ast.Load)}
        for block in blocks:
            yield from _read_first(block, bound | heads)
        bound |= heads


def exposed(statements: Sequence[ast.stmt], bound: frozenset[str]) -> list[ast.Name]:
    """Names that some statements may read before they have bound them, where they do.

    ``bound`` are those that are bound before.
    """
    found: list[ast.Name] = []
    _through(statements, bound, found)
    return found


def surely_bound(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """Names that some statements have bound whenever they are done."""
    return _through(statements, frozenset(), []) or frozenset()


def _through(
    statements: Sequence[ast.stmt], bound: frozenset[str], found: list[ast.Name]
) -> frozenset[str] | None:
    """Names surely bound after some statements; None where nothing comes after them."""
    for one in statements:
        if isinstance(one, (ast.Break, ast.Continue, ast.Return, ast.Raise)):
            _note([one], bound, found)
            return None
        if isinstance(one, ast.If):
            _note([one.test], bound, found)
            ways = [_through(block, bound, found) for block in (one.body, one.orelse)]
            going_on = [way for way in ways if way is not None]
            if not going_on:
                return None
            bound = frozenset(set.intersection(*map(set, going_on)))
        elif isinstance(one, (ast.For, ast.AsyncFor)):
            _note([one.iter], bound, found)
            inner = bound | bound_names([one.target]).keys()
            once = _through(one.body, inner, found)
            if surely_runs(one.iter) and not _leaves(one):
                bound = inner if once is None else once
        elif isinstance(one, ast.While):
            _note([one.test], bound, found)
            _through(one.body, bound, found)
        else:
            _note([one], bound, found)
            bound |= bound_names([one]).keys()
    return bound


def _note(parts: Sequence[ast.AST], bound: frozenset[str], found: list[ast.Name]) -> None:
    """What is read of names that are not bound yet; ``x += 1`` reads `x`."""
    for part in parts:
        counts = isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)
        for name in own_names(part):
            changed = counts and name is part.target  # type: ignore[attr-defined]
            if name.id not in bound and (changed or isinstance(name.ctx, ast.Load)):
                found.append(name)


def _leaves(loop: ast.AST) -> bool:
    return any(isinstance(part, (ast.Break, ast.Continue)) for part in walk(loop))


def surely_runs(iterated: ast.expr) -> bool:
    """Whether this is a ``range`` of literals that is not empty."""
    called = isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name)
    if not called or not isinstance(iterated, ast.Call) or iterated.func.id != "range":  # type: ignore[attr-defined]
        return False
    values = [one.value if isinstance(one, ast.Constant) else None for one in iterated.args]
    whole = [one for one in values if type(one) is int]
    return len(whole) == len(values) > 0 and whole[2:] != [0] and bool(range(*whole))


__all__ = [
    "COMPREHENSIONS",
    "bound_names",
    "exposed",
    "left_over",
    "own_names",
    "surely_bound",
    "surely_runs",
]
