"""Programs that ask NumPy to tell of floating-point errors, which CuPy never does."""

from __future__ import annotations

import ast

from gpuport.analysis.flows import Refused
from gpuport.analysis.graph import Reason
from gpuport.analysis.unit import Unit
from gpuport.analysis.warned import listens, makes_errors


def check_error_state(unit: Unit, node: ast.expr | None) -> None:
    """Asking NumPy to raise on floating-point errors, or for its warnings: CuPy gives neither."""
    if not isinstance(node, ast.Call):
        return
    raising = any(
        isinstance(k.value, ast.Constant) and k.value.value in ("raise", "call", "print", "log")
        for k in node.keywords
    )
    path = unit.scope.resolve(node.func)
    raising = raising and path is not None and _sets_errors(unit, path)
    if raising or listens(node, path) or makes_errors(node, path):
        what = "floating-point errors" if raising else "warnings"
        raise Refused(
            Reason(
                "GP507",
                f"{what} are asked for here; CuPy has no such thing",
                node,
                "semantic-difference",
            )
        )


def _sets_errors(unit: Unit, path: str) -> bool:
    """Whether a function says what becomes of floating-point errors."""
    return any("errstate" in rule.when for rule in unit.knowledge.rules.differs(path))


__all__ = ["check_error_state"]
