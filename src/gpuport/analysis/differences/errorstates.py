"""Programs that ask NumPy to tell of floating-point errors, which CuPy never does."""

from __future__ import annotations

import ast

from gpuport.analysis.differences.awaited import TOP
from gpuport.analysis.differences.warned import hands_out, listens, makes_errors, taken_back
from gpuport.analysis.interpretation.flows import Refused
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason


def check_error_state(unit: Unit, node: ast.expr | None) -> None:
    """Asking NumPy to raise on floating-point errors, or for its warnings: CuPy gives neither."""
    if not isinstance(node, ast.Call) or id(node) in unit.marked.listened:
        return
    raising = any(
        isinstance(k.value, ast.Constant) and k.value.value in ("raise", "call", "print", "log")
        for k in node.keywords
    )
    path = unit.scope.resolve(node.func)
    raising = raising and path is not None and _sets_errors(unit, path)
    if raising or listens(node, path) or makes_errors(node, path):
        raise Refused(_reason("floating-point errors" if raising else "warnings", node))


def listened_to(unit: Unit, node: ast.With) -> Reason | None:
    """Why the block of a ``with`` stays on the host: what is warned of in it is asked for."""
    if hands_out(node):
        return None
    heads = [i.context_expr for i in node.items if isinstance(i.context_expr, ast.Call)]
    calls = [one for one in heads if listens(one, unit.scope.resolve(one.func))]
    for one in taken_back(node, unit.scope.resolve):
        if makes_errors(one, unit.scope.resolve(one.func)):
            calls.append(one)
    unit.marked.listened |= set(map(id, calls))
    return _reason("warnings", calls[0]) if calls else None


def check_top(unit: Unit) -> None:
    """The code at the top of a module, where a function asks for the warnings of all."""
    project = unit.project
    asked = project.program.awaited.warned.get(TOP)
    if asked is not None:
        where = project.program.where(project, asked)
        message = f"what is warned of here is asked for on {where}; CuPy has no such thing"
        raise Refused(Reason("GP507", message, asked, "semantic-difference"))


def _reason(what: str, node: ast.AST) -> Reason:
    message = f"{what} are asked for here; CuPy has no such thing"
    return Reason("GP507", message, node, "semantic-difference")


def _sets_errors(unit: Unit, path: str) -> bool:
    """Whether a function says what becomes of floating-point errors."""
    return any("errstate" in rule.when for rule in unit.knowledge.rules.differs(path))


__all__ = ["check_error_state", "check_top", "listened_to"]
