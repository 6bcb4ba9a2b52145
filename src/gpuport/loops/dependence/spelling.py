"""Accesses and loops as users wrote them, for messages."""

from __future__ import annotations

import ast
import re

from gpuport.loops.names import loaded, walk
from gpuport.loops.sets.accesses import Access, Dim

_OUR_PLACES = re.compile(r"\bk\d*_(?![\w.])")
_BEGINNINGS = re.compile(r" \+ k\d*_(?=[,\]])")
_OUR_VARIABLES = re.compile(r"[ik]\d*_+")
"""Names of places and counters that plain form gives: `gpuport.loops.names.Fresh`."""


def spelled(access: Access) -> str:
    """As users wrote it: a row, or its rest, where the index along it is none of theirs.

    An element that a loop's head hands out goes by the name that it has there.
    """
    if any(_OUR_VARIABLES.fullmatch(name) for name in loaded([access.node.slice])):
        name = _handed_out(access)
        if name is not None:
            return name
    return _OUR_PLACES.sub(":", _BEGINNINGS.sub(":", ast.unparse(access.node)))


def _handed_out(access: Access) -> str | None:
    """The name that is given an element: ``v`` in ``for v in x``."""
    for statement in walk([dim.node for dim in access.dims]):
        if not isinstance(statement, ast.Assign):
            continue
        target, value = statement.targets[0], statement.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = [*zip(target.elts, value.elts, strict=True)]
        for one, given in pairs:
            if given is access.node and isinstance(one, ast.Name):
                return one.id
    return None


def is_ours(dim: Dim) -> bool:
    """Whether the user has no name for what a loop counts."""
    return dim.variable is None or _OUR_VARIABLES.fullmatch(dim.variable) is not None


def called(dim: Dim) -> str:
    """A loop by its variable, or by its line where that is none of the user's."""
    return f"the loop on line {dim.node.lineno}" if is_ours(dim) else f"`{dim.variable}`"


__all__ = ["called", "is_ours", "spelled"]
