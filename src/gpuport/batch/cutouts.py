"""Parts of one array around each item's own place: ``image[r - h : r + h, c - h : c + h]``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from gpuport.batch.arguments import short, spliced
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.batch.scope import Scope, names_in


def cut_out(scope: Scope, node: ast.AST, base: Item, indices: Sequence[ast.expr]) -> Item | None:
    """The parts of all items, where slices begin and end at places that differ from item to item.

    The runtime sees whether they are of one shape and inside of the array; the loop runs where
    they are not.

    Returns
    -------
    Item or None
        None where no slice is of this kind.
    """
    bounds = [_bounds(scope, index) if isinstance(index, ast.Slice) else [] for index in indices]
    if not any(item.stacked for pair in bounds for _, item in pair):
        return None
    if base.stacked:
        raise Refused(FORM, node, "a part of each item begins at a place of its own")
    if len(indices) > base.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{base.text}` has too few axes for its indices")
    texts = []
    for index, pair in zip(indices, bounds, strict=True):
        whole = isinstance(index, ast.Slice) and not pair and index.step is None
        if not whole and (len(pair) != 2 or not isinstance(index, ast.Slice) or index.step):
            text = short(scope, index)
            raise Refused(FORM, index, f"`{text}` beside a part at a place of each item's own")
        texts.append(f"({pair[0][1].text}, {pair[1][1].text})" if pair else "None")
    while texts[-1] == "None":
        texts.pop()
    assert isinstance(node, ast.expr)
    call = ast.Call(ast.Name("windows", ast.Load()), [], [])
    scope.raises.append(call)
    scope.uneven.append(ast.copy_location(call, node))
    text = f"{{batched}}.windows({base.text}, {', '.join(texts)})"
    return replace(base, text=text, stacked=True, tight=True, column="", results=())


def _bounds(scope: Scope, node: ast.Slice) -> list[tuple[ast.expr, Item]]:
    """Where a slice begins and ends, as far as it says so."""
    given = [one for one in (node.lower, node.upper) if one is not None]
    pairs = [(one, place_of(scope, one, counts=True)) for one in given]
    for one, item in pairs:
        if item.stacked and (item.rank or item.results):
            raise Refused(FORM, one, f"`{short(scope, one)}` is no number for each item")
    return pairs


def place_of(scope: Scope, node: ast.expr, *, counts: bool = False) -> Item:
    """A place that is computed of numbers: here Python's whole numbers are as good as NumPy's.

    `counts`: whether the number of the item may take part, as where a place that there is not is
    found by the runtime.
    """
    from gpuport.batch.expressions import translate

    if isinstance(node, ast.Name) and node.id == scope.index and node.id not in scope.bound:
        if counts:
            return Item(_numbers_of_items(scope, node), 0, stacked=True, tight=True, number=True)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        left, right = (place_of(scope, one, counts=counts) for one in (node.left, node.right))
        if (left.number or right.number) and not (left.rank or right.rank):
            text = spliced(scope, node, [(node.left, left.text), (node.right, right.text)])
            return Item(text, 0, stacked=True, number=True)
    return translate(scope, node)


def _numbers_of_items(scope: Scope, node: ast.Name) -> str:
    """The text of what the loop counts, for all items."""
    if scope.grouped:
        raise Refused(FORM, node, f"the number `{node.id}` of an item of a list is a place")
    window, guard = scope.window, scope.guard
    if scope.chosen and window is not None:
        raise Refused(FORM, node, f"the number `{node.id}` of some items alone is a place")
    arrays = [guard.called(name) for name in guard.stacks if name not in guard.along]
    counts = f"len({arrays[0]})" if arrays else guard.length or ""
    counts = counts if window is None else window.counts
    if not counts or not scope.later.isdisjoint(names_in(counts)):
        raise Refused(FORM, node, f"how far `{node.id}` counts is not followed")
    text = f"{{cupy}}.arange({counts})"
    if scope.chosen:
        return scope.chosen
    if scope.numbers is None:
        return text
    scope.numbers[node.id] = text
    return node.id


__all__ = ["cut_out", "place_of"]
