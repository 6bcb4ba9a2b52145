"""Calls of functions and methods in a loop's body."""

from __future__ import annotations

import ast

from gpuport.batch import forms
from gpuport.batch.arguments import aligned, array, short, spliced
from gpuport.batch.expressions import elementwise, translate
from gpuport.batch.products import of_matrices
from gpuport.batch.records import FORM, NO_STACKED_FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.batch.scope import Scope
from gpuport.rules.stacking import Stacking, stacking
from gpuport.source.syntax import walk


def call(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Call)
    if any(isinstance(a, ast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    ):
        raise Refused(FORM, node, "arguments are spread from a sequence")
    path = scope.source.resolve(node.func)
    if path is None:
        function = scope.source.definition(node)
        return _method(scope, node) if function is None else _of_module(scope, node, function)
    table = stacking()
    item = _library_call(scope, node, path, table)
    if item is None:
        return _plain_call(scope, node, path)
    on_host = not (scope.source.on_device(node) or scope.source.of_numbers(node))
    if item.stacked and path.startswith(("numpy.", "scipy.")) and on_host:
        raise Refused(FORM, node, f"`{short(scope, node)}` stays on the host")
    if path.startswith("scipy.") and not item.stacked:
        said = f"`{short(scope, node)}` is the same for all: name it before the loop"
        raise Refused(FORM, node, said)
    return item


def _of_module(scope: Scope, node: ast.Call, function: ast.FunctionDef) -> Item:
    from gpuport.batch.functions import called

    return called(scope, node, function)


def _library_call(scope: Scope, node: ast.Call, path: str, table: Stacking) -> Item | None:
    """A call of which the tables know; None for others."""
    if path in table.matrices:
        return of_matrices(scope, node, path, table.matrices[path])
    if path in table.forms:
        return forms.FORMS[table.forms[path]](scope, node, None)
    if path in table.elementwise or path == "builtins.abs":
        if node.keywords:
            raise Refused(FORM, node, f"`{node.keywords[0].arg}=` has no stacked form here")
        return elementwise(scope, node, node.args, path)
    head, _, name = path.rpartition(".")
    if head == "numpy" and node.args and name in table.reductions | table.along:
        item = array(scope, node.args[0], translate(scope, node.args[0]))
        return forms.reduced(scope, node, name, item, node.args[1:], path)
    if path == "builtins.len" and len(node.args) == 1:
        return _length(scope, node)
    return None


def _length(scope: Scope, node: ast.Call) -> Item:
    item = translate(scope, node.args[0])
    if not item.stacked or item.results or not item.rank:
        text = spliced(scope, node, [(node.args[0], item.text)])
        return Item(text, 0, stacked=False, tight=True)
    return Item(item.postfixed(".shape[1]"), 0, stacked=False, tight=True)


_PURE = frozenset(
    {"builtins.int", "builtins.float", "builtins.min", "builtins.max", "builtins.round"}
)


def _plain_call(scope: Scope, node: ast.Call, path: str) -> Item:
    """A function of numbers that are the same for all items."""
    if path in _COMPARED and len(node.args) == 2 and not node.keywords:
        items = [array(scope, one, translate(scope, one)) for one in node.args]
        if any(item.stacked for item in items):
            return _greater_or_less(scope, node, items, _COMPARED[path])
    pure = path in _PURE or path.startswith("math.")
    if pure and not node.keywords:
        items = [translate(scope, argument) for argument in node.args]
        if path in _WHOLE and len(items) == 1 and items[0].stacked and not items[0].rank:
            return _whole_numbers(scope, node, items[0], _WHOLE[path])
        if not any(item.stacked or item.rank or item.results for item in items):
            parts = [(a, i.text) for a, i in zip(node.args, items, strict=True)]
            return Item(spliced(scope, node, parts), 0, stacked=False, tight=True)
    message = f"unknown call: `{short(scope, node.func)}` has no form for a stack of items"
    of_arrays = path.startswith("numpy.") and not path.startswith("numpy.random.")
    if path in stacking().hosted:
        message += f": {stacking().hosted[path]}"
    elif of_arrays and _lasting(scope, node):
        message += f"; `{short(scope, node)}` is the same for all: name it before the loop"
    raise Refused(NO_STACKED_FORM, node, message)


def _greater_or_less(scope: Scope, node: ast.Call, items: list[Item], sign: str) -> Item:
    """``max(0.0, x)`` of numbers: the second one where it is greater, and so no NaN of it."""
    if any(item.rank for item in items):
        raise Refused(UNKNOWN_SHAPE, node, f"`{short(scope, node)}` compares more than numbers")
    first, second = items
    asked = f"{second.postfixed('')} {sign} {first.postfixed('')}"
    text = f"{{cupy}}.where({asked}, {second.text}, {first.text})"
    mixed = any(item.mixed or not item.stacked for item in items)
    return Item(text, 0, stacked=True, tight=True, mixed=mixed)


_COMPARED = {"builtins.max": ">", "builtins.min": "<"}

_WHOLE = {"builtins.int": "{}", "builtins.round": "{{cupy}}.rint({})"}
"""What Python makes a whole number of, and what it is of a stack before it is cut off."""


def _whole_numbers(scope: Scope, node: ast.Call, item: Item, rounded: str) -> Item:
    """``int(x)``, ``round(x)``, where it is a place: the loop runs where an item has none."""
    if item.number:
        return item
    inner = array(scope, node.args[0], item).text
    scope.raises.append(node)
    scope.uneven.append(node)
    text = f"{{batched}}.integers({rounded.format(inner)})"
    return Item(text, 0, stacked=True, tight=True, whole=True, number=True)


def _lasting(scope: Scope, node: ast.Call) -> bool:
    """Whether nothing that differs from item to item is given to a call."""
    names = {part.id for part in walk(node) if isinstance(part, ast.Name)}
    apart = {scope.index, scope.key[0] if scope.key is not None else None}
    return names.isdisjoint({*scope.later, *scope.bound, *scope.variables, *apart})


def _method(scope: Scope, node: ast.Call) -> Item:
    if not isinstance(node.func, ast.Attribute):
        raise Refused(
            NO_STACKED_FORM, node,
            f"unknown call: `{short(scope, node.func)}` has no form for a stack of items",
        )  # fmt: skip
    name, table = node.func.attr, stacking()
    item = array(scope, node.func.value, translate(scope, node.func.value))
    if item.mixed:
        raise Refused(
            FORM, node, f"`{short(scope, node.func.value)}` may be one of Python's numbers"
        )
    if name in table.reductions or (name in table.along and name not in ("sort", "argsort")):
        return forms.reduced(scope, node, name, item, node.args, None)
    form = table.methods.get(name)
    if form == "elementwise" and not node.keywords:
        return _elementwise_method(scope, node, node.func, item)
    if form is not None and form != "elementwise":
        return forms.FORMS[form](scope, node, item)
    raise Refused(
        NO_STACKED_FORM, node, f"unknown call: `.{name}()` has no form for a stack of items"
    )


def _elementwise_method(scope: Scope, node: ast.Call, function: ast.Attribute, item: Item) -> Item:
    """``x.clip(low, high)``, ``x.copy()``."""
    others = [array(scope, a, translate(scope, a)) for a in node.args]
    if any(other.rank > item.rank or (other.stacked and not item.stacked) for other in others):
        raise Refused(FORM, node, f"`{short(scope, node)}` grows the item")
    parts: list[tuple[ast.AST, str]] = [(function.value, item.text)]
    parts += [(a, aligned(o, item.rank)) for a, o in zip(node.args, others, strict=True)]
    if not isinstance(function.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        # Its parentheses, if it has any, stand outside its extent.
        return Item(spliced(scope, node, parts), item.rank, item.stacked, tight=True)
    head = item.postfixed("")
    parts[0] = (function.value, head)
    return Item(spliced(scope, node, parts), item.rank, item.stacked, tight=True)
