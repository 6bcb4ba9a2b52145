"""Calls that run on the device get CuPy's name; numbers that would change in place are rebound."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.calls.masked import MASKED
from gpuport.analysis.differences.instead import operands
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Operation, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place
from gpuport.passes.aliases import Aliases
from gpuport.rules.libraries import on_device
from gpuport.source.edits import Edit
from gpuport.source.module import Module

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_WRITTEN_ANEW = ("elements", "instead", "masked")
"""Rewrites that give a call another name themselves."""
_TIGHT = (ast.Name, ast.Constant, ast.Call, ast.Subscript, ast.Attribute)


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
            if any((kind, id(operation.node)) in unit.work.rewrites for kind in _WRITTEN_ANEW):
                continue
            yield _rename(unit, operation, aliases)
    for (kind, _), rewrite in unit.work.rewrites.items():
        if analysed.placement.of(rewrite.graph_node) is not Place.DEVICE:
            continue
        if kind == "instead":
            yield _instead(unit, rewrite, aliases)
        elif kind == "rebind":
            if ("instead", id(rewrite.node)) not in unit.work.rewrites:
                yield _rebind(unit.module, rewrite)
        elif kind == "summed":
            yield _summed(unit.module, rewrite, aliases)
        elif kind == "masked":
            text = f"{aliases.of_runtime(MASKED)}.{rewrite.name}"
            yield Edit(*unit.module.extent(rewrite.node), (text,))
        elif kind == "named":
            end = unit.module.extent(rewrite.node)[1]
            yield Edit(unit.module.text.rindex(".", 0, end), end, (f"[{rewrite.name}]",))
        elif kind == "elements":
            start, end = unit.module.extent(rewrite.node)
            yield Edit(start, end, (f"{aliases.batched}.elements",))
        elif kind in ("joined", "displayed"):
            start, end = unit.module.extent(rewrite.node)
            made = f"{aliases.cupy}.array(" if kind == "joined" else f"{aliases.batched}.elements("
            opened, closed = ("(", ")") if _is_bare(unit.module, rewrite.node) else ("", "")
            yield Edit(start, end, (made + opened, (start, end), closed + ")"), order=3)
        elif kind == "int":
            start, end = unit.module.extent(rewrite.node)
            yield Edit(start, end, ("int(", (start, end), ")"), order=2)
        elif kind == "copy" and _needs_copy(analysed, rewrite):
            start, end = unit.module.extent(rewrite.node)
            yield Edit(start, end, ((start, end), ".copy()"))


def _is_bare(module: Module, node: ast.AST) -> bool:
    """Whether a tuple stands without parentheses of its own."""
    if not isinstance(node, ast.Tuple):
        return False
    call = ast.parse(f"f({module.segment(node)})", mode="eval").body
    return isinstance(call, ast.Call) and len(call.args) != 1


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


def _rebind(module: Module, rewrite: Rewrite) -> Edit:
    """``s += e`` -> ``s = s + e``: a NumPy scalar is immutable, a 0-d device array is not."""
    node = rewrite.node
    assert isinstance(node, ast.AugAssign)
    start, end = module.extent(node)
    target, value = module.extent(node.target), module.extent(node.value)
    middle = f" = {module.segment(node.target)} {_SYMBOLS[type(node.op)]} "
    if isinstance(node.value, _TIGHT):
        return Edit(start, end, (target, middle, value))
    # The extent of a parenthesised value leaves its parentheses out.
    text = module.text[target[1] : end]
    inner = text[value[0] - target[1] : value[1] - target[1]]
    assert inner == module.segment(node.value)
    return Edit(start, end, (target, middle, "(", value, ")"))


def _instead(unit: Unit, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``x % y`` -> ``remainder(x, y)``, ``x %= y`` -> ``x = remainder(x, y, out=x)``."""
    node, module = rewrite.node, unit.module
    start, end = module.extent(node)
    left, right = map(module.extent, operands(node))
    name = aliases.of_runtime(rewrite.name)
    if not isinstance(node, ast.AugAssign):
        return Edit(start, end, (f"{name}(", left, ", ", right, ")"))
    target = module.segment(node.target)
    # A number is not changed in place; an element, or a part, is stored again.
    anew = ("rebind", id(node)) in unit.work.rewrites or isinstance(node.target, ast.Subscript)
    last = ")" if anew else f", out={target})"
    return Edit(start, end, (left, f" = {name}({target}, ", right, last))


def _summed(module: Module, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``x[i, j] += v`` -> ``add_to(x, (i, j), v)``."""
    node = rewrite.node
    assert isinstance(node, ast.AugAssign)
    assert isinstance(node.target, ast.Subscript)
    base, index, value = map(module.extent, (node.target.value, node.target.slice, node.value))
    opened, closed = ("(", ")") if _is_bare(module, node.target.slice) else ("", "")
    last = ", subtract=True)" if isinstance(node.op, ast.Sub) else ")"
    name = aliases.of_runtime(rewrite.name)
    parts = (f"{name}(", base, f", {opened}", index, f"{closed}, ", value, last)
    return Edit(*module.extent(node), parts)


def _needs_copy(analysed: Analysed, rewrite: Rewrite) -> bool:
    """Whether the array behind a kept element is written, here or by whoever owns it."""
    root = rewrite.graph_node.root()
    element = analysed.unit.nodes.get(("element", id(rewrite.node)))
    on_device = element is not None and analysed.placement.of(element) is Place.DEVICE
    return on_device and (root.mutated or bool(root.parameters))
