"""Recurrences through an array, ``y[i] = y[i - 1] + x[i]``, as those of a name.

The element that an iteration makes is the running value, and the one that it reads must be the
element that the iteration before made: the index of the one is that of the other, one step behind.
Both are sums of names times whole numbers, so that this can be told by comparing these.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.carried import Accumulation, Scan
from gpuport.loops.heads.counting import leaves
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import (
    Fresh,
    constant_int,
    dotted,
    linear,
    loaded,
    stored,
    subscript_indices,
    walk,
)
from gpuport.source import syntax

SIGNS = {ast.Add: "+", ast.Mult: "*"}
"""Operators that a running value may be made with, as scans name them."""


@dataclass(frozen=True)
class Running:
    """A scan that was found in a loop.

    Attributes
    ----------
    scan : Scan
    guards : tuple of str
        What the initial value takes for granted.
    accumulations : tuple of Accumulation
        What the iterations make together of the scanned values: ``worst = max(worst, peak - v)``.
    """

    scan: Scan
    guards: tuple[str, ...]
    accumulations: tuple[Accumulation, ...] = ()


def minus(value: ast.expr) -> ast.expr:
    """A term that is subtracted, as one that is added."""
    made = ast.UnaryOp(ast.USub(), value)
    return ast.copy_location(made, value)


def writes_elements(body: Sequence[ast.stmt]) -> bool:
    """Whether statements store into elements of arrays."""
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in walk(body)
    )


def recurrence(loop: ast.For, statement: ast.stmt, position: int, fresh: Fresh) -> Running | None:
    """``a[i] = a[i - 1] + f``, where no other statement touches other elements of ``a``.

    ``f`` may be the element itself, as it was before: ``a[i] += a[i - 1]``.
    """
    target, value = _stored(statement)
    if target is None or value is None:
        return None
    array = dotted(target.value)
    if array is None or leaves(loop.body) or writes_elements(loop.body[:position]):
        return None
    parts = _parts(value, array, target)
    if parts is None:
        return None
    operator, previous, term = parts
    first = _first_cell(loop, target, previous)
    others = [statement for k, statement in enumerate(loop.body) if k != position]
    if first is None or _touches(others, array, target, loop.body[:position]):
        return None
    if _mentions(term, array, but=target):
        return None
    name = fresh.name(array.rpartition(".")[2])
    update = ast.Assign([ast.Name(name, ast.Store())], _combined(operator, name, term))
    store = ast.Assign([target], ast.Name(name, ast.Load()))
    for made in (update, store):
        ast.copy_location(made, statement)
        ast.fix_missing_locations(made)
    loop.body[position : position + 1] = [update, store]
    scan = Scan(name, operator, update, term, f"{array}[{', '.join(first)}]", array)
    guards = tuple(
        f"-{array}.shape[{axis}] <= {index} < {array}.shape[{axis}]"
        for axis, index in enumerate(first)
    )
    return Running(scan, guards)


def _combined(operator: str, name: str, term: ast.expr) -> ast.expr:
    before = ast.Name(name, ast.Load())
    if operator in ("min", "max"):
        return ast.Call(ast.Name(operator, ast.Load()), [before, syntax.copied(term)], [])
    return ast.BinOp(before, ast.Add() if operator == "+" else ast.Mult(), syntax.copied(term))


def _stored(statement: ast.stmt) -> tuple[ast.Subscript | None, ast.expr | None]:
    """The element that a statement stores, and the value."""
    if isinstance(statement, ast.Assign):
        target, value = statement.targets[0], statement.value
        return (target, value) if isinstance(target, ast.Subscript) else (None, None)
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.target, ast.Subscript):
        return None, None
    read = syntax.copied(statement.target)
    read.ctx = ast.Load()
    made = ast.BinOp(read, statement.op, statement.value)
    return statement.target, ast.copy_location(made, statement)


def _parts(
    value: ast.expr, array: str, target: ast.Subscript
) -> tuple[str, ast.Subscript, ast.expr] | None:
    """Operator, the element before, and the term."""
    if isinstance(value, ast.Call):
        named = isinstance(value.func, ast.Name) and value.func.id in ("min", "max")
        if not named or len(value.args) != 2 or not isinstance(value.func, ast.Name):
            return None
        first = _element(value.args[0], array, target)
        return None if first is None else (value.func.id, first, value.args[1])
    if not isinstance(value, ast.BinOp):
        return None
    left, right = (_element(one, array, target) for one in (value.left, value.right))
    if isinstance(value.op, ast.Sub) and left is not None:
        return "+", left, minus(value.right)
    sign = SIGNS.get(type(value.op))
    if sign is None or (left is None) == (right is None):
        return None
    if left is not None:
        return sign, left, value.right
    assert right is not None
    return sign, right, value.left


def _element(node: ast.expr, array: str, target: ast.Subscript) -> ast.Subscript | None:
    """Another element of the array than the one that is stored."""
    if not isinstance(node, ast.Subscript) or dotted(node.value) != array:
        return None
    return None if _same_place(node, target) else node


def _same_place(one: ast.Subscript, other: ast.Subscript) -> bool:
    return ast.dump(one.slice) == ast.dump(other.slice)


def _mentions(node: ast.AST, array: str, but: ast.Subscript | None = None) -> bool:
    """Whether elements of an array are read, other than the one at one place."""
    return any(
        isinstance(child, ast.Subscript)
        and dotted(child.value) == array
        and (but is None or not _same_place(child, but))
        for child in ast.walk(node)
    )


def _touches(
    statements: Sequence[ast.stmt],
    array: str,
    target: ast.Subscript,
    before: Sequence[ast.stmt],
) -> bool:
    """Whether other statements use the array but to read the element that was just made."""
    for node in walk(statements):
        if not isinstance(node, ast.Subscript) or dotted(node.value) != array:
            continue
        if isinstance(node.ctx, ast.Store) or ast.dump(node.slice) != ast.dump(target.slice):
            return True
        if any(node in ast.walk(statement) for statement in before):
            return True
    return any(
        isinstance(node, ast.AugAssign) and _mentions(node.target, array)
        for node in walk(statements)
    )


def _first_cell(loop: ast.For, target: ast.Subscript, previous: ast.Subscript) -> list[str] | None:
    """The indices of the element before the first one made, as Python text.

    None where the element that is read is not the one that the iteration before made.
    """
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    start, _, step = loop.iter.args
    amount, variable = constant_int(step), loop.target.id
    if amount is None or loaded([start]) & stored([loop]):
        return None
    now, then = subscript_indices(target), subscript_indices(previous)
    if len(now) != len(then):
        return None
    moves, indices = False, list[str]()
    for one, other in zip(now, then, strict=True):
        made, read = linear(one), linear(other)
        if made is None or read is None:
            return None
        changing = (set(made) | set(read)) & (stored([loop]) - {variable})
        if changing or _plain(_one_step_behind(made, variable, amount)) != _plain(read):
            return None
        moves = moves or made.get(variable, 0) != 0
        indices.append(_where_it_starts(read, variable, start))
    return indices if moves else None


def _one_step_behind(index: dict[str, int], variable: str, step: int) -> dict[str, int]:
    """What an index was an iteration before."""
    return {**index, "": index.get("", 0) - index.get(variable, 0) * step}


def _where_it_starts(index: dict[str, int], variable: str, start: ast.expr) -> str:
    """What an index is in the first iteration, as Python text."""
    at_start = linear(start)
    if at_start is None:
        return _text(index, variable, f"({ast.unparse(start)})")
    found = {name: factor for name, factor in index.items() if name != variable}
    for name, factor in at_start.items():
        found[name] = found.get(name, 0) + factor * index.get(variable, 0)
    return _text(found, None, "")


def _plain(terms: dict[str, int]) -> dict[str, int]:
    """A sum without the names that do not count in it."""
    return {name: value for name, value in terms.items() if value}


def _text(terms: dict[str, int], variable: str | None, value: str) -> str:
    """A sum of names times whole numbers as Python text, with a value for the loop's variable."""
    parts = []
    for name, factor in _plain(terms).items():
        if name == "":
            parts.append(str(factor))
            continue
        text = value if name == variable else name
        parts.append(text if factor == 1 else f"{factor} * {text}")
    text = " + ".join(parts) or "0"
    return ast.unparse(parse(text, ast.Pass())).replace("+ -", "- ")


__all__ = ["SIGNS", "Running", "minus", "recurrence", "writes_elements"]
