"""Calls of NumPy's ufuncs with ``out`` and ``where``, for which the runtime has functions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpuport.analysis.interpretation.flows import Rewrite
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Array, Either
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.interpretation.unit import Unit

MASKED = "gpuport.runtime.masked"
"""What has them by their names."""


def write_masked(
    unit: Unit, node: ast.Call, path: str, args: Sequence[Argument], graph_node: Node
) -> bool:
    """Remember that a call is of the runtime's function on the device.

    Without ``out`` nobody knows what is where the mask is false.

    Returns
    -------
    bool
        False where it is no such call.
    """
    name = path.removeprefix("numpy.")
    ufunc = getattr(np, name, None)
    given = {one.keyword: one.flow.value for one in args if one.keyword is not None}
    keywords = tuple(name for name in given if name != "where")
    if not isinstance(ufunc, np.ufunc) or ufunc.nout != 1 or has_star(node):
        return False
    if "where" not in given or not isinstance(given.get("out"), (Array, Either)):
        return False
    if not unit.knowledge.tables.fit_call(path, len(node.args), keywords).fits:
        return False
    unit.work.rewrites["masked", id(node)] = Rewrite("masked", node.func, graph_node, name)
    return True


__all__ = ["MASKED", "write_masked"]
