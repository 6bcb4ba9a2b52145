"""The grid of a kernel: how many threads, and each thread's loop variables."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.facts import ArrayFact
from gpuport.loops.names import constant_int, decided, dotted, range_text
from gpuport.loops.records import Axis, LoopPlan
from gpuport.parallel.cuda.names import Names


@dataclass(frozen=True, slots=True)
class Grid:
    """Text of a grid.

    Attributes
    ----------
    lines : tuple of str
        C++ that gives the loop variables their values.
    size : str
        Python expression for the number of threads.
    passed : tuple of (str, str)
        Numbers that the launch passes for it: C++ name and Python expression.
    read : frozenset of str
        The user's names that the lines read.
    """

    lines: tuple[str, ...]
    size: str
    passed: tuple[tuple[str, str], ...]
    read: frozenset[str]


class _Maker:
    def __init__(
        self, plan: LoopPlan, symbols: Symbols, names: Names, shaped: frozenset[str]
    ) -> None:
        self.plan, self.symbols, self.names, self.shaped = plan, symbols, names, shaped
        self.passed: list[tuple[str, str]] = []
        self.read: set[str] = set()

    def value(self, text: str, axis: Axis, what: str) -> str:
        """A Python expression in C++, or a number passed in its place."""
        found = self._plain(ast.parse(text, mode="eval").body, axis.variable)
        if found is not None:
            return found
        name = self.names.fresh(f"{axis.variable.rstrip('_')}_{what}")
        self.passed.append((name, text))
        return name

    def _plain(self, node: ast.expr, variable: str) -> str | None:
        constant = constant_int(node)
        if constant is not None:
            return str(constant)
        length = self.symbols.length_of(node)
        if length is not None and length[0] in self.shaped:
            return f"{self.names[length[0]]}.shape()[{length[1]}]"
        name = dotted(node)
        if name is not None and name != variable and name in self.symbols.scalars:
            known = self.symbols.scalars[name].constant
            if known is not None:  # a literal in the body, so no parameter either
                return str(known) if type(known) is int else None
            self.read.add(name)
            return self.names[name]
        return None

    def count(self, axis: Axis) -> str:
        """Number of iterations, where there is at least one."""
        start, step = (constant_int(_parsed(t)) for t in (axis.start, axis.step))
        stop = _parsed(axis.stop)
        base, offset = _offset(stop)
        if step == 1 and start is not None and base is not None:
            text = self._plain(base, axis.variable)
            if text is not None:
                return _sum(text, offset - start)
        if step == 1 and start is not None and constant_int(stop) is not None:
            return str(constant_int(stop) - start)  # type: ignore[operator]
        name = self.names.fresh(f"{axis.variable.rstrip('_')}_count")
        self.passed.append((name, _length(axis)))
        return name


def grid(
    plan: LoopPlan, symbols: Symbols, names: Names, shaped: frozenset[str], bare: bool
) -> Grid:
    """Write the grid of a plan.

    Parameters
    ----------
    plan : LoopPlan
    symbols : Symbols
    names : Names
        C++ names.
    shaped : frozenset of str
        Arrays whose lengths the kernel sees.
    bare : bool
        Whether a loop variable ``i`` may be the kernel's own index ``i``.
    """
    maker = _Maker(plan, symbols, names, shaped)
    counts = [maker.count(axis) for axis in plan.grid[1:]]
    lines = []
    for k, axis in enumerate(plan.grid):
        inner = counts[k:]
        index = "i" if not inner else f"i / {_product(inner)}"
        if k:
            index = f"{index} % {_factor(counts[k - 1])}"
        start, step = (
            maker.value(t, axis, w) for t, w in ((axis.start, "start"), (axis.step, "step"))
        )
        plain = (
            bare
            and len(plan.grid) == 1
            and (start, step) == ("0", "1")
            and axis.variable in ("i", "i_")
        )
        if plain:
            names.same(axis.variable, "i")
            continue
        lines.append(f"const long long {names[axis.variable]} = {_moved(index, start, step)};")
    size = " * ".join(axis_size(axis, plan) for axis in plan.grid)
    return Grid(tuple(lines), size, tuple(maker.passed), frozenset(maker.read))


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _offset(node: ast.expr) -> tuple[ast.expr | None, int]:
    """``n - 1`` as ``n`` and -1."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        constant = constant_int(node.right)
        if constant is not None:
            return node.left, constant if isinstance(node.op, ast.Add) else -constant
    return (None, 0) if constant_int(node) is not None else (node, 0)


def _sum(text: str, offset: int) -> str:
    return text if not offset else f"{text} {'+' if offset > 0 else '-'} {abs(offset)}"


def _factor(text: str) -> str:
    return f"({text})" if " " in text else text


def _product(counts: list[str]) -> str:
    text = " * ".join(map(_factor, counts))
    return text if len(counts) == 1 else f"({text})"


def _moved(index: str, start: str, step: str) -> str:
    negative = step.startswith("-")
    size = step.lstrip("-")
    if size != "1":
        index = f"{size} * {f'({index})' if ' ' in index else index}"
    if not negative:
        if start == "0":
            return index
        return f"{index} - {start[1:]}" if start.startswith("-") else f"{index} + {start}"
    return f"{start} - {f'({index})' if ' % ' in index or ' / ' in index else index}"


def _length(axis: Axis) -> str:
    call = _parsed(f"range({axis.start}, {axis.stop}, {axis.step})")
    return decided(f"len({range_text(call)})")


def axis_size(axis: Axis, plan: LoopPlan) -> str:
    """Python expression for the number of iterations of a loop."""
    stop = _parsed(axis.stop)
    plain = (axis.start, axis.step) == ("0", "1")
    if plain and (_is_length(stop, plan) or (constant_int(stop) or -1) >= 0):
        return axis.stop
    return f"max({axis.stop}, 0)" if plain else _length(axis)


def _is_length(node: ast.expr, plan: LoopPlan) -> bool:
    if isinstance(node, ast.Call):
        return dotted(node.func) == "len"
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if isinstance(node, ast.Attribute):
        return node.attr == "size"
    facts = [f for f in plan.nest.facts.values() if isinstance(f, ArrayFact)]
    return any(dotted(node) in (f.shape or ()) for f in facts)
