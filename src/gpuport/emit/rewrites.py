"""What of the text of a function becomes another text on the device, call by call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.analysis.calls.masked import MASKED
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Rewrite
from gpuport.analysis.placement.graph import Place
from gpuport.emit.aliases import Aliases
from gpuport.source.edits import Edit
from gpuport.source.module import Module
from gpuport.source.stores import operands

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_TIGHT = (ast.Name, ast.Constant, ast.Call, ast.Subscript, ast.Attribute)
"""Operands that need no parentheses behind an operator."""


def rewritten(analysed: Analysed, aliases: Aliases) -> Iterator[Edit]:
    """The edits of all rewrites whose operations run on the device."""
    for (kind, _), rewrite in analysed.unit.work.rewrites.items():
        write = _WRITERS.get(kind)
        if write is not None and analysed.placement.of(rewrite.graph_node) is Place.DEVICE:
            edit = write(analysed, rewrite, aliases)
            if edit is not None:
                yield edit


def _is_bare(module: Module, node: ast.AST) -> bool:
    """Whether a tuple stands without parentheses of its own."""
    if not isinstance(node, ast.Tuple):
        return False
    call = ast.parse(f"f({module.segment(node)})", mode="eval").body
    return isinstance(call, ast.Call) and len(call.args) != 1


def _rebind(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit | None:
    """``s += e`` -> ``s = s + e``: a NumPy scalar is immutable, a 0-d device array is not."""
    node, module = rewrite.node, analysed.unit.module
    if ("instead", id(node)) in analysed.unit.work.rewrites:
        return None
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


def _instead(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``x % y`` -> ``remainder(x, y)``, ``x %= y`` -> ``x = remainder(x, y, out=x)``."""
    node, module = rewrite.node, analysed.unit.module
    start, end = module.extent(node)
    left, right = map(module.extent, operands(node))
    name = aliases.of_runtime(rewrite.name)
    if not isinstance(node, ast.AugAssign):
        return Edit(start, end, (f"{name}(", left, ", ", right, ")"))
    target = module.segment(node.target)
    # A number is not changed in place; an element, or a part, is stored again.
    rebound = ("rebind", id(node)) in analysed.unit.work.rewrites
    anew = rebound or isinstance(node.target, ast.Subscript)
    last = ")" if anew else f", out={target})"
    return Edit(start, end, (left, f" = {name}({target}, ", right, last))


def _renamed(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``np.hanning(n)`` -> ``hanning(n)``: another function with the same arguments."""
    assert isinstance(rewrite.node, ast.Call)
    start, end = analysed.unit.module.extent(rewrite.node.func)
    return Edit(start, end, (aliases.of_runtime(rewrite.name),))


def _stored(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``x[i, j] += v`` -> ``add_to(x, (i, j), v)``, ``x[i] = v`` -> ``put_last(x, i, v)``."""
    node, module = rewrite.node, analysed.unit.module
    target, value = operands(node)
    assert isinstance(target, ast.Subscript)
    opened, closed = _as_argument(module, target.slice, aliases)
    subtracted = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub)
    last = ", subtract=True)" if subtracted else ")"
    name = aliases.of_runtime(rewrite.name)
    base, index = module.extent(target.value), module.extent(target.slice)
    left, right = ("(", ")") if _is_bare(module, value) else ("", "")
    between, last = f"{closed}, {left}", f"{right}{last}"
    parts = (f"{name}(", base, f", {opened}", index, between, module.extent(value), last)
    return Edit(*module.extent(node), parts)


def _as_argument(module: Module, index: ast.expr, aliases: Aliases) -> tuple[str, str]:
    """What stands around an index that is handed to a function."""
    if isinstance(index, ast.Tuple) and any(isinstance(one, ast.Slice) for one in index.elts):
        return f"{aliases.cupy}.s_[", "]"
    return ("(", ")") if _is_bare(module, index) else ("", "")


def _masked(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``np.add`` of a call with ``where`` -> the runtime's."""
    text = f"{aliases.of_runtime(MASKED)}.{rewrite.name}"
    return Edit(*analysed.unit.module.extent(rewrite.node), (text,))


def _named(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``svd(a).S`` -> ``svd(a)[1]``."""
    module = analysed.unit.module
    end = module.extent(rewrite.node)[1]
    return Edit(module.text.rindex(".", 0, end), end, (f"[{rewrite.name}]",))


def _elements(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``np.array`` of a display of numbers -> the runtime's ``elements``."""
    return Edit(*analysed.unit.module.extent(rewrite.node), (f"{aliases.batched}.elements",))


def _joined(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``[x, y]`` -> ``cp.array([x, y])``."""
    return _wrapped(analysed.unit.module, rewrite, f"{aliases.cupy}.array")


def _displayed(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``[x.min(), 0.5]`` -> ``batched.elements([x.min(), 0.5])``."""
    return _wrapped(analysed.unit.module, rewrite, f"{aliases.batched}.elements")


def _wrapped(module: Module, rewrite: Rewrite, function: str) -> Edit:
    start, end = module.extent(rewrite.node)
    opened, closed = ("(", ")") if _is_bare(module, rewrite.node) else ("", "")
    return Edit(start, end, (f"{function}({opened}", (start, end), f"{closed})"), order=3)


def _int(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``k`` -> ``int(k)``."""
    start, end = analysed.unit.module.extent(rewrite.node)
    return Edit(start, end, ("int(", (start, end), ")"), order=2)


def _copy(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit | None:
    """``x[i]`` -> ``x[i].copy()``, where what is written into `x` later would show in it."""
    if not _needs_copy(analysed, rewrite) or _is_brought_back(analysed, rewrite.node):
        return None
    start, end = analysed.unit.module.extent(rewrite.node)
    return Edit(start, end, ((start, end), ".copy()"))


def _apart(analysed: Analysed, rewrite: Rewrite, aliases: Aliases) -> Edit:
    """``x[1:] = x[:-1]`` -> ``x[1:] = x[:-1].copy()``: what is read is being written to."""
    start, end = analysed.unit.module.extent(rewrite.node)
    atom = isinstance(rewrite.node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    opened, closed = ("", "") if atom else ("(", ")")
    return Edit(start, end, (opened, (start, end), f"{closed}.copy()"), order=2)


def _needs_copy(analysed: Analysed, rewrite: Rewrite) -> bool:
    """Whether the array behind a kept element is written, here or by whoever owns it."""
    root = rewrite.graph_node.root()
    element = analysed.unit.nodes.get(("element", id(rewrite.node)))
    on_device = element is not None and analysed.placement.of(element) is Place.DEVICE
    return on_device and (root.mutated or bool(root.parameters))


def _is_brought_back(analysed: Analysed, node: ast.AST) -> bool:
    """Whether an element crosses to the host right where it stands, which copies it."""
    place = analysed.placement.of
    return any(
        use.expression is node
        and place(use.producer) is Place.DEVICE and place(use.consumer) is Place.HOST
        for use in analysed.unit.graph.uses.values()
    )  # fmt: skip


_WRITERS: dict[str, Callable[[Analysed, Rewrite, Aliases], Edit | None]] = {
    "apart": _apart,
    "copy": _copy,
    "displayed": _displayed,
    "elements": _elements,
    "instead": _instead,
    "renamed": _renamed,
    "int": _int,
    "joined": _joined,
    "masked": _masked,
    "named": _named,
    "rebind": _rebind,
    "stored": _stored,
}
"""By the kinds of rewrites; ``shared`` is a mark that the analysis settles, and writes nothing."""


__all__ = ["rewritten"]
