"""Expressions of one item, as text that computes them for a whole stack of items.

The items of a stack lie along its first axis. An operand whose items have fewer axes than those
of the other operand gets axes of length one behind the first: ``v * w`` of a matrix and a vector
becomes ``v * w[:, None]``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from gpuport.batch.arguments import aligned, array, function_text, index_list, short, spliced
from gpuport.batch.forms import transposed
from gpuport.batch.indices import counted, is_new_axis, part
from gpuport.batch.places import is_item_of_key, is_item_of_other
from gpuport.batch.products import product
from gpuport.batch.records import (
    CARRIED,
    FORM,
    NO_STACKED_FORM,
    UNKNOWN_SHAPE,
    Item,
    Known,
    Refused,
)
from gpuport.batch.scope import Scope, of_keys
from gpuport.batch.windows import Window, shift_of
from gpuport.rules.stacking import stacking


def translate(scope: Scope, node: ast.expr) -> Item:
    """The text of an expression for all items.

    Raises
    ------
    Refused
        Where there is none.
    RankNeeded
        Where that depends on a number of axes that is neither known nor assumed.
    """
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise Refused(FORM, node, f"unsupported syntax: `{short(scope, node)}` has no stacked form")
    return handler(scope, node)


def elementwise(
    scope: Scope, node: ast.expr, operands: Sequence[ast.expr], function: str | None
) -> Item:
    """An operation on elements, of operands that broadcast against each other."""
    loose = [operand for operand in operands if _of_any_rank(scope, operand)]
    items = [
        Item(scope.source.segment(operand), 0, stacked=False, tight=True)
        if operand in loose
        else array(scope, operand, translate(scope, operand))
        for operand in operands
    ]
    rank = max((item.rank for item in items), default=0)
    if loose and not any(item.stacked for item in items):
        for operand in loose:
            translate(scope, operand)
    for operand in loose:
        name, bounds = scope.outer(operand), scope.guard.bounded
        assert name is not None
        bounds[name] = min(rank, bounds.get(name, rank))
    parts: list[tuple[ast.AST, str]] = [
        (operand, aligned(item, rank)) for operand, item in zip(operands, items, strict=True)
    ]
    stacked = any(item.stacked for item in items)
    if isinstance(node, ast.Call):
        parts.append((node.func, function_text(scope, node, function, stacked)))
        return Item(spliced(scope, node, parts), rank, stacked, tight=True)
    mixed = any(item.mixed for item in items) and _of_python(items)
    if mixed and isinstance(node, ast.BinOp):
        _refuse_errors(scope, node, items)
    return Item(spliced(scope, node, parts), rank, stacked, mixed=mixed)


def _of_python(items: Sequence[Item]) -> bool:
    """Whether an operation may be one of Python's numbers for some items."""
    return all(item.mixed or not (item.stacked or item.rank) for item in items)


def _refuse_errors(scope: Scope, node: ast.BinOp, items: Sequence[Item]) -> None:
    """See that Python does not raise for its numbers where NumPy gives inf or NaN."""
    power = isinstance(node.op, ast.Pow)
    number = node.right.value if isinstance(node.right, ast.Constant) else None
    safe = not items[1].mixed and (type(number) is int and number > 0 if power else True)
    if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)) and not safe:
        text = short(scope, node)
        raise Refused(FORM, node, f"`{text}` may be of Python's numbers, which may raise an error")


def _of_any_rank(scope: Scope, node: ast.expr) -> bool:
    """A name that is the same for all items: with few axes it broadcasts whatever it is."""
    name = scope.outer(node)
    if name is None or name in scope.later:
        return False
    known = scope.known.get(name, Known())
    elsewhere = name in scope.ranks or name in scope.guard.fixed
    if known.shown is not None:
        return False
    unknown = known.kind == "unknown" or (known.kind == "array" and known.rank is None)
    named = name == scope.index or scope.source.resolve(node) is not None
    return unknown and not elsewhere and not named


def _name(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Name)
    name = node.id
    if name in scope.bound and name not in scope.branched:
        found = scope.bound[name]
        return array(scope, node, found) if found.absent else found
    if scope.key is not None and name == scope.key[0]:
        raise Refused(FORM, node, f"the key `{name}` of the item takes part in the arithmetic")
    if name == scope.index:
        raise Refused(FORM, node, f"the number `{name}` of the item takes part in the arithmetic")
    if name in scope.branched:
        raise Refused(FORM, node, f"`{name}` is bound under a condition")
    if name in scope.later:
        raise Refused(
            CARRIED, node,
            f"carried dependence: iteration i reads `{name}`, which iteration i-1 bound",
        )  # fmt: skip
    path = scope.source.resolve(node)
    if path is not None and name not in scope.known:
        raise Refused(NO_STACKED_FORM, node, f"unknown call: `{name}` is handed on as a value")
    return scope.fixed(name, node)


def _constant(scope: Scope, node: ast.expr) -> Item:
    return Item(scope.source.segment(node), 0, stacked=False, tight=True)


def _attribute(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Attribute)
    path = scope.source.resolve(node)
    if path is not None:
        return Item(scope.source.segment(node), 0, stacked=False, tight=True)
    name = scope.outer(node)
    if name is not None:
        return scope.fixed(name, node)
    item = translate(scope, node.value)
    if node.attr == "shape" and not item.results:
        text = item.postfixed(".shape[1:]" if item.stacked else ".shape")
        return Item(text, item.rank, stacked=False, tight=True, sizes=True)
    if node.attr == "dtype" and not item.results:
        return Item(item.postfixed(".dtype"), 0, stacked=False, tight=True)
    place = scope.source.place(node) if item.results else None
    if place is not None and place < len(item.results):
        return _result(scope, node, item, place)
    form = stacking().attributes.get(node.attr)
    array(scope, node.value, item)
    if form == "transpose":
        return transposed(node, item, node.attr)
    if form == "elementwise":
        return replace(item, text=item.postfixed(f".{node.attr}"), tight=True, column="")
    raise Refused(FORM, node, f"`.{node.attr}` has no stacked form")


def _subscript(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Subscript)
    indices = index_list(node.slice)
    if not indices:
        raise Refused(FORM, node, f"unsupported syntax: `{short(scope, node)}`")
    if is_item_of_key(scope, node):
        assert scope.key is not None
        return scope.unnamed(scope.key[1], f"{scope.key[1]}.values()", node)
    if (other := is_item_of_other(scope, node)) and scope.key is not None:
        return scope.unnamed(other, of_keys(other, scope.key[1]), node)
    if scope.window is not None and (shift := shift_of(indices[0], scope.index)) is not None:
        return _beside(scope, node, scope.window, shift, indices[1:])
    place = counted(scope, indices)
    if place is not None:
        return _items(scope, node, _stack_of(scope, node), indices, *place)
    item = translate(scope, node.value)
    if item.sizes:
        return _size(scope, node, item)
    if item.results:
        position = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(position, int) or not 0 <= position < len(item.results):
            raise Refused(FORM, node, f"`{short(scope, node)}` is not one result")
        return _result(scope, node, item, position)
    return part(scope, node, item, indices)


def _result(scope: Scope, node: ast.expr, item: Item, position: int) -> Item:
    """One of several results."""
    found = replace(item.results[position], text=item.postfixed(f"[{position}]"), tight=True)
    return array(scope, node, found) if found.absent else found


def _beside(
    scope: Scope, node: ast.Subscript, window: Window, shift: int, others: list[ast.expr]
) -> Item:
    """``poses[i + 1]``, and ``poses[i]`` in the same loop."""
    name = _stack_of(scope, node)
    if window.begins_before(shift):
        raise Refused(FORM, node, f"`{short(scope, node)}` is the last item where the loop begins")
    scope.lies(name, 0, node)
    base = scope.stretch(name, window.of(name, shift), node)
    return part(scope, node, base, others) if others else base


def _stack_of(scope: Scope, node: ast.Subscript) -> str:
    """The array that an item is taken out of."""
    name = scope.outer(node.value)
    if name is None:
        raise Refused(FORM, node, f"`{short(scope, node)}`: only arrays from before the loop "
                      "are stacks of items")  # fmt: skip
    return name


def _items(
    scope: Scope, node: ast.AST, name: str, indices: list[ast.expr], axis: int,
    others: list[ast.expr],
) -> Item:  # fmt: skip
    if scope.window is not None and scope.window.later:
        raise Refused(FORM, node, f"items of `{name}` are taken along another axis from one on")
    base = scope.stack(name, node, axis)
    if axis and base.rank + 1 < sum(not is_new_axis(index) for index in indices):
        raise Refused(UNKNOWN_SHAPE, node, f"`{name}` has too few axes for its indices")
    return part(scope, node, base, others) if others else base


def _size(scope: Scope, node: ast.Subscript, item: Item) -> Item:
    """``x.shape[0]``: the item's axes are those behind the first of the stack."""
    if not isinstance(node.slice, ast.Constant) or type(node.slice.value) is not int:
        raise Refused(FORM, node, f"`{short(scope, node)}` is not one length")
    position = node.slice.value
    if not -item.rank <= position < item.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{short(scope, node)}` is of an axis there is not")
    item = replace(item, rank=0)
    if item.text.endswith("[1:]"):
        return replace(item, text=f"{item.text[:-4]}[{position + 1}]", sizes=False)
    return replace(item, text=f"{item.text}[{position}]", sizes=False)


def _binary(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, ast.MatMult):
        return product(scope, node, node.left, node.right)
    return elementwise(scope, node, (node.left, node.right), None)


def _unary(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.UnaryOp)
    item = translate(scope, node.operand)
    if isinstance(node.op, ast.Not) and item.stacked:
        raise Refused(FORM, node, f"`{short(scope, node)}` asks for the truth of each item")
    array(scope, node.operand, item)
    text = spliced(scope, node, [(node.operand, item.text)])
    return Item(text, item.rank, item.stacked, mixed=item.mixed)


def _compare(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Compare)
    plain = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
    if len(node.ops) != 1 or not isinstance(node.ops[0], plain):
        raise Refused(FORM, node, f"`{short(scope, node)}` asks for the truth of each item")
    return elementwise(scope, node, (node.left, node.comparators[0]), None)


def _call(scope: Scope, node: ast.expr) -> Item:
    from gpuport.batch.calls import call

    return call(scope, node)


def _either(scope: Scope, node: ast.expr) -> Item:
    """``1.0 if a == b else -1.0`` of numbers that are the same for all items."""
    assert isinstance(node, ast.IfExp)
    parts = (node.body, node.test, node.orelse)
    items = [array(scope, part, translate(scope, part)) for part in parts]
    if any(item.stacked or item.rank for item in items):
        raise Refused(FORM, node, f"unsupported syntax: `{short(scope, node)}` has no stacked form")
    pairs: list[tuple[ast.AST, str]] = [(p, i.text) for p, i in zip(parts, items, strict=True)]
    return Item(f"({spliced(scope, node, pairs)})", 0, stacked=False, tight=True)


_HANDLERS: dict[type[ast.expr], Callable[[Scope, ast.expr], Item]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.IfExp: _either,
    ast.Call: _call,
}
