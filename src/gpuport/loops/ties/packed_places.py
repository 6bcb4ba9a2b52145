"""Tuples and lists that a loop sets and does not read, item by item: ``where = (i, j)``."""

from __future__ import annotations

import ast
import copy

from gpuport.loops.names import Fresh, blocks, dotted, loaded, mentions, stored, walk
from gpuport.loops.reasons import Refused
from gpuport.loops.records import Packed

Loop = ast.For | ast.While


def items_apart(loop: Loop, live: frozenset[str], fresh: Fresh) -> tuple[Packed, ...]:
    """Give the items of such tuples names of their own, in place.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    live : frozenset of str
        Names that something reads after it.
    fresh : Fresh
    """
    for block in blocks(loop):
        if any(isinstance(one, ast.Assign) and _has_packed(one) for one in block):
            block[:] = [made for one in block for made in one_by_one(one)]
    setting: dict[str, list[ast.Assign]] = {}
    for node in walk([loop]):
        if isinstance(node, ast.Assign) and _is_packed(node):
            (target,) = node.targets
            assert isinstance(target, ast.Name)
            setting.setdefault(target.id, []).append(node)
    found: list[Packed] = []
    for name, nodes in setting.items():
        kinds = {(type(one.value), len(_items(one))) for one in nodes}
        if name in live and len(kinds) == 1 and mentions([loop], name) == len(nodes):
            ((kind, length),) = kinds
            parts = tuple(fresh.name(f"{name}_{k}") for k in range(length))
            found.append(Packed(name, parts, kind is ast.List))
    named = {one.name: one for one in found}
    for block in blocks(loop):
        block[:] = [made for one in block for made in _apart(one, named)]
    return tuple(found)


def _has_packed(node: ast.Assign) -> bool:
    """Whether one of several values that are assigned at once is a tuple or list."""
    inner = _items(node) if isinstance(node.targets[0], ast.Tuple) else []
    return any(isinstance(item, ast.Tuple | ast.List) for item in inner)


def in_own_names(refused: Refused, packed: tuple[Packed, ...]) -> Refused:
    """A refusal in the user's own names."""
    for one in packed:
        for k, part in enumerate(one.parts):
            refused.message = refused.message.replace(part, f"{one.name}[{k}]")
    return refused


def one_by_one(node: ast.stmt) -> list[ast.stmt]:
    """``a, b = f, g`` as two assignments, where neither value reads the names."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return [node]
    target = node.targets[0]
    names = [dotted(one) for one in target.elts] if isinstance(target, ast.Tuple) else []
    together = stored([node])
    if len(together) != len(names) or len(names) != len(node.value.elts):
        return [node]
    if together != set(names) or together & loaded([node.value]):
        return [node]
    assert isinstance(target, ast.Tuple)
    pairs = zip(target.elts, node.value.elts, strict=True)
    return [ast.copy_location(ast.Assign([one], value), node) for one, value in pairs]


def _is_packed(node: ast.Assign) -> bool:
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return False
    items = _items(node)
    return len(items) > 0 and not any(
        isinstance(item, ast.Tuple | ast.List | ast.Starred) for item in items
    )


def _items(node: ast.Assign) -> list[ast.expr]:
    return node.value.elts if isinstance(node.value, ast.Tuple | ast.List) else []


def _apart(node: ast.stmt, named: dict[str, Packed]) -> list[ast.stmt]:
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if not isinstance(target, ast.Name) or target.id not in named:
        return [node]
    assert isinstance(node, ast.Assign)
    made: list[ast.stmt] = []
    for part, item in zip(named[target.id].parts, _items(node), strict=True):
        store = ast.copy_location(ast.Name(part, ast.Store()), target)
        one = ast.Assign([store], copy.copy(item))
        made.append(ast.copy_location(one, node))
    return made
