"""Where what class bodies bind is read, or bound anew, by the name of the class: ``Class.name``.

Such an attribute may be an array of the device: whoever reads it so has to be looked into, as
those are that handle instances.

Classes as values: ``for make in (Euler, RungeKutta)``, ``SOLVERS[name](grid)``.

A class that is handed on is followed as a function is; where it is called, an instance of the class
is made.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from gpuport.analysis.functions.functionvalues import FunctionFacts, class_key
from gpuport.analysis.project.mentions import Mentions, innermost, named
from gpuport.source.names import Scope
from gpuport.source.owndecorators import keeping

if TYPE_CHECKING:
    from gpuport.analysis.objects.classfacts import ClassFacts
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program

HandedOn = Mapping[str, list[ast.expr]]
"""Where classes are handed on, by their names."""


def class_values(
    program: Program, classes: Mapping[str, ClassFacts], handed_on: HandedOn, mentions: Mentions
) -> Iterator[FunctionFacts]:
    """The classes of a program that are values somewhere; the mentions are told where."""
    for name, facts in classes.items():
        node, root = facts.node, program.home(facts.scope).root
        places = handed_on.get(name, [])
        if places:
            mentions.values.setdefault(id(node), []).extend(scopes_around(program, places))
        if places or (isinstance(node, ast.ClassDef) and keeping(root, node)):
            yield FunctionFacts(class_key(name), node, root, makes=name)


def scopes_around(
    program: Program, places: Collection[ast.expr]
) -> Iterator[tuple[Scope, ast.expr]]:
    """Names with the scopes in which they are read; class bodies are read with the module."""
    for project in program.projects:
        inside = {id(one): one for one in places if program.holds(project, one)}
        around = innermost(project.root, inside) if inside else {}
        for key, one in inside.items():
            in_class = isinstance(around[key].node, ast.ClassDef)
            yield project.root if in_class else around[key], one


Readers = dict[str, list[Scope]]
"""The functions, and modules, that read what a class body binds, by the name of the class."""


def class_readers(program: Program, classes: Mapping[str, ClassFacts]) -> Readers:
    """Who reads by the names of these classes what may be an array."""
    if not classes:
        return {}
    stored = {
        node.attr for project in program.projects for node in project.module.kinds[ast.Attribute]
        if not isinstance(node.ctx, ast.Load)
    }  # fmt: skip
    places: dict[str, list[ast.expr]] = defaultdict(list)
    for project in program.projects:
        for node, facts in _attributes(program, project, classes):
            alone = not (facts.methods or facts.fields)  # its numbers are told by nothing else
            if alone or node.attr in stored or _is_worked_out(classes, facts, node.attr):
                places[facts.name].append(node.value)
    return {
        name: list({id(scope): scope for scope, _ in scopes_around(program, found)}.values())
        for name, found in places.items()
    }


def _attributes(
    program: Program, project: Project, classes: Mapping[str, ClassFacts]
) -> Iterator[tuple[ast.Attribute, ClassFacts]]:
    """``Class.name`` wherever it stands in a module."""
    names = {
        id(node): classes[defined.name] for node, defined in named(program, project)
        if defined.name in classes and classes[defined.name].node is defined.node
    }  # fmt: skip
    for node in project.module.kinds[ast.Attribute] if names else ():
        if id(node.value) in names:
            yield node, names[id(node.value)]


def _is_worked_out(classes: Mapping[str, ClassFacts], facts: ClassFacts, name: str) -> bool:
    """Whether a class body, its own or that of a base, binds a name to more than a literal."""
    one: ClassFacts | None = facts
    while one is not None:
        if name in one.constants:
            return any(name == worked for worked, _ in one.worked_out())
        one = classes.get(one.base) if one.base is not None else None
    return False


__all__ = ["Readers", "class_readers", "class_values"]
