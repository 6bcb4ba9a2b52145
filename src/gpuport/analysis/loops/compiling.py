"""Kernels of loops, asked of the loop compiler: each question once, whatever is read again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.facts import facts_in, modules_in
from gpuport.analysis.loops.heldnumbers import held_numbers
from gpuport.analysis.loops.holding import first_uses
from gpuport.analysis.loops.refusing import Loop
from gpuport.analysis.objects.receivers import numbers_read
from gpuport.loops.context.scalars import live_after
from gpuport.loops.facts import Fact, LoopNest, ModuleFact, ScalarFact
from gpuport.loops.kernels.kernel import kernel
from gpuport.loops.planning.planner import region_plan
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.loops.sets.budgets import exhausted
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


@dataclass(slots=True)
class Compiled:
    """What the loop compiler has said so far, by the loop and what was known of its names."""

    answers: dict[tuple[int, str], LoopPlan | Refusal] = field(default_factory=dict)
    kernels: dict[tuple[int, str], Kernel | Refusal] = field(default_factory=dict)
    names: dict[int, frozenset[str]] = field(default_factory=dict)
    asked: dict[int, tuple[LoopNest, tuple[Loop, ...]]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    elementwise: dict[int, frozenset[str]] = field(default_factory=dict)
    chains: dict[str, str] = field(default_factory=dict)


def compiled(unit: Unit, node: Loop) -> tuple[LoopPlan, Kernel] | Refusal:
    """The kernel of a loop.

    Numbers of the module are passed to it, unless it needs to know them: where nothing can be
    made without, or where their values show that an error cannot occur.
    """
    facts = modules_in(unit) | facts_in(unit, node, first_uses(unit, node))
    facts |= held_numbers(unit, node)
    facts |= {text: ScalarFact(n.type) for text, n in numbers_read(unit, node).items()}
    plain = {name: _without_value(unit, name, fact) for name, fact in facts.items()}
    found = _asked(unit, node, plain)
    if plain == facts or (isinstance(found, tuple) and _doubts(found[1]) == (0, False)):
        return found
    held = _asked(unit, node, facts)
    if isinstance(held, tuple) and isinstance(found, tuple):
        return held if _doubts(held[1]) < _doubts(found[1]) else found
    return held if isinstance(held, tuple) else found


def _doubts(made: Kernel) -> tuple[int, bool]:
    """How many errors of the loop a kernel does not raise, and whether its launch waits for any."""
    return len(made.notes), made.checked


def _without_value(unit: Unit, name: str, fact: Fact) -> Fact:
    """A number of the module may be set to another one from outside."""
    known = isinstance(fact, ScalarFact) and fact.value is not None and "." not in name
    return ScalarFact(fact.type) if known and name not in unit.env else fact  # type: ignore[union-attr]


def _asked(unit: Unit, node: Loop, facts: dict[str, Fact]) -> tuple[LoopPlan, Kernel] | Refusal:
    facts = {**facts, "numpy_": ModuleFact("numpy")}  # for what stands for methods of arrays
    project, outer = unit.project, tuple(_around(unit, node))
    key = (id(node), repr(facts))
    memory = project.remembered.compiled
    if key not in memory.answers:
        assert not isinstance(unit.node, ast.AsyncFunctionDef)
        nest = LoopNest(node, unit.node, facts, live_after(unit.node, node))
        memory.asked[id(node)] = nest, outer
        project.budget.take(id(unit.node), _steps(node))
        before = exhausted()
        memory.answers[key] = region_plan(nest, outer)
        project.budget.take(id(unit.node), _STEPS_OF_ISL * (exhausted() - before))
    plan = memory.answers[key]
    if isinstance(plan, Refusal):
        return plan
    if key not in memory.kernels:
        others = (names for other, names in memory.names.items() if other != id(node))
        memory.kernels[key] = kernel(plan, _taken(project).union(*others))
    made = memory.kernels[key]
    if isinstance(made, Refusal):
        return made
    memory.names[id(node)] = frozenset({made.name})
    return plan, made


_STEPS_OF_ISL = 25_000
"""What a loop costs whose subscripts are too entangled for isl."""


_STEPS_OF_LOOP = 800
"""What the plan of a short loop costs."""


def _steps(node: Loop) -> int:
    """What the plan of a loop costs: it grows with the square of its length."""
    length = len(walk(node))
    return _STEPS_OF_LOOP + length * length // 150


def _taken(project: Project) -> frozenset[str]:
    """Names that the module uses anywhere."""
    if not project.remembered.compiled.taken:
        module = project.module
        own = module.names.union(project.root.imports, project.root.bound)
        project.remembered.compiled.taken = own | module.parameters
    return project.remembered.compiled.taken


def _around(unit: Unit, node: Loop) -> Iterator[Loop]:
    for loop in unit.loop_nodes:
        if isinstance(loop, ast.For | ast.While) and loop is not node:
            yield loop


__all__ = ["Compiled", "compiled"]
