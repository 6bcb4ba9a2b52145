"""Shapes that a function asks its arguments for: ``x.ndim != 3``, ``x.shape[-1] == 3``, ``len(q)``.

Who checks a shape refuses all others, and no search by equal sizes meets three channels by chance.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from gpuport.verify.sides.syntax import is_name
from gpuport.verify.slots import Slot

_LONGEST = 64
_RANKS = (1, 2, 3, 4)
_MOST = 2


@dataclass(slots=True)
class _Asked:
    """Sizes by axis (negative ones from the end), and numbers of axes, in the order of the text."""

    sizes: dict[int, int] = field(default_factory=dict)
    ranks: dict[int, None] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)  # names of lengths, with their axis

    def size(self, axis: int, value: object) -> None:
        if type(value) is int and 0 < value <= _LONGEST:
            self.sizes.setdefault(axis, value)


def checked(name: str, scope: ast.AST) -> Iterator[Slot]:
    """Array slots with the sizes that the function's own checks want; none without such checks.

    Parameters
    ----------
    name : str
    scope : ast.AST
        The function.
    """
    asked = _Asked()
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            _named(name, node.targets[0], node.value, asked)
    for node in ast.walk(scope):
        refuses = isinstance(node, ast.If) and any(isinstance(p, ast.Raise) for p in node.body)
        if isinstance(node, ast.If | ast.Assert) and (refuses or isinstance(node, ast.Assert)):
            _read(name, node.test, asked)
    if asked.sizes or any(rank > 2 for rank in asked.ranks):
        yield from _slots(name, asked)


def _named(name: str, target: ast.expr, value: ast.expr, asked: _Asked) -> None:
    """``h, w, c = x.shape``, ``n = len(x)``."""
    if isinstance(target, ast.Tuple) and _is_shape(value, name):
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        if len(names) == len(target.elts):
            asked.lengths |= {one: axis for axis, one in enumerate(names)}
            asked.ranks[len(names)] = None
    elif isinstance(target, ast.Name) and (axis := _axis(name, value, asked)) is not None:
        asked.lengths[target.id] = axis


def _read(name: str, test: ast.expr, asked: _Asked) -> None:
    for node in ast.walk(test):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            continue
        if not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            continue
        left, wanted = node.left, node.comparators[0]
        several = isinstance(node.ops[0], ast.In | ast.NotIn)
        values = [_value(one) for one in getattr(wanted, "elts", [wanted] * (not several))]
        if (axis := _axis(name, left, asked)) is not None and values:
            asked.size(axis, values[0])
        elif _is_rank(left, name):
            asked.ranks |= {v: None for v in values if v in _RANKS}
        elif (first := _part_of_shape(left, name)) is not None and not several:
            for place, value in enumerate(values):
                asked.size(first + place, value)
            if first >= 0:
                asked.ranks[first + len(values)] = None


def _is_shape(node: ast.expr, name: str) -> bool:
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return ast.unparse(node.func).endswith(".shape") and is_name(node.args[0], name)
    return isinstance(node, ast.Attribute) and node.attr == "shape" and is_name(node.value, name)


def _axis(name: str, node: ast.expr, asked: _Asked) -> int | None:
    """The axis whose length an expression is."""
    if isinstance(node, ast.Name):
        return asked.lengths.get(node.id)
    if isinstance(node, ast.Call):
        own = ast.unparse(node.func) == "len" and len(node.args) == 1
        return 0 if own and is_name(node.args[0], name) else None
    if isinstance(node, ast.Subscript) and _is_shape(node.value, name):
        value = _value(node.slice)
        return value if type(value) is int and abs(value) <= len(_RANKS) else None
    return None


def _is_rank(node: ast.expr, name: str) -> bool:
    """``x.ndim``, ``np.ndim(x)``, ``len(x.shape)``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "ndim" and is_name(node.value, name)
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return False
    function = ast.unparse(node.func)
    if function == "len":
        return _is_shape(node.args[0], name)
    return function.endswith(".ndim") and is_name(node.args[0], name)


def _part_of_shape(node: ast.expr, name: str) -> int | None:
    """The first axis of ``x.shape``, ``x.shape[1:]`` or ``x.shape[-2:]``."""
    if _is_shape(node, name):
        return 0
    if isinstance(node, ast.Subscript) and _is_shape(node.value, name):
        part = node.slice
        if isinstance(part, ast.Slice) and part.upper is None and part.step is None:
            first = _value(part.lower) if part.lower is not None else 0
            return first if type(first) is int else None
    return None


def _value(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _slots(name: str, asked: _Asked) -> Iterator[Slot]:
    least = max((axis + 1 if axis >= 0 else -axis for axis in asked.sizes), default=1)
    usual = (least, least + 1) if min(asked.sizes, default=0) >= 0 else (max(least, 2), least + 2)
    made = 0
    for rank in asked.ranks or usual:
        if rank < least or made == _MOST:
            continue
        dims = [f"{name}.{axis}" for axis in range(rank)]
        for axis, size in asked.sizes.items():
            dims[axis] = f"={size}"
        made += 1
        yield Slot(name, "array", None, tuple(dims))
