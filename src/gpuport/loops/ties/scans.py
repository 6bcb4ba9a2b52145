"""Loops whose iterations are tied by a running sum, product or extreme alone."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.carried import Accumulation, Scan
from gpuport.loops.heads.counting import leaves, nonempty
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
from gpuport.loops.reasons import Refused
from gpuport.loops.ties.patterns import accumulations, as_sum, extreme
from gpuport.source import syntax

_SIGNS = {ast.Add: "+", ast.Mult: "*"}
_NOTHING = {"+": 0, "*": 1}
"""The term of an iteration that leaves the value as it is."""


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


def find(loop: ast.For, carried: set[str], live: frozenset[str], fresh: Fresh) -> Running | None:
    """The one scan of a loop.

    Parameters
    ----------
    loop : ast.For
        In plain form. A recurrence through an array is rewritten in place, so that a name carries
        the value: ``a[i] = a[i - 1] + f`` becomes ``a_ = a_ + f; a[i] = a_``.
    carried : set of str
        Names that an iteration reads before it has set them.
    live : frozenset of str
    fresh : Fresh

    Returns
    -------
    Running or None
        None where the loop is no scan, or more than one.
    """
    some = nonempty(loop)
    for name in sorted(carried):
        scan = _of_name(loop, name)
        made = None if scan is None else _made_of(loop, scan, carried - {name}, live)
        if scan is not None and made is not None:
            return Running(scan, (some,), made)
    if carried:
        return None
    for position, statement in enumerate(loop.body):
        found = _of_array(loop, statement, position, fresh)
        if found is not None:
            return Running(found.scan, (some, *found.guards))
    return None


def _made_of(
    loop: ast.For, scan: Scan, names: set[str], live: frozenset[str]
) -> tuple[Accumulation, ...] | None:
    """How the other names that outlive an iteration accumulate after the scan; None if they do
    not."""
    at = loop.body.index(scan.statement)
    before, after = loop.body[:at], loop.body[at + 1 :]
    if names & (loaded(before) | stored(before) | loaded([scan.statement])):
        return None
    try:
        outlive = set(live) & stored(after) - names
        return tuple(accumulations(after, names, outlive)) if names or outlive else ()
    except Refused:
        return None


def _of_name(loop: ast.For, name: str) -> Scan | None:
    """``s += f`` at the body's top level, read only after it."""
    position = next(
        (k for k, statement in enumerate(loop.body) if name in stored([statement])), None
    )
    if position is None:
        return None
    _join_updates(loop, position, name)
    statement = loop.body[position]
    before, after = loop.body[:position], loop.body[position + 1 :]
    if name in loaded(before) or name in stored(after):
        return None
    if leaves(before) or _writes_elements(before):
        return None
    update = _update(statement, name)
    if update is None or name in loaded([update[1]]):
        return None
    return Scan(name, update[0], statement, update[1], name)


def _join_updates(loop: ast.For, position: int, name: str) -> None:
    """``s += f; s -= g`` as one statement, in place."""
    while position + 1 < len(loop.body) and name in stored([loop.body[position + 1]]):
        first, second = (_update(one, name) for one in loop.body[position : position + 2])
        if first is None or second is None or (first[0], second[0]) != ("+", "+"):
            return
        if name in loaded([first[1], second[1]]):
            return
        both = ast.copy_location(ast.BinOp(first[1], ast.Add(), second[1]), loop.body[position])
        made = ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), both)
        ast.fix_missing_locations(ast.copy_location(made, loop.body[position]))
        loop.body[position : position + 2] = [made]


def _update(statement: ast.stmt, name: str) -> tuple[str, ast.expr] | None:
    """The operator and the term of ``s += f``, ``s = max(s, f)``, ``if f > s: s = f``."""
    if isinstance(statement, ast.Assign):
        if not isinstance(statement.targets[0], ast.Name):
            return None
        call = statement.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 2:
            first, second = call.args
            if call.func.id in ("min", "max") and isinstance(first, ast.Name) and first.id == name:
                return call.func.id, second
        sum_ = as_sum(statement, name)
        return None if sum_ is None else _update(sum_, name)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        if isinstance(statement.op, ast.Sub):
            return "+", _minus(statement.value)
        sign = _SIGNS.get(type(statement.op))
        return None if sign is None else (sign, statement.value)
    if isinstance(statement, ast.If) and len(statement.body) == 1:
        found = extreme(statement, {name})
        if found is not None and not found.followers:
            return found.operator, found.value
        return _either(statement, name)
    return None


def _either(statement: ast.If, name: str) -> tuple[str, ast.expr] | None:
    """``if c: s += f`` with ``else: s -= g``, or without: one term, of which a test decides."""
    inner = _update(statement.body[0], name)
    if inner is None or inner[0] not in _NOTHING or name in loaded([statement.test]):
        return None
    operator, value = inner
    other: ast.expr = ast.Constant(_NOTHING[operator])
    if statement.orelse:
        found = _update(statement.orelse[0], name) if len(statement.orelse) == 1 else None
        if found is None or found[0] != operator:
            return None
        other = found[1]
    term = ast.IfExp(statement.test, value, other)
    return operator, ast.fix_missing_locations(ast.copy_location(term, statement))


def _minus(value: ast.expr) -> ast.expr:
    made = ast.UnaryOp(ast.USub(), value)
    return ast.copy_location(made, value)


def _writes_elements(body: Sequence[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in walk(body)
    )


def _of_array(loop: ast.For, statement: ast.stmt, position: int, fresh: Fresh) -> Running | None:
    """``a[i] = a[i - 1] + f``, where no other statement touches other elements of ``a``.

    ``f`` may be the element itself, as it was before: ``a[i] += a[i - 1]``.
    """
    target, value = _stored(statement)
    if target is None or value is None:
        return None
    array = dotted(target.value)
    if array is None or leaves(loop.body) or _writes_elements(loop.body[:position]):
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
        return "+", left, _minus(value.right)
    sign = _SIGNS.get(type(value.op))
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
    """The indices of the element before the first one made, as Python text."""
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    start, _, step = loop.iter.args
    amount = constant_int(step)
    if amount is None or loaded([start]) & stored([loop]):
        return None
    variable = loop.target.id
    moves = False
    indices: list[str] = []
    now, then = subscript_indices(target), subscript_indices(previous)
    if len(now) != len(then):
        return None
    for one, other in zip(now, then, strict=True):
        here, there = linear(one), linear(other)
        if (
            here is None
            or there is None
            or (set(here) | set(there)) & (stored([loop]) - {variable})
        ):
            return None
        factor = here.get(variable, 0)
        moves = moves or factor != 0
        shifted = dict(here)
        shifted[""] = shifted.get("", 0) - factor * amount
        if _plain(shifted) != _plain(there):
            return None
        at_start = linear(start)
        if at_start is None:
            indices.append(_text(there, variable, f"({ast.unparse(start)})"))
            continue
        whole = {name: value for name, value in there.items() if name != variable}
        for name, value in at_start.items():
            whole[name] = whole.get(name, 0) + value * there.get(variable, 0)
        indices.append(_text(whole, None, ""))
    return indices if moves else None


def _plain(terms: dict[str, int]) -> dict[str, int]:
    return {name: value for name, value in terms.items() if value}


def _text(terms: dict[str, int], variable: str | None, value: str) -> str:
    parts = []
    for name, factor in _plain(terms).items():
        if name == "":
            parts.append(str(factor))
            continue
        text = value if name == variable else name
        parts.append(text if factor == 1 else f"{factor} * {text}")
    text = " + ".join(parts) or "0"
    return ast.unparse(parse(text, ast.Pass())).replace("+ -", "- ")
