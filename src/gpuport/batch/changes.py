"""What a body changes of the arrays that it made itself: their elements, their sums."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.batch.arguments import aligned, array, index_list, short, spliced
from gpuport.batch.columns import converter
from gpuport.batch.expressions import translate
from gpuport.batch.indices import is_new_axis, part
from gpuport.batch.places import place
from gpuport.batch.rebinding import rebind
from gpuport.batch.records import CARRIED, FORM, UNKNOWN_SHAPE, Item, Refused, own_memory
from gpuport.batch.scatters import scattered
from gpuport.batch.sums import add, add_numbers
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.batch.body import Body


def stored_in(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """Names of which statements store elements, or that they change in place."""
    parts = [part for statement in statements for part in walk(statement)]
    return frozenset(_stored(parts))


def _stored(parts: Iterable[ast.AST]) -> Iterable[str]:
    for one in parts:
        if isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load):
            if isinstance(one.value, ast.Name):
                yield one.value.id
        elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            yield one.target.id


def of_others(item: Item) -> bool:
    """Whether a value may be part of memory that the body has not made."""
    return any(not view.startswith("own ") for view in item.views)


def _changeable(body: Body, node: ast.AST, name: str) -> Item:
    """An array of each item's own whose elements may be changed."""
    own = body.scope.bound[name]
    if name in body.frozen or not own.stacked or own.results or of_others(own):
        raise Refused(FORM, node, f"`{name}` is changed, which may be memory of another name")
    return own


def is_own(body: Body, target: ast.expr) -> bool:
    """Whether elements of an array are meant that the body has made for each item."""
    return (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id in body.made
    )


def store(body: Body, node: ast.stmt, target: ast.Subscript, value: ast.expr) -> None:
    """``x[k] = value``, ``x[k] *= value`` of an array of each item's own."""
    scope, name = body.scope, target.value.id  # type: ignore[attr-defined]
    own, indices = _changeable(body, target, name), index_list(target.slice)
    if any(map(is_new_axis, indices)):
        raise Refused(FORM, target, f"`{short(scope, target)}` is no place of the item's own")
    item = array(scope, value, translate(scope, value))
    found = part(scope, target, own, indices)
    where = found.text.removeprefix(f"{own.text}[:")
    if where == found.text or item.rank > found.rank:
        raise Refused(FORM, target, f"`{short(scope, target)}` is no place of the item's own")
    text = f"{own.text}[{_places(body, node, name)}{where}"
    body.emit(spliced(scope, node, [(target, text), (value, aligned(item, found.rank))]))


def _places(body: Body, node: ast.AST, name: str) -> str:
    """The index of the items that a condition has chosen in a stack."""
    if body.made[name] == body.scope.chosen:
        return ":"
    if body.made[name]:
        raise Refused(FORM, node, f"`{name}` holds the items of another condition")
    return body.scope.chosen


def augmented(body: Body, node: ast.AugAssign) -> None:
    """``x += value``, ``x[k] *= value``, whatever `x` is.

    Raises
    ------
    Refused
        Where that is neither a sum over the items nor memory of the item's own.
    """
    target = node.target
    if isinstance(target, ast.Name) and target.id in body.sums:
        if converter(body.scope, node.value):
            add_numbers(body, node, target.id)
        else:
            add(body, node, target.id, node.value)
    elif isinstance(node.op, ast.MatMult):
        raise Refused(FORM, node, "unsupported syntax: `@=`")
    elif isinstance(target, ast.Name) and target.id in body.made:
        _grow(body, node, target.id)
    elif isinstance(target, ast.Subscript) and is_own(body, target):
        store(body, node, target, node.value)
    elif isinstance(target, ast.Subscript):
        if not scattered(body, node):
            _grow_place(body, node, target)
    else:
        raise _changed_in_place(body, node, target)


def _grow_place(body: Body, node: ast.AugAssign, target: ast.Subscript) -> None:
    """``out[i] += value``."""
    item = array(body.scope, node.value, translate(body.scope, node.value))
    text, rank, name = place(body.scope, target, None)
    if name in item.views or item.rank > rank:
        raise Refused(FORM, node, f"`{name}` is written from a view of itself")
    body.written(name)
    body.grown = True
    parts: list[tuple[ast.AST, str]] = [(target, text), (node.value, aligned(item, rank))]
    body.emit(spliced(body.scope, node, parts))


def _changed_in_place(body: Body, node: ast.AugAssign, target: ast.expr) -> Refused:
    name = target.id if isinstance(target, ast.Name) else short(body.scope, target)
    if name in body.scope.bound:
        return Refused(FORM, node, f"unsupported syntax: `{name}` is changed in place")
    message = f"carried dependence: `{name}` is carried from each iteration to the next"
    return Refused(CARRIED, node, message)


def _grow(body: Body, node: ast.AugAssign, name: str) -> None:
    """``x += value``, where the body has made `x`."""
    scope = body.scope
    own, item = scope.bound[name], array(scope, node.value, translate(scope, node.value))
    if own.rank:
        own = _changeable(body, node, name)
    elif own.results or own.sizes or (item.stacked and not own.stacked):
        raise Refused(FORM, node, f"unsupported syntax: `{name}` is changed in place")
    if item.rank > own.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{name}` has fewer axes than what is added to it")
    sign = _SIGNS.get(type(node.op))
    if sign is None:
        raise Refused(FORM, node, f"unsupported syntax: `{name}` is changed in place")
    if own.rank:
        text = aligned(item, own.rank)
        places = _places(body, node, name)
        target = name if places == ":" else f"{name}[{places}]"
        body.emit(f"{target} {sign}= {text}")
        return
    # A number of NumPy's is bound anew: who has the old one keeps it.
    operand = item.text if item.tight else f"({item.text})"
    result = replace(own, text=f"{own.text} {sign} {operand}", tight=False, whole=False)
    rebind(body, node, name, result)


def spread(body: Body, name: str, item: Item) -> Item:
    """An array that is the same for all items, one for each where the body stores into it."""
    if item.stacked or of_others(item) or item.results or item.sizes or not item.rank:
        return item
    if name not in body.stored:
        return item
    text = f"{{cupy}}.repeat({item.postfixed('[None]')}, {body.scope.count()}, axis=0)"
    return replace(item, text=text, stacked=True, tight=True)


def own_copies(body: Body, name: str, read: ast.Name) -> None:
    """Give each item an array of its own, where the loop has one that each iteration fills."""
    item, own = array(body.scope, read, translate(body.scope, read)), body.scope.free(name)
    body.emit(f"{own} = {{cupy}}.repeat({name}[None], {body.scope.count()}, axis=0)")
    views = frozenset({own_memory(name)})
    body.scope.bound[name] = replace(item, text=own, stacked=True, tight=True, views=views)
    body.made[name] = body.scope.chosen


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip
