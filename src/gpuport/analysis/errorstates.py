"""Programs that ask NumPy to tell of floating-point errors, which CuPy never does."""

from __future__ import annotations

import ast

from gpuport.analysis.flows import Refused
from gpuport.analysis.graph import Reason
from gpuport.analysis.unit import Unit
from gpuport.rules.libraries import library_of

_LISTENERS = frozenset(("warnings.catch_warnings", "pytest.warns", "numpy.testing.assert_warns"))


def check_error_state(unit: Unit, node: ast.expr) -> None:
    """Asking NumPy to raise on floating-point errors, or for its warnings: CuPy gives neither."""
    if not isinstance(node, ast.Call):
        return
    raising = any(
        isinstance(k.value, ast.Constant) and k.value.value in ("raise", "call", "print", "log")
        for k in node.keywords
    )
    path = unit.scope.resolve(node.func)
    raising = raising and path is not None and library_of(path) is not None
    if raising or (path in _LISTENERS and _listens(node)):
        what = "floating-point errors" if raising else "warnings"
        raise Refused(
            Reason(
                "GP507",
                f"{what} are asked for here; CuPy has no such thing",
                node,
                "semantic-difference",
            )
        )


def _listens(node: ast.Call) -> bool:
    """Whether what is warned of here comes to something, instead of being silenced."""
    if getattr(node.func, "attr", getattr(node.func, "id", "")) != "catch_warnings":
        return True
    asked = {k.arg: k.value for k in node.keywords}
    record, action = asked.get("record"), asked.get("action")
    silent = record is None or (isinstance(record, ast.Constant) and not record.value)
    return not silent or (isinstance(action, ast.Constant) and action.value == "error")


__all__ = ["check_error_state"]
