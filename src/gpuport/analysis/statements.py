"""What each kind of statement does to names, arrays and the data-flow graph."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from gpuport.analysis.assignments import assign, bind_item, swaps_tuple
from gpuport.analysis.batches import noted, stands_for_loop
from gpuport.analysis.builtins import iterate
from gpuport.analysis.classattributes import bind_body
from gpuport.analysis.closures import capture, function_made, give_defaults_of, give_later
from gpuport.analysis.conditions import test
from gpuport.analysis.errorstates import check_error_state
from gpuport.analysis.expressions import evaluate
from gpuport.analysis.flows import Flow, Refused
from gpuport.analysis.graph import Reason, unsupported
from gpuport.analysis.innervalues import is_counter
from gpuport.analysis.inplace import augmented
from gpuport.analysis.modulelevel import global_value
from gpuport.analysis.modulenames import bind_names, is_global
from gpuport.analysis.narrowing import narrow
from gpuport.analysis.nests import launched
from gpuport.analysis.neverruns import never
from gpuport.analysis.ported import launches_kernel, stands_for_launch
from gpuport.analysis.returning import returning
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import (
    UNKNOWN,
    Instance,
    Number,
    Scalar,
    is_arraylike,
    on_device_possible,
)
from gpuport.source.syntax import walk

_MOST_PASSES = 3

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
        if unit.bound_later:
            give_later(unit)
        handler(unit, statement)
        if unit.scope is unit.project.root:
            bind_names(unit, statement)
        if unit.bound_later:
            give_later(unit)


def _assign(unit: Unit, node: ast.Assign) -> None:
    unit.statement = node
    check_error_state(unit, node.value)
    if len(node.targets) == 1 and swaps_tuple(node):
        assign(unit, node.targets[0], node.value, Flow(UNKNOWN))
        return
    if all(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets):
        unit.consume(node.value)  # `a, b = (f(k) for k in ...)`
    flow = evaluate(unit, node.value)
    for position, target in enumerate(node.targets):
        assign(unit, target, node.value, flow)
        if position == 0 and flow.fresh and isinstance(target, ast.Name):
            flow = unit.env[target.id] if target.id in unit.env else global_value(unit, target.id)


def _annotated(unit: Unit, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(unit, node.target, node.value, evaluate(unit, node.value))


def _expression(unit: Unit, node: ast.Expr) -> None:
    if isinstance(node.value, (ast.Yield, ast.YieldFrom, ast.Await)):
        raise Refused(_generator(node))
    check_error_state(unit, node.value)
    evaluate(unit, node.value)
    unit.follow(node.value)


def _generator(node: ast.AST) -> Reason:
    return Reason("GP904", "generator: `yield` hands out values one at a time", node, "generator")


def _for(unit: Unit, node: ast.For) -> None:
    if launched(unit, node):
        return
    with unit.within_stacked(noted(unit, node)):
        _python_loop(unit, node)


def _python_loop(unit: Unit, node: ast.For) -> None:
    if isinstance(node.iter, ast.Call):
        unit.consume(node.iter)
    flow = evaluate(unit, node.iter)
    names = _named(node.target)
    with unit.loop(names, node):
        item, origin = iterate(unit, node.iter, node.iter, flow)
    single = is_arraylike(flow.value) and isinstance(item, Number)
    origin_flow = Flow(
        item, origin if on_device_possible(item) else None, view=True, element=single
    )

    def body() -> None:
        with unit.loop(names, node):
            bind_item(unit, node.target, node.iter, origin_flow)
            run(unit, node.body)

    _repeat(unit, body)
    run(unit, node.orelse)


def _named(target: ast.expr) -> frozenset[str]:
    if isinstance(target, ast.Name):
        return frozenset((target.id,))
    return frozenset(n.id for n in walk(target) if isinstance(n, ast.Name))


def _repeat(unit: Unit, body: Callable[[], None]) -> None:
    """A loop body, until nothing more is learned; what still changes is unknown."""
    for _ in range(_MOST_PASSES):
        before = dict(unit.env)
        body()
        unit.join_env(before)
        if _same_values(before, unit.env):
            return
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
    body()  # branches that none of the passes ran


def _same_values(before: dict[str, Flow], after: dict[str, Flow]) -> bool:
    return all(name in before and before[name].value == flow.value for name, flow in after.items())


def _while(unit: Unit, node: ast.While) -> None:
    if launched(unit, node):
        return

    def body() -> None:
        with unit.loop(frozenset(), node):
            test(unit, node.test)
            run(unit, node.body)

    with unit.within_stacked(noted(unit, node)):
        _repeat(unit, body)
    run(unit, node.orelse)


def comprehension_loops(
    unit: Unit, generators: list[ast.comprehension], body: Callable[[], None]
) -> None:
    """The nested loops of a comprehension around its element."""
    if not generators:
        body()
        return
    first = generators[0]
    if isinstance(first.iter, ast.Call):
        unit.consume(first.iter)
    flow = evaluate(unit, first.iter)
    names = _named(first.target)
    with unit.loop(names, first.iter):
        item, origin = iterate(unit, first.iter, first.iter, flow)
        held = origin if on_device_possible(item) else None
        bind_item(unit, first.target, first.iter, Flow(item, held, view=True))
        for condition in first.ifs:
            test(unit, condition)
        comprehension_loops(unit, generators[1:], body)


def _if(unit: Unit, node: ast.If) -> None:
    if launches_kernel(unit, node):
        run(unit, node.orelse)  # the loop that the kernel stands for
        return
    if stands_for_loop(unit, node.test):
        with unit.already_stacked():
            run(unit, node.orelse)
        return
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
    run(unit, node.orelse)
    if skips_body or _ends(node.body):
        return
    if _ends(node.orelse):
        unit.env = after_body
        return
    unit.join_env(after_body)


def _ends(body: Sequence[ast.stmt]) -> bool:
    return (
        bool(body)
        and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
        and (not isinstance(body[-1], (ast.Continue, ast.Break)))
    )


def _assert(unit: Unit, node: ast.Assert) -> None:
    test(unit, node.test)
    if node.msg is not None:
        unit.to_host(node.msg, evaluate(unit, node.msg))
    narrow(unit, node.test, holds=True)


def _raise(unit: Unit, node: ast.Raise) -> None:
    for part in (node.exc, node.cause):
        if part is not None:
            evaluate(unit, part)


def _with(unit: Unit, node: ast.With) -> None:
    if stands_for_launch(unit, node):
        return
    for item in node.items:
        check_error_state(unit, item.context_expr)
        entered = _entered(unit, evaluate(unit, item.context_expr))
        if item.optional_vars is not None:
            assign(unit, item.optional_vars, item.context_expr, entered)
    run(unit, node.body)


def _entered(unit: Unit, manager: Flow) -> Flow:
    """What ``with manager as`` binds: the manager itself, where a rule says so."""
    path = manager.value.path if isinstance(manager.value, Instance) else ""
    rule = unit.knowledge.rules.host(f"{path}.__enter__") if path else None
    itself = rule is not None and rule.returns == f"instance:{path}"
    return manager if itself else Flow(UNKNOWN)


def _try(unit: Unit, node: ast.Try) -> None:
    before = dict(unit.env)
    if node.handlers:
        handler = node.handlers[0]
        reason = Reason(
            "GP903",
            "exception handling: the `try` that `except` on line "
            f"{unit.module.line(handler)} guards; CuPy does not raise where NumPy does",
            node,
            "exception-handling",
        )
        with unit.guard(reason):
            run(unit, node.body)
            run(unit, node.orelse)
    else:
        run(unit, node.body)
    after = unit.env
    for handler in node.handlers:
        unit.env = dict(before)
        if handler.name:
            unit.env[handler.name] = Flow(Scalar())
        run(unit, handler.body)
        if not _ends(handler.body):
            merged = unit.env
            unit.env = after
            unit.join_env(merged)
            after = unit.env
    unit.env = after
    run(unit, node.finalbody)


def _definition(unit: Unit, node: ast.stmt) -> None:
    """A function or class inside: unless it is followed, what it captures stays on the host."""
    for decorator in getattr(node, "decorator_list", ()) if unit.objects is not None else ():
        if isinstance(decorator, ast.Call):  # here is where it is called
            evaluate(unit, decorator)
    if unit.name == "<module>" and isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    ):
        if isinstance(node, ast.ClassDef):
            bind_body(unit, node)
        give_defaults_of(unit, node)
        return
    if isinstance(node, ast.FunctionDef) and function_made(unit, node) is not None:
        return
    capture(unit, node)
    name = getattr(node, "name", None)
    if name is not None:
        unit.env.pop(name, None)


def _outside(unit: Unit, node: ast.Global | ast.Nonlocal) -> None:
    if isinstance(node, ast.Nonlocal) and all(is_counter(unit.scope, n) for n in node.names):
        return
    if isinstance(node, ast.Global) and all(is_global(unit, name) for name in node.names):
        return
    raise Refused(
        unsupported(node, f"`{type(node).__name__.lower()}` names shared with other functions")
    )


def _ignore(unit: Unit, node: ast.stmt) -> None:
    return None


def _delete(unit: Unit, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            unit.env.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            evaluate(unit, target.value)


_HANDLERS: dict[type[ast.stmt], Callable[[Unit, Any], None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: augmented,
    ast.Expr: _expression,
    ast.Return: returning,
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
    ast.Break: _ignore,
    ast.Continue: _ignore,
    ast.Import: _ignore,
    ast.ImportFrom: _ignore,
    ast.Delete: _delete,
}

__all__ = ["comprehension_loops", "run"]
