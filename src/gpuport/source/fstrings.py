"""Whether the expressions in an f-string stand in the text where the tree says so.

Before Python 3.12 f-strings are no tokens: the tree's positions inside them are computed by other
means. An expression is only edited where the text at its place is seen to be that expression.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from gpuport.source.module import Module

_ENDS = ("}", "!", ":")


_EDITABLE: WeakKeyDictionary[ast.JoinedStr, bool] = WeakKeyDictionary()
"""What was found out, as long as somebody has the tree."""


def editable(module: Module, node: ast.JoinedStr) -> bool:
    """Whether every expression of an f-string can be edited in place.

    Not where the text of an expression is printed too (``{x=}``).
    """
    if node not in _EDITABLE:
        _EDITABLE[node] = _editable(module, node)
    return _EDITABLE[node]


def _editable(module: Module, node: ast.JoinedStr) -> bool:
    last = -1
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            start, end = module.extent(part.value)
            if start < last or not _stands(module.text, start, end, part.value):
                return False
            last = end
    return True


def _stands(text: str, start: int, end: int, value: ast.expr) -> bool:
    before = text[max(start - 200, 0) : start].rstrip(" \t\r\n(")
    after = text[end : end + 200].lstrip(" \t\r\n)")
    if not before.endswith("{") or not after.startswith(_ENDS):
        return False
    try:
        found = ast.parse(f"({text[start:end]}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return ast.dump(found) == ast.dump(value)


__all__ = ["editable"]
