"""Items beside the own ones, ``poses[i + 1]``: parts of one length, each from another item on."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from gpuport.source.syntax import walk


@dataclass(frozen=True, slots=True)
class Window:
    """How a loop counts: from `first` to ``stop - less``; `stop` may be the length of `owner`.

    Where it begins with no number that is written out, `start` is the text of that; `cut` says
    whether it may end before the last item of an array that it writes.
    """

    stop: str
    less: int = 0
    owner: str | None = None
    first: int = 0
    start: str = ""
    cut: bool = False

    @property
    def later(self) -> bool:
        """Whether the loop may begin with another item than the first one."""
        return bool(self.first or self.start)

    @property
    def counts(self) -> str:
        """What the loop counts, as arguments of a range."""
        stop = f"{enclosed(self.stop)} - {self.less}" if self.less else self.stop
        first = self.start or (str(self.first) if self.first else "")
        return f"{first}, {stop}" if first else stop

    def begins_before(self, shift: int) -> bool:
        """Whether ``name[i + shift]`` is no item from the first one on, when the loop begins."""
        return not self.start and self.first + shift < 0

    def of(self, name: str, shift: int) -> str:
        """The items ``name[i + shift]``: where there are too few the text gives fewer."""
        begin = self.first + shift
        first = str(begin) if begin else ""
        if self.start:
            sign = "-" if shift < 0 else "+"
            first = f"{enclosed(self.start)} {sign} {abs(shift)}" if shift else self.start
        left = self.less - shift
        if name == self.owner and left >= 0:
            return f"{name}[{first}:{-left if left else ''}]"
        stop = enclosed(self.stop)
        last = f"{stop} - {left}" if left > 0 else f"{stop} + {-left}"
        return f"{name}[{first}:{last if left else self.stop}]"


def enclosed(text: str) -> str:
    """The text of a number, for a sum."""
    return f"({text})" if _OPERATOR.search(text) else text


_OPERATOR = re.compile(r"[-+*/%]")


def less_of(stop: ast.expr) -> int:
    """``1`` of ``n - 1``; 0 of anything else."""
    if isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Sub):
        return _number(stop.right) or 0
    return 0


def shift_of(node: ast.expr, counter: str | None) -> int | None:
    """How far an index is beside the counter; None where it is something else."""
    if isinstance(node, ast.Name):
        return 0 if node.id == counter else None
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub)):
        return None
    if isinstance(node.op, ast.Sub):
        before = isinstance(node.left, ast.Name) and node.left.id == counter
        number = _number(node.right) if before else None
        return None if number is None else -number
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(one, ast.Name) and one.id == counter:
            return _number(other)
    return None


def names_beside(node: ast.AST) -> frozenset[str]:
    """Names that a number is added to, or taken from, in an index."""
    found = set()
    for part in walk(node):
        if isinstance(part, ast.Subscript):
            held = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            index = next(iter(held), part.slice)
            names = {one.id for one in walk(index) if isinstance(one, ast.Name)}
            found |= {name for name in names if shift_of(index, name)}
    return frozenset(found)


def as_long_as_each_other(arguments: list[ast.expr]) -> list[ast.expr]:
    """``poses[:-1]``, ``poses[1:]`` of ``zip(poses, poses[1:])``, which ends with the shorter."""
    begins: dict[str, list[int]] = {}
    for one in arguments:
        owner, begin = _owner(one), _from_on(one)
        if owner is not None and begin is not None:
            begins.setdefault(owner.id, []).append(begin)
    return [_cut_off(one, begins) for one in arguments]


def _cut_off(node: ast.expr, begins: dict[str, list[int]]) -> ast.expr:
    """An argument without the items that come after the last one of its shortest part."""
    owner, begin = _owner(node), _from_on(node)
    left = max(begins[owner.id]) - begin if owner is not None and begin is not None else 0
    if not left or owner is None:
        return node
    first = ast.Constant(begin) if begin else None
    cut = ast.Slice(first, ast.UnaryOp(ast.USub(), ast.Constant(left)), None)
    part = ast.Subscript(ast.Name(owner.id, ast.Load()), cut, ast.Load())
    return ast.fix_missing_locations(ast.copy_location(part, node))


def _owner(node: ast.expr) -> ast.Name | None:
    inner = node.value if isinstance(node, ast.Subscript) else node
    return inner if isinstance(inner, ast.Name) else None


def _from_on(node: ast.expr) -> int | None:
    """``1`` of ``poses[1:]``, 0 of ``poses``; None of any other part."""
    if isinstance(node, ast.Name):
        return 0
    cut = node.slice if isinstance(node, ast.Subscript) else None
    if not isinstance(cut, ast.Slice) or cut.upper is not None or cut.step is not None:
        return None
    begin = cut.lower.value if isinstance(cut.lower, ast.Constant) else None
    return begin if type(begin) is int and begin >= 0 else None


def _number(node: ast.expr) -> int | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if type(value) is int and value > 0 else None
