"""Arrays whose text says how many axes they have, and places that read nothing but their numbers.

``for i, (cx, cy) in enumerate(STEPS)``, ``cx, cy = STEPS[i]``, ``tuple(STEPS[i])``: numbers are
never changed in place, whatever is done with them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping

_MAKERS = frozenset({"numpy.array", "numpy.asarray"})
_TAKERS = frozenset({"tuple", "list", "sorted", "set", "sum", "min", "max"})
"""Functions of Python's that take the items of what they are given."""

WORDS = _TAKERS | {"enumerate", "zip", "range"}
"""All of Python's functions that are known here."""

Resolve = Callable[[ast.expr], str | None]


def written_axes(value: ast.expr | None, resolve: Resolve) -> int | None:
    """How many axes ``np.array([[0, 1], [1, 0]])`` has; None for anything else."""
    if not isinstance(value, ast.Call) or len(value.args) != 1 or value.keywords:
        return None
    return _depth(value.args[0]) if resolve(value.func) in _MAKERS else None


def _depth(display: ast.expr) -> int | None:
    """How many lists stand in each other, around numbers."""
    if not isinstance(display, (ast.List, ast.Tuple)):
        return 0 if isinstance(display, (ast.Constant, ast.UnaryOp, ast.BinOp)) else None
    inner = {_depth(one) for one in display.elts}
    depth = inner.pop() if len(inner) == 1 else None
    return None if depth is None else depth + 1


def counters_of(
    names: Iterable[ast.Name], above: Mapping[int, ast.AST], resolve: Resolve
) -> frozenset[str]:
    """Names that loops over ``range`` or ``enumerate`` count with, and nothing else binds."""
    counting, others = set[str](), set[str]()
    for name in names:
        if isinstance(name.ctx, ast.Load):
            continue
        loop, word = above.get(id(name)), "range"
        if isinstance(loop, ast.Tuple) and loop.elts[0] is name:
            loop, word = above.get(id(loop)), "enumerate"
        call = loop.iter if isinstance(loop, (ast.For, ast.comprehension)) else None
        counts = isinstance(call, ast.Call) and resolve(call.func) == f"builtins.{word}"
        (counting if counts else others).add(name.id)
    return frozenset(counting - others)


def reads_numbers(
    node: ast.expr,
    axes: int,
    above: Mapping[int, ast.AST],
    resolve: Resolve,
    counters: Collection[str],
) -> bool:
    """Whether a place takes nothing of an array but its numbers.

    Parameters
    ----------
    node : ast.expr
        The array, where it is read.
    axes : int
        How many it has.
    above : mapping of int to ast.AST
        The nodes around others, by the ids of these.
    resolve : callable
        What a dotted expression stands for.
    counters : collection of str
        Names of whole numbers.
    """
    around = above.get(id(node))
    if isinstance(around, ast.Subscript) and around.value is node:
        entries = around.slice.elts if isinstance(around.slice, ast.Tuple) else [around.slice]
        single = all(_is_place(one, counters) for one in entries)
        read = single and isinstance(around.ctx, ast.Load)
        return read and reads_numbers(around, axes - len(entries), above, resolve, counters)
    if axes == 0:
        return True
    if isinstance(around, ast.Assign) and around.value is node:
        return all(_takes(target, axes) for target in around.targets)
    if isinstance(around, (ast.For, ast.comprehension)) and around.iter is node:
        return _takes(around.target, axes - 1)
    if not isinstance(around, ast.Call) or node not in around.args or around.keywords:
        return False
    name = (resolve(around.func) or "").removeprefix("builtins.")
    if name in _TAKERS:
        return axes == 1 and len(around.args) == 1
    return _is_gone_over(around, name, around.args.index(node), axes, above)


def _is_gone_over(
    call: ast.Call, name: str, at: int, axes: int, above: Mapping[int, ast.AST]
) -> bool:
    """Whether a loop takes apart what ``enumerate`` or ``zip`` gives of an array."""
    loop = above.get(id(call))
    if name not in ("enumerate", "zip") or any(isinstance(a, ast.Starred) for a in call.args):
        return False
    if not isinstance(loop, (ast.For, ast.comprehension)) or loop.iter is not call:
        return False
    parts = loop.target.elts if isinstance(loop.target, (ast.Tuple, ast.List)) else []
    at = 1 if name == "enumerate" else at
    plain = not any(isinstance(one, ast.Starred) for one in parts)
    return plain and at < len(parts) and _takes(parts[at], axes - 1)


def _is_place(entry: ast.expr, counters: Collection[str]) -> bool:
    """Whether an index is one number."""
    inner = entry.operand if isinstance(entry, ast.UnaryOp) else entry
    if isinstance(inner, ast.Name):
        return inner.id in counters
    return isinstance(inner, ast.Constant) and type(inner.value) is int


def _takes(target: ast.expr, axes: int) -> bool:
    """Whether nothing but numbers are bound to names where an array is taken apart."""
    if axes <= 0 or not isinstance(target, (ast.Tuple, ast.List)):
        return axes <= 0
    return all(not isinstance(one, ast.Starred) and _takes(one, axes - 1) for one in target.elts)


__all__ = ["WORDS", "counters_of", "reads_numbers", "written_axes"]
