"""Loops inside of a thread, of which a launch can ask whether they run at all."""

from __future__ import annotations

import ast

from gpuport.loops.heads.counting import nonempty
from gpuport.loops.names import loaded, stored, walk
from gpuport.loops.records import LoopPlan


def entered_where(plan: LoopPlan) -> set[str]:
    """Conditions, one for each loop inside whose range is known before the launch.

    Only loops count that change a name: its type is then that of what they make of it.
    """
    bound = stored(plan.body) | {axis.variable for axis in plan.grid}
    found: set[str] = set()
    for node in walk(plan.body):
        if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Call):
            continue
        changing = stored(node.body) & {
            one.target.id
            for one in walk(node.body)
            if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
        }
        elements = any(
            isinstance(one, ast.Subscript) and not isinstance(one.value, ast.Attribute)
            for one in walk(node.iter.args)
        )
        known = not elements and not loaded(node.iter.args) & bound
        if len(node.iter.args) == 3 and changing and known:
            found.add(nonempty(node))
    return found
