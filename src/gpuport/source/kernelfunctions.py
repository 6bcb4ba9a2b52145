"""The functions of a port that kernels stand for."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.source.names import Scope, walk_scopes

KERNEL = "gpuport.runtime.kernel"


def kernel_functions(root: Scope) -> Iterator[Scope]:
    """Those of a module: what they call, their kernels do."""
    for scope in walk_scopes(root):
        for one in getattr(scope.node, "decorator_list", ()):
            if root.resolve(getattr(one, "func", one)) == KERNEL:
                yield scope


__all__ = ["kernel_functions"]
