"""Places of a loop's own that each iteration writes: ``out[i]``, ``out[:, i]``, ``found[key]``."""

from __future__ import annotations

import ast

from gpuport.batch.arguments import index_list, short
from gpuport.batch.indices import counted, part
from gpuport.batch.records import CARRIED, FORM, UNKNOWN_SHAPE, Item, Known, RankNeeded, Refused
from gpuport.batch.scope import Scope
from gpuport.batch.windows import shift_of


def by_key(scope: Scope, target: ast.Subscript) -> bool:
    """``found[key]``, with the key that a dict has for the item."""
    key, owner = scope.key, target.value
    return (
        key is not None
        and isinstance(target.slice, ast.Name)
        and target.slice.id == key[0]
        and isinstance(owner, ast.Name)
        and owner.id not in scope.bound
    )


def is_item_of_key(scope: Scope, node: ast.Subscript) -> bool:
    """``d[key]`` in a loop over the keys of `d`."""
    read = isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)
    return read and by_key(scope, node) and scope.key is not None and (
        node.value.id == scope.key[1]  # type: ignore[attr-defined]
    )  # fmt: skip


def is_item_of_other(scope: Scope, node: ast.Subscript) -> str:
    """``d[key]`` in a loop over the keys of another dict: its name, else none."""
    read = isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)
    if not read or not by_key(scope, node) or scope.key is None or not scope.key[1]:
        return ""
    name = node.value.id  # type: ignore[attr-defined]
    known = scope.known.get(name, Known())
    return name if known.kind == "dict" and not known.items else ""


def by_number(scope: Scope, target: ast.Subscript) -> bool:
    """``found[i]``, with the item's number, where `found` is a dict."""
    owner = target.value
    return (
        scope.index is not None
        and isinstance(target.slice, ast.Name)
        and target.slice.id == scope.index
        and isinstance(owner, ast.Name)
        and owner.id not in scope.bound
        and scope.known.get(owner.id, Known()).kind == "dict"
    )


def place(scope: Scope, target: ast.Subscript, item: Item | None) -> tuple[str, int, str]:
    """``out[i, j]`` as ``out[:, j]``, the axes of one item there, and the name."""
    indices = index_list(target.slice) or [target.slice]
    name = scope.outer(target.value)
    shift = None if scope.window is None else shift_of(indices[0], scope.index)
    where = counted(scope, indices) if shift is None else (0, indices[1:])
    if where is None or name is None:
        raise Refused(
            FORM, target, f"unsupported syntax: `{scope.source.segment(target)}` is written, "
            "which is no place of the item's own",
        )  # fmt: skip
    axis, others = where
    known = scope.known.get(name, Known())
    if known.hosted:
        raise Refused(FORM, target, f"`{name}`, which is written, stays on the host")
    if known.kind == "list" or (axis and scope.grouped):
        raise Refused(FORM, target, f"`{name}` is a list, or is written along another axis")
    fixed, inner = _inner_indices(scope, others)
    rank = _rank_of_written(scope, name, len(indices), fixed, item, target)
    scope.lies(name, axis, target)
    left = rank - 1 - fixed
    if left < 0 or len(indices) > rank:
        raise Refused(UNKNOWN_SHAPE, target, f"`{name}` has too few axes for its indices")
    for_all = scope.index if scope.grouped and scope.index is not None else scope.chosen or ":"
    later = scope.window is not None and scope.window.later
    if axis and later:
        raise Refused(FORM, target, f"`{name}` is written along another axis from an item on")
    beside = bool(shift) or (scope.window is not None and (later or scope.window.cut))
    whole = _part_of(scope, target, name, shift or 0) if beside else name
    text = f"{{cupy}}.moveaxis({name}, {axis}, 0)" if axis else whole
    return f"{text}[{', '.join([for_all, *inner])}]", left, name


def _part_of(scope: Scope, target: ast.Subscript, name: str, shift: int) -> str:
    """What the items ``name[i + shift]`` of all iterations are called."""
    if scope.window is None or scope.window.begins_before(shift):
        raise Refused(FORM, target, f"`{short(scope, target)}` is the last item at first")
    text, parts = scope.window.of(name, shift), scope.guard.parts
    if name not in parts:
        parts[name] = scope.free(f"{name.rpartition('.')[2]}_part"), text
    if parts[name][1] != text:
        raise Refused(CARRIED, target, f"carried dependence: items of `{name}` are written twice")
    return parts[name][0]


def _rank_of_written(
    scope: Scope, name: str, indices: int, fixed: int, item: Item | None, target: ast.Subscript
) -> int:
    if name not in scope.guard.stacks:
        rank = scope.ranks.get(name, scope.known.get(name, Known()).rank)
        if rank is None and item is None:
            raise RankNeeded(name, target)
        if rank is None:
            assert item is not None
            # Who writes `out[i, :]` means an array with as many axes as there are indices.
            rank = max(indices if indices > 1 else 0, item.rank + 1 + fixed)
        scope.guard.stacks[name] = rank
    return scope.guard.stacks[name]


def _inner_indices(scope: Scope, indices: list[ast.expr]) -> tuple[int, list[str]]:
    """How many of the indices behind the item's are numbers; and the text of all."""
    base = Item("x", len(indices), stacked=False, tight=True)
    if not indices:
        return 0, []
    if any(isinstance(i, ast.Constant) and i.value is None for i in indices):
        raise Refused(FORM, indices[0], "unsupported syntax: a new axis is written")
    found = part(scope, indices[0], base, indices)
    if found.stacked:
        raise Refused(FORM, indices[0], "places that differ from item to item are written")
    return len(indices) - found.rank, [found.text[2:-1]]
