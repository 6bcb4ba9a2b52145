"""Slices and loops that are as long as a counter says: ``x[:i]``, ``for j in range(i)``."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from gpuport.source.depending import reads
from gpuport.source.syntax import walk


def uneven(loops: Sequence[ast.For], items: Collection[str]) -> Iterator[tuple[ast.AST, str]]:
    """Slices and loops in nested loops, of another length in each iteration, each with its text.

    Parameters
    ----------
    loops : sequence of ast.For
        From the outermost to the innermost.
    items : collection of str
        Names whose values differ from iteration to iteration.
    """
    counters = {name for one in loops for name in _counted(one)}
    for part in (part for one in loops[-1].body for part in walk(one)):
        varying = [one for one in _ends(part) if reads(one, items)]
        if len(varying) == 1 and _is_counter(varying[0], counters):
            what = "a slice" if isinstance(part, ast.Slice) else "a loop"
            yield part, f"{what} with one end at `{ast.unparse(varying[0])}`"


def _ends(node: ast.AST) -> list[ast.expr]:
    """What tells the length of a slice, or how many trips a loop makes."""
    if isinstance(node, ast.Slice):
        return [one for one in (node.lower, node.upper) if one is not None]
    head = node.iter if isinstance(node, (ast.For, ast.comprehension)) else None
    counts = isinstance(head, ast.Call) and getattr(head.func, "id", "") == "range"
    return head.args if isinstance(head, ast.Call) and counts else []


def _counted(loop: ast.For) -> Iterator[str]:
    """The name that counts the trips of a loop: of ``range``, and the first of ``enumerate``."""
    name = getattr(getattr(loop.iter, "func", None), "id", "")
    targets = getattr(loop.target, "elts", [loop.target])
    first = targets[0]
    if isinstance(first, ast.Name) and (name == "range" or (name == "enumerate" and targets[1:])):
        yield first.id


def _is_counter(node: ast.expr, counters: Collection[str]) -> bool:
    """Whether an end is a counter, and perhaps a fixed number more or less."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sides = [one for one in (node.left, node.right) if not isinstance(one, ast.Constant)]
        return len(sides) == 1 and _is_counter(sides[0], counters)
    return isinstance(node, ast.Name) and node.id in counters


__all__ = ["uneven"]
