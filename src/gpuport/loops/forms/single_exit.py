"""The statements of a function with one value at their end, in the place of its returns."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from gpuport.loops.names import blocks, stored, walk
from gpuport.source.making import assigned


def with_one_exit(
    body: Sequence[ast.stmt], name: Callable[[str], str]
) -> tuple[list[ast.stmt], ast.expr] | None:
    """Statements without a return, and the value after them.

    Parameters
    ----------
    body : sequence of stmt
    name : callable
        Makes names for the value where it is not that of one return at the end.

    Returns
    -------
    tuple or None
        None where a loop may return, the end may be reached without a value, or the values are
        not tuples of one length, all of them, or none.
    """
    found = [node for node in walk(body) if isinstance(node, ast.Return)]
    values = [node.value for node in found]
    if not found or None in values:
        return None
    if len(found) == 1 and body[-1] is found[0] and found[0].value is not None:
        return list(body[:-1]), found[0].value
    sizes = {len(value.elts) if isinstance(value, ast.Tuple) else 0 for value in values}
    if len(sizes) > 1:
        return None
    size = sizes.pop()
    names = [name("returned") for _ in range(size or 1)]
    made = _ended(list(body), names)
    if made is None:
        return None
    parts: list[ast.expr] = [ast.Name(one, ast.Load()) for one in names]
    value = ast.Tuple(parts, ast.Load()) if size else parts[0]
    return made, ast.fix_missing_locations(ast.copy_location(value, found[-1]))


def _ended(block: list[ast.stmt], names: Sequence[str]) -> list[ast.stmt] | None:
    """A block that sets names where it returned; None where it may run on behind its end."""
    for position, node in enumerate(block):
        if isinstance(node, ast.Return):
            return [*block[:position], *_given(node, names)]
        if not any(isinstance(inner, ast.Return) for inner in walk([node])):
            continue
        rest = block[position + 1 :]
        if isinstance(node, ast.For | ast.While):
            made = _searched(node, rest, names)
            return None if made is None else [*block[:position], *made]
        if not isinstance(node, ast.If):
            return None
        first, other = _returns(node.body), _returns(node.orelse)
        if not first and not other:
            return None
        body = _ended(node.body + ([] if first else rest), names)
        orelse = _ended(node.orelse + ([] if other else rest), names)
        if body is None or orelse is None:
            return None
        both = ast.copy_location(ast.If(node.test, body, orelse), node)
        return [*block[:position], both]
    return None


def _searched(
    loop: ast.For | ast.While, rest: Sequence[ast.stmt], names: Sequence[str]
) -> list[ast.stmt] | None:
    """``for k in ...: if ...: return k``, and ``return -1`` behind it, which can be set before."""
    inside = [node for node in walk(loop.body) if isinstance(node, ast.For | ast.While)]
    last = rest[0] if rest else None
    if loop.orelse or not isinstance(last, ast.Return) or last.value is None:
        return None
    if any(isinstance(node, ast.Return) for node in walk(inside)):
        return None
    plain = (ast.Tuple, ast.Constant, ast.Name, ast.UnaryOp, ast.USub, ast.Load)
    parts = list(ast.walk(last.value))
    read = {node.id for node in parts if isinstance(node, ast.Name)}
    if not all(isinstance(node, plain) for node in parts) or read & stored([loop]):
        return None
    for block in blocks(loop):
        for position, node in enumerate(block):
            if isinstance(node, ast.Return):
                end = ast.copy_location(ast.Break(), node)
                block[position:] = [*_given(node, names), end]
                break
    return [*_given(last, names), loop]


def _returns(block: Sequence[ast.stmt]) -> bool:
    """Whether a block always ends in a return."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return)


def _given(node: ast.Return, names: Sequence[str]) -> list[ast.stmt]:
    assert node.value is not None
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    pairs = zip(names, values, strict=True)
    return [assigned(name, value, node) for name, value in pairs]
