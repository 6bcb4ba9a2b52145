"""Which loops of a region become dimensions of the grid, and what one thread then does."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from .names import dotted, loaded, stored, walk
from .records import Axis


@dataclass(frozen=True)
class Chain:
    """Perfectly nested loops, with the assignments between their heads.

    Attributes
    ----------
    loops : tuple of ast.For
        Outermost first.
    leading : tuple of stmt
        Plain assignments that stood between the heads; each thread repeats them.
    body : tuple of stmt
        The innermost loop's body.
    """

    loops: tuple[ast.For, ...]
    leading: tuple[ast.stmt, ...]
    body: tuple[ast.stmt, ...]

    @property
    def thread(self) -> tuple[ast.stmt, ...]:
        """All that one thread does."""
        return (*self.leading, *self.body)


def chains(loop: ast.For, written: set[str]) -> list[Chain]:
    """Every chain that starts at a loop, the shortest first.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    written : set of str
        Arrays that the region writes: what reads them cannot be repeated.
    """
    found = [Chain((loop,), (), tuple(loop.body))]
    while True:
        longer = _longer(found[-1], written)
        if longer is None:
            return found
        found.append(longer)


def _longer(chain: Chain, written: set[str]) -> Chain | None:
    *leading, last = chain.body
    if not isinstance(last, ast.For) or not isinstance(last.iter, ast.Call):
        return None
    grid = {loop.target.id for loop in chain.loops if isinstance(loop.target, ast.Name)}
    bound = stored([chain.loops[0]])
    if loaded(last.iter.args) & bound or stored([last.target]) & grid:
        return None
    if not all(_repeatable(statement, written) for statement in leading):
        return None
    set_here = stored([*chain.leading, *leading])
    if set_here & stored([last]) or (stored(leading) & stored(chain.leading)):
        return None
    return Chain((*chain.loops, last), (*chain.leading, *leading), tuple(last.body))


def _repeatable(statement: ast.stmt, written: set[str]) -> bool:
    if not isinstance(statement, ast.Assign):
        return False
    if any(
        isinstance(node, ast.Subscript) for target in statement.targets for node in walk([target])
    ):
        return False
    return not any(
        isinstance(node, ast.Subscript) and dotted(node.value) in written
        for node in walk([statement.value])
    )


def axis(loop: ast.For) -> Axis:
    """A loop as a dimension of the grid."""
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    start, stop, step = (ast.unparse(item) for item in loop.iter.args)
    return Axis(loop.target.id, start, stop, step)


def has_exit(body: Sequence[ast.stmt]) -> ast.Break | None:
    """A ``break`` of the loop whose body this is."""
    for node in body:
        if isinstance(node, ast.Break):
            return node
        if isinstance(node, ast.If):
            found = has_exit(node.body) or has_exit(node.orelse)
            if found is not None:
                return found
    return None
