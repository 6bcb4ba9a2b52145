"""Elements at places that differ from item to item: neighbours, the order of eigenvalues."""

from __future__ import annotations

import ast
import re

from gpuport.batch.arguments import short
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.batch.scope import Scope


def gathered(
    scope: Scope, node: ast.AST, base: Item, indices: list[ast.expr], items: list[Item | None]
) -> Item | None:
    """``points[near[i]]``, ``v[:, order]``: the text where one index is a stack of whole numbers.

    Parameters
    ----------
    scope : Scope
    node : ast.AST
    base : Item
        What is indexed.
    indices : list of ast.expr
    items : list of Item or None
        The items of the indices; None for slices and new axes.

    Returns
    -------
    Item or None
        None where no index is a stack.
    """
    stacked = [place for place, item in enumerate(items) if item is not None and item.stacked]
    if not stacked:
        return None
    place = stacked[0]
    index = items[place]
    assert index is not None
    plain = all(_is_full(one) for k, one in enumerate(indices) if k != place)
    if len(stacked) > 1 or not plain or index.results or index.rank > 1:
        text = short(scope, indices[place])
        raise Refused(FORM, indices[place], f"the index `{text}` differs from item to item")
    if len(indices) > base.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{base.text}` has too few axes for its indices")
    if not index.whole:
        _ask_for_integers(scope, indices[place], index)
    if base.stacked:
        return _along(base, index, place)
    if place:
        raise Refused(FORM, indices[place], "places along another axis than the first")
    text = base.postfixed(f"[{index.text}]")
    return Item(text, base.rank - 1 + index.rank, stacked=True, tight=True)


def _is_full(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and not (index.lower or index.upper or index.step)


def _ask_for_integers(scope: Scope, node: ast.expr, index: Item) -> None:
    """Have it asked at run time whether the items of an array or list are whole numbers."""
    name = scope.taken.get(index.text) or item_of(scope, index)
    if name is None:
        text = short(scope, node)
        if _is_mask(node):
            why = f"`{text}` chooses as many elements as it holds for: their shapes differ"
            raise Refused(FORM, node, why)
        raise Refused(FORM, node, f"it is not known that `{text}` holds whole numbers")
    scope.guard.integers[name] = None


def item_of(scope: Scope, index: Item) -> str | None:
    """The array or list of which this is an item as it is, or elements of one."""
    names = [name for name in index.views if _is_name_of(scope, name, index)]
    return names[0] if len(names) == 1 else None


def _is_mask(node: ast.expr) -> bool:
    """Whether this is a comparison, or several of them joined element by element."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Invert) and _is_mask(node.operand)
    if isinstance(node, ast.BinOp):
        joined = isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor)
        return joined and _is_mask(node.left) and _is_mask(node.right)
    return isinstance(node, ast.Compare)


def _is_name_of(scope: Scope, name: str, index: Item) -> bool:
    """Whether an index is an item of an array or list itself, or elements of it."""
    text = index.text.removesuffix(f"[{scope.chosen}]")
    wholes = (
        name,
        *scope.variables.get(name, ()),
        scope.picked.get(name),
        f"{name}[{scope.index}]",
    )
    return text in wholes or _PART.sub("", text) in wholes


_PART = re.compile(r"\[:(, (-?\d+|:))+\]$")
"""The same elements of each item: ``faces[:, 0]``."""


def _along(base: Item, index: Item, place: int) -> Item:
    """Elements of each item at its own places along one axis."""
    axes = ["None"] * base.rank
    if index.rank:
        axes[place] = ":"
    while axes and axes[-1] == ":":
        axes.pop()
    where = index.postfixed(f"[{', '.join([':', *axes])}]") if axes else index.text
    text = f"{{cupy}}.take_along_axis({base.text}, {where}, axis={place + 1})"
    if index.rank:
        return Item(text, base.rank, stacked=True, tight=True, whole=base.whole)
    picked = ", ".join([":"] * (place + 1) + ["0"])
    return Item(f"{text}[{picked}]", base.rank - 1, stacked=True, tight=True, whole=base.whole)
