"""Which functions are looked into together: those that handle what is followed, and their callers.

A function is admitted where all calls of it are in the text, and so are all that call it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.functions.functionvalues import FunctionFacts, is_function
from gpuport.analysis.objects.claims import why_host
from gpuport.analysis.objects.families import Family
from gpuport.analysis.project.mentions import Mentions
from gpuport.analysis.project.modulenames import show_values
from gpuport.source.innernames import is_inner
from gpuport.source.names import Scope
from gpuport.source.owndecorators import called_as_written

if TYPE_CHECKING:
    from gpuport.analysis.objects.following import Following
    from gpuport.analysis.objects.instances import Objects
    from gpuport.analysis.project.program import Program


@dataclass(slots=True)
class Admission:
    """Makes functions members of a round.

    Attributes
    ----------
    following : Following
        What is followed.
    objects : Objects
        The round, whose members they become.
    """

    following: Following
    objects: Objects

    @property
    def program(self) -> Program:
        """The program that the functions are of."""
        return self.following.program

    @property
    def mentions(self) -> Mentions:
        """Where its names stand."""
        return self.following.mentions

    def begin(self) -> None:
        """The functions to begin with: methods, and whatever makes an instance."""
        for scope in (self.following.exchanging or {}).values():
            self.admit_for_containers(scope)
        for name, one in (self.following.names or {}).items():
            if all(self._reads_openly(scope) for scope in one.readers):
                self.objects.names[name] = one
        show_values(self.program, self.objects.names)
        for family in list({id(one): one for one in self.objects.classes.values()}.values()):
            makers, readers = self._makers(family), self._readers(family)
            if not makers and not readers:
                why = "nothing in this file makes an instance"
                self.objects.open(family.name, family.node, why)
                continue
            for scope in (*self._inside(family), *makers, *readers):
                if not self.admit(scope):
                    self.objects.open(family.name, scope.node, self._why_unseen(scope))

    def _makers(self, family: Family) -> list[Scope]:
        """What makes an instance, or hands a function on."""
        facts, seen = family.classes.values(), self.mentions
        found = seen.values_of if is_function(family) else seen.calls_of
        makers = [scope for one in facts for scope, _ in found(one.node)]
        makers += [scope for one in facts for scope, _ in seen.values_of(one.node)]
        made = [one for one in facts if isinstance(one, FunctionFacts)]
        made += [one for one in self.following.values() if one.makes in family.classes]
        return makers + [one.scope for one in made if one.is_made]

    def _readers(self, family: Family) -> list[Scope]:
        """What reads by the name of a class what its body binds."""
        return [scope for name in family.classes for scope in self.following.readers.get(name, [])]

    def _inside(self, family: Family) -> list[Scope]:
        """The functions of a family, and the modules whose code works its attributes out."""
        inside = [self.program.scope_of(node) for node in family.functions]
        facts = family.classes.values()
        return inside + [self.program.home(one.scope).root for one in facts if one.worked_out()]

    def _why_unseen(self, scope: Scope) -> str:
        """Why not all calls of a function are seen: of a method, why its class is not followed."""
        text = f"what calls `{scope.name}` is not seen"
        owner = scope.parent.node if scope.parent is not None else None
        reason = self.following.opened.get(owner.name) if isinstance(owner, ast.ClassDef) else None
        if reason is None:
            return text
        where = self.program.where(self.program.home(scope), reason.node)
        return f"{text}, as {reason.message.removeprefix(why_host(''))} ({where})"

    def admit(self, scope: Scope) -> bool:
        """Add a function with all that call it; False where a call may not be seen."""
        pending, found = [scope], dict[int, Scope]()
        while pending:
            one = self._where_read(pending.pop())
            if id(one.code) in found or id(one.code) in self.objects.members:
                continue
            if not self._is_seen(one):
                return False
            found[id(one.code)] = one
            if isinstance(one.node, ast.FunctionDef) and is_at_top(one):
                pending += [caller for caller, _ in self.mentions.calls_of(one.node)]
            elif one.parent is not None and is_inner(one):
                pending.append(one.parent)
        self.objects.members.update(found)
        return True

    def admit_for_containers(self, scope: Scope) -> bool:
        """Add a function for the sake of containers or names of a module.

        Not where it, or what calls it, cannot be read: others can do without it.
        """
        before = set(self.objects.members)
        admitted = self.admit(scope)
        new = self.objects.members.keys() - before
        if new & self.following.left_out:
            for one in new:
                del self.objects.members[one]
            return False
        self.objects.optional |= new
        return admitted

    def _reads_openly(self, scope: Scope) -> bool:
        """Whether it is seen what is done with a name that a function, or a class body, reads."""
        if isinstance(scope.node, ast.ClassDef):  # what it binds are attributes
            return scope.name in self.objects.classes
        return self.admit_for_containers(scope)

    def _where_read(self, scope: Scope) -> Scope:
        """The module for what makes a field of a class anew: it is read with the class body."""
        body = scope.node.body if isinstance(scope.node, ast.Lambda) else None
        bound = (
            node for family in self.objects.classes.values() for one in family.classes.values()
            for node in one.constants.values()
        )  # fmt: skip
        of_field = body is not None and any(node is body for node in bound)
        return self.program.home(scope).root if of_field else scope

    def _is_seen(self, scope: Scope) -> bool:
        """Whether all calls of a function are in the text."""
        node = scope.code
        if isinstance(node, ast.Module):
            return True
        if not isinstance(node, ast.FunctionDef) or scope.parent is None:
            return False
        project, around = self.program.home(scope), scope.parent
        if id(node) in project.suppressed_functions:
            return False
        if isinstance(around.node, ast.ClassDef):
            return around.node.name in self.objects.classes and around.parent is project.root
        if is_inner(scope):
            return self.following.is_value(node)
        return (
            around is project.root
            and project.why_imported is None
            and called_as_written(around, node, seen=not self.following.is_value(node))
            and project.definition(node.name) is node
            and self._by_name_alone(node)
        )

    def _by_name_alone(self, node: ast.FunctionDef) -> bool:
        """Whether a function is called by its name alone, or followed where else it arrives."""
        called = self.mentions.loads[id(node)] == len(self.mentions.calls_of(node))
        return called or self.following.is_value(node)


def is_at_top(scope: Scope) -> bool:
    """Whether a scope is that of a function at the top of a module."""
    return isinstance(scope.node, ast.FunctionDef) and (
        scope.parent is not None and isinstance(scope.parent.node, ast.Module)
    )


__all__ = ["Admission", "is_at_top"]
