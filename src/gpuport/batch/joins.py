"""Arrays that are put together of several: displays of numbers, stacks, rows and columns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.batch.arguments import (
    fixed,
    named,
    not_followed,
    number,
    one_array,
    short,
    spliced,
    unstacked,
)
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.batch.scope import Scope


def array_of(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.array([[a, b], [b, c]])``: one matrix for each item."""
    if len(node.args) != 1 or node.keywords:
        raise not_followed(scope, node)
    if not isinstance(node.args[0], ast.List):
        item = one_array(scope, node.args[0])
        if item.stacked:
            return Item(f"{item.postfixed('.copy()')}", item.rank, stacked=True, tight=True)
        return unstacked(scope, node, node.args[0], item, item.rank)
    leaves = list(_leaves(node.args[0]))
    items = [one_array(scope, leaf) for leaf in leaves]
    if any(item.stacked or item.rank for item in items):
        return _display(scope, node.args[0], leaves, items)
    parts: list[tuple[ast.AST, str]] = [
        (leaf, item.text) for leaf, item in zip(leaves, items, strict=True)
    ]
    text = spliced(scope, node, [(node.func, scope.source.function(node)), *parts])
    return Item(text, len(_shape(scope, node.args[0])), stacked=False, tight=True)


def _display(scope: Scope, node: ast.List, leaves: list[ast.expr], items: list[Item]) -> Item:
    """The array that NumPy makes of a display of numbers, or of arrays of one shape."""
    shape = _shape(scope, node)
    rank = items[0].rank if items else 0
    if not items or any(item.rank != rank for item in items):
        raise Refused(UNKNOWN_SHAPE, node, f"`{short(scope, node)}` has no shape that is known")
    if not any(item.stacked for item in items):
        raise Refused(FORM, node, f"`{short(scope, node)}` is the same for all items")
    if all(item.stacked for item in items):
        return _together(items, shape, rank)
    if rank:
        raise Refused(FORM, node, f"`{short(scope, node)}` holds what is the same for all items")
    parts: list[tuple[ast.AST, str]] = [
        (leaf, item.text) for leaf, item in zip(leaves, items, strict=True)
    ]
    text = f"{{batched}}.elements({spliced(scope, node, parts)}, each=True)"
    return Item(text, len(shape), stacked=True, tight=True)


def _together(items: list[Item], shape: tuple[int, ...], rank: int) -> Item:
    inner = ", ".join(item.text for item in items)
    text = f"{{cupy}}.stack([{inner}], axis=1)"
    if len(shape) > 1:
        sizes = ", ".join(map(str, shape))
        more = f", *{items[0].postfixed('.shape[1:]')}" if rank else ""
        text += f".reshape(-1, {sizes}{more})"
    return Item(text, len(shape) + rank, stacked=True, tight=True)


def _shape(scope: Scope, node: ast.expr) -> tuple[int, ...]:
    if not isinstance(node, ast.List):
        return ()
    inner = {_shape(scope, row) for row in node.elts}
    if len(inner) != 1:
        raise Refused(UNKNOWN_SHAPE, node, f"`{short(scope, node)}` has rows of unequal lengths")
    return (len(node.elts), *inner.pop())


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.List):
        for row in node.elts:
            yield from _leaves(row)
    else:
        yield node


def stack(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.stack([a, b], axis=1)``."""
    given = named(scope, node, ("arrays", "axis"))
    items = _stacks(scope, node, given["arrays"])
    rank = _one_rank(node, items)
    axis = number(given["axis"]) if "axis" in given else 0
    if not -rank - 1 <= axis <= rank:
        raise Refused(UNKNOWN_SHAPE, node, "an axis that there is not")
    return _joined("stack", items, axis + 1 if axis >= 0 else axis, rank + 1)


def concatenate(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.concatenate([a, b], axis=0)``, ``np.hstack``, ``np.vstack`` of vectors or matrices."""
    given = named(scope, node, ("arrays", "axis"))
    items = _stacks(scope, node, given["arrays"])
    rank = _one_rank(node, items)
    axis = number(given["axis"]) if "axis" in given else 0
    if not -rank <= axis < rank:
        raise Refused(UNKNOWN_SHAPE, node, "an axis that there is not")
    return _joined("concatenate", items, axis + 1 if axis >= 0 else axis, rank)


def horizontal(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.hstack([a, b])``: vectors behind each other, matrices beside each other."""
    items = _stacks(scope, node, named(scope, node, ("tup",))["tup"])
    rank = _one_rank(node, items)
    if rank == 0:
        return _joined("stack", items, 1, 1)
    return _joined("concatenate", items, 1 if rank == 1 else 2, rank)


def vertical(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.vstack([a, b])``: vectors are rows."""
    items = _stacks(scope, node, named(scope, node, ("tup",))["tup"])
    if {item.rank for item in items} == {1, 2}:
        items = [_as_matrix(item, "[:, None]") for item in items]
    rank = _one_rank(node, items)
    if rank == 0:
        raise Refused(UNKNOWN_SHAPE, node, "numbers below each other")
    if rank == 1:
        return _joined("stack", items, 1, 2)
    return _joined("concatenate", items, 1, rank)


def columns(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.column_stack([a, b])``: vectors are columns."""
    items = _stacks(scope, node, named(scope, node, ("tup",))["tup"])
    if {item.rank for item in items} == {1, 2}:
        items = [_as_matrix(item, "[..., None]") for item in items]
    rank = _one_rank(node, items)
    if rank == 1:
        return _joined("stack", items, 2, 2)
    if rank == 2:
        return _joined("concatenate", items, 2, 2)
    raise Refused(UNKNOWN_SHAPE, node, "columns of items that are no vectors or matrices")


def _stacks(scope: Scope, node: ast.Call, given: ast.expr) -> list[Item]:
    if isinstance(given, ast.ListComp):
        return [_counted_up(scope, node, given)]
    if not isinstance(given, (ast.List, ast.Tuple)) or not given.elts:
        raise not_followed(scope, node)
    items = [one_array(scope, element) for element in given.elts]
    if not any(item.stacked for item in items):
        raise Refused(FORM, node, f"`{short(scope, node)}` is the same for all items")
    return [_for_each(scope, node, item) for item in items]


def _counted_up(scope: Scope, node: ast.Call, given: ast.ListComp) -> Item:
    """``[x ** p for p in range(n)]``: the list of stacks, spread."""
    head = given.generators[0]
    call, target = head.iter, head.target
    counts = isinstance(call, ast.Call) and scope.source.resolve(call.func) == "builtins.range"
    if (
        len(given.generators) != 1
        or head.ifs
        or not counts
        or not isinstance(call, ast.Call)
        or not isinstance(target, ast.Name)
        or target.id in scope.bound
    ):
        raise not_followed(scope, node)
    parts: list[tuple[ast.AST, str]] = [(one, fixed(scope, one)) for one in call.args]
    scope.bound[target.id] = Item(target.id, 0, stacked=False, tight=True)
    raising = len(scope.raises)
    item = one_array(scope, given.elt)
    del scope.bound[target.id]
    if not item.stacked or len(scope.raises) > raising:
        raise not_followed(scope, node)
    text = spliced(scope, given, [(given.elt, item.text), *parts])
    return replace(item, text=f"*{text}")


def _for_each(scope: Scope, node: ast.Call, item: Item) -> Item:
    """What is the same for all items, for each of them; a stack is one already."""
    if item.stacked:
        return item
    if not item.rank:
        raise Refused(FORM, node, f"`{short(scope, node)}` joins a number to the items")
    text = f"{{cupy}}.repeat({item.postfixed('[None]')}, {scope.count()}, axis=0)"
    return replace(item, text=text, stacked=True, tight=True)


def _as_matrix(item: Item, index: str) -> Item:
    """A vector of each item as a row, or a column, of matrices."""
    if item.rank == 2:
        return item
    return replace(item, text=item.postfixed(index), rank=2, tight=True)


def _one_rank(node: ast.Call, items: list[Item]) -> int:
    ranks = {item.rank for item in items}
    if len(ranks) != 1:
        raise Refused(UNKNOWN_SHAPE, node, "items of several numbers of axes are joined")
    return ranks.pop()


def _joined(function: str, items: list[Item], axis: int, rank: int) -> Item:
    spread = len(items) == 1 and items[0].text.startswith("*")
    inner = items[0].text[1:] if spread else f"[{', '.join(item.text for item in items)}]"
    return Item(f"{{cupy}}.{function}({inner}, axis={axis})", rank, stacked=True, tight=True)
