"""Programs that ask for NumPy's warnings about floating-point errors, of which CuPy gives none."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from gpuport.analysis.knowledge.tables import placement_words
from gpuport.source.names import FunctionNode
from gpuport.source.reaching import name_of
from gpuport.source.syntax import Kinds, inside

_CATCHING = "warnings.catch_warnings"
_FILTERS = {
    "warnings.simplefilter": ("action", "category"),
    "warnings.filterwarnings": ("action", "message", "category"),
}
"""Functions that say what becomes of warnings, with their parameters."""
_OF_NUMBERS = frozenset(("Warning", "RuntimeWarning"))
"""Categories to which NumPy's warnings about floating-point errors belong."""
_ENTERING = frozenset(("__enter__", "__aenter__"))


def listens(node: ast.Call, path: str | None) -> bool:
    """Whether what is warned of here comes to something, instead of being silenced."""
    if path != _CATCHING:
        words = placement_words().listens_to_warnings
        return path in words["calls"] or name_of(node.func) in words["methods"]
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


def asked(kinds: Kinds) -> Iterator[tuple[ast.Call, Sequence[ast.AST] | None]]:
    """Calls that ask for such warnings, by their names alone, and the statements of which.

    Those are a block of ``with``, or the function that asks. None stands for all that the program
    runs: a filter holds from then on, unless it is set in a block of ``catch_warnings``, and what
    a context manager asks for it asks of the blocks that it is entered for.
    """
    asking = {id(one) for one in kinds[ast.Call] if _asks(one)}
    if not asking:
        return
    around: dict[int, Sequence[ast.AST] | None] = {}
    for node in kinds[ast.With]:
        body = None if hands_out(node) else node.body
        around |= {id(item.context_expr): body for item in node.items}
        around |= {id(one): body for one in taken_back(node, _path)}
    lines = [one.lineno for one in kinds[ast.Call] if id(one) in asking]
    for node in (*kinds[ast.Module], *kinds[ast.FunctionDef], *kinds[ast.AsyncFunctionDef]):
        if not isinstance(node, ast.Module) and not _reaches_over(node, lines):
            continue
        entering = isinstance(node, ast.Module) or node.name in _ENTERING
        for one in inside(node):
            if isinstance(one, ast.Call) and id(one) in asking:
                everywhere = entering or makes_errors(one, _path(one.func))
                yield one, around.get(id(one), None if everywhere else [node])


def _reaches_over(node: FunctionNode, lines: Sequence[int]) -> bool:
    """Whether one of some lines is among those of a function, decorators included."""
    first = min(one.lineno for one in (node, *node.decorator_list))
    return any(first <= line <= (node.end_lineno or line) for line in lines)


def hands_out(node: ast.With) -> bool:
    """Whether other code runs in the midst of a block, which a generator hands something."""
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in inside(node))


def taken_back(node: ast.With, path_of: Callable[[ast.expr], str | None]) -> Iterator[ast.Call]:
    """Calls of filters of which nothing is left at the end of a ``with catch_warnings():``."""
    heads = [i.context_expr.func for i in node.items if isinstance(i.context_expr, ast.Call)]
    if any(path_of(head) == _CATCHING for head in heads):
        for one in (inner for statement in node.body for inner in inside(statement)):
            if isinstance(one, ast.Call) and path_of(one.func) in _FILTERS:
                yield one


def _path(head: ast.expr) -> str | None:
    return _by_name().get(name_of(head))


@lru_cache(maxsize=1)
def _by_name() -> dict[str, str]:
    known = (_CATCHING, *placement_words().listens_to_warnings["calls"], *_FILTERS)
    return {path.rpartition(".")[2]: path for path in known}


def _asks(node: ast.Call) -> bool:
    path = _path(node.func)
    return listens(node, path) or makes_errors(node, path)


__all__ = ["asked", "hands_out", "listens", "makes_errors", "taken_back"]
