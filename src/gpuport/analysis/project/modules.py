"""Several modules as one text: where what they name is defined."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpuport.source.names import FunctionNode, Scope

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


@dataclass(frozen=True, slots=True)
class Defined:
    """A function, class or named tuple at the top of a module, and the module."""

    project: Project
    name: str
    node: ast.AST


@dataclass(slots=True, eq=False)
class Modules:
    """Modules that are analysed together.

    Attributes
    ----------
    projects : tuple of Project
    files : mapping
        The modules by their files, where there are several.
    """

    projects: tuple[Project, ...]
    files: Mapping[Path, Project] = field(default_factory=dict)
    _homes: dict[int, Project] = field(default_factory=dict)
    _nodes: dict[int, frozenset[int]] = field(default_factory=dict)

    @property
    def is_joint(self) -> bool:
        """Whether there are several."""
        return len(self.projects) > 1

    def home(self, scope: Scope) -> Project:
        """The module that a scope is of."""
        if not self.is_joint:
            return self.projects[0]
        if not self._homes:
            self._homes.update((id(project.root), project) for project in self.projects)
        while scope.parent is not None:
            scope = scope.parent
        return self._homes[id(scope)]

    def scope_of(self, node: FunctionNode) -> Scope:
        """The scope of a function of the program."""
        return next(p.scope_of(node) for p in self.projects if p.defines(node))

    def holds(self, project: Project, node: ast.AST) -> bool:
        """Whether a node is of the text of a module."""
        if not self.is_joint:
            return True
        known = self._nodes.get(id(project))
        if known is None:
            known = frozenset(map(id, ast.walk(project.module.tree)))
            self._nodes[id(project)] = known
        return id(node) in known

    def where(self, project: Project, node: ast.AST) -> str:
        """The line of a node, and its file where that is another one than the module's."""
        home = next((one for one in self.projects if self.holds(one, node)), project)
        line = f"line {home.module.line(node)}"
        return line if home is project else f"{Path(home.module.path).name}, {line}"

    def imported_by(self, project: Project) -> list[Project]:
        """The modules among them that a module imports."""
        files = project.outside.imports if project.outside is not None else ()
        found = (self.files.get(file) for file in files)
        return [other for other in found if other is not None and other is not project]

    def imported_first(self) -> list[Project]:
        """The modules, each behind those that it imports, as they run."""
        found: list[Project] = []
        entered = set[int]()

        def enter(project: Project) -> None:
            if id(project) not in entered:
                entered.add(id(project))
                for other in self.imported_by(project):
                    enter(other)
                found.append(project)

        for project in self.projects:
            enter(project)
        return found

    def defined(self, scope: Scope, expression: ast.expr) -> Defined | None:
        """What a name, or ``module.name``, stands for; None for what the program does not define.

        Names that are bound to anything else as well stand for nothing.
        """
        project = self.home(scope)
        if isinstance(expression, ast.Name) and scope.owner(expression.id) is project.root:
            node = project.definition(expression.id)
            if node is not None:
                return Defined(project, expression.id, node)
        path = scope.resolve(expression) if self.is_joint else None
        return None if path is None else self.imported(project, path)

    def imported(self, project: Project, path: str) -> Defined | None:
        """What a dotted path of imports leads to in another module of the program."""
        place = self.place(project, path)
        if place is None or len(place[1]) != 1:
            return None
        other, (name,) = place
        node = other.definition(name)
        return None if node is None else Defined(other, name, node)

    def place(self, project: Project, path: str) -> tuple[Project, tuple[str, ...]] | None:
        """The module of the program that a path leads to, and the names that are left."""
        if not self.is_joint or project.outside is None:
            return None
        found = project.outside.place(path)
        other = self.files.get(found[0]) if found is not None else None
        return None if found is None or other is None else (other, found[1])

    def leads_inside(self, project: Project, path: str) -> bool:
        """Whether a path leads to a definition of another module, or to a part of one."""
        if not self.is_joint:
            return False
        ways = (path, path.rpartition(".")[0])
        return any(self.imported(project, way) is not None for way in ways if way)

    def imports(self, project: Project) -> Iterator[tuple[str, str]]:
        """Each name that an import binds somewhere in a module, with the path that it names."""
        for scope in project.every_scope():
            for name, paths in scope.imports.items():
                for path in paths:
                    yield name, path


__all__ = ["Defined", "Modules"]
