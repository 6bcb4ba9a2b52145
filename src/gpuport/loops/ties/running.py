"""What recurrences of names and of arrays have in common: a value, an operator and a term."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.carried import Accumulation, Scan
from gpuport.loops.names import walk

SIGNS = {ast.Add: "+", ast.Mult: "*"}
"""Operators that a running value may be made with, as scans name them."""


@dataclass(frozen=True)
class Running:
    """A scan that was found in a loop.

    Attributes
    ----------
    scan : Scan
    guards : tuple of str
        What the initial value takes for granted.
    accumulations : tuple of Accumulation
        What the iterations make together of the scanned values: ``worst = max(worst, peak - v)``.
    """

    scan: Scan
    guards: tuple[str, ...]
    accumulations: tuple[Accumulation, ...] = ()


def minus(value: ast.expr) -> ast.expr:
    """A term that is subtracted, as one that is added."""
    made = ast.UnaryOp(ast.USub(), value)
    return ast.copy_location(made, value)


def writes_elements(body: Sequence[ast.stmt]) -> bool:
    """Whether statements store into elements of arrays."""
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in walk(body)
    )


__all__ = ["SIGNS", "Running", "minus", "writes_elements"]
