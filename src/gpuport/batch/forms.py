"""Functions whose form for a stack differs from that for one item."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from gpuport.batch import joins
from gpuport.batch.arguments import (
    fixed,
    flag,
    is_none,
    named,
    not_followed,
    number,
    of_rank,
    one_array,
    shifted,
    spliced,
    unstacked,
)
from gpuport.batch.moments import covariance
from gpuport.batch.products import (
    call_of_product,
    conjugated,
    contraction,
    exponential,
    least_squares,
    outer,
    power,
    solve,
)
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.batch.scope import Scope
from gpuport.rules.stacking import stacking

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,-> ")


def norm(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``norm(x)``: over the axes of the item."""
    names = ("x", "ord", "axis", "keepdims")
    given = named(scope, node, names)
    item = one_array(scope, given["x"])
    order = given.get("ord")
    orders = "" if order is None or is_none(order) else f", {fixed(scope, order)}"
    keeps = flag(scope, given.get("keepdims"))
    axis = given.get("axis")
    if axis is None or is_none(axis):
        of_matrices = isinstance(order, ast.Constant) and order.value in ("fro", "nuc")
        if item.rank not in (1, 2) or (of_matrices and item.rank == 1):
            raise Refused(UNKNOWN_SHAPE, node, "the norm of an item that is no vector or matrix")
        where, left = ("1" if item.rank == 1 else "(1, 2)"), 0
    else:
        where, left = shifted(scope, axis, item.rank)
    if not item.stacked:
        return unstacked(scope, node, given["x"], item, item.rank if keeps else left)
    tail = ", keepdims=True" if keeps else ""
    text = f"{{cupy}}.linalg.norm({item.text}{orders}, axis={where}{tail})"
    return Item(text, item.rank if keeps else left, stacked=True, tight=True)


def reduced(
    scope: Scope, node: ast.Call, name: str, item: Item, args: Sequence[ast.expr], path: str | None
) -> Item:
    """``x.sum(axis=0)``: the axes of the item are those behind the first of the stack."""
    given = {"axis": args[0]} if args else {}
    if len(args) > 1:
        raise Refused(FORM, node, f"`{name}` is called in a way that is not followed")
    given |= {k.arg: k.value for k in node.keywords if k.arg}
    if set(given) - {"axis", "keepdims", "ddof"}:
        raise Refused(FORM, node, f"`{name}` is called with options that have no stacked form here")
    if item.rank == 0:
        raise Refused(UNKNOWN_SHAPE, node, f"`{name}` of a number")
    keeps = flag(scope, given.get("keepdims"))
    axis = given.get("axis")
    kept = name in ("cumsum", "cumprod", "sort", "argsort")
    if axis is None or is_none(axis):
        if item.rank > 1 and name in stacking().along:
            raise Refused(FORM, node, f"`{name}` without an axis flattens the item")
        axes = range(1, item.rank + 1)
        where, left = ("1" if item.rank == 1 else f"({', '.join(map(str, axes))})"), 0
    else:
        where, left = shifted(scope, axis, item.rank)
    rank = item.rank if keeps or kept else left
    if not item.stacked:
        inner = node.args[0] if path is not None else None
        assert isinstance(node.func, ast.Attribute) or inner is not None
        return unstacked(scope, node, inner or node.func.value, item, rank)  # type: ignore[attr-defined]
    options = "".join(
        f", {key}={fixed(scope, value)}" for key, value in given.items() if key != "axis"
    )
    if path is None:
        text = item.postfixed(f".{name}(axis={where}{options})")
    else:
        text = f"{{cupy}}.{name}({item.text}, axis={where}{options})"
    return Item(text, rank, stacked=True, tight=True, whole=name in _OF_PLACES)


_OF_PLACES = frozenset({"argsort", "argmax", "argmin"})
"""What gives places along an axis."""


def transpose(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``x.transpose()``, ``np.transpose(x)``, with the axes in order where they are given."""
    args = list(node.args)
    if node.keywords:
        raise not_followed(scope, node)
    item = base if base is not None else one_array(scope, args.pop(0))
    if not args:
        return transposed(node, item, "T")
    axes = [number(a) for a in (args[0].elts if isinstance(args[0], ast.Tuple) else args)]
    if sorted(axes) != list(range(item.rank)):
        raise Refused(FORM, node, "its axes are not followed")
    order = [0, *(a + 1 for a in axes)] if item.stacked else axes
    text = item.postfixed(f".transpose({', '.join(map(str, order))})")
    return replace(item, text=text, tight=True)


def transposed(node: ast.expr, item: Item, attribute: str) -> Item:
    """``x.T``."""
    if item.rank < 2 and attribute == "T":
        return item
    if not item.stacked:
        return replace(item, text=item.postfixed(f".{attribute}"), tight=True)
    if item.rank != 2:
        raise Refused(UNKNOWN_SHAPE, node, "the transpose of an item that is no matrix")
    return replace(item, text=item.postfixed(".swapaxes(-1, -2)"), tight=True)


def swapaxes(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``x.swapaxes(i, j)``."""
    args = list(node.args)
    item = base if base is not None else one_array(scope, args.pop(0))
    if len(args) != 2 or node.keywords:
        raise not_followed(scope, node)
    axes = [number(a) for a in args]
    if item.stacked:
        axes = [a + 1 if a >= 0 else a for a in axes]
    return replace(item, text=item.postfixed(f".swapaxes({axes[0]}, {axes[1]})"), tight=True)


def diagonal(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """The diagonal of a matrix."""
    item = _matrix(scope, node, base)
    return Item(f"{{cupy}}.diagonal({item.text}, axis1=-2, axis2=-1)", 1, item.stacked, tight=True,
                views=item.views)  # fmt: skip


def trace(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """The trace of a matrix."""
    item = _matrix(scope, node, base)
    return Item(f"{{cupy}}.trace({item.text}, axis1=-2, axis2=-1)", 0, item.stacked, tight=True)


def _matrix(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    args = list(node.args)
    item = base if base is not None else one_array(scope, args.pop(0))
    if args or node.keywords:
        raise not_followed(scope, node)
    of_rank(scope, node, item, 2)
    return item


def diagonal_matrix(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.diag``: of a vector the matrix, of a matrix the diagonal."""
    if len(node.args) != 1 or node.keywords:
        raise not_followed(scope, node)
    first = node.args[0]
    shown = isinstance(first, ast.List)
    item = joins.array_of(scope, node, None) if shown else one_array(scope, first)
    if item.rank not in (1, 2):
        raise Refused(UNKNOWN_SHAPE, node, "`diag` of an item that is no vector or matrix")
    if not item.stacked:
        return unstacked(scope, node, node.args[0], item, 3 - item.rank)
    if item.rank == 2:
        return diagonal(scope, node, item if not node.args else None)
    return Item(f"{{batched}}.diag({item.text})", 2, stacked=True, tight=True)


def einsum(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``einsum`` with letters for the axes of the item: an ellipsis stands for the stack's."""
    first = node.args[0] if node.args else node
    text = first.value if isinstance(first, ast.Constant) else None
    if not isinstance(text, str) or node.keywords or set(text) - _LETTERS or "->" not in text:
        raise Refused(FORM, node, "`einsum` without literal subscripts and `->` is not followed")
    inputs, _, output = text.replace(" ", "").partition("->")
    items = [one_array(scope, a) for a in node.args[1:]]
    terms = inputs.split(",")
    if len(terms) != len(items):
        raise Refused(FORM, node, "`einsum` with as many terms as operands")
    for argument, item, term in zip(node.args[1:], items, terms, strict=True):
        of_rank(scope, argument, item, len(term))
    stacked = any(item.stacked for item in items)
    if stacked:
        terms = [f"...{t}" if i.stacked else t for t, i in zip(terms, items, strict=True)]
        quote = scope.source.segment(first)[0]
        quote = quote if quote in "'\"" else '"'
        letters = f"{quote}{','.join(terms)}->...{output}{quote}"
        inner = ", ".join([letters, *(i.text for i in items)])
        return Item(f"{{cupy}}.einsum({inner})", len(output), stacked=True, tight=True)
    parts: list[tuple[ast.AST, str]] = [
        (a, i.text) for a, i in zip(node.args[1:], items, strict=True)
    ]
    parts.append((node.func, scope.source.function(node)))
    return Item(spliced(scope, node, parts), len(output), stacked=False, tight=True)


def identity(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.eye(n)``: one matrix for all items."""
    parts: list[tuple[ast.AST, str]] = [(node.func, scope.source.function(node))]
    for value in (*node.args, *(k.value for k in node.keywords)):
        parts.append((value, fixed(scope, value)))
    return Item(spliced(scope, node, parts), 2, stacked=False, tight=True)


def flat(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``x.ravel()``, ``x.flatten()``: of each item."""
    args = list(node.args)
    item = base if base is not None else one_array(scope, args.pop(0))
    if args or node.keywords:
        raise not_followed(scope, node)
    return _flat(node, item)


def _flat(node: ast.Call, item: Item) -> Item:
    if not item.stacked:
        raise Refused(FORM, node, "an array that is the same for all: name it before the loop")
    if item.rank == 1:
        return item
    return Item(f"{{batched}}.flat({item.text})", 1, stacked=True, tight=True, views=item.views)


def reshaped(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``x.reshape(-1)``, ``x.reshape(k, 3)``."""
    args = list(node.args)
    item = base if base is not None else one_array(scope, args.pop(0))
    if len(args) == 1 and isinstance(args[0], (ast.Tuple, ast.List)):
        args = args[0].elts
    if node.keywords or not args:
        raise not_followed(scope, node)
    if len(args) == 1 and _is_rest(args[0]):
        return _flat(node, item)
    sizes = [one_array(scope, one) for one in args]
    if not item.stacked or any(one.stacked or one.rank for one in sizes):
        raise Refused(FORM, node, "sizes that differ from item to item")
    inner = ", ".join(one.text for one in sizes)
    text = item.postfixed(f".reshape({scope.count()}, {inner})")
    return Item(text, len(sizes), stacked=True, tight=True, views=item.views)


def _is_rest(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and ast.unparse(node) == "-1"


def created(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.zeros((n, 2))``: the same for all items."""
    from gpuport.batch.expressions import translate

    given = named(scope, node, ("shape", "fill_value") if _fills(scope, node) else ("shape",))
    parts: list[tuple[ast.AST, str]] = [(node.func, scope.source.function(node))]
    shape = given["shape"]
    if isinstance(shape, (ast.Tuple, ast.List)):
        parts += [(size, fixed(scope, size)) for size in shape.elts]
        rank = len(shape.elts)
    else:
        sizes = translate(scope, shape)
        if sizes.stacked or (sizes.rank and not sizes.sizes):
            raise Refused(FORM, shape, "it is not followed how many axes an array has")
        parts.append((shape, sizes.text))
        rank = sizes.rank if sizes.sizes else 1
    if "fill_value" in given:
        parts.append((given["fill_value"], fixed(scope, given["fill_value"])))
    return Item(spliced(scope, node, parts), rank, stacked=False, tight=True)


def _fills(scope: Scope, node: ast.Call) -> bool:
    return (scope.source.resolve(node.func) or "").endswith(".full")


def created_like(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.zeros_like(x)``."""
    given = named(scope, node, ("prototype",))
    item = one_array(scope, given["prototype"])
    if not item.stacked:
        return unstacked(scope, node, given["prototype"], item, item.rank)
    name = (scope.source.resolve(node.func) or "").removeprefix("numpy.")
    return Item(f"{{cupy}}.{name}({item.text})", item.rank, stacked=True, tight=True)


FORMS: dict[str, Callable[[Scope, ast.Call, Item | None], Item]] = {
    "solve": solve,
    "least_squares": least_squares,
    "exponential": exponential,
    "covariance": covariance,
    "product": call_of_product,
    "conjugated": conjugated,
    "power": power,
    "norm": norm,
    "transpose": transpose,
    "swapaxes": swapaxes,
    "diagonal": diagonal,
    "trace": trace,
    "diagonal_matrix": diagonal_matrix,
    "outer": outer,
    "einsum": einsum,
    "contraction": contraction,
    "flat": flat,
    "reshape": reshaped,
    "identity": identity,
    "created": created,
    "created_like": created_like,
    "array_of": joins.array_of,
    "stack": joins.stack,
    "concatenate": joins.concatenate,
    "horizontal": joins.horizontal,
    "vertical": joins.vertical,
    "columns": joins.columns,
}
