"""Functions that call themselves, over whichever others."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.project.program import Program


def around(program: Program, scope: Scope) -> frozenset[int]:
    """The functions that a function of a program calls on its way back to itself, by their ids.

    Itself among them; none where it does not come back.
    """
    calls = dict[int, set[int]]()
    pending = [scope]
    while pending:
        one = pending.pop()
        if id(one.node) in calls:
            continue
        found = calls[id(one.node)] = set()
        for call in one.calls:
            defined = program.defined(one, call.func)
            if defined is not None and isinstance(defined.node, ast.FunctionDef):
                found.add(id(defined.node))
                pending.append(defined.project.scope_of(defined.node))
    back = {id(scope.node)}
    while True:
        more = {one for one, called in calls.items() if called & back} - back
        if not more:
            break
        back |= more
    recurs = any(id(scope.node) in calls[one] for one in back)
    return frozenset(back) if recurs else frozenset()


__all__ = ["around"]
