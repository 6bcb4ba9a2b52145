"""Arrays that hold few elements wherever the program is read: work on them is no launch worth.

A guess at costs, never a claim: what is not evident counts as large.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.source.bindings import sources_of
from gpuport.source.lengths import Lengths

MOST = 1024
"""Elements of the operands up to which the host multiplies matrices in the time of a launch."""


def few(function: ast.AST, *arrays: ast.expr, words: Mapping[str, frozenset[str]]) -> bool:
    """Whether arrays of a function hold few elements each.

    ``words`` are the names of what makes arrays whose lengths are shown: ``shown_lengths`` of the
    words of placement.
    """
    known = Lengths(sources_of(function), words)
    counts = [known.elements(array, 0) for array in arrays]
    return all(count is not None and count <= MOST for count in counts)


__all__ = ["MOST", "few"]
