"""Functions as values: handed on by their names, kept in attributes, called where they arrive.

A function that is handed on is followed as an instance is: it is a family of its own whose call is
the function, and where several functions arrive at one place, their families become one. A method
of an instance (``model.rate``) is such a function as well; the instance that it is called with is
one of its class.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.functions.innervalues import inner_functions
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.objects.classfacts import ClassFacts
from gpuport.analysis.objects.families import Family
from gpuport.analysis.values.lattice import Object
from gpuport.source.innernames import is_inner
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.owndecorators import called_as_written, keeping, leaves_as_it_is
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.objects.following import Following
    from gpuport.analysis.objects.instances import Objects
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.mentions import Mentions
    from gpuport.analysis.project.program import Program


@dataclass(slots=True, eq=False)
class FunctionFacts(ClassFacts):
    """A function that is handed on.

    Attributes
    ----------
    of : str, optional
        The class with whose instance it is called: that of a method.
    inner : bool
        Whether it stands inside of other code: the scope is the one around it.
    path : str, optional
        The name of a function of a library, which stands where it is handed on.
    given : int, optional
        How many of its first parameters it holds already: that of a ``partial``.
    makes : str, optional
        The class that it is: a call makes an instance.
    """

    of: str | None = None
    inner: bool = False
    path: str | None = None
    given: int | None = None
    makes: str | None = None

    @property
    def is_made(self) -> bool:
        """Whether it is a value where it is defined: in other code, or under what keeps it."""
        node = self.node
        if self.inner or not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return self.inner
        return bool(keeping(self.scope, node))


def is_function(family: Family) -> bool:
    """Whether a family is one of functions."""
    return isinstance(family.classes[family.name], FunctionFacts)


def holds_arguments(family: Family) -> bool:
    """Whether a function of a family is a ``partial``, of which one may ask what it holds."""
    facts = family.classes.values()
    return any(isinstance(one, FunctionFacts) and one.given is not None for one in facts)


def is_value(family: Family, function: ast.AST) -> bool:
    """Whether a family is of functions, this one among them."""
    return is_function(family) and any(one.node is function for one in family.classes.values())


def may_be_handed_on(program: Program) -> bool:
    """Whether some function is inside of another, or read without being called: a cheap look."""
    seen = [project for project in program.projects if project.why_imported is None]
    if any(next(inner_functions(program, project), None) is not None for project in seen):
        return True
    names = frozenset().union(*(project.root.functions for project in seen))
    if not names:
        return False
    functions = [(one.root, node) for one in seen for node in one.root.functions.values()]
    if any(keeping(root, node) for root, node in functions):
        return True
    read, called = Counter[str](), Counter[str]()
    for project in seen:
        nodes = walk(project.module.tree)
        read.update(filter(names.__contains__, map(_read, nodes)))
        heads = (call.func for scope in project.every_scope() for call in scope.calls)
        called.update(map(_read, heads))
    return any(read[name] > called[name] for name in read)


def _read(node: ast.AST) -> str:
    """The name that is read as ``f`` or ``module.f``; nothing of other nodes."""
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return ""
    return getattr(node, "id", "") or getattr(node, "attr", "")


def handed_on(program: Program, mentions: Mentions) -> dict[str, FunctionFacts]:
    """The functions of a program that are values somewhere: inner ones are where they stand."""
    found: dict[str, FunctionFacts] = {}
    names = Counter(name for project in program.projects for name in project.root.functions)
    for project in program.projects:
        if project.why_imported is not None:
            continue
        above = _left_as_they_are(project)
        for name, node in project.root.functions.items():
            plain = isinstance(node, ast.FunctionDef)
            plain = plain and called_as_written(project.root, node, seen=False)
            alone = names[name] == 1 and project.definition(name) is node
            is_value = any(id(one) not in above for _, one in mentions.values_of(node))
            if plain and alone and (is_value or keeping(project.root, node)):
                key = _key(name)
                found[key] = FunctionFacts(key, node, project.root, methods={"__call__": node})
        for scope in inner_functions(program, project):
            key, code = key_of(scope), scope.code
            if key not in found and scope.parent is not None and isinstance(code, ast.FunctionDef):
                calls: dict[str, FunctionNode] = {"__call__": code}
                found[key] = FunctionFacts(key, code, scope.parent, methods=calls, inner=True)
    return found


def _left_as_they_are(project: Project) -> frozenset[int]:
    """Decorators, by their ids, that are nothing to the calls of what stands below them."""
    root = project.root
    functions = [node for node in root.functions.values() if called_as_written(root, node)]
    above = [one for node in functions for one in node.decorator_list]
    of_classes = [one for node in root.classes.values() for one in node.decorator_list]
    above += [one for one in of_classes if leaves_as_it_is(root, one, seen=True)]
    return frozenset(map(id, above))


def families_of(
    functions: Iterable[FunctionFacts], together: Iterable[frozenset[str]]
) -> dict[str, Family]:
    """Families of functions by their keys; those that arrive at one place are one family."""
    found: dict[str, Family] = {}
    for one in functions:
        join_family(found, one, together)
    return found


def join_family(
    families: dict[str, Family], one: FunctionFacts, together: Iterable[frozenset[str]]
) -> Family:
    """Add a function to the family that it is known to be one with, or to one of its own."""
    group = next((names for names in together if one.name in names), frozenset())
    known = next((families[name] for name in sorted(group) if name in families), None)
    family = families[one.name] = known if known is not None else Family({})
    family.classes[one.name] = one
    return family


def key_of(scope: Scope) -> str:
    """What a function is called among the families; an inner one with its place."""
    code, key = scope.code, _key(scope.name)
    if isinstance(code, ast.Module) or not is_inner(scope):
        return key
    return f"{key} on line {code.lineno}, column {code.col_offset}"


def _key(name: str) -> str:
    return f"{name}()"


class_key = _key
"""That of a class: both are what a name at the top of a module means."""


def function_named(unit: Unit, node: ast.Name | ast.Attribute) -> Flow | None:
    """A function that is read by its name."""
    objects = unit.objects
    if objects is None or (isinstance(node, ast.Name) and node.id in unit.env):
        return None
    found = objects.program.defined(unit.scope, node)
    family = objects.classes.get(_key(found.name)) if found is not None else None
    if found is None or family is None or family.classes[_key(found.name)].node is not found.node:
        return None
    objects.seen.add(id(node))
    return Flow(Object(family.name, kinds=frozenset((_key(found.name),))))


def method_of(objects: Objects, held: Object, methods: list[FunctionNode]) -> Flow:
    """``instance.method`` that is not called: each definition that it may be."""
    families = []
    for node in methods:
        scope = objects.program.scope_of(node)
        key = key_of(scope)
        if key not in objects.classes:
            facts = FunctionFacts(key, node, scope, methods={"__call__": node}, of=held.name)
            join_family(objects.classes, facts, objects.following.together)
        families.append(objects.classes[key])
    kinds = frozenset(key_of(objects.program.scope_of(node)) for node in methods)
    for family in families[1:]:
        if family is not families[0]:
            objects.merged.append(frozenset((families[0].name, family.name)))
    return Flow(Object(families[0].name, kinds=kinds))


def is_bound(family: Family, function: FunctionNode) -> bool:
    """Whether a call gives a function an instance before its arguments."""
    return not is_function(family) or any(
        isinstance(one, FunctionFacts) and one.node is function and one.of is not None
        for one in family.classes.values()
    )


def unseen_values(following: Following, objects: Objects) -> list[tuple[str, ast.expr]]:
    """Followed functions that are read in code that was not looked into."""
    return [
        (name, expression) for name, family in list(objects.classes.items()) if is_function(family)
        for _, expression in following.mentions.values_of(family.classes[name].node)
        if id(expression) not in objects.seen
    ]  # fmt: skip


def made_by(family: Family, held: Object) -> list[str]:
    """The classes of which a call of a value may make an instance."""
    return [
        one.makes for name, one in family.classes.items()
        if isinstance(one, FunctionFacts) and one.makes is not None
        and (not held.kinds or name in held.kinds)
    ]  # fmt: skip


def owners(family: Family) -> list[str]:
    """The classes whose methods are handed on in a family."""
    return [
        one.of for one in family.classes.values()
        if isinstance(one, FunctionFacts) and one.of is not None
    ]  # fmt: skip


__all__ = [
    "FunctionFacts", "class_key", "families_of", "function_named", "handed_on", "holds_arguments",
    "is_bound", "is_function", "is_value", "join_family", "key_of", "made_by", "may_be_handed_on",
    "method_of", "owners", "unseen_values",
]  # fmt: skip
