"""Programs that ask for NumPy's warnings about floating-point errors, of which CuPy gives none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.analysis.reaching import name_of
from gpuport.source.syntax import inside

_LISTENERS = frozenset(("warnings.catch_warnings", "pytest.warns", "numpy.testing.assert_warns"))
_METHODS = frozenset(("assertWarns", "assertWarnsRegex"))
"""What listens of a test case of ``unittest``."""
_FILTERS = {
    "warnings.simplefilter": ("action", "category"),
    "warnings.filterwarnings": ("action", "message", "category"),
}
"""Functions that say what becomes of warnings, with their parameters."""
_OF_NUMBERS = frozenset(("Warning", "RuntimeWarning"))
"""Categories to which NumPy's warnings about floating-point errors belong."""
_BY_NAME = {path.rpartition(".")[2]: path for path in (*_LISTENERS, *_FILTERS)}


def listens(node: ast.Call, path: str | None) -> bool:
    """Whether what is warned of here comes to something, instead of being silenced."""
    if path != "warnings.catch_warnings":
        return path in _LISTENERS or name_of(node.func) in _METHODS
    asked = {k.arg: k.value for k in node.keywords}
    record, action = asked.get("record"), asked.get("action")
    silent = record is None or (isinstance(record, ast.Constant) and not record.value)
    return not silent or (isinstance(action, ast.Constant) and action.value == "error")


def makes_errors(node: ast.Call, path: str | None) -> bool:
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


def asked(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.Call, Sequence[ast.AST]]]:
    """Calls that ask for such warnings, by their names alone, and the statements of which.

    Those are all of the function, or of the module, unless they are a block of ``with``.
    """
    if not any(isinstance(one, ast.Call) and _named(one) for one in nodes):
        return
    around = {
        id(item.context_expr): node.body
        for node in nodes if isinstance(node, ast.With) for item in node.items
    }  # fmt: skip
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            for one in inside(node):
                if isinstance(one, ast.Call) and _asks(one):
                    yield one, around.get(id(one), [node])


def _asks(node: ast.Call) -> bool:
    path = _BY_NAME.get(name_of(node.func))
    return listens(node, path) or makes_errors(node, path)


def _named(node: ast.Call) -> bool:
    return name_of(node.func) in _METHODS | _BY_NAME.keys()


__all__ = ["asked", "listens", "makes_errors"]
