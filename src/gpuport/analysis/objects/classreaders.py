"""Where what class bodies bind is read, or bound anew, by the name of the class: ``Class.name``.

Such an attribute may be an array of the device: whoever reads it so has to be looked into, as
those are that handle instances.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gpuport.analysis.objects.classvalues import scopes_around
from gpuport.analysis.project.mentions import named
from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.objects.classfacts import ClassFacts
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program

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


__all__ = ["Readers", "class_readers"]
