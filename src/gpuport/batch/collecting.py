"""Lists and dicts that grow by what an iteration makes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.batch.columns import collected, is_array
from gpuport.batch.records import FORM, SIDE_EFFECT, Known, Refused

if TYPE_CHECKING:
    from gpuport.batch.body import Body


def appended(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The list and the value of ``found.append(value)``; None for any other statement.

    ``found += [value]`` is such a statement too, where `found` is a list: who calls this asks.
    """
    if isinstance(node, ast.AugAssign):
        one = isinstance(node.value, ast.List) and len(node.value.elts) == 1
        if not (one and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name)):
            return None
        item = node.value.elts[0]  # type: ignore[attr-defined]
        return None if isinstance(item, ast.Starred) else (node.target.id, item)
    call = node.value if isinstance(node, ast.Expr) else None
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and isinstance(call.func.value, ast.Name)
        and len(call.args) == 1
        and not call.keywords
    ):
        return call.func.value.id, call.args[0]
    return None


def grows(body: Body, node: ast.AugAssign) -> bool:
    """Whether this is ``found += [value]``, of a list."""
    found = appended(node)
    return found is not None and body.scope.known.get(found[0], Known()).kind == "list"


def append(body: Body, node: ast.Expr | ast.AugAssign) -> None:
    """``found.append(value)``, for all items; a statement that is one text says nothing.

    Raises
    ------
    Refused
        Where a statement is another call, whose effects would come in another order.
    """
    scope = body.scope
    if isinstance(node.value, ast.Constant):
        return
    found = appended(node)
    if found is None:
        text = " ".join(scope.source.segment(node).split())[:60]
        raise Refused(
            SIDE_EFFECT, node, f"side effect: `{text}` happens once for each item, in order"
        )
    name, value = found
    if scope.known.get(name, Known()).kind != "list" or name in body.appended:
        raise Refused(FORM, node, f"it is not followed what `{name}` holds")
    body.appended[name] = scope.free(f"{name}_stacks")
    text = collected(scope, value, body.moved)
    if not is_array(scope, value) or scope.chosen:
        body.arrays -= {name}
    if scope.grouped:
        body.emit(f"{body.appended[name]}.append(({scope.index}, {text}))")
    elif name in body.arrays:
        body.emit(f"{name} = {text}")
    else:
        body.grown = True
        body.emit(f"{name}.extend({text})")
    if scope.known[name].argument:
        body.visible = True


def put(body: Body, target: ast.Subscript, value: ast.expr) -> None:
    """``found[key] = value``, for all the keys of a dict."""
    assert isinstance(target.value, ast.Name)
    name, scope = target.value.id, body.scope
    holds = scope.known.get(name, Known())
    twice = name in body.appended or (scope.key is not None and name == scope.key[1])
    if holds.kind != "dict" or holds.argument or twice:
        raise Refused(FORM, target, f"it is not followed what `{name}` holds")
    body.appended[name] = scope.free(f"{name}_stacks")
    text = collected(scope, value, body.moved)
    body.arrays -= {name}
    body.keyed[name] = None
    body.emit(f"{body.appended[name]}.append(({scope.index}, {text}))")


def put_numbered(body: Body, target: ast.Subscript, value: ast.expr) -> None:
    """``found[i] = value``, for all the items' numbers, into a dict."""
    assert isinstance(target.value, ast.Name)
    name, scope = target.value.id, body.scope
    later = scope.where or (scope.window is not None and scope.window.later)
    if scope.known[name].argument or name in body.appended or later:
        raise Refused(FORM, target, f"it is not followed what `{name}` holds")
    text = collected(scope, value, body.moved)
    body.arrays -= {name}
    body.appended[name] = scope.free(f"{name}_stacks")
    body.numbered[name] = None
    if scope.grouped:
        body.emit(f"{body.appended[name]}.append(({scope.index}, {text}))")
    elif scope.chosen:
        body.emit(f"{name}.update(zip({scope.chosen}.tolist(), {text}))")
    else:
        body.emit(f"{name}.update(enumerate({text}))")
