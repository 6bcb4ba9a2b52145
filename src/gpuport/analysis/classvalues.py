"""Classes as values: ``for make in (Euler, RungeKutta)``, ``SOLVERS[name](grid)``.

A class that is handed on is followed as a function is; where it is called, an instance of the class
is made.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from gpuport.analysis.arguments import Argument
from gpuport.analysis.constructing import construct
from gpuport.analysis.flows import Flow
from gpuport.analysis.functionvalues import FunctionFacts, class_key
from gpuport.analysis.mentions import Mentions, innermost
from gpuport.analysis.unit import Unit

if TYPE_CHECKING:
    from gpuport.analysis.classes import ClassFacts
    from gpuport.analysis.objects import Objects
    from gpuport.analysis.program import Program

HandedOn = Mapping[str, list[ast.expr]]
"""Where classes are handed on, by their names."""


def class_values(
    program: Program, classes: Mapping[str, ClassFacts], handed_on: HandedOn, mentions: Mentions
) -> Iterator[FunctionFacts]:
    """The classes of a program that are values somewhere; the mentions are told where."""
    for name, places in handed_on.items():
        facts = classes.get(name)
        if facts is None:
            continue
        found: dict[int, list[ast.expr]] = defaultdict(list)
        homes = {}
        for place in places:
            home = next(one for one in program.projects if program.holds(one, place))
            found[id(home)].append(place)
            homes[id(home)] = home
        for key, each in found.items():
            scopes = innermost(homes[key].root, {id(one) for one in each})
            root = homes[key].root  # what a class body names is read with the module
            mentions.values.setdefault(id(facts.node), []).extend(
                (root if isinstance(scopes[id(one)].node, ast.ClassDef) else scopes[id(one)], one)
                for one in each
            )
        yield FunctionFacts(class_key(name), facts.node, facts.scope, makes=name)


def instances(
    objects: Objects, unit: Unit, node: ast.Call, made: Iterable[str], args: list[Argument]
) -> list[Flow]:
    """What a call of a class that is a value gives: an instance of each that it may be."""
    return [construct(objects, unit, node, (name, True), args) for name in made]


__all__ = ["HandedOn", "class_values", "instances"]
