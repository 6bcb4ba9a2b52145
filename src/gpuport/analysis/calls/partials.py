"""Functions of a program with some of their arguments given: ``partial(rate, k=0.3)``.

Such a value is followed as the function itself is, where that is handed on; what it holds is given
to the parameters where it is made.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import arguments
from gpuport.analysis.functions.functionvalues import FunctionFacts
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.families import Family
from gpuport.analysis.objects.membercalls import Callee, give_arguments
from gpuport.analysis.values.lattice import Object
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program

_PARTIAL = "functools.partial"


def partials(program: Program) -> Iterator[FunctionFacts]:
    """The calls of ``functools.partial`` for functions of a program."""
    for project in program.projects:
        for scope in project.every_scope() if project.why_imported is None else ():
            for call in scope.calls:
                if scope.resolve(call.func) != _PARTIAL or not call.args or has_star(call):
                    continue
                defined = program.defined(scope, call.args[0])
                node = defined.node if defined is not None else None
                if isinstance(node, ast.FunctionDef):
                    yield FunctionFacts(
                        _key(project, call), node, scope, methods={"__call__": node}, inner=True,
                        given=len(call.args) - 1,
                    )  # fmt: skip


def partial_made(unit: Unit, node: ast.Call) -> Flow | None:
    """What ``partial(function, ...)`` gives where it is followed; None for other calls."""
    objects = unit.objects
    key = _key(unit.project, node)
    family = objects.classes.get(key) if objects is not None else None
    if objects is None or family is None:
        return None
    function = family.classes[key].node
    assert isinstance(function, ast.FunctionDef)
    first, *others = arguments(unit, node)
    unit.follow(first.expression)
    moved = [
        one if one.position is None else replace(one, position=one.position - 1) for one in others
    ]
    give_arguments(objects, unit, node, Callee(function), moved, kept=True)
    return Flow(Object(family.name, kinds=frozenset((key,))))


def partials_among(family: Family, kinds: Collection[str]) -> dict[str, Callee]:
    """What a call of a value runs where it may be such a function, by its key."""
    return {
        name: Callee(one.node, one.given, named=True) for name, one in family.classes.items()
        if (not kinds or name in kinds) and isinstance(one, FunctionFacts)
        and one.given is not None and isinstance(one.node, ast.FunctionDef)
    }  # fmt: skip


def _key(project: Project, call: ast.Call) -> str:
    """Its name among the families: copies of a file have others at the same place."""
    path = project.module.path
    return f"partial() on line {call.lineno}, column {call.col_offset} of {path}"


__all__ = ["partial_made", "partials", "partials_among"]
