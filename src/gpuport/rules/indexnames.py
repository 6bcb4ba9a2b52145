"""Subscripts that only an array takes: masks and arrays of indices, by the syntax alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gpuport.rules.numpynames import as_numpy
from gpuport.source.names import Scope
from gpuport.source.syntax import walk


def is_mask(index: ast.expr, name: str) -> bool:
    """``x[x > 0]``, ``x[~mask]``, ``x[(a > 0) & (b > 0)]``; ``pair[a > 0]`` chooses one of two."""
    if isinstance(index, ast.Compare):
        parts = (index.left, *index.comparators)
        return any(isinstance(part, ast.Name) and part.id == name for part in parts)
    if isinstance(index, ast.UnaryOp):
        return isinstance(index.op, ast.Invert)
    if isinstance(index, ast.BinOp) and isinstance(index.op, (ast.BitAnd, ast.BitOr)):
        return isinstance(index.right, ast.Compare)
    return False


@dataclass(slots=True)
class IndexNames:
    """Finds arrays of indices: ``x[order]`` where ``order = np.argsort(y)``.

    Parameters
    ----------
    makers : frozenset of str
        Functions that always give such arrays, or tuples of them.
    """

    scope: Scope
    makers: frozenset[str]
    _names: frozenset[str] | None = None

    def are(self, index: ast.expr) -> bool:
        """Whether a subscript is an array of indices."""
        if not isinstance(index, ast.Name):
            return self._made(index)
        if index.id in self.scope.counted:
            return False
        if self._names is None:
            self._names = frozenset(self._bound())
        return index.id in self._names

    def _bound(self) -> Iterator[str]:
        for node in walk(self.scope.node):
            if isinstance(node, ast.Assign) and self._made(node.value):
                for target in node.targets:
                    yield from (n.id for n in walk(target) if isinstance(n, ast.Name))

    def _made(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Subscript):
            node = node.value
        if not isinstance(node, ast.Call):
            return False
        path = self.scope.resolve(node.func)
        if path is None and isinstance(node.func, ast.Attribute):
            path = f"numpy.ndarray.{node.func.attr}"
        return path is not None and as_numpy(path) in self.makers


__all__ = ["IndexNames", "is_mask"]
