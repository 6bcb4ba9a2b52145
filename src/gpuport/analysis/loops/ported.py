"""What a port of this package looks like: launches, each beside the loop that it stands for."""

from __future__ import annotations

import ast

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.holding import held_together, on_host_already


def launches_kernel(unit: Unit, node: ast.If) -> bool:
    """Whether an ``if`` is the launch of a kernel in a port, beside the loop that it was."""
    test = node.test.values[0] if isinstance(node.test, ast.BoolOp) else node.test
    return isinstance(test, ast.Call) and (
        unit.scope.resolve(test.func) == "gpuport.runtime.launchable"
    )


def stands_for_launch(unit: Unit, node: ast.With) -> bool:
    """Take ``with on_host(u, writes=(v,)) as (u_host, v_host): LOOP`` for the launch beside it.

    The loop is not looked into: a kernel was made of it, and one that is made of what stands in
    the port now might be another one, or none.

    Returns
    -------
    bool
        Whether it is such a statement.
    """
    item, loop = node.items[0], node.body[0]
    call, names = item.context_expr, item.optional_vars
    if not isinstance(call, ast.Call) or not isinstance(names, ast.Tuple):
        return False
    if not isinstance(loop, ast.For | ast.While) or len(node.body) != 1:
        return False
    if unit.scope.resolve(call.func) != "gpuport.runtime.on_host":
        return False
    writes = [e for k in call.keywords for e in getattr(k.value, "elts", [])]
    originals = {
        copy.id: original.id
        for copy, original in zip(names.elts, (*call.args, *writes), strict=False)
        if isinstance(copy, ast.Name) and isinstance(original, ast.Name)
    }
    used = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name)} & originals.keys()
    arrays = {copy: unit.load(originals[copy]) for copy in originals if copy in used}
    changed = {e.id for e in writes if isinstance(e, ast.Name)}
    written = frozenset(copy for copy in arrays if originals[copy] in changed)
    held_together(unit, loop, arrays, on_host_already(unit, arrays) - written, written)
    return True
