"""What each kind of statement does to names, arrays and the data-flow graph."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from gpuport.analysis.calls.drawing import is_only_drawn_from
from gpuport.analysis.calls.vectorized import stands_beside_kernel
from gpuport.analysis.differences.errorstates import check_error_state
from gpuport.analysis.expressions.conditions import test
from gpuport.analysis.expressions.displays import display
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.functions.returning import returning, yielding, yielding_all
from gpuport.analysis.interpretation.flows import Flow, Refused
from gpuport.analysis.interpretation.modulelevel import global_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.classattributes import bind_body
from gpuport.analysis.objects.settings import annotated_as
from gpuport.analysis.placement.graph import Reason, unsupported
from gpuport.analysis.project.modulenames import bind_names
from gpuport.analysis.project.programnames import bound_oddly
from gpuport.analysis.statements.assignments import assign, swaps_tuple
from gpuport.analysis.statements.closures import (
    capture,
    defined_within,
    function_made,
    give_defaults_of,
    give_later,
)
from gpuport.analysis.statements.inplace import augmented
from gpuport.analysis.statements.loops import for_loop, while_loop
from gpuport.analysis.statements.partstores import change_container
from gpuport.analysis.statements.paths import ends
from gpuport.analysis.statements.protected import entered, tried
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    is_container,
)
from gpuport.analysis.values.neverruns import narrow, never
from gpuport.source.annotations import annotation
from gpuport.source.innernames import is_counter
from gpuport.source.owndecorators import keeping
from gpuport.source.syntax import dotted

_WORDS = {
    "Match": "`match`", "AsyncFor": "`async for`", "AsyncWith": "`async with`",
    "TryStar": "`except*`", "TypeAlias": "`type`",
}  # fmt: skip
"""Statements that are not followed, as they are written."""


def run(unit: Unit, body: Sequence[ast.stmt]) -> None:
    """Interpret statements in order."""
    for statement in body:
        handler = _HANDLERS.get(type(statement))
        if handler is None:
            kind = type(statement).__name__
            raise Refused(unsupported(statement, _WORDS.get(kind, kind)))
        unit.line = statement.lineno
        if unit.later.bound:
            give_later(unit)
        handler(unit, statement)
        for bindings in unit.interruptible:
            bindings.note(unit.env)
        if unit.scope is unit.project.root:
            bind_names(unit, statement)
        if unit.later.bound:
            give_later(unit)


def _assign(unit: Unit, node: ast.Assign) -> None:
    unit.statement = node
    check_error_state(unit, node.value)
    if len(node.targets) == 1 and swaps_tuple(node):
        assign(unit, node.targets[0], node.value, Flow(UNKNOWN))
        return
    if all(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets):
        unit.marked.consume(node.value)  # `a, b = (f(k) for k in ...)`
    if unit.objects is not None and is_only_drawn_from(unit, node):
        unit.marked.consume(node.value)
    row = _row_stored(unit, node)
    flow = evaluate(unit, node.value) if row is None else display(unit, row)
    for position, target in enumerate(node.targets):
        assign(unit, target, node.value, flow)
        if position == 0 and flow.fresh and isinstance(target, ast.Name):
            flow = unit.env[target.id] if target.id in unit.env else global_value(unit, target.id)


def _row_stored(unit: Unit, node: ast.Assign) -> ast.Tuple | None:
    """``x[i] = a, b``: to an array its numbers are what those of a list are."""
    (target, *others), value = node.targets, node.value
    if others or not isinstance(target, ast.Subscript) or not isinstance(value, ast.Tuple):
        return None
    if any(isinstance(item, ast.Starred) for item in value.elts):
        return None
    return value if isinstance(evaluate(unit, target.value).value, Array) else None


def _annotated(unit: Unit, node: ast.AnnAssign) -> None:
    if node.value is not None:
        flow, name = evaluate(unit, node.value), (dotted(node.target) or "").rpartition(".")[2]
        if flow.origin is None:
            said = annotated_as(unit.project, name, annotation(node), flow.value)
            flow = replace(flow, value=said or UNKNOWN)
        assign(unit, node.target, node.value, flow)


def _expression(unit: Unit, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Yield) and unit.returned.generates:
        yielding(unit, node.value)
        return
    if isinstance(node.value, ast.YieldFrom) and unit.returned.generates:
        yielding_all(unit, node.value)
        return
    if isinstance(node.value, (ast.Yield, ast.YieldFrom, ast.Await)):
        raise Refused(_generator(node))
    check_error_state(unit, node.value)
    evaluate(unit, node.value)
    unit.follow(node.value)


def _return(unit: Unit, node: ast.Return) -> None:
    if not unit.returned.generates:
        returning(unit, node)
    elif node.value is not None:  # handed to nobody who goes over it
        evaluate(unit, node.value)


def _generator(node: ast.AST) -> Reason:
    return Reason("GP904", "generator: `yield` hands out values one at a time", node, "generator")


def _if(unit: Unit, node: ast.If) -> None:
    test(unit, node.test)
    before = dict(unit.env)
    skips_body, skips_else = (never(unit, node.test, holds=holds) for holds in (True, False))
    if not skips_body:
        narrow(unit, node.test, holds=True)
        run(unit, node.body)
    if skips_else:
        return
    after_body, unit.env = unit.env, dict(before)
    narrow(unit, node.test, holds=False)
    with unit.within_other_branch(stands_beside_kernel(unit, node)):
        run(unit, node.orelse)
    if skips_body or ends(node.body):
        return
    if ends(node.orelse):
        unit.env = after_body
        return
    unit.join_env(after_body)


def _assert(unit: Unit, node: ast.Assert) -> None:
    test(unit, node.test)
    if node.msg is not None:
        unit.to_host(node.msg, evaluate(unit, node.msg))
    narrow(unit, node.test, holds=True)


def _raise(unit: Unit, node: ast.Raise) -> None:
    for part in (node.exc, node.cause):
        if part is not None:
            evaluate(unit, part)


def _for(unit: Unit, node: ast.For) -> None:
    for_loop(unit, node, run)


def _while(unit: Unit, node: ast.While) -> None:
    while_loop(unit, node, run)


def _with(unit: Unit, node: ast.With) -> None:
    entered(unit, node, run)


def _try(unit: Unit, node: ast.Try) -> None:
    tried(unit, node, run)


def _definition(unit: Unit, node: ast.stmt) -> None:
    """A function or class inside: unless it is followed, what it captures stays on the host."""
    if unit.objects is not None and isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    ):
        _decorate(unit, node)
    if unit.name == "<module>" and isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    ):
        if isinstance(node, ast.ClassDef):
            bind_body(unit, node)
        give_defaults_of(unit, node)
        return
    if isinstance(node, ast.FunctionDef) and function_made(unit, node) is not None:
        return
    if isinstance(node, ast.FunctionDef):
        defined_within(unit, node)
    else:
        capture(unit, node)
    name = getattr(node, "name", None)
    if name is not None:
        unit.env.pop(name, None)


def _decorate(unit: Unit, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    """Decorators are called here; what keeps a function that is followed is given it."""
    objects = unit.objects
    assert objects is not None
    kept: list[ast.expr] = []
    if (
        isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and unit.name == "<module>"
        and objects.following.is_value(node)
    ):
        kept = keeping(unit.project.root, node)
        calls = [unit.project.equivalents.decorated(one, node) for one in kept]
        for call in calls:
            evaluate(unit, call)
            unit.follow(call)  # it is the function itself
            objects.seen.add(id(call.func))
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and decorator not in kept:
            evaluate(unit, decorator)


def _outside(unit: Unit, node: ast.Global | ast.Nonlocal) -> None:
    if isinstance(node, ast.Nonlocal) and all(is_counter(unit.scope, n) for n in node.names):
        return
    if isinstance(node, ast.Global) and unit.objects is not None:  # without a boundary
        odd = bound_oddly(unit.scope).intersection(node.names)
        if not odd:  # what assignments bind leaves the function where it is not followed
            return
        why = f"`{min(odd)}` of the module is bound by something else than an assignment"
        raise Refused(unsupported(node, why))
    raise Refused(
        unsupported(node, f"`{type(node).__name__.lower()}` names shared with other functions")
    )


def _ignore(unit: Unit, node: ast.stmt) -> None:
    return None


def _break(unit: Unit, node: ast.Break) -> None:
    unit.loop_paths[-1].breaking.note(unit.env)


def _continue(unit: Unit, node: ast.Continue) -> None:
    unit.loop_paths[-1].continuing.note(unit.env)


def _delete(unit: Unit, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            unit.env.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            base = evaluate(unit, target.value)
            if is_container(base.value):
                change_container(unit, target.value, base)
                unit.follow(target.value)


_HANDLERS: dict[type[ast.stmt], Callable[[Unit, Any], None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: augmented,
    ast.Expr: _expression,
    ast.Return: _return,
    ast.For: _for,
    ast.While: _while,
    ast.If: _if,
    ast.Assert: _assert,
    ast.Raise: _raise,
    ast.With: _with,
    ast.Try: _try,
    ast.FunctionDef: _definition,
    ast.AsyncFunctionDef: _definition,
    ast.ClassDef: _definition,
    ast.Global: _outside,
    ast.Nonlocal: _outside,
    ast.Pass: _ignore,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Import: _ignore,
    ast.ImportFrom: _ignore,
    ast.Delete: _delete,
}

__all__ = ["run"]
