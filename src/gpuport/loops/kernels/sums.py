"""Numbers that all iterations make together: each thread's share, and how shares are combined.

A thread keeps its share in a variable of the user's name, which starts at what changes nothing
(0 for a sum). The shares are stored, and combined by CuPy with the value from before the loop.
Sums of floating numbers are added in another order than the loop's.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gpuport.loops.cuda.values import dtype_bounds
from gpuport.loops.names import stored
from gpuport.loops.records import Packed
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.text import C_TYPES, literal
from gpuport.parallel.typing import Number, Type, kind

_FROM_0 = re.compile(r"range\([^,]*\)")
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
    bests : dict of str to list of str
        What is set together with an extreme: its position, say.
    later_wins : dict of str to (str, str)
        Extremes of which the last of equals counts, with the position that tells which it is, and
        the range of that.
    last_of_equals : set of str
        Extremes by themselves of which the last of equals counts: of zeros of two signs.
    last_at : set of str
        Extremes of which the last of equals counts, where the thread's number tells which it is.
    counted : dict of str to str
        Positions that are the loop's variable itself: Python text of the thread's number ``{at}``.
    marks : dict of str to str
        The number that tells whether anything was added to a number.
    assumed : dict of str to str
        What numbers of unknown type are before the loop, for ``types`` to be right: as
        ``breadth.accepted`` says it.
    packed : tuple of Packed
    spread : bool
        The shares have several axes, those of the arrays that the kernel reads.
    """

    dtypes: dict[str, str] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    given: dict[str, frozenset[Type]] = field(default_factory=dict)
    operators: dict[str, str] = field(default_factory=dict)
    statements: dict[str, list[ast.stmt]] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    needs_threads: bool = False
    constants: dict[str, str] = field(default_factory=dict)
    bests: dict[str, list[str]] = field(default_factory=dict)
    later_wins: dict[str, tuple[str, str]] = field(default_factory=dict)
    last_of_equals: set[str] = field(default_factory=set)
    last_at: set[str] = field(default_factory=set)
    counted: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)
    packed: tuple[Packed, ...] = ()
    spread: bool = False

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

    def after(
        self, terms: Mapping[str, str], size: str, without: set[str], unused: Callable[[str], str]
    ) -> list[str]:
        """Python statements that combine the shares, but for those of some numbers.

        Parameters
        ----------
        terms : mapping of str to str
            The arrays of the shares.
        size : str
        without : set of str
        unused : callable
            Makes a name that the function does not have.
        """
        found: list[str] = []
        plain = [n for n in self.operators if self._is_plain(n)]
        fetched, stacked = dict[str, str](), set[str]()
        if len(plain) > 1 and len({self.dtypes[n] for n in plain}) == 1:
            fetched = {n: unused(f"{n}_found") for n in plain}
            stacked = {n for n in plain if self._has_equals(n)}
            listed = ", ".join(self._reduced(n, terms[n], n not in stacked) for n in plain)
            names = ", ".join(fetched.values())
            found.append(f"{names} = {{cupy}}.asnumpy({{cupy}}.stack([{listed}]))")
        for name in sorted(self.last_of_equals - fetched.keys()):
            fetched[name] = unused(f"{name}_found")
            one = self._reduced(name, terms[name])
            found.append(f"{fetched[name]} = {{cupy}}.asnumpy({one})[()]")
        marked: dict[str, dict[str, str]] = {}
        for name, operator in self.operators.items():
            if name in without or name in self.marks.values():
                continue
            if name in self.marks and name not in self.bests:
                mark = self.marks[name]
                value = (
                    self._latest(name, terms[name], terms[mark])
                    if operator == "latest"
                    else self._combined(name, terms[name], fetched, name in stacked)
                )
                marked.setdefault(mark, {})[name] = value
            elif name in self.bests:
                found += self._extreme(name, terms, operator, unused)
            elif operator == "last":
                value = scalar_text(f"{terms[name]}[-1]", self.types[name])
                found.append(f"{name} = {value}")
            elif operator == "any":
                found.append(f"if {terms[name]}.any():\n    {name} = {self.constants[name]}")
            elif name in plain:
                value = self._combined(name, terms[name], fetched, name in stacked)
                found.append(f"{name} = {value}")
        for mark, values in marked.items():
            found.append("\n    ".join([f"if {terms[mark]}.any():", *self._set(values)]))
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
        return self.operators[name] in ("+", "*", "min", "max") and name not in self.bests

    def _has_equals(self, name: str) -> bool:
        """Whether it may be one of two numbers that are equal and not the same: 0.0 and -0.0."""
        return self.operators[name] in ("min", "max") and self.types[name].kind == "f"

    def _reduced(self, name: str, terms: str, exact: bool = True) -> str:
        operator, type_ = self.operators[name], self.types[name]
        narrow = operator in "+*" and type_.kind in "iu" and not type_.weak
        dtype = f"dtype={{cupy}}.{type_.dtype}" if narrow else ""
        if exact and self._has_equals(name):
            return self._of_equals(name, self._listed(terms))
        return f"{terms}.{_REDUCTIONS[operator]}({dtype})"

    def _of_equals(self, name: str, terms: str) -> str:
        """An extreme: of zeros of two signs, which are equal, that which the loop keeps."""
        if name in self.last_of_equals:
            return f"{terms}[-1 - {terms}[::-1].arg{self.operators[name]}()]"
        return f"{terms}[{terms}.arg{self.operators[name]}()]"

    def _combined(
        self, name: str, terms: str, fetched: Mapping[str, str], other_zeros: bool
    ) -> str:
        operator, type_ = self.operators[name], self.types[name]
        exact = value = scalar_text(self._reduced(name, terms), type_)
        if name in fetched:
            value = f"{type_}({fetched[name]})" if type_.weak else fetched[name]
        if other_zeros:  # asked for only where it is a zero
            value = f"{value} or {exact}"
            value = f"({value})" if name in self.last_of_equals else value
        if operator in "+*":
            return f"{name} {operator} {value}"
        if name in self.last_of_equals:
            sign = {"min": "<=", "max": ">="}[operator]
            return f"{value} if {fetched[name]} {sign} {name} else {name}"
        return f"{operator}({name}, {value})"

    def _latest(self, name: str, terms: str, mark: str) -> str:
        """What the last of the threads that set a number gave it."""
        place = f"-1 - int({self._listed(mark)}[::-1].argmax())"
        return scalar_text(f"{self._listed(terms)}[{place}]", self.types[name])

    def _set(self, values: Mapping[str, str]) -> list[str]:
        """Statements that set names; those of a tuple's items set the tuple."""
        found: list[str] = []
        whole = {one.parts[0]: one for one in self.packed}
        items = {part for one in self.packed for part in one.parts}
        for name, value in values.items():
            if name in whole:
                one = whole[name]
                listed = ", ".join(values[part] for part in one.parts)
                found.append(f"{one.name} = {one.written(listed)}")
            elif name not in items:
                found.append(f"{name} = {value}")
        return found

    def _extreme(
        self, name: str, terms: Mapping[str, str], operator: str, unused: Callable[[str], str]
    ) -> list[str]:
        """The extreme and what is set with it: read back only where one was found."""
        shares, others = terms[name], self.bests[name]
        found, sign = unused(f"{name}_found"), {"min": "<", "max": ">"}[operator]
        if name in self.later_wins:
            return self._later_extreme(name, terms, f"{shares}.{operator}()", found, f"{sign}=")
        at = unused(f"{name}_at")
        values = {
            other: self.counted[other].replace("{at}", at)
            if other in self.counted
            else self._share(other, terms, at)
            for other in others
        }
        if name in self.marks:
            return [self._among_marked(name, terms, operator, {at: found}, values)]
        return [
            f"{at} = int({shares}.arg{operator}())",
            f"{found} = {self._share(name, terms, at)}",
            "\n    ".join([f"if {found} {sign} {name}:", f"{name} = {found}", *self._set(values)]),
        ]

    def _among_marked(
        self,
        name: str,
        terms: Mapping[str, str],
        operator: str,
        names: Mapping[str, str],
        values: Mapping[str, str],
    ) -> str:
        """The extreme of the threads that have one; where none has, all is as it was before."""
        shares, mark = terms[name], terms[self.marks[name]]
        ((at, found),) = names.items()
        sign = {"min": "<", "max": ">"}[operator]
        equal = self._listed(f"({mark} & ({shares} == {found}))")
        place = f"{at} = int({equal}.argmax())"
        if name in self.last_at:
            sign = f"{sign}="
            place = f"{at} = {shares}.size - 1 - int({equal}[::-1].argmax())"
        inner = [place, f"{name} = {self._share(name, terms, at)}", *self._set(values)]
        lines = [
            f"{found} = {scalar_text(f'{shares}.{operator}()', self.types[name])}",
            "\n        ".join([f"if {found} {sign} {name}:", *inner]),
        ]
        return "\n    ".join([f"if {mark}.any():", *lines])

    def _later_extreme(
        self, name: str, terms: Mapping[str, str], extreme: str, found: str, sign: str
    ) -> list[str]:
        """The same, where the last of equals counts; of zeros of two signs the last, too."""
        (first, counted), shares = self.later_wins[name], terms[name]
        last = f"{found}_last"
        where = f"{{cupy}}.where({shares} == {found}, {terms[first]}, -1)"
        at = last if _FROM_0.fullmatch(counted) else f"{counted}.index({last})"
        values = {
            other: last if other == first else self._share(other, terms, at)
            for other in (name, *self.bests[name])
        }
        if kind(self.types[name].dtype) == "f":
            values[name] = f"{values[name]} if {found} == 0 else {found}"
        else:
            values[name] = found
        inner = "\n        ".join(self._set(values))
        return [
            f"{found} = {scalar_text(extreme, self.types[name])}",
            f"if {found} {sign} {name}:\n    {last} = int({where}.max())\n"
            f"    if {last} >= 0:\n        {inner}",
        ]

    def _share(self, name: str, terms: Mapping[str, str], at: str) -> str:
        """The share of one thread."""
        return scalar_text(f"{self._listed(terms[name])}[{at}]", self.types[name])

    def _listed(self, terms: str) -> str:
        """The shares in the order of the iterations."""
        return f"{terms}.ravel()" if self.spread else terms

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
