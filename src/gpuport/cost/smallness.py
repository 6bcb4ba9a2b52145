"""Arrays that hold few elements wherever the program is read: work on them is no launch worth.

A guess at costs, never a claim: what is not evident counts as large.
"""

from __future__ import annotations

import ast

from gpuport.cost.shapes import Shapes

MOST = 1024
"""Elements of the operands up to which the host multiplies matrices in the time of a launch."""

FEW = 36
"""Elements, those of six by six, on which NumPy is done before a launch has begun."""

MANY = 8192
"""Elements for which an operation takes the host about as long as a launch does."""


def few(shapes: Shapes, *arrays: ast.expr) -> bool:
    """Whether arrays of a function hold few elements each."""
    counts = map(shapes.elements, arrays)
    return all(count is not None and count <= MOST for count in counts)


__all__ = ["FEW", "MANY", "MOST", "few"]
