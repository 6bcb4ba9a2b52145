"""Loops: their bodies are read until nothing more is learned of what each trip leaves behind."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpuport.analysis.batches.loops import noted
from gpuport.analysis.expressions.conditions import test
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.expressions.iterating import is_nothing_yet, iterate, numbers_apart
from gpuport.analysis.expressions.iteratorbuiltins import take_apart
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.apart import reading_copies
from gpuport.analysis.loops.nests import launched
from gpuport.analysis.objects.texts import written_names
from gpuport.analysis.statements.assignments import bind_item
from gpuport.analysis.statements.closures import called_on_host
from gpuport.analysis.statements.paths import LoopPaths, Run, loop_paths
from gpuport.analysis.statements.writtenloops import few_trips
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Number,
    Scalar,
    is_arraylike,
    on_device_possible,
)
from gpuport.source.syntax import inside, walk

_MOST_PASSES = 3


def for_loop(unit: Unit, node: ast.For, run: Run) -> None:
    """A ``for``, unless kernels are launched for it."""
    if not _within_few(unit, node) and launched(unit, node):
        return
    called_on_host(unit, node)
    with unit.within_stacked(noted(unit, node)), reading_copies(unit, node):
        _python_loop(unit, node, run)


def _within_few(unit: Unit, node: ast.For) -> bool:
    """Whether a loop of a few trips is part of what is done for all items of a stack at once."""
    if not unit.in_stacked:
        return False
    inner = [one for one in inside(node) if isinstance(one, ast.For)]
    return all(few_trips(unit, one.iter) for one in inner)


def _python_loop(unit: Unit, node: ast.For, run: Run) -> None:
    unit.marked.consume(node.iter)
    take_apart(unit, node.target, node.iter)
    flow = evaluate(unit, node.iter)
    if unit.loops and id(node) not in unit.forms.unfilled and is_nothing_yet(flow.value):
        unit.forms.waiting.add(id(node))
        run(unit, node.orelse)
        return
    unit.forms.waiting.discard(id(node))
    names = _named(node.target)
    flow = numbers_apart(unit, node.iter, flow)
    with unit.loop(names, node):
        item, origin = iterate(unit, node.iter, node.iter, flow)
    single = is_arraylike(flow.value) and isinstance(item, Number)
    origin_flow = Flow(
        item, origin if on_device_possible(item) else None, view=True, element=single
    )

    few = few_trips(unit, node.iter)

    written = [Flow(Scalar("str", text)) for text in written_names(unit, node)]

    def body() -> None:
        for one in written or [origin_flow]:
            with unit.loop(names, node, few):
                bind_item(unit, node.target, node.iter, one)
                run(unit, node.body)

    _repeat(unit, body, node, run)


def while_loop(unit: Unit, node: ast.While, run: Run) -> None:
    """A ``while``, unless kernels are launched for it."""
    if launched(unit, node):
        return
    called_on_host(unit, node)

    def body() -> None:
        with unit.loop(frozenset(), node):
            test(unit, node.test)
            run(unit, node.body)

    with unit.within_stacked(noted(unit, node)), reading_copies(unit, node):
        _repeat(unit, body, node, run)


def comprehension_loops(
    unit: Unit, generators: list[ast.comprehension], body: Callable[[], None]
) -> None:
    """The nested loops of a comprehension around its element."""
    if not generators:
        body()
        return
    first = generators[0]
    unit.marked.consume(first.iter)
    take_apart(unit, first.target, first.iter)
    flow = numbers_apart(unit, first.iter, evaluate(unit, first.iter))
    names = _named(first.target)
    if first.ifs:
        unit.filtered.add(id(first.iter))
    with unit.loop(names, first.iter, few_trips(unit, first.iter)):
        item, origin = iterate(unit, first.iter, first.iter, flow)
        held = origin if on_device_possible(item) else None
        bind_item(unit, first.target, first.iter, Flow(item, held, view=True))
        for condition in first.ifs:
            test(unit, condition)
        comprehension_loops(unit, generators[1:], body)


def _named(target: ast.expr) -> frozenset[str]:
    if isinstance(target, ast.Name):
        return frozenset((target.id,))
    return frozenset(n.id for n in walk(target) if isinstance(n, ast.Name))


def _repeat(unit: Unit, body: Callable[[], None], node: ast.For | ast.While, run: Run) -> None:
    """A loop body, until nothing more is learned; what still changes is unknown."""
    unit.let_owners_vary(unit.project.bound_in(node))
    passes, waited = 0, frozenset[int]()
    while passes < _MOST_PASSES:
        before = dict(unit.env)
        paths = _trip(unit, body)
        unit.join_env(before)
        new = unit.forms.waiting - waited
        waited |= new
        if _same_values(before, unit.env) and not new and not _reads_unfilled(unit):
            break
        passes += not new
    else:
        _reads_unfilled(unit)
        before = _changing(unit, before)
        paths = _trip(unit, body)  # branches that none of the passes ran
        unit.join_env(before)
    run(unit, node.orelse)
    if _runs_until_broken(node) and paths.breaking.flows:
        unit.env = {}
    paths.breaking.join_into(unit)


def _reads_unfilled(unit: Unit) -> bool:
    """Whether loops over what is empty are yet to be read: nothing is put there in any trip."""
    if unit.loops or not unit.forms.waiting:
        return False
    unit.forms.unfilled |= unit.forms.waiting
    unit.forms.waiting.clear()
    return True


def _trip(unit: Unit, body: Callable[[], None]) -> LoopPaths:
    """One trip of a loop, up to where the next one begins."""
    with loop_paths(unit) as paths:
        body()
    paths.continuing.join_into(unit)
    return paths


def _changing(unit: Unit, before: dict[str, Flow]) -> dict[str, Flow]:
    """What is another thing after each trip is unknown."""
    for name, flow in list(unit.env.items()):
        if name in before and before[name].value != flow.value:
            unit.lost(unit.node, UNKNOWN, before[name].value, flow.value)
            unit.env[name] = Flow(UNKNOWN, flow.origin)
            if flow.origin is not None:
                unit.pin(
                    flow.origin,
                    "GP901",
                    f"unknown type: what `{name}` is changes from one trip of the loop to the next",
                    unit.node,
                    "unknown-type",
                )
    return dict(unit.env)


def _runs_until_broken(node: ast.For | ast.While) -> bool:
    return (
        isinstance(node, ast.While)
        and isinstance(node.test, ast.Constant)
        and bool(node.test.value)
    )


def _same_values(before: dict[str, Flow], after: dict[str, Flow]) -> bool:
    return all(name in before and before[name].value == flow.value for name, flow in after.items())


__all__ = ["comprehension_loops", "for_loop", "while_loop"]
