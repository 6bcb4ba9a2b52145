"""Operations in a row on the device that stay launches of their own, and why."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gpuport.analysis.chains.elementwise import Unfit, elementwise_operator
from gpuport.analysis.chains.reading import Reader
from gpuport.analysis.chains.records import Chain, least_launches
from gpuport.analysis.chains.runs import Run
from gpuport.analysis.chains.search import SIMPLE, evaluated_first
from gpuport.analysis.chains.types import Types
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.placement.graph import Place
from gpuport.source.syntax import LOOPS, walk


def unfused(analysed: Analysed, made: Iterable[Chain]) -> Iterator[tuple[ast.stmt, int, str]]:
    """Statements with as many operators as are worth a kernel, of which none was made.

    Parameters
    ----------
    analysed : Analysed
    made : iterable of Chain
        The chains of the function.

    Yields
    ------
    tuple of ast.stmt, int and str
        The statement, how many operations are launched one by one, and why.
    """
    unit, nodes = analysed.unit, analysed.unit.module.nodes
    if unit.refusal is not None or not analysed.placement.device:
        return
    kernels = [chain.covered for chain in made]
    kernels += [frozenset(map(id, walk(one.plan.region))) for one in unit.forms.launches.values()]
    done = frozenset[int]().union(*kernels)
    left = {
        key for key, one in unit.work.operations.items()
        if key not in done and not one.only_numbers
        and analysed.placement.of(one.graph_node) is Place.DEVICE
    }  # fmt: skip
    loops = nodes.inside(unit.node, *LOOPS)
    repeated = {id(one) for loop in loops for one in nodes.inside(loop, *SIMPLE)}
    for statement in nodes.inside(unit.node, *SIMPLE) if left else ():
        count = sum(
            id(one) in left and isinstance(one, ast.expr) and elementwise_operator(one)
            for one in walk(statement)
        )
        if count >= least_launches(unit, repeated=id(statement) in repeated):
            yield statement, count, _why(analysed, statement)


def _why(analysed: Analysed, statement: ast.stmt) -> str:
    """Why no kernel is made of a statement."""
    value = getattr(statement, "value", None)
    rehearsal, run = Rehearsal(analysed), Run()
    try:
        for node in evaluated_first(rehearsal, value) if value is not None else ():
            Reader(rehearsal, run).computed(node)
            Types(rehearsal, run)
            break
    except Unfit as why:
        if str(why):
            return str(why)
    return "it is in a form that kernels are not made of"


__all__ = ["unfused"]
