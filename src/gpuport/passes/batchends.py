"""What leaves a loop over matrices: a value of each item, which may come as NumPy's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.emit.transfers import Transfer
from gpuport.parallel.items.records import ItemLoop
from gpuport.source.syntax import children, walk

_KEEPS = (ast.UnaryOp, ast.BinOp, ast.Tuple, ast.List)
"""What takes a number of the host or of the device alike."""


def hosted_ends(plan: ItemLoop, crossing: Transfer) -> list[str] | None:
    """Where what is brought back leaves the loop to; None where it is read elsewhere too.

    Nothing that is moved to the device matters: the runtime takes all items there at once.
    """
    if crossing.direction == "h2d":
        return []
    if crossing.copy is not None or not crossing.before.endswith(".asnumpy("):
        return None
    ends = [(name, part) for name, value in plan.ends for part in _kept(value)]
    found, use = crossing.use.expression, crossing.use
    if use.after is None and use.before is None:
        return [name for name, part in ends if part is found] or None
    if use.before is not None or not isinstance(found, ast.Name):
        return None
    reads = [
        part for part in walk(plan.node)
        if isinstance(part, ast.Name) and part.id == found.id and isinstance(part.ctx, ast.Load)
    ]  # fmt: skip
    left = [name for name, part in ends if any(part is one for one in reads)]
    everywhere = len([part for _, part in ends if any(part is one for one in reads)]) == len(reads)
    return left if left and everywhere else None


def _kept(value: ast.expr) -> Iterator[ast.AST]:
    """An expression and its parts, as far as they are nothing but computed with."""
    yield value
    for one in children(value) if isinstance(value, _KEEPS) else ():
        if isinstance(one, ast.expr):
            yield from _kept(one)


__all__ = ["hosted_ends"]
