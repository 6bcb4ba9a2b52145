"""Names that a module has through other modules of its project, as if it had imported them itself.

``from common import *`` binds the names that `common` shows, and ``from common import np`` is
NumPy where `common` imports it under that name.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from gpuport.rules.libraries import LIBRARIES
from gpuport.source.handing import path_in, star_module
from gpuport.source.names import BUILTINS, Scope, walk_scopes
from gpuport.source.syntax import dotted

if TYPE_CHECKING:
    from gpuport.analysis.project.outside import Outside
    from gpuport.source.module import Module


def take_in(root: Scope, outside: Outside, module: Module) -> None:
    """Add to the scopes of a module what other modules of the project hand on to it.

    Parameters
    ----------
    root : Scope
        Its scopes are changed.
    outside : Outside
    module : Module
        No names are added but those that it reads or binds.
    """
    modules = dict[str, str]()
    for scope in walk_scopes(root):
        for node in tuple(scope.stars):
            names = outside.public_names(star_module(node))
            if names is not None:
                scope.stars.remove(node)
                for name in names & module.names:
                    _add(scope, name, path_in(star_module(node), name))
        for name, paths in scope.imports.items():
            scope.imports[name] = {outside.leads_to(path) or path for path in paths}
            inside = (path for path in paths if outside.place(path) is not None)
            modules.update((name, path) for path in inside)
    if modules:
        root.elsewhere.update(_attributes(module, modules, outside))


def hide_builtins(root: Scope, names_of: Callable[[str], Collection[str]]) -> None:
    """Builtins that ``from numpy import *`` may bind anew (``sum``) stand for nothing known.

    Parameters
    ----------
    root : Scope
        Its scopes are changed. Of the star imports in them it is not seen what they bind.
    names_of : callable
        The names of a module of a library.
    """
    for scope in walk_scopes(root):
        for node in scope.stars:
            module = star_module(node)
            top = module.partition(".")[0]
            if top in sys.stdlib_module_names:
                continue
            # Of others it is not known whether they hand on what NumPy gives them, as pylab does.
            for name in BUILTINS.intersection(names_of(module if top in LIBRARIES else "numpy")):
                scope.bound[name] = scope.bound.get(name, 0) + 1


def _add(scope: Scope, name: str, path: str) -> None:
    if name in scope.bound and name not in scope.imports:
        scope.bound[name] += 1
    scope.imports.setdefault(name, set()).add(path)


def _attributes(
    module: Module, modules: dict[str, str], outside: Outside
) -> Iterator[tuple[str, str]]:
    """Paths that go on from modules of the project to what these import, and where they lead."""
    for node in module.kinds[ast.Attribute]:
        chain = dotted(node)
        head, _, rest = (chain or "").partition(".")
        if head in modules and rest:
            path = path_in(modules[head], rest)
            led = outside.leads_to(path)
            if led is not None:
                yield path, led
