"""Programs that ask NumPy to tell of floating-point errors, which CuPy never does."""

from __future__ import annotations

import ast

from gpuport.analysis.flows import Refused
from gpuport.analysis.graph import Reason
from gpuport.analysis.unit import Unit

_LISTENERS = frozenset(("warnings.catch_warnings", "pytest.warns", "numpy.testing.assert_warns"))
_FILTERS = {
    "warnings.simplefilter": ("action", "category"),
    "warnings.filterwarnings": ("action", "message", "category"),
}
"""Functions that say what becomes of warnings, with their parameters."""
_OF_NUMBERS = frozenset(("Warning", "RuntimeWarning"))
"""Categories to which NumPy's warnings about floating-point errors belong."""


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
    listening = path in _LISTENERS and _listens(node)
    if raising or listening or _makes_errors(node, path):
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


def _makes_errors(node: ast.Call, path: str | None) -> bool:
    """Whether a call makes exceptions of NumPy's warnings."""
    names = _FILTERS.get(path or "")
    if names is None:
        return False
    given: dict[str | None, ast.expr] = dict(zip(names, node.args, strict=False))
    given |= {k.arg: k.value for k in node.keywords}
    action, category = given.get("action"), given.get("category")
    if not isinstance(action, ast.Constant) or action.value != "error":
        return False
    name = getattr(category, "attr", getattr(category, "id", None))
    return category is None or name in _OF_NUMBERS


def _listens(node: ast.Call) -> bool:
    """Whether what is warned of here comes to something, instead of being silenced."""
    if getattr(node.func, "attr", getattr(node.func, "id", "")) != "catch_warnings":
        return True
    asked = {k.arg: k.value for k in node.keywords}
    record, action = asked.get("record"), asked.get("action")
    silent = record is None or (isinstance(record, ast.Constant) and not record.value)
    return not silent or (isinstance(action, ast.Constant) and action.value == "error")


__all__ = ["check_error_state"]
