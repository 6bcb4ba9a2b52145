"""Lists of which nothing but an array is made: stacked code gives the array."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.unit import Unit
from gpuport.batch.records import Batch, Loop
from gpuport.emit.aliases import Aliases
from gpuport.source.bindings import each_bound, is_empty_list
from gpuport.source.edits import Edit


def only_arrays(analysed: Analysed, node: Loop) -> tuple[frozenset[str], bool]:
    """Lists of which a function makes nothing but arrays; and whether this comprehension is one."""
    function, unit = analysed.unit.node, analysed.unit
    calls = [
        part for part in ast.walk(function)
        if isinstance(part, ast.Call) and (_makes_array(unit, part) or _joins(unit, part))
    ]  # fmt: skip
    if not isinstance(node, ast.For):
        return frozenset(), any(call.args[0] is node for call in calls)
    if not isinstance(function, ast.FunctionDef) or _runs_again(function, node):
        return frozenset(), False
    read = {id(call.args[0]) for call in calls}
    inside = {id(part) for part in ast.walk(node)}
    starts = _empty_lists(function)
    found = set()
    for name in {call.args[0].id for call in calls if isinstance(call.args[0], ast.Name)}:
        uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
        stores = [n for n in uses if not isinstance(n.ctx, ast.Load)]
        loads = [n for n in uses if isinstance(n.ctx, ast.Load)]
        once = len(stores) == 1 and name in starts
        grown = [n for n in loads if id(n) in inside]
        if once and len(grown) == 1 and all(id(n) in read | inside for n in loads):
            found.add(name)
    return frozenset(found), False


def _runs_again(function: ast.FunctionDef, node: ast.For) -> bool:
    """Whether a loop stands in another one."""
    return any(
        isinstance(outer, (ast.For, ast.While)) and outer is not node
        and any(inner is node for inner in ast.walk(outer))
        for outer in ast.walk(function)
    )  # fmt: skip


def _makes_array(unit: Unit, call: ast.Call) -> bool:
    """``np.array(x)``, ``np.stack(x)``."""
    if len(call.args) != 1 or call.keywords:
        return False
    return unit.scope.resolve(call.func) in unit.knowledge.words.makes_of_lists


def _joins(unit: Unit, call: ast.Call) -> bool:
    """``np.mean(x, axis=0)`` of a list of arrays, which becomes one array for it."""
    return bool(call.args) and ("joined", id(call.args[0])) in unit.work.rewrites


def _empty_lists(function: ast.AST) -> set[str]:
    """Names to which statements of a function's own block bind an empty list."""
    return {
        name
        for statement in getattr(function, "body", [])
        for name, value in each_bound(statement).items()
        if is_empty_list(value)
    }


def arrays_of(analysed: Analysed, made: Batch, aliases: Aliases) -> Iterator[Edit]:
    """``np.stack(x)`` of what is an array already, or a list: ``batched.joined(x)``."""
    unit = analysed.unit
    if made.helper:  # a list whatever comes
        return
    for call in ast.walk(unit.node):
        if isinstance(call, ast.Call) and _makes_array(unit, call):
            given = call.args[0]
            named = isinstance(given, ast.Name) and given.id in made.arrays
            takes_lists = unit.scope.resolve(call.func) in unit.knowledge.words.joins_arrays
            if (named or given is made.node) and takes_lists:
                start, end = unit.module.extent(call.func)
                yield Edit(start, end, (f"{aliases.batched}.joined",), order=5)
