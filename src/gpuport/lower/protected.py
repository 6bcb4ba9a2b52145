"""`try` and `with`."""

from __future__ import annotations

import ast

from gpuport.ir import Region
from gpuport.lower.assignments import store
from gpuport.lower.builder import Arm
from gpuport.lower.lowering import Lowering, statement
from gpuport.lower.scopes import Home


@statement(ast.Try)
def _try(at: Lowering, node: ast.Try) -> bool:
    body = at.inside(lambda: at.block(node.body))
    regions: list[Region] = [body.region]
    arms: list[Arm] = [_else(at, node, body) if node.orelse else body]
    for handler in node.handlers:
        kinds, block = _handler(at, handler)
        regions += [kinds, block.region]
        arms.append(block)
    if node.orelse:
        regions.append(arms[0].region)
    if node.finalbody:
        regions.append(_final(at, node))
    said = {
        "handlers": len(node.handlers),
        "orelse": bool(node.orelse),
        "final": bool(node.finalbody),
    }
    return at.merge(("Try", (), node, regions, said), arms)[1]


def _else(at: Lowering, node: ast.Try, body: Arm) -> Arm:
    """The `else` block: it takes over what the body assigned."""
    keys, values = list(body.changed), list(body.changed.values())

    def fill() -> bool:
        for key, parameter, value in zip(keys, at.region.parameters, values, strict=True):
            at.versions.set(key, parameter)
            if value in at.unbound:
                at.unbound.add(parameter)
        return at.block(node.orelse)

    if not body.falls:  # its parameters are never given anything
        keys, values = [], []
        return Arm(at.inside(lambda: at.end("Unreachable", (), node)).region, {}, False)
    with at.within(body.region):
        at.emit("Yield", values, node)
    return at.inside(fill, keys)


def _handler(at: Lowering, node: ast.ExceptHandler) -> tuple[Region, Arm]:
    def kinds() -> bool:
        named = node.type
        caught = at.builtin("BaseException", node) if named is None else at.expr(named)
        return at.end("Yield", (caught,), node)

    def block() -> bool:
        if node.name is not None:
            at.assign(node.name, at.region.parameters[0], node)
            return _named_block(at, node, node.name)
        return at.block(node.body)

    return at.inside(kinds).region, at.inside(block, ["caught"])


def _named_block(at: Lowering, node: ast.ExceptHandler, name: str) -> bool:
    """A handler whose exception has a name, which is unbound however control leaves it."""
    if at.scope.resolve(at.scope.mangled(name)).home is Home.VALUE:
        at.handlers.append((name, len(at.loops)))
        falls = at.block(node.body)
        at.handlers.pop()
        if falls:
            at.delete(name, node, quiet=True)
        return falls

    def unbind() -> bool:
        at.delete(name, node, quiet=True)
        return at.end("Yield", (), node)

    body, final = at.inside(lambda: at.block(node.body)), at.inside(unbind).region
    said = {"handlers": 0, "orelse": False, "final": True}
    return at.merge(("Try", (), node, [body.region, final], said), [body])[1]


def _final(at: Lowering, node: ast.Try) -> Region:
    def fill() -> bool:
        return at.block(node.finalbody) and at.end("Yield", (), node)

    return at.inside(fill).region


@statement(ast.With)
def _with(at: Lowering, node: ast.With) -> bool:
    return _items(at, node, 0)


def _items(at: Lowering, node: ast.With, place: int) -> bool:
    if place == len(node.items):
        return at.block(node.body)
    item = node.items[place]
    manager = at.expr(item.context_expr)

    def fill() -> bool:
        if item.optional_vars is not None:
            store(at, item.optional_vars, at.region.parameters[0])
        return _items(at, node, place + 1)

    arm = at.inside(fill, ["entered"])
    if at.shared.known.is_transparent(at.scope, item):
        return at.merge(("With", (manager,), node, [arm.region], {}), [arm])[1]
    # it may swallow an exception: control goes on whatever the body does, and no version is sure
    if arm.falls:
        with at.within(arm.region):
            at.emit("Yield", (), node)
    at.emit("With", (manager,), node, (), [arm.region])
    return True
