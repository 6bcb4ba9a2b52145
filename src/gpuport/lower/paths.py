"""Which library function a name stands for, by the imports of the file."""

from __future__ import annotations

import ast

from gpuport.lower.knowledge import STARS
from gpuport.lower.scopes import Scope


class Paths:
    """Library paths of expressions of one file.

    A name has a path where every binding of it in its scope is an import of the same thing, a
    built-in function where nothing binds its name.
    """

    def __init__(self, module: Scope, stars: list[str]) -> None:
        self._module, self._stars = module, stars

    def of(self, scope: Scope, node: ast.expr) -> str | None:
        """``numpy.ndindex`` for ``np.ndindex``, ``builtins.range`` for ``range``, else None."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        base = self._of_name(scope, scope.mangled(node.id))
        return ".".join([base, *reversed(names)]) if base is not None else None

    def may_be_built_in(self, scope: Scope, name: str) -> bool:
        """Whether nothing in the text of the file binds the name of a built-in."""
        return scope.find(name) is None and name not in self._module.paths

    def _of_name(self, scope: Scope, name: str) -> str | None:
        owner = scope.find(name)
        if owner is not None:
            return owner.paths.get(name)
        if self.may_be_built_in(scope, name) and not self._is_hidden(name):
            return f"builtins.{name}"
        return None

    def _is_hidden(self, name: str) -> bool:
        return any(star not in STARS or name in STARS[star] for star in self._stars)
