"""Numbers that all iterations make together: each thread's share, and how shares are combined.

A thread keeps its share in a variable of the user's name, which starts at what changes nothing
(0 for a sum). The shares are stored, and combined with the value from before the loop.
Sums of floating numbers are added in another order than the loop's.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gpuport.loops.names import stored
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.text import C_TYPES, literal
from gpuport.parallel.ranges import dtype_bounds
from gpuport.parallel.typing import Number, Type, kind


@dataclass
class Sums:
    """The accumulations of a plan.

    Attributes
    ----------
    dtypes : dict of str to str
        Dtype of the share of each number.
    flags : frozenset of str
        Numbers of which a thread keeps only whether it set them.
    types : dict of str to Type
        Types that the loop gives the numbers.
    given : dict of str to frozenset of Type
        Types of what iterations add to the numbers.
    operators : dict of str to str
    statements : dict of str to list of ast.stmt
        What sets a number.
    constants : dict of str to str
        What ``any`` sets, as Python text.
    bests : dict of str to list of str
        What is set together with an extreme: its position, say.
    later_wins : dict of str to str
        Extremes of which the last of equals counts, with the position that tells which it is.
    last_of_equals : set of str
        Extremes by themselves of which the last of equals counts: of zeros of two signs.
    last_at : set of str
        Extremes of which the last of equals counts, where the thread's number tells which it is.
    counted : set of str
        Positions that are a loop's variable itself.
    marks : dict of str to str
        The number that tells whether anything was added to a number.
    assumed : dict of str to str
        What numbers of unknown type are before the loop, for ``types`` to be right: as
        ``breadth.accepted`` says it.
    """

    dtypes: dict[str, str] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    given: dict[str, frozenset[Type]] = field(default_factory=dict)
    operators: dict[str, str] = field(default_factory=dict)
    statements: dict[str, list[ast.stmt]] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    constants: dict[str, str] = field(default_factory=dict)
    bests: dict[str, list[str]] = field(default_factory=dict)
    later_wins: dict[str, str] = field(default_factory=dict)
    last_of_equals: set[str] = field(default_factory=set)
    last_at: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    marks: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)

    def around(
        self,
        lines: list[str],
        body: Sequence[ast.stmt],
        names: Names,
        partial: Mapping[str, str],
    ) -> list[str]:
        """The body's lines with the shares' first values before and their stores after them."""
        if not self.dtypes:
            return lines
        before, after = [], []
        for name, dtype in self.dtypes.items():
            start = literal(_identity(self.operators[name], dtype), dtype).text
            only = self._whole(name, body) and len(self.dtypes) == 1
            if only and lines[-1].startswith(f"{names[name]} += "):
                share = lines[-1].removeprefix(f"{names[name]} += ")
                lines = [*lines[:-1], f"{partial[name]}[i] = {share}"]
                continue
            before.append(f"{C_TYPES[dtype]} {names[name]} = {start};")
            after.append(f"{partial[name]}[i] = {names[name]};")
        if after and ends_early(body):
            lines = within_once(lines)
        return [*before, *lines, *after]

    def _whole(self, name: str, body: Sequence[ast.stmt]) -> bool:
        """Whether the last statement of the body is the only one that makes the number."""
        found = self.statements[name]
        return (
            len(found) == 1
            and body[-1] is found[0]
            and isinstance(found[0], ast.AugAssign)
            and self.operators[name] == "+"
            and not ends_early(body)
        )

    @property
    def of_either_kind(self) -> tuple[str, ...]:
        """Numbers that become Python's where all that is added, or found, is Python's."""
        return tuple(
            name for name, type_ in self.types.items()
            if not type_.weak and any(t.weak for t in self.given.get(name, ()))
        )  # fmt: skip

    def without_counted(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The body without the positions that Python works out."""
        kept: list[ast.stmt] = []
        for node in body:
            if isinstance(node, ast.If):
                node = copy.copy(node)
                node.body = self.without_counted(node.body)
                node.orelse = self.without_counted(node.orelse)
            if not (isinstance(node, ast.Assign) and stored([node]) & self.counted):
                kept.append(node)
        return kept


def unasked(guards: Sequence[str], assumed: Mapping[str, str]) -> list[str]:
    """Guards without the questions whether names hold numbers of which the types are asked for."""
    return [
        guard
        for guard in guards
        if not any(guard.startswith(f"(isinstance({name}, ") for name in assumed)
    ]


def _identity(operator: str, dtype: str) -> Number:
    if operator in ("any", "last", "latest"):
        return False if dtype == "bool" else 0
    if operator in ("argmin", "argmax"):
        return -1
    if operator in ("min", "max"):
        if kind(dtype) == "f":
            return float("inf") if operator == "min" else float("-inf")
        return dtype_bounds(dtype)[1 if operator == "min" else 0]
    return 1 if operator == "*" else 0


def within_once(lines: list[str]) -> list[str]:
    """Lines whose ``continue`` goes on after them."""
    return ["do {", *(f"    {line}" for line in lines), "} while (false);"]


def ends_early(body: Sequence[ast.stmt]) -> bool:
    """Whether a ``continue`` ends the thread."""
    for node in body:
        if isinstance(node, ast.Continue):
            return True
        if isinstance(node, ast.If) and (ends_early(node.body) or ends_early(node.orelse)):
            return True
    return False
