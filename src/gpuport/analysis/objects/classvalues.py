"""Classes as values: ``for make in (Euler, RungeKutta)``, ``SOLVERS[name](grid)``.

A class that is handed on is followed as a function is; where it is called, an instance of the class
is made.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from gpuport.analysis.functions.functionvalues import FunctionFacts, class_key
from gpuport.analysis.project.mentions import Mentions, innermost
from gpuport.source.names import Scope
from gpuport.source.owndecorators import keeping

if TYPE_CHECKING:
    from gpuport.analysis.objects.classfacts import ClassFacts
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


__all__ = ["HandedOn", "class_values", "scopes_around"]
