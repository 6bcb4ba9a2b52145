"""Lists of Python's numbers as they are written: ``[[1, dt], [0, 1]]`` makes an array of floats."""

from __future__ import annotations

import ast

from gpuport.analysis.unit import Unit
from gpuport.analysis.values import Scalar, Sequence, Value

_LIKE = {"bool": "True", "int": "1", "float": "0.5", "complex": "0.5j"}
"""Numbers that stand for others of their type."""


def like_what_is_displayed(unit: Unit, node: ast.expr, value: Value) -> Value:
    """A list of numbers of several types as one of constants of these types, in their places."""
    if not isinstance(node, ast.List) or not isinstance(value, Sequence):
        return value
    if value.literal is not None:
        return value
    text = _like(unit, node)
    return value if text is None else Sequence(value.of, value.list, text)


def _like(unit: Unit, node: ast.expr) -> str | None:
    """The text of a list like one that is displayed; None where not all in it are numbers."""
    from gpuport.analysis.expressions import evaluate

    if isinstance(node, ast.List):
        texts = [_like(unit, one) for one in node.elts]
        known = [text for text in texts if text is not None]
        return f"[{', '.join(known)}]" if known and len(known) == len(texts) else None
    if isinstance(node, ast.Starred):
        return None
    flow = evaluate(unit, node)
    number = flow.value if flow.origin is None else None
    return _LIKE.get(number.type or "") if isinstance(number, Scalar) else None


__all__ = ["like_what_is_displayed"]
