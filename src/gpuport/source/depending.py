"""Names whose values depend on those of others, as the text shows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence

from gpuport.source.carried import bound_names, own_names
from gpuport.source.syntax import children, walk

Reads = Callable[[ast.AST, Collection[str]], bool]

_OF_SHAPES = frozenset({"shape", "ndim", "size", "dtype"})


def reads(node: ast.AST, names: Collection[str]) -> bool:
    """Whether some code reads one of these names."""
    return any(name.id in names for name in own_names(node))


def reads_values(node: ast.AST, names: Collection[str]) -> bool:
    """Whether some code reads more of these names than how large they are."""
    sized = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"
    if sized or (isinstance(node, ast.Attribute) and node.attr in _OF_SHAPES):
        return False
    if isinstance(node, ast.Name):
        return node.id in names
    return any(reads_values(one, names) for one in children(node))


def differing(
    statements: Sequence[ast.AST], first: Collection[str], reads: Reads = reads
) -> frozenset[str]:
    """Names whose values differ where those of some others do.

    Parameters
    ----------
    statements : sequence of ast.AST
    first : collection of str
        Those that do before the statements run.
    reads : callable
        Whether some code reads names.
    """
    found = set(first)
    parts = [part for one in statements for part in walk(one)]
    size = -1
    while len(found) > size:
        size = len(found)
        for one in parts:
            if isinstance(one, (ast.Assign, ast.AugAssign)) and reads(one.value, found):
                targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                found |= bound_names(targets).keys()
            elif isinstance(one, (ast.For, ast.comprehension)) and reads(one.iter, found):
                found |= {n.id for n in walk(one.target) if isinstance(n, ast.Name)}
            elif isinstance(one, ast.If) and reads(one.test, found):
                found |= bound_names([*one.body, *one.orelse]).keys()
    return frozenset(found)


__all__ = ["differing", "reads", "reads_values"]
