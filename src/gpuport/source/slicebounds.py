"""Where a slice begins and ends, counted from the start, as Python text."""

from __future__ import annotations

import ast

from gpuport.source.wholes import constant_int


def lower(bound: ast.expr, extent: str) -> str:
    """The first place of a slice along an axis that is so long."""
    text = ast.unparse(bound)
    if never_negative(bound):
        return text
    return f"max({extent} + ({text}), 0) if ({text}) < 0 else ({text})"


def upper(bound: ast.expr, extent: str) -> str:
    """The place behind its last one."""
    text = ast.unparse(bound)
    if never_negative(bound):
        return f"min({text}, {extent})"
    return f"max({extent} + ({text}), 0) if ({text}) < 0 else min({text}, {extent})"


def end(bound: ast.expr, extent: str) -> str:
    """Either of the two, within the axis: so NumPy counts how many elements a slice has."""
    text = ast.unparse(bound)
    if never_negative(bound):
        return f"min({text}, {extent})"
    return f"max(min({extent} + ({text}) if ({text}) < 0 else ({text}), {extent}), 0)"


def never_negative(bound: ast.expr) -> bool:
    """``max(0, i - 1)``, ``3``."""
    constant = constant_int(bound)
    if constant is not None:
        return constant >= 0
    is_max = isinstance(bound, ast.Call) and ast.unparse(bound.func) == "max"
    return is_max and any(
        (constant_int(one) or -1) >= 0 or constant_int(one) == 0
        for one in bound.args  # type: ignore[attr-defined]
    )


__all__ = ["end", "lower", "never_negative", "upper"]
