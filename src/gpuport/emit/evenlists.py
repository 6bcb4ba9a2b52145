"""Lists of one number, ``[0.0]`` beside arrays of the device: these are made there, not moved."""

from __future__ import annotations

import ast

from gpuport.analysis.placement.graph import Use
from gpuport.analysis.values.lattice import Array
from gpuport.source.evenlists import is_even
from gpuport.source.module import Module

_FILLED = {0.0: "zeros", 1.0: "ones"}
"""CuPy's functions for arrays of floats that are all the same."""


def made_there(module: Module, use: Use, cupy: str) -> str | None:
    """The text of a call that makes on the device the array of a list, which is a launch.

    Parameters
    ----------
    module : Module
    use : Use
        By something on the device, of what is on the host.
    cupy : str
        The name of CuPy.

    Returns
    -------
    str or None
        None for what is no list of the same number over and over.
    """
    display = use.expression
    if not isinstance(display, (ast.List, ast.Tuple)) or use.after or use.before:
        return None
    numbers = isinstance(use.value, Array) and use.value.rank == 1
    if not is_even(display, numbers=numbers):
        return None
    first, count = display.elts[0], len(display.elts)
    if isinstance(first, ast.Constant) and type(first.value) is float and first.value in _FILLED:
        return f"{cupy}.{_FILLED[first.value]}({count})"
    return f"{cupy}.full({count}, {module.segment(first)})"


__all__ = ["made_there"]
