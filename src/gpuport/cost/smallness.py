"""Arrays that hold few elements wherever the program is read: work on them is no launch worth.

A guess at costs, never a claim: what is not evident counts as large.
"""

from __future__ import annotations

import ast

from gpuport.cost.shapes import Shapes

MOST = 1024
"""Elements of the operands up to which the host multiplies matrices in the time of a launch."""


def few(shapes: Shapes, *arrays: ast.expr) -> bool:
    """Whether arrays of a function hold few elements each."""
    counts = map(shapes.elements, arrays)
    return all(count is not None and count <= MOST for count in counts)


__all__ = ["MOST", "few"]
