"""What a loop takes element by element: how long it is, and where its elements stand."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from gpuport.loops.facts import Fact
from gpuport.loops.heads.heads import not_understood, parse, range_arguments
from gpuport.loops.names import constant_int, dotted, function_path, subscript_indices

_INDEX = "{}"


@dataclass(frozen=True)
class Source:
    """Something that is iterated.

    Attributes
    ----------
    length : expr
    array : expr or None
        None for the numbers of a ``range``.
    place : str
        The index in the array, or the number itself, for the iteration ``{}``.
    before : tuple of expr
        The indices before it, where a row of the array is iterated: ``x[k]``.
    """

    length: ast.expr
    array: ast.expr | None
    place: str = _INDEX
    before: tuple[ast.expr, ...] = ()

    def at(self, index: str, where: ast.AST) -> ast.expr:
        """The place that an iteration takes."""
        return parse(self.place.replace(_INDEX, index), where)


def source(node: ast.expr, facts: Mapping[str, Fact]) -> Source:
    """An array, a part or a row of one, or a ``range``, forwards or backwards.

    Raises
    ------
    Refused
    """
    array = dotted(node)
    if array is not None:
        return Source(parse(f"len({array})", node), node)
    called = function_path(node.func, facts) if isinstance(node, ast.Call) else None
    if called == "builtins.range" and isinstance(node, ast.Call):
        return _range(node)
    if called == "builtins.reversed" and isinstance(node, ast.Call):
        return _backwards(node)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _slice(node, node.slice)
    row = _row(node) if isinstance(node, ast.Subscript) else None
    if row is not None:
        return row
    raise not_understood(node)


def _range(node: ast.Call) -> Source:
    arguments = range_arguments(node)
    step = constant_int(arguments[2])
    if not step or node.keywords:
        raise not_understood(node)
    start, stop = (ast.unparse(item) for item in arguments[:2])
    if step == 1:
        length = stop if start == "0" else f"max(({stop}) - ({start}), 0)"
        return Source(parse(length, node), None, f"{start} + {_INDEX}")
    first, last = (start, stop) if step > 0 else (stop, start)
    gap = f"({last})" if first == "0" else f"({last}) - ({first})"
    length = f"max(({gap} + {abs(step) - 1}) // {abs(step)}, 0)"
    return Source(parse(length, node), None, f"({start}) + {step} * {_INDEX}")


def _backwards(node: ast.Call) -> Source:
    array = dotted(node.args[0]) if len(node.args) == 1 and not node.keywords else None
    if array is None:
        raise not_understood(node)
    return Source(parse(f"len({array})", node), node.args[0], f"len({array}) - 1 - {_INDEX}")


def _slice(node: ast.Subscript, part: ast.Slice) -> Source:
    """``x[2:-1]``, ``x[::-1]``, ``x[1::2]``."""
    array = dotted(node.value)
    lower = 0 if part.lower is None else constant_int(part.lower)
    upper = 0 if part.upper is None else constant_int(part.upper)
    step = 1 if part.step is None else constant_int(part.step)
    if array is None or lower is None or upper is None or lower < 0 or step is None:
        raise not_understood(node)
    if upper > 0 or (upper == 0 and part.upper is not None):
        raise not_understood(node)
    if step == 1:
        length = parse(_changed(f"len({array})", upper - lower), node)
        return Source(length, node.value, f"{_INDEX} + {lower}" if lower else _INDEX)
    if step == -1 and part.lower is None and part.upper is None:
        return Source(parse(f"len({array})", node), node.value, f"len({array}) - 1 - {_INDEX}")
    if step < 2:
        raise not_understood(node)
    length = parse(f"{_changed(f'len({array})', upper - lower + step - 1)} // {step}", node)
    return Source(length, node.value, f"{step} * {_INDEX}" + (f" + {lower}" if lower else ""))


def _row(node: ast.Subscript) -> Source | None:
    """``x[k]``, ``x[i, j + 1]``: each row is as long as the array's next axis."""
    array, indices = dotted(node.value), subscript_indices(node)
    if array is None or not all(map(_is_place, indices)):
        return None
    length = parse(f"{array}.shape[{len(indices)}]", node)
    return Source(length, node.value, before=tuple(indices))


def _is_place(index: ast.expr) -> bool:
    """Whether an index is one place: names, whole numbers and sums of them."""
    if isinstance(index, ast.BinOp) and isinstance(index.op, (ast.Add, ast.Sub)):
        return _is_place(index.left) and _is_place(index.right)
    return isinstance(index, ast.Name) or constant_int(index) is not None


def _changed(length: str, by: int) -> str:
    """A length with so many more, or fewer where there are as many."""
    return f"({length} + {by})" if by > 0 else f"max({length} - {-by}, 0)"
