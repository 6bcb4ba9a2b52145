"""Operands and arguments of what is translated."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from gpuport.batch.precedence import binding, enclosed, parts_of_operations
from gpuport.batch.records import FORM, NO_STACKED_FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.batch.scope import Scope


def spliced(scope: Scope, node: ast.AST, parts: Iterable[tuple[ast.AST, str]]) -> str:
    """The text of a node with new text for some nodes inside it."""
    start, end = scope.source.extent(node)
    whole = scope.source.segment(node)
    text, position, parts = [], start, list(parts)
    operands = parts_of_operations(node, (inner for inner, _ in parts))
    for inner, new in sorted(parts, key=lambda part: scope.source.extent(part[0])):
        first, last = scope.source.extent(inner)
        if id(inner) in operands and isinstance(inner, ast.expr):
            new = enclosed(new, binding(inner))
        text += [whole[position - start : first - start], new]
        position = last
    return "".join([*text, whole[position - start : end - start]])


def aligned(item: Item, rank: int) -> str:
    """The text of an operand whose items take part in an operation of items of this rank."""
    missing = rank - item.rank
    if not item.stacked or missing <= 0:
        return item.text
    return item.postfixed(f"[:{', None' * missing}]")


def function_text(scope: Scope, node: ast.Call, path: str | None, stacked: bool) -> str:
    """How the port calls a function of NumPy."""
    if stacked and path is not None and path.startswith("numpy."):
        return "{cupy}." + path.removeprefix("numpy.")
    return scope.source.function(node)


def array(scope: Scope, node: ast.expr, item: Item) -> Item:
    """The item, where it is one array or number."""
    if item.absent:
        raise Refused(FORM, node, f"`{short(scope, node)}` is of another shape for each item")
    if item.results or item.sizes:
        raise Refused(FORM, node, f"`{short(scope, node)}` is more than one array")
    if item.number:
        text = short(scope, node)
        raise Refused(FORM, node, f"`{text}`, one of Python's numbers, is more than a place here")
    return item


def short(scope: Scope, node: ast.AST) -> str:
    return " ".join(scope.source.segment(node).split())[:60]


def index_list(node: ast.expr) -> list[ast.expr]:
    """The indices of a subscript, one for each axis."""
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def one_array(scope: Scope, node: ast.expr) -> Item:
    """An expression that is one array or number."""
    from gpuport.batch.expressions import translate

    return array(scope, node, translate(scope, node))


def unstacked(scope: Scope, node: ast.Call, inner: ast.expr, item: Item, rank: int) -> Item:
    """A call that is the same for all items."""
    parts: list[tuple[ast.AST, str]] = [(inner, item.text)]
    if scope.source.resolve(node.func) is not None:
        parts.append((node.func, scope.source.function(node)))
    return Item(spliced(scope, node, parts), rank, stacked=False, tight=True)


def name_of(scope: Scope, node: ast.Call) -> str:
    return scope.source.segment(node.func)


def not_followed(scope: Scope, node: ast.Call, code: str = FORM) -> Refused:
    """The refusal of a call that is written in some other way."""
    text = f"`{name_of(scope, node)}` is called in a way that is not followed"
    return Refused(code, node, text)


def two(scope: Scope, node: ast.Call) -> tuple[Item, Item]:
    if len(node.args) != 2 or node.keywords:
        raise not_followed(scope, node)
    return one_array(scope, node.args[0]), one_array(scope, node.args[1])


def of_rank(scope: Scope, node: ast.AST, item: Item, rank: int) -> None:
    if item.rank != rank:
        raise Refused(
            UNKNOWN_SHAPE, node, f"an item with {item.rank} axes where one with {rank} is meant"
        )


def named(scope: Scope, node: ast.Call, names: Sequence[str]) -> dict[str, ast.expr]:
    given = dict(zip(names, node.args, strict=False))
    given |= {k.arg: k.value for k in node.keywords if k.arg is not None and k.arg in names}
    if len(node.args) > len(names) or any(k.arg not in names for k in node.keywords):
        raise not_followed(scope, node, NO_STACKED_FORM)
    return given


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def taken_apart(item: Item) -> str:
    """The text of the rows of each item, or of its numbers, one stack after the other."""
    return item.postfixed(".T" if item.rank == 1 else ".swapaxes(0, 1)")


def fixed(scope: Scope, node: ast.expr) -> str:
    item = one_array(scope, node)
    if item.stacked or item.rank:
        raise Refused(FORM, node, f"`{scope.source.segment(node)}` differs from item to item")
    return item.text


def flag(scope: Scope, node: ast.expr | None) -> bool:
    if node is None:
        return False
    if not isinstance(node, ast.Constant) or not isinstance(node.value, bool):
        raise Refused(FORM, node, f"what it gives depends on `{scope.source.segment(node)}`")
    return node.value


def number(node: ast.expr) -> int:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        value = None
    if type(value) is not int:
        raise Refused(FORM, node, "an axis that is not written as a number")
    return value


def shifted(scope: Scope, node: ast.expr, rank: int) -> tuple[str, int]:
    """An axis of the item as one of the stack; and how many axes are left without it."""
    several = isinstance(node, ast.Tuple)
    axes = [number(a) for a in (node.elts if isinstance(node, ast.Tuple) else [node])]
    if not axes or any(not -rank <= a < rank for a in axes):
        raise Refused(UNKNOWN_SHAPE, node, f"the item has no axis `{scope.source.segment(node)}`")
    moved = [str(a + 1 if a >= 0 else a) for a in axes]
    return (f"({', '.join(moved)})" if several else moved[0]), rank - len(axes)
