"""What stands in brackets: the loop's counter, numbers, slices, places."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.batch.arguments import short, spliced
from gpuport.batch.choices import CHOSEN
from gpuport.batch.cutouts import cut_out, place_of
from gpuport.batch.gathers import gathered
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Item, Known, Refused
from gpuport.batch.scope import Scope


def counted(scope: Scope, indices: list[ast.expr]) -> tuple[int, list[ast.expr]] | None:
    """The axis that the loop's counter is an index of, and the other indices; None without it.

    Full slices at the end are left out: they take all there is.
    """
    places = [k for k, index in enumerate(indices) if _is_counter(scope, index)]
    if not places:
        return None
    place, others = places[0], [index for index in indices if not _is_counter(scope, index)]
    if len(places) == 1 and place == 1 and len(indices) == 2 and _is_ellipsis(indices[0]):
        return -1, []
    for index in (*places[1:2], *indices[:place]):
        if not isinstance(index, ast.expr) or _is_ellipsis(index) or is_new_axis(index):
            raise Refused(FORM, indices[place], "it is not followed which axis this is")
    while place and others and isinstance(others[-1], ast.Slice) and _is_full(others[-1]):
        others.pop()
    return place, others


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _is_full(node: ast.Slice) -> bool:
    return node.lower is None and node.upper is None and node.step is None


def _is_counter(scope: Scope, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == scope.index and node.id not in scope.bound


def is_new_axis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def part(scope: Scope, node: ast.AST, base: Item, indices: list[ast.expr]) -> Item:
    """Elements, rows, slices of an item."""
    from gpuport.batch.expressions import translate

    rank, texts = base.rank, []
    cut = cut_out(scope, node, base, indices)
    if cut is not None:
        return cut
    if (picked := _picked(scope, node, base, indices)) is not None:
        return picked
    plain = (ast.Slice, ast.Constant)
    found = gathered(
        scope, node, base, indices,
        [None if isinstance(index, plain) else place_of(scope, index) for index in indices],
    )  # fmt: skip
    if found is not None:
        return found
    for index in indices:
        if isinstance(index, ast.Slice):
            texts.append(_slice(scope, index))
        elif isinstance(index, ast.Constant) and index.value is None:
            rank += 1
            texts.append("None")
        else:
            item = translate(scope, index)
            if item.stacked or item.rank or item.results or not _whole(index):
                raise Refused(FORM, index, f"the index `{short(scope, index)}` is no number that "
                              "is the same for all items")  # fmt: skip
            rank -= 1
            texts.append(item.text)
    used = sum(not (isinstance(i, ast.Constant) and i.value is None) for i in indices)
    if rank < 0 or used > base.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{base.text}` has too few axes for its indices")
    text = _within(scope, base, ", ".join([":", *texts] if base.stacked else texts))
    return replace(base, text=text, rank=rank, tight=True, column="", results=())


def _picked(scope: Scope, node: ast.AST, base: Item, indices: list[ast.expr]) -> Item | None:
    """``c[upper]``, with the places that ``upper = np.triu_indices(n)`` names in every item."""
    name = (scope.outer(indices[0]) if len(indices) == 1 else None) or ""
    count = 0 if name in scope.later else scope.known.get(name, Known()).places
    if not (count and base.stacked) or base.results:
        return None
    if count > base.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{base.text}` has too few axes for `{name}`")
    text = base.postfixed(f"[(slice(None), *{name})]")
    return Item(text, base.rank - count + 1, stacked=True, tight=True, whole=base.whole)


def _within(scope: Scope, base: Item, inner: str) -> str:
    """A part of what an array holds; of the chosen items no more than that part is gathered."""
    for chosen in (f"[{scope.chosen}]", f"[{CHOSEN}]"):
        if base.stacked and base.tight and base.text.endswith(chosen):
            return f"{base.text.removesuffix(chosen)}[{inner}]{chosen}"
    return base.postfixed(f"[{inner}]")


def _whole(index: ast.expr) -> bool:
    """Whether an index can be a whole number; those that are not in the file are guarded."""
    if isinstance(index, ast.Constant):
        return type(index.value) is int
    if isinstance(index, ast.UnaryOp):
        return isinstance(index.op, ast.USub) and _whole(index.operand)
    if isinstance(index, ast.BinOp):
        return _whole(index.left) and _whole(index.right)
    return isinstance(index, (ast.Name, ast.Subscript, ast.Call))


def _slice(scope: Scope, node: ast.Slice) -> str:
    from gpuport.batch.expressions import translate

    parts: list[tuple[ast.AST, str]] = []
    for bound in (node.lower, node.upper, node.step):
        if bound is not None:
            item = translate(scope, bound)
            if item.stacked or item.rank or item.results:
                raise Refused(FORM, bound, f"`{short(scope, bound)}` differs from item to item")
            parts.append((bound, item.text))
    return spliced(scope, node, parts)
