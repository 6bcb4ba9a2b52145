"""Functions inside a function of which all that is left to do is in kernels."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gpuport.analysis.functions.summaries import Analysed
from gpuport.emit.kernels import launches
from gpuport.loops.facts import FunctionFact
from gpuport.source.syntax import inside

WITHIN = "its statements are in the kernels of the loops that call it"


def within_kernels(results: Iterable[Analysed]) -> dict[int, str]:
    """Functions that nothing but such loops name, by node id; called, they run where all is on
    the host, and stay as they are.

    Parameters
    ----------
    results : iterable of Analysed
        The functions of a module.
    """
    found: dict[int, str] = {}
    for analysed in results:
        made = list(launches(analysed))
        written_in = {
            name: fact.definition
            for launch in made
            for name, fact in launch.plan.nest.facts.items()
            if isinstance(fact, FunctionFact) and fact.closure and fact.definition is not None
        }
        if not written_in:
            continue
        regions = {id(node) for launch in made for node in inside(launch.plan.region)}
        for name, definition in written_in.items():
            if all(id(node) in regions for node in _uses(analysed.unit.node, name)):
                found[id(definition)] = WITHIN
    return found


def _uses(function: ast.AST, name: str) -> Iterable[ast.Name]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node


__all__ = ["WITHIN", "within_kernels"]
