"""Parts of arrays as their subscripts tell: which may share elements, and how they lie."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from keyword import iskeyword

from gpuport.source.syntax import walk

_AXES = "ijkl"


def apart(one: ast.expr, text: str) -> bool:
    """Whether two parts of one array have no element in common, whatever its length.

    ``p[1:-1, 0]`` and ``p[1:-1, 1]``. The first and the last may be one: the call finds out.
    """
    other = ast.parse(text, mode="eval").body
    if not (isinstance(one, ast.Subscript) and isinstance(other, ast.Subscript)):
        return False
    here, there = (index_entries(part.slice) for part in (one, other))
    if len(here) != len(there) or not all(map(plain, (*here, *there))):
        return False
    pairs = ((whole(a), whole(b)) for a, b in zip(here, there, strict=True))
    return any(a is not None and b is not None and a != b for a, b in pairs)


def apart_or_same(
    target: ast.Subscript, stored: ast.expr, numbers: Sequence[bool], *, one_array: bool
) -> bool:
    """Whether two parts of one array are different rows of it, or the very same elements.

    Parameters
    ----------
    target : ast.Subscript
    stored : ast.expr
    numbers : sequence of bool
        Which entries of the target's index are known to be whole numbers.
    one_array : bool
        Whether they are parts of one array, under whatever names, or of two that may be one.
    """
    if not isinstance(stored, ast.Subscript):
        return not one_array  # all of an array, and a part of it, differ in their shapes
    if one_array and ast.dump(target.value) != ast.dump(stored.value):
        return False
    here, there = (index_entries(part.slice) for part in (target, stored))
    if not len(here) == len(there) == len(numbers):
        return False
    differing = []
    for one, other, number in zip(here, there, numbers, strict=True):
        if not (number or (plain(one) and plain(other))):
            return False
        first, second = whole(one), whole(other)
        if first is not None and second is not None and first != second and _one_end(first, second):
            return True  # `u[0, 1:] = u[1, :-1]`
        if ast.dump(one) != ast.dump(other):
            differing.append(number)
    # Two rows may be one, `u[i] = u[j]`: then all of it is the same.
    return not differing or differing == [True]


def _one_end(first: int, second: int) -> bool:
    """Whether two indices are counted from the same end."""
    return (first < 0) == (second < 0)


def index_entries(index: ast.expr) -> list[ast.expr]:
    """What an index says of each axis."""
    return index.elts if isinstance(index, ast.Tuple) else [index]


def whole(node: ast.expr) -> int | None:
    """The value of a whole number that is written out."""
    sign, inner = 1, node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, inner = -1, node.operand
    if isinstance(inner, ast.Constant) and type(inner.value) is int:
        return sign * inner.value
    return None


def plain(entry: ast.expr) -> bool:
    """Whether a part of an index takes one axis."""
    return isinstance(entry, ast.Slice) or whole(entry) is not None


def centre(part: ast.expr) -> tuple[int, ...] | None:
    """Twice the place of the middle of a part along each axis, from the middle of the array."""
    if not isinstance(part, ast.Subscript):
        return ()
    index = part.slice
    entries = index.elts if isinstance(index, ast.Tuple) else [index]
    found = [_middle(entry) for entry in entries if plain(entry)]
    known = [one for one in found if one is not None]
    return tuple(known) if len(known) == len(entries) else None


def _middle(entry: ast.expr) -> int | None:
    if not isinstance(entry, ast.Slice) or entry.step is not None:
        return None
    low = 0 if entry.lower is None else whole(entry.lower)
    high = 0 if entry.upper is None else whole(entry.upper)
    return None if low is None or high is None or low < 0 or high > 0 else low + high


def is_part(index: ast.expr, counted: Collection[str]) -> bool:
    """Whether an index gives a part of an array to write to, with an axis or more.

    ``counted`` are names of whole numbers.
    """
    entries = index_entries(index)
    return any(isinstance(entry, ast.Slice) for entry in entries) and all(
        plain(entry) or (isinstance(entry, ast.Name) and entry.id in counted) for entry in entries
    )


def is_whole(index: ast.expr) -> bool:
    """Whether an index is ``...`` alone."""
    return isinstance(index, ast.Constant) and index.value is Ellipsis


def stores(statement: ast.stmt) -> int:
    """How often a statement puts what it computes into an array."""
    if isinstance(statement, ast.Assign):
        return sum(isinstance(target, ast.Subscript) for target in statement.targets)
    call = statement.value if isinstance(statement, ast.Expr) else None
    out = isinstance(call, ast.Call) and any(k.arg == "out" for k in call.keywords)
    return int(out or isinstance(statement, ast.AugAssign))


def loaded_target(target: ast.expr) -> ast.expr:
    """A target as it is passed."""
    fields = {name: getattr(target, name) for name in target._fields}
    return ast.copy_location(type(target)(**{**fields, "ctx": ast.Load()}), target)


def index_of(text: str) -> str:
    """The index of a part of an array, empty for a whole one."""
    node = ast.parse(text, mode="eval").body
    return ast.unparse(node.slice) if isinstance(node, ast.Subscript) else ""


def dict_key(node: ast.expr) -> str | None:
    """What an array is called in a dict: the ``mass`` of ``p["mass"][1:]``."""
    for part in walk(node):
        key = part.slice if isinstance(part, ast.Subscript) else None
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return key.value if key.value.isidentifier() and not iskeyword(key.value) else None
    return None


def shifts_of(parts: Sequence[ast.expr]) -> list[str] | None:
    """How parts of one array lie to each other, as numerical codes say it; None where that is
    not to be seen."""
    centres = [centre(part) for part in parts]
    known = [one for one in centres if one is not None]
    if len(known) < len(parts) or len({len(one) for one in known}) > 1:
        return None
    halves = any(abs(shift) == 1 for one in known for shift in one)
    found = [suffix(one, 1 if halves else 2) for one in known]
    return found if len(set(found)) == len(found) else None


def suffix(shifts: tuple[int, ...], unit: int) -> str:
    """How numerical codes say where something lies: ``_ip``, ``_im_jp2``; empty where it is not
    to be said."""
    words = []
    for axis, shift in zip(_AXES, shifts, strict=False):
        steps, rest = divmod(abs(shift), unit)
        if rest or len(shifts) > len(_AXES):
            return ""
        if steps:
            words.append(f"{axis}{'p' if shift > 0 else 'm'}{steps if steps > 1 else ''}")
    return "_" + "_".join(words) if words else ""


__all__ = [
    "apart",
    "centre",
    "dict_key",
    "index_entries",
    "index_of",
    "is_part",
    "is_whole",
    "loaded_target",
    "plain",
    "shifts_of",
    "stores",
    "suffix",
    "whole",
]
