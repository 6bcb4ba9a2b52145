"""Follow the instances of a module's classes, and place the functions that handle them together."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.bounces import without_bounces
from gpuport.analysis.classes import known_classes
from gpuport.analysis.copies import share
from gpuport.analysis.families import Family, families, mixed
from gpuport.analysis.graph import Reason
from gpuport.analysis.modulelevel import pin_shared
from gpuport.analysis.objectclaims import why_host
from gpuport.analysis.objects import Objects
from gpuport.analysis.placement import Placement, Unplaceable, place
from gpuport.analysis.rounds import settle
from gpuport.analysis.settling import settle_elements
from gpuport.analysis.summaries import Analysed
from gpuport.source.names import Scope, walk_scopes

if TYPE_CHECKING:
    from gpuport.analysis.project import Project
    from gpuport.analysis.unit import Unit


@dataclass(slots=True)
class Mentions:
    """Where the names of a module's functions and classes stand.

    Attributes
    ----------
    calls : dict
        Calls by the name that is called, or of whose class a function is called, with the scope
        they stand in.
    loads : Counter
        How often a name is read.
    """

    calls: dict[str, list[tuple[Scope, ast.Call]]] = field(default_factory=dict)
    loads: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True, eq=False)
class Following:
    """What a project knows of its classes; made once.

    Attributes
    ----------
    classes : dict
        The families of the classes that are still followed, by the names of the classes.
    opened : dict
        Why others are not.
    frozen : set of int
        Members beside code that is on CuPy already: a port that was made before.
    settled : list of Unit
        The members as they were last looked into, whether anything was moved or not.
    """

    project: Project
    classes: dict[str, Family]
    opened: dict[str, Reason]
    mentions: Mentions = field(default_factory=Mentions)
    frozen: frozenset[int] = frozenset()
    settled: list[Unit] = field(default_factory=list)

    @classmethod
    def of(cls, project: Project) -> Following:
        """Read the classes of a module."""
        classes, opened = known_classes(project)
        following = cls(project, families(classes), opened)
        for family in following.families():
            found = mixed(family)
            if found is not None:
                why = why_host(f"`{found[0]}` is of another kind in another class")
                reason = Reason("GP913", why, found[1], "attributes-on-host")
                following.leave(family, reason)
        if following.classes:
            following.mentions = _mentions(project.root)
        return following

    def families(self) -> list[Family]:
        """The families that are still followed."""
        return list({id(family): family for family in self.classes.values()}.values())

    def leave(self, family: Family, reason: Reason) -> None:
        """Follow a family no longer."""
        for name in family.classes:
            self.opened[name] = reason
            self.classes.pop(name, None)

    def place(self) -> dict[int, Analysed]:
        """Analyse the functions that handle instances; those of opened classes are left out."""
        while self.classes:
            objects = Objects(self, dict(self.classes))
            self._admit(objects)
            if objects.members and not self.project.wanted(list(objects.members.values())):
                return {}
            if not objects.opened and settle(objects):
                return self._placed(objects)
            self._give_up(objects)
        return {}

    def _give_up(self, objects: Objects) -> None:
        for family in self.families():
            if family.name in objects.opened:
                self.leave(family, objects.opened[family.name])

    def _admit(self, objects: Objects) -> None:
        """The functions to begin with: methods, and whatever makes an instance."""
        for family in self.families():
            makers = [m for name in family.classes for m in self.mentions.calls.get(name, [])]
            if not makers:
                objects.open(family.name, family.node, "nothing in this file makes an instance")
                continue
            inside = [self.project.scope_of(node) for node in family.functions]
            for scope in (*inside, *(scope for scope, _ in makers)):
                if not self.admit(objects, scope):
                    objects.open(family.name, scope.node, f"what calls `{scope.name}` is not seen")

    def admit(self, objects: Objects, scope: Scope) -> bool:
        """Add a function with all that call it; False where a call may not be seen."""
        pending, found = [scope], dict[int, Scope]()
        while pending:
            one = pending.pop()
            if id(one.node) in found or id(one.node) in objects.members:
                continue
            if not self._is_seen(objects, one):
                return False
            found[id(one.node)] = one
            if isinstance(one.node, ast.FunctionDef) and one.parent is self.project.root:
                pending += [caller for caller, _ in self.mentions.calls.get(one.node.name, [])]
        objects.members.update(found)
        return True

    def _is_seen(self, objects: Objects, scope: Scope) -> bool:
        """Whether all calls of a function are in the text."""
        node, root = scope.node, self.project.root
        if isinstance(node, ast.Module):
            return True
        if not isinstance(node, ast.FunctionDef) or scope.parent is None:
            return False
        if id(node) in self.project.suppressed_functions:
            return False
        if isinstance(scope.parent.node, ast.ClassDef):
            return scope.parent.node.name in objects.classes and scope.parent.parent is root
        name = node.name
        return (
            scope.parent is root
            and not node.decorator_list
            and root.bound.get(name) == 1
            and name not in root.imports
            and self.mentions.loads[name] == len(self.mentions.calls.get(name, ()))
        )

    def unseen_calls(self, objects: Objects) -> Iterator[tuple[str | None, ast.Call]]:
        """Calls of followed classes and of members in code that was not looked into."""
        members = {
            scope.node.name for scope in objects.members.values()
            if isinstance(scope.node, ast.FunctionDef) and scope.parent is self.project.root
        }  # fmt: skip
        for name in (*objects.classes, *members):
            for _, call in self.mentions.calls.get(name, []):
                if id(call) not in objects.seen:
                    yield (name if name in objects.classes else None), call

    def _placed(self, objects: Objects) -> dict[int, Analysed]:
        project = self.project
        done = project.on_cupy.intersection(objects.members)
        if done:
            self.frozen = frozenset(objects.members)
            return {}
        units = self.settled = list(objects.units.values())
        for unit in units:
            settle_elements(unit)
            if isinstance(unit.node, ast.Module):
                pin_shared(project.root, unit)
        whole = objects.graph()
        try:
            for unit in units:
                share(unit)
            placement = without_bounces(units, whole, place(whole))
        except Unplaceable:
            placement = Placement(frozenset())
        if not placement.device:
            return {}
        project.join_neighbours(objects.members)
        return {id(unit.node): Analysed(unit, placement) for unit in units}


def _mentions(root: Scope) -> Mentions:
    found = Mentions()
    for scope in walk_scopes(root):
        for call in scope.calls:
            name = _called(call.func, root)
            if name is not None and scope.owner(name) is root:
                found.calls.setdefault(name, []).append((scope, call))
    annotations = {
        id(inner)
        for node in ast.walk(root.node)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(annotation, ast.AST)
        for inner in ast.walk(annotation)
    }
    for node in ast.walk(root.node):
        read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if read and id(node) not in annotations:
            found.loads[node.id] += 1  # type: ignore[attr-defined]
    return found


def _called(function: ast.expr, root: Scope) -> str | None:
    """The function or class that is called by its name; the class too in ``Class.make()``."""
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id if function.value.id in root.classes else None
    return None


__all__ = ["Following"]
