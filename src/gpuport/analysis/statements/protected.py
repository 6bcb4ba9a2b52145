"""What ``try`` and ``with`` do with errors: statements that may end early, and what then runs."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.analysis.differences.awaited import leaves
from gpuport.analysis.differences.errorstates import check_error_state, listened_to
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.statements.assignments import assign
from gpuport.analysis.statements.paths import Bindings, Run, ends, goes_on, interruptible
from gpuport.analysis.values.lattice import UNKNOWN, Instance, Scalar
from gpuport.source.syntax import walk


def entered(unit: Unit, node: ast.With, run: Run) -> None:
    """A ``with``: what it binds, and its statements."""
    listening = listened_to(unit, node)
    if listening is not None:
        with unit.guard(listening):
            _entered(unit, node, run)
    else:
        _entered(unit, node, run)


def _entered(unit: Unit, node: ast.With, run: Run) -> None:
    for item in node.items:
        check_error_state(unit, item.context_expr)
        bound = _bound(unit, evaluate(unit, item.context_expr))
        if item.optional_vars is not None:
            assign(unit, item.optional_vars, item.context_expr, bound)
    catching = unit.project.program.awaited.catching(node)
    if catching is None:
        run(unit, node.body)
        return
    who = f"`{unit.module.segment(catching)[:60]}` takes back"
    with interruptible(unit) as raised:
        _guarded(unit, node.body, who, catching, run)
    raised.join_into(unit)


def _bound(unit: Unit, manager: Flow) -> Flow:
    """What ``with manager as`` binds: the manager itself, where a rule says so."""
    path = manager.value.path if isinstance(manager.value, Instance) else ""
    rule = unit.knowledge.rules.host(f"{path}.__enter__") if path else None
    itself = rule is not None and rule.returns == f"instance:{path}"
    return manager if itself else Flow(UNKNOWN)


def tried(unit: Unit, node: ast.Try, run: Run) -> None:
    """A ``try``, with what waits for its errors and what runs behind it."""
    with interruptible(unit) as anywhere:
        if node.handlers:
            _caught(unit, node, run)
        elif leaves(node.finalbody):
            who = f"the `finally` on line {unit.module.line(node.finalbody[0])} takes back"
            _guarded(unit, node.body, who, node, run)
        else:
            run(unit, node.body)
    _finally(unit, node.finalbody, anywhere, run)


def _caught(unit: Unit, node: ast.Try, run: Run) -> None:
    who = f"the `except` on line {unit.module.line(node.handlers[0])} waits for"
    with interruptible(unit) as raised:
        _guarded(unit, node.body, who, node, run)
    _guarded(unit, node.orelse, who, node, run)
    after = unit.env
    for handler in node.handlers:
        unit.env = {}
        raised.join_into(unit, None if goes_on(handler.body) else _named(handler.body))
        if handler.name:
            unit.env[handler.name] = Flow(Scalar())
        run(unit, handler.body)
        if not ends(handler.body):
            merged, unit.env = unit.env, after
            unit.join_env(merged)
    unit.env = after


def _guarded(unit: Unit, body: Sequence[ast.stmt], who: str, node: ast.AST, run: Run) -> None:
    """Statements of which errors are caught: what they do stays where the errors are NumPy's."""
    reason = Reason(
        "GP903",
        f"exception handling: {who} what NumPy raises here; CuPy does not raise where NumPy does",
        node,
        "exception-handling",
    )
    with unit.guard(reason):
        run(unit, body)


def _finally(unit: Unit, body: Sequence[ast.stmt], anywhere: Bindings, run: Run) -> None:
    """It runs behind whatever ran before; what it leaves alone is afterwards as it was."""
    after = dict(unit.env)
    anywhere.join_into(unit, None if leaves(body) else _named(body))
    before = dict(unit.env)
    run(unit, body)
    rebound = {name: flow for name, flow in unit.env.items() if flow is not before.get(name)}
    for paths in unit.loop_paths[-1:]:
        paths.note_later(rebound)  # `break` in the block that it ends leads through it
    for name, flow in after.items():
        if name in unit.env and unit.env[name] is before[name]:
            unit.env[name] = flow


def _named(body: Sequence[ast.stmt]) -> frozenset[str]:
    return frozenset(
        inner.id for statement in body for inner in walk(statement) if isinstance(inner, ast.Name)
    )


__all__ = ["entered", "tried"]
