"""Numbers of axes that a function takes its arrays to have, from how it is written."""

from __future__ import annotations

import ast
from functools import lru_cache

from gpuport.source.syntax import inside


@lru_cache(maxsize=8)
def ranks_shown(node: ast.AST) -> dict[str, int]:
    """Axes of arrays whose shape a function or module takes apart.

    Returns
    -------
    dict of str to int
        ``n, d = x.shape`` shows that `x` has two axes. Names for which two such places disagree
        are left out.
    """
    found: dict[str, set[int]] = {}
    for statement in getattr(node, "body", []):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for part in inside(statement):
            if isinstance(part, ast.Assign) and len(part.targets) == 1:
                name, rank = _taken_apart(part.targets[0], part.value)
                if name:
                    found.setdefault(name, set()).add(rank)
    return {name: ranks.pop() for name, ranks in found.items() if len(ranks) == 1}


def _taken_apart(target: ast.expr, value: ast.expr) -> tuple[str, int]:
    """The array and its number of axes in ``n, d = x.shape``; no name for anything else."""
    is_shape = (
        isinstance(value, ast.Attribute)
        and value.attr == "shape"
        and isinstance(value.value, ast.Name)
        and isinstance(target, (ast.Tuple, ast.List))
    )
    if not is_shape or any(isinstance(one, ast.Starred) for one in target.elts):  # type: ignore[attr-defined]
        return "", 0
    return value.value.id, len(target.elts)  # type: ignore[attr-defined]
