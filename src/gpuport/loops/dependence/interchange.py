"""Loops that change places: each thread goes through time, where time goes through all elements."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from gpuport.loops.context.scalars import exposed
from gpuport.loops.dependence.grid import has_exit, is_element
from gpuport.loops.names import loaded, stored


def inside_out(loop: ast.For, live: frozenset[str]) -> Iterator[tuple[ast.For, set[str]]]:
    """``for t: for i: body`` as ``for i: for t: body``, where names allow it.

    What the iterations do to arrays is not looked at: it is the same if no two iterations of
    the loops that go outwards touch one element, of which one writes.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    live : frozenset of str
        Names that something reads after it.

    Yields
    ------
    ast.For
        The nest with as many loops outside as may go there, then with one less.
    set of str
        The variables of those loops.
    """
    bound = stored([loop])
    inner: list[ast.For] = []
    body = loop.body
    while (one := _only_loop(body)) is not None and not _depends(one, loop, inner):
        inner.append(one)
        body = one.body
    while inner:
        body = inner[-1].body
        if not (bound & live or exposed(body) & stored(body)):
            made = _around(loop, body)
            for one in reversed(inner):
                made = _around(one, [made])
            yield made, stored([one.target for one in inner])
        inner.pop()


def _only_loop(body: list[ast.stmt]) -> ast.For | None:
    one = body[0] if len(body) == 1 else None
    return one if isinstance(one, ast.For) and has_exit(one.body) is None else None


def _depends(one: ast.For, loop: ast.For, around: list[ast.For]) -> bool:
    """Whether what a loop runs over may change from one iteration of the outer loop to the next."""
    if any(is_element(part) for part in ast.walk(one.iter)):
        return True
    variables = stored([each.target for each in around])
    return bool(loaded([one.iter]) & (stored([loop]) - variables))


def _around(loop: ast.For, body: list[ast.stmt]) -> ast.For:
    made = copy.copy(loop)
    made.body = body
    return made
