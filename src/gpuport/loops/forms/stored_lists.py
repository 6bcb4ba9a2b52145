"""Rows that are stored as lists: ``x[i] = [a, b]`` is ``x[i] = a, b``."""

from __future__ import annotations

import ast

from gpuport.loops.names import walk


def stored_as_tuples(node: ast.For | ast.While) -> None:
    """Write lists that are stored as tuples, in a copy of a loop: NumPy reads both alike."""
    for one in walk([node]):
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.List):
            nested = any(isinstance(e, ast.Starred | ast.List | ast.Tuple) for e in one.value.elts)
            if not nested and all(isinstance(place, ast.Subscript) for place in one.targets):
                made = ast.Tuple(one.value.elts, ast.Load())
                one.value = ast.copy_location(made, one.value)
