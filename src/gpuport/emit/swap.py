"""Calls that run on the device get CuPy's name; what needs more than that is rewritten."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place
from gpuport.emit.aliases import Aliases
from gpuport.emit.rewrites import rewritten
from gpuport.rules.libraries import on_device
from gpuport.source.edits import Edit

_WRITTEN_ANEW = ("elements", "instead", "masked", "renamed")
"""Rewrites that give a call another name themselves."""


def swap(analysed: Analysed, aliases: Aliases) -> Iterator[Edit]:
    """Edits that rename the calls which run on the device."""
    unit = analysed.unit
    for operation in unit.work.operations.values():
        if analysed.placement.of(operation.graph_node) is not Place.DEVICE:
            continue
        if id(operation.node) in unit.work.replacements:
            yield _replace(unit, operation.node, aliases)
        elif operation.function is not None and operation.target is not None:
            if _moves(unit, operation.function, aliases):
                continue
            if is_written_anew(unit, operation):
                continue
            yield _rename(unit, operation, aliases)
    yield from rewritten(analysed, aliases)


def is_written_anew(unit: Unit, operation: Operation) -> bool:
    """Whether something else than its name gives a call another name."""
    return any((kind, id(operation.node)) in unit.work.rewrites for kind in _WRITTEN_ANEW)


def _moves(unit: Unit, function: ast.expr, aliases: Aliases) -> bool:
    """Whether the import behind a name moves, so that the name itself stays."""
    while isinstance(function, ast.Attribute):
        function = function.value
    return isinstance(function, ast.Name) and function.id in aliases.moved


def _replace(unit: Unit, node: ast.AST, aliases: Aliases) -> Edit:
    """A call in the words of a rule, around the user's own arguments."""
    start, end = unit.module.extent(node)
    parts: list[str | tuple[int, int]] = []
    for part in unit.work.replacements[id(node)]:
        if isinstance(part, ast.AST):
            parts.append(unit.module.extent(part))
        else:
            text = str(part)
            parts.append(aliases.cupy if text == "cupy" else text)
    if "gpuport" in parts:  # what the runtime has is under its own name
        place = parts.index("gpuport")
        named = str(parts[place + 1]).removeprefix(".runtime.batched")
        parts[place : place + 2] = [f"{aliases.batched}{named}"]
    return Edit(start, end, tuple(parts))


def _rename(unit: Unit, operation: Operation, aliases: Aliases) -> Edit:
    """``np.linalg.svd`` -> ``cp.linalg.svd``; other forms of import get the full name."""
    function, target = operation.function, operation.target
    assert function is not None
    assert target is not None
    assert operation.path is not None
    root = function
    while isinstance(root, ast.Attribute):
        root = root.value
    short = _short_name(unit, operation, root, aliases)
    if root is not function and short is not None:
        start, end = unit.module.extent(root)
        return Edit(start, end, (short,))
    start, end = unit.module.extent(function)
    return Edit(start, end, (aliases.spelled(target),))


def _short_name(unit: Unit, operation: Operation, root: ast.expr, aliases: Aliases) -> str | None:
    """What stands for the module of the device where the user's name stood for the host's."""
    assert operation.path is not None
    module = unit.scope.resolve(root)
    if module is None or operation.target != on_device(operation.path):
        return None
    if module == "numpy":
        return aliases.cupy
    named = aliases.modules.get(on_device(module)) if "." in module else None
    return named[0] if named is not None else None
