"""Numbers that all iterations make together: each thread's share, and how shares are combined.

A thread keeps its share in a variable of the user's name, which starts at what changes nothing
(0 for a sum). The shares are stored, and combined by CuPy with the value from before the loop.
Sums of floating numbers are added in another order than the loop's.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .cuda_names import Names
from .cuda_text import C_TYPES, literal
from .cuda_values import Number, dtype_bounds
from .names import stored
from .typing import Type, kind

_REDUCTIONS = {"+": "sum", "*": "prod", "min": "min", "max": "max", "any": "any"}


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
    needs_threads : bool
        Without any iteration there is nothing to combine.
    constants : dict of str to str
        What ``any`` sets, as Python text.
    bests : dict of str to str
        The extreme that belongs to a position.
    later_wins : frozenset of str
        Extremes of which the last of equals counts.
    counted : dict of str to str
        Positions that are the loop's variable itself: the range that it runs over.
    marks : dict of str to str
        The number that tells whether anything was added to a number.
    assumed : dict of str to str
        What numbers of unknown type are before the loop, for ``types`` to be right: as
        ``kernel_symbols.accepted`` says it.
    """

    dtypes: dict[str, str] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    given: dict[str, frozenset[Type]] = field(default_factory=dict)
    operators: dict[str, str] = field(default_factory=dict)
    statements: dict[str, list[ast.stmt]] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    needs_threads: bool = False
    constants: dict[str, str] = field(default_factory=dict)
    bests: dict[str, str] = field(default_factory=dict)
    later_wins: frozenset[str] = frozenset()
    counted: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)

    def around(
        self,
        lines: list[str],
        body: Sequence[ast.stmt],
        names: Names,
        partial: Mapping[str, str],
        single: bool,
        dtypes: Mapping[str, str],
    ) -> list[str]:
        """The body's lines with the shares' first values before and their stores after them."""
        if not self.dtypes:
            return lines
        before, after = [], []
        for name, dtype in self.dtypes.items():
            start = literal(_identity(self.operators[name], dtype), dtype).text
            declared = "" if single else f"{C_TYPES[dtype]} "
            only = self._whole(name, body) and len(self.dtypes) == 1
            if only and lines[-1].startswith(f"{names[name]} += "):
                target = names[name] if single else f"{partial[name]}[i]"
                share = lines[-1].removeprefix(f"{names[name]} += ")
                lines = [*lines[:-1], f"{target} = {share}"]
                continue
            before.append(f"{declared}{names[name]} = {start};")
            if not single:
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

    def after(self, terms: Mapping[str, str], size: str, without: set[str]) -> list[str]:
        """Python statements that combine the shares, but for those of some numbers."""
        found: list[str] = []
        plain = [n for n in self.operators if self._is_plain(n)]
        together = len(plain) > 1 and len({self.dtypes[n] for n in plain}) == 1
        if together:
            listed = ", ".join(self._reduced(n, terms[n]) for n in plain)
            names = ", ".join(f"{n}_found" for n in plain)
            found.append(f"{names} = {{cupy}}.asnumpy({{cupy}}.stack([{listed}]))")
        marked: dict[str, list[str]] = {}
        for name, operator in self.operators.items():
            if name in without:
                continue
            if name in self.marks:
                line = self._combined(name, terms[name], operator, together)
                marked.setdefault(self.marks[name], []).append(f"    {line}")
                continue
            if name in self.marks.values():
                continue
            best = next((b for b, of in self.bests.items() if of == name), None)
            if best is not None:
                found += self._extreme(name, best, terms, operator)
            elif operator == "last":
                value = scalar_text(f"{terms[name]}[-1]", self.types[name])
                found.append(f"{name} = {value}")
            elif operator == "any":
                found.append(f"if {terms[name]}.any():\n    {name} = {self.constants[name]}")
            elif name in plain:
                found.append(self._combined(name, terms[name], operator, together))
        for mark, lines in marked.items():
            found.append("\n".join([f"if {terms[mark]}.any():", *lines]))
        return found

    @property
    def of_either_kind(self) -> tuple[str, ...]:
        """Numbers that become Python's where all that is added, or found, is Python's."""
        return tuple(
            name for name, type_ in self.types.items()
            if not type_.weak and any(t.weak for t in self.given.get(name, ()))
        )  # fmt: skip

    def _is_plain(self, name: str) -> bool:
        """Whether one reduction of the shares gives the number."""
        return self.operators[name] in ("+", "*", "min", "max") and name not in self.bests.values()

    def _reduced(self, name: str, terms: str) -> str:
        operator, type_ = self.operators[name], self.types[name]
        narrow = operator in "+*" and type_.kind in "iu" and not type_.weak
        dtype = f"dtype={{cupy}}.{type_.dtype}" if narrow else ""
        return f"{terms}.{_REDUCTIONS[operator]}({dtype})"

    def _combined(self, name: str, terms: str, operator: str, fetched: bool) -> str:
        type_ = self.types[name]
        value = scalar_text(self._reduced(name, terms), type_)
        if fetched:
            value = f"{type_}({name}_found)" if type_.weak else f"{name}_found"
        if operator in "+*":
            return f"{name} = {name} {operator} {value}"
        return f"{name} = {operator}({name}, {value})"

    def _extreme(self, name: str, best: str, terms: Mapping[str, str], operator: str) -> list[str]:
        """The extreme and its position: read back once each, and only where one was found."""
        found, shares = f"{name}_found", terms[name]
        lines = [f"{found} = {scalar_text(f'{shares}.{operator}()', self.types[name])}"]
        sign = {"min": "<", "max": ">"}[operator]
        if name in self.later_wins:
            last = f"{best}_found"
            where = f"{{cupy}}.where({shares} == {found}, {terms[best]}, -1)"
            return [
                *lines,
                f"if {found} {sign}= {name}:\n    {last} = int({where}.max())\n"
                f"    if {last} >= 0:\n        {name} = {found}\n        {best} = {last}",
            ]
        position = f"{shares}.arg{operator}()"
        if best in self.counted:
            position = f"{self.counted[best]}[int({position})]"
        else:
            position = scalar_text(f"{terms[best]}[{position}]", self.types[best])
        test = f"if {found} {sign} {name}:"
        return [*lines, f"{test}\n    {name} = {found}\n    {best} = {position}"]

    def without_counted(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The body without the positions that Python works out."""
        kept: list[ast.stmt] = []
        for node in body:
            if isinstance(node, ast.If):
                node = copy.copy(node)
                node.body = self.without_counted(node.body)
                node.orelse = self.without_counted(node.orelse)
            if not (isinstance(node, ast.Assign) and stored([node]) & set(self.counted)):
                kept.append(node)
        return kept


def scalar_text(device: str, type_: Type) -> str:
    """A device value as the number that the loop would have left."""
    if type_.weak:
        return f"{type_}({device})"
    return f"{{cupy}}.asnumpy({device})[()]"


def unasked(guards: Sequence[str], assumed: Mapping[str, str]) -> list[str]:
    """Guards without the questions whether names hold numbers of which the types are asked for."""
    return [
        guard
        for guard in guards
        if not any(guard.startswith(f"(isinstance({name}, ") for name in assumed)
    ]


def _identity(operator: str, dtype: str) -> Number:
    if operator in ("any", "last"):
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
