"""Names that each iteration increments, as expressions of the loops' variables."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpuport.loops.heads.counting import counted, increment, leaves
from gpuport.loops.names import Fresh, loaded, mentions, stored, trips_text


def counters(loop: ast.For, fresh: Fresh, start: Callable[[str], str]) -> list[tuple[str, str]]:
    """Replace names that each iteration increments by expressions of the loop's variable.

    ``k += 1`` once per iteration makes ``k`` a function of the iteration: the body gets a name of
    its own for it, set at its head.

    Parameters
    ----------
    loop : ast.For
        In plain form; changed in place.
    fresh : Fresh
    start : callable
        Python text for the value that a name has before the loop.

    Returns
    -------
    list of (str, str)
        The names with the values that they have after the loop, as Python expressions.
    """
    if leaves(loop.body):
        return []
    found = _inner_counters(loop, fresh, start)
    for node in list(loop.body):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        target = node.target if isinstance(node, ast.AugAssign) else target
        if not isinstance(target, ast.Name):
            continue
        amount = increment(node, target.id)
        if amount and _stores(loop, target.id) == 1:
            found.append((target.id, _count(loop, node, target.id, amount, fresh, start)))
    return found


def _inner_counters(
    loop: ast.For, fresh: Fresh, start: Callable[[str], str]
) -> list[tuple[str, str]]:
    """``k += 1`` in the one loop inside, of as many iterations each time: ``k = i * m + j``."""
    inner = [node for node in loop.body if isinstance(node, ast.For)]
    if len(inner) != 1 or leaves(inner[0].body) or not isinstance(inner[0].iter, ast.Call):
        return []
    one = inner[0]
    assert isinstance(one.iter, ast.Call)
    assert isinstance(one.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    assert isinstance(loop.target, ast.Name)
    heads = [[ast.unparse(item) for item in (*loop.iter.args, *one.iter.args)]]
    first, _, step, low, high, by = heads[0]
    if (first, step, low, by) != ("0", "1", "0", "1") or loaded(one.iter.args) & stored([loop]):
        return []
    found = []
    for node in list(one.body):
        target = node.target if isinstance(node, ast.AugAssign) else None
        if not isinstance(target, ast.Name) or increment(node, target.id) != 1:
            continue
        name = target.id
        if _stores(loop, name) != 1 or mentions([loop], name) != mentions(one.body, name):
            continue
        local, position = fresh.name(name), one.body.index(node)
        for child in ast.walk(one):
            if isinstance(child, ast.Name) and child.id == name:
                child.id = local
        turn = f"{loop.target.id} * ({high}) + {one.target.id}"
        before = start(name)
        head = ast.parse(f"{local} = {turn}" + (f" + {before}" if before != "0" else "")).body[0]
        for child in ast.walk(head):
            ast.copy_location(child, node)
        if local not in loaded(one.body[position + 1 :]):
            del one.body[position]
        one.body.insert(0, head)
        trips = f"{trips_text(loop.iter)} * {trips_text(one.iter)}"
        found.append((name, trips if before == "0" else f"{before} + {trips}"))
    return found


def _stores(loop: ast.stmt, name: str) -> int:
    return sum(
        isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Store)
        for child in ast.walk(loop)
    )


def _count(
    loop: ast.For,
    node: ast.stmt,
    name: str,
    amount: int,
    fresh: Fresh,
    before: Callable[[str], str],
) -> str:
    assert isinstance(loop.iter, ast.Call)
    assert isinstance(loop.target, ast.Name)
    start, step = (ast.unparse(loop.iter.args[k]) for k in (0, 2))
    local = fresh.name(name)
    for child in ast.walk(loop):
        if isinstance(child, ast.Name) and child.id == name:
            child.id = local
    variable = loop.target.id
    turn = variable if start == "0" else f"({variable} - ({start}))"
    turn = turn if step == "1" else f"({turn} // ({step}))"
    scaled = turn if amount == 1 else f"{amount} * {turn}"
    head = ast.parse(f"{local} = {before(name)} + {scaled}").body[0]
    for child in ast.walk(head):
        ast.copy_location(child, node)
    position = loop.body.index(node)
    if local not in loaded(loop.body[position + 1 :]):
        del loop.body[position]
    loop.body.insert(0, head)
    return counted(before(name), amount, loop.iter)
