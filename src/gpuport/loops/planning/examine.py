"""What the analysis of a loop saw, for those who want to know why it said what it said."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from gpuport.loops.dependence.conflicts import conflicts
from gpuport.loops.dependence.telling import Dependence, dependence
from gpuport.loops.facts import LoopNest
from gpuport.loops.planning.planner import Planner
from gpuport.loops.reasons import Refused
from gpuport.loops.records import LoopPlan
from gpuport.loops.sets.accesses import Access, Dim
from gpuport.loops.sets.budgets import budget
from gpuport.loops.sets.relations import Relations

Loop = ast.For | ast.While


@dataclass(frozen=True, slots=True)
class SpaceAxis:
    """One loop of an iteration space.

    Attributes
    ----------
    variable : str
        Empty for a ``while``.
    range : str
        What it runs over, in plain form (``range(1, n - 1)``); the condition of a ``while``.
    runs : str
        ``python`` (stays a Python loop around the launch), ``threads`` (its iterations run at
        once), ``serial`` (one after another inside a thread); empty where nothing was planned.
    line : int
    """

    variable: str
    range: str
    runs: str
    line: int


@dataclass(frozen=True, slots=True)
class SeenAccess:
    """A subscript of the loop.

    Attributes
    ----------
    text : str
    line : int
    mode : str
        ``read``, ``write``, ``add`` (a read and a write of ``+=``) or ``keep`` (of an extreme).
    known : bool
        Every index is known as a function of the loops' variables; otherwise one depends on data.
    """

    text: str
    line: int
    mode: str
    known: bool


@dataclass(frozen=True, slots=True)
class Examination:
    """The facts on which a loop's plan or refusal stands.

    Attributes
    ----------
    space : tuple of SpaceAxis
        Outermost first.
    accesses : tuple of SeenAccess
        Empty where the loop was refused before its subscripts were read.
    dependences : tuple of Dependence
        Those carried by each of its loops.
    """

    space: tuple[SpaceAxis, ...]
    accesses: tuple[SeenAccess, ...]
    dependences: tuple[Dependence, ...]


def examine(nest: LoopNest, outer: tuple[Loop, ...], plan: LoopPlan | None) -> Examination:
    """Plan a loop as it was planned, and keep what was seen on the way.

    Parameters
    ----------
    nest, outer
        As given to :func:`gpuport.loops.planning.planner.region_plan`.
    plan : LoopPlan or None
        What came of it; None for a refusal.
    """
    around = tuple(_axis(loop, "python") for loop in outer)
    seen = None
    if find_spec("islpy") is not None:
        planner = Planner(nest, nest.node, outer)
        with contextlib.suppress(Refused):
            planner.plan()
        seen = planner.seen
    if seen is None:
        return Examination((*around, *map(_axis, _loops(nest.node))), (), ())
    threads = set() if plan is None else {axis.variable for axis in plan.grid}
    space = tuple(_axis(d.node, _runs(d, threads) if plan else "") for d in seen.region.dims)
    found = _dependences(nest.node, seen)
    return Examination((*around, *space), _accesses(seen.region.accesses), found)


def _loops(node: Loop) -> list[Loop]:
    return [n for n in ast.walk(node) if isinstance(n, (ast.For, ast.While))]


def _axis(node: Loop, runs: str = "") -> SpaceAxis:
    if isinstance(node, ast.While):
        return SpaceAxis("", ast.unparse(node.test), runs, node.lineno)
    return SpaceAxis(ast.unparse(node.target), ast.unparse(node.iter), runs, node.lineno)


def _runs(dim: Dim, threads: set[str]) -> str:
    return "threads" if dim.variable in threads else "serial"


def _accesses(accesses: Sequence[Access]) -> tuple[SeenAccess, ...]:
    joined = {"": None, "+": "add"}
    modes = (joined.get(a.joins, "keep") or ("write" if a.write else "read") for a in accesses)
    found = [
        SeenAccess(ast.unparse(a.node), a.node.lineno, mode, a.exact)
        for a, mode in zip(accesses, modes, strict=True)
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda one: one.line))


def _dependences(node: Loop, relations: Relations) -> tuple[Dependence, ...]:
    found: list[Dependence] = []
    for dim in relations.region.dims:
        depth = next((a.dims.index(dim) for a in relations.region.accesses if dim in a.dims), None)
        if depth is None:
            continue
        try:
            with budget(node):
                apart = conflicts(relations, relations.region, dim, depth)
                found += [dependence(relations, one) for one in apart]
        except Refused:
            continue  # its message is the refusal's
    return tuple(dict.fromkeys(found))
