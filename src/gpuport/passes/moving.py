"""Imports of SciPy that move to CuPy as a whole, because every use of their names does.

``from scipy import ndimage`` becomes ``from cupyx.scipy import ndimage`` and the calls stay as
they are written: the smallest change that there is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.project.callgraph import Project
from gpuport.emit.imports import ImportNode, bound_name, drop, exports, untaken
from gpuport.emit.swap import is_written_anew
from gpuport.rules.libraries import LIBRARIES, on_device
from gpuport.source.module import Module
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.syntax import walk


@dataclass(frozen=True, slots=True)
class Move:
    """One import: the statement and the alias in it, and what it imports instead."""

    node: ImportNode
    alias: ast.alias
    path: str

    @property
    def name(self) -> str:
        """The local name, which stays."""
        return bound_name(self.node, self.alias)

    @property
    def line(self) -> tuple[tuple[int, str], str]:
        """Sorting key of the new import and its text."""
        if isinstance(self.node, ast.Import):
            return (0, self.path), f"import {self.path} as {self.name}"
        module, _, last = self.path.rpartition(".")
        text = last if last == self.name else f"{last} as {self.name}"
        return (1, module), f"from {module} import {text}"


def moves(
    project: Project, results: Mapping[int, Analysed], untouched: Iterable[int]
) -> tuple[Move, ...]:
    """The imports of a module that can move: those of names that no other file takes from it.

    Parameters
    ----------
    project : Project
    results : mapping
        Analyses by the id of the function.
    untouched : iterable of int
        Ids of the functions that are left as they are.
    """
    root, module = project.root, project.module
    candidates = list(_candidates(module, root))
    if not candidates:
        return ()
    left = frozenset(untouched)
    ported = {
        key
        for owner, analysed in results.items() if owner not in left
        for key in _renamed(analysed)
    }  # fmt: skip
    if not ported:
        return ()
    uses = _uses(root, frozenset(move.name for move in candidates))
    found = [m for m in candidates if uses[m.name] and all(key in ported for key in uses[m.name])]
    kept = [m for m in found if untaken(m.node, [m.alias], project.outside)]
    return tuple(_droppable(module, root, kept))


def _candidates(module: Module, root: Scope) -> Iterator[Move]:
    if exports(module, root):
        return
    roots = {library.root for library in LIBRARIES.values() if "." in library.device}
    for node in module.tree.body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            continue
        for alias in node.names:
            prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            path = prefix + alias.name
            name = bound_name(node, alias)
            plain = isinstance(node, ast.ImportFrom) or alias.asname is not None
            single = root.imports.get(name) == {path} and name not in root.bound
            if plain and single and "." in path and path.partition(".")[0] in roots:
                yield Move(node, alias, on_device(path))


def _renamed(analysed: Analysed) -> Iterator[int]:
    """Ids of the names at the start of the calls that go to the device under the same name."""
    unit = analysed.unit
    if unit.refusal is not None:
        return
    for operation in unit.work.operations.values():
        function = operation.function
        if function is None or operation.path is None:
            continue
        if id(operation.node) in unit.work.replacements or is_written_anew(unit, operation):
            continue
        same = operation.target == on_device(operation.path)
        if same and analysed.placement.of(operation.graph_node) is Place.DEVICE:
            while isinstance(function, ast.Attribute):
                function = function.value
            yield id(function)


def _uses(root: Scope, names: frozenset[str]) -> dict[str, list[int]]:
    """Every read of some module-level names, by name; names in texts count as reads."""
    shadowed = {n for s in walk_scopes(root) if s is not root for n in names if s.binds(n)}
    found: dict[str, list[int]] = {name: [] for name in names}
    for node in walk(root.node):
        if isinstance(node, ast.Name) and node.id in names:
            found[node.id].append(id(node) if node.id not in shadowed else -1)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for name in names:
                if f"{name}." in node.value:
                    found[name].append(-1)
    return found


def _droppable(module: Module, root: Scope, found: list[Move]) -> Iterator[Move]:
    for node in {id(m.node): m.node for m in found}.values():
        mine = [m for m in found if m.node is node]
        if any(drop(module, root, node, [m.alias for m in mine])):
            yield from mine
