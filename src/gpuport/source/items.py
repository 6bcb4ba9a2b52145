"""Heads of loops by what they mean: numbers that are gone over, and items that are parts of arrays.

``for t, row in enumerate(x):`` is ``for t in range(len(x)): row = x[t]``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from gpuport.source.making import placed
from gpuport.source.syntax import DEFINITIONS, bound_in, copied, dotted, walk


@dataclass(frozen=True, slots=True)
class Items:
    """What a loop goes over.

    Attributes
    ----------
    variable : str
        The number of the iteration.
    bounds : list of ast.expr
        Where these begin and end, and their step.
    first : tuple of ast.stmt
        What each iteration sets first: items, which are parts of arrays or numbers.
    equal : tuple of str
        What has to hold for these to be the items.
    """

    variable: str
    bounds: list[ast.expr]
    first: tuple[ast.stmt, ...]
    equal: tuple[str, ...] = ()


Reader = Callable[[ast.For], Items | None]
"""What the head of a loop means; None where it is as good as it stands, or not understood."""


Loop = ast.For | ast.While


def without_body(loop: ast.For) -> ast.For:
    """The head of a loop alone."""
    made = ast.For(copied(loop.target), copied(loop.iter), [ast.Pass()], [], None)
    return placed(made, loop)


def items_by_number(loop: Loop, read: Reader) -> tuple[Loop, tuple[str, ...]]:
    """A copy of a loop in which it and those inside go over numbers, and what has to hold."""
    made, equal = copied(loop), list[str]()
    for node in walk(made):
        found = read(node) if isinstance(node, ast.For) else None
        if found is None or not isinstance(node, ast.For) or _are_replaced(node, found):
            continue
        node.target = placed(ast.Name(found.variable, ast.Store()), node.iter)
        run = ast.Call(ast.Name("range", ast.Load()), found.bounds, [])
        node.iter = placed(run, node.iter)
        node.body = [*found.first, *node.body]
        equal += found.equal
    return made, tuple(equal)


def _are_replaced(loop: ast.For, items: Items) -> bool:
    """Whether a loop gives what its items are made of, once, other values on its way."""
    made_of = [part for one in items.first for part in walk(one)]
    fixed = {one.id for one in made_of if isinstance(one, ast.Name) and _is_read(one)}
    fields = {dotted(one) or "" for one in made_of if isinstance(one, ast.Attribute)}
    for node in walk(loop):
        if isinstance(node, tuple(DEFINITIONS)):
            return True
        if isinstance(node, ast.Attribute) and not _is_read(node):
            changed = dotted(node)
            if changed is None or any(f"{one}.".startswith(f"{changed}.") for one in fields):
                return True
    return not fixed.isdisjoint(bound_in(loop) - {items.variable})


def _is_read(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


__all__ = ["Items", "Reader", "items_by_number", "without_body"]
