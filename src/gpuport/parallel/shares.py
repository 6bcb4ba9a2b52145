"""What is made of the shares that the iterations have in numbers, in the runtime's words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from gpuport.parallel.typing import PYTHON, Type

_TYPED = {"int": "whole", "float": "real", "bool": "whole"}


@dataclass(frozen=True, slots=True)
class Share:
    """The shares in one number, and in those that are set with it.

    Attributes
    ----------
    name : str
        The number's.
    operator : str
        As of an accumulation.
    terms : str
        The array of the shares, or the loop's variable.
    type : Type
        What the loop gives the number.
    last : bool
        Of equal extremes the last counts.
    among : str
        What tells which shares count; empty where all do.
    constant : str
        What ``any`` sets.
    others : tuple of Share
        What is set together with an extreme.
    before : str
        Python text of what the number was; its name where that is empty.
    made_up : bool
        It is none of the user's, and nothing that the loop leaves.
    """

    name: str
    operator: str
    terms: str
    type: Type
    last: bool = False
    among: str = ""
    constant: str = ""
    others: tuple[Share, ...] = ()
    before: str = ""
    made_up: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The numbers that it gives."""
        return tuple(one.name for one in (self, *self.others) if not one.made_up)

    @property
    def adds(self) -> bool:
        """Whether what the number was takes part in arithmetic."""
        return self.operator in ("+", "*")

    def text(self, *, together: bool) -> str:
        """Python text of the numbers, which come to the host with others or alone."""
        if self.operator == "any":
            return f"{self.constant} if {self.terms}.any() else {self.name}"
        if self.adds and together and (not self.type.weak or str(self.type) in _TYPED):
            given = [_typed(self), self.name]
            given += [f"dtype='{self.type.dtype}'"] if self._narrow else []
            given += [f"among={self.among}"] if self.among else []
            return f"{'summed' if self.operator == '+' else 'multiplied'}({', '.join(given)})"
        if self.adds:
            made = f"{self.name} {self.operator} {self._reduced()}"
            return f"{made} if {self.among}.any() else {self.name}" if self.among else made
        word = {"max": "greatest", "min": "least"}.get(self.operator, "latest")
        parts = [_typed(one) for one in (self, *self.others)]
        olds = ", ".join(one.before or one.name for one in (self, *self.others))
        listed = ", ".join(parts)
        given = [f"({listed})", f"({olds})"] if self.others else [listed, olds]
        given += ["last=True"] if self.last and word != "latest" else []
        given += [f"among={self.among}"] if self.among else []
        made = f"{word}({', '.join(given)})"
        if not self.made_up:
            return made
        return f"{made}[1:]" if len(self.others) > 1 else f"{made}[1]"

    @property
    def _narrow(self) -> bool:
        return self.type.kind in "iu" and not self.type.weak

    def _reduced(self) -> str:
        """The sum, or product, of the shares as a number."""
        dtype = f"dtype='{self.type.dtype}'" if self._narrow else ""
        value = f"{self.terms}.{'sum' if self.operator == '+' else 'prod'}({dtype})"
        return f"{self.type}({value})" if self.type.weak else f"{value}.get()[()]"


def _typed(one: Share) -> str:
    """The shares, as what the loop takes them for."""
    if one.type.weak and not one.constant:
        return f"{_TYPED[str(one.type)]}({one.terms})"
    return one.terms


class Together(Protocol):
    """What the iterations of a loop make together."""

    operators: dict[str, str]
    types: dict[str, Type]
    bests: dict[str, list[str]]
    marks: dict[str, str]
    later_wins: dict[str, str]
    last_of_equals: set[str]
    last_at: set[str]
    constants: dict[str, str]


def shares_of(
    sums: Together,
    terms: Mapping[str, str],
    along: Mapping[str, str],
    wholes: Mapping[str, tuple[tuple[str, ...], str]],
    begins: Mapping[str, str],
    own: Collection[str],
) -> list[Share] | None:
    """What iterations make together; None where the runtime has no words for it.

    Parameters
    ----------
    sums : Together
    terms : mapping of str to str
        The arrays that have the shares.
    along : mapping of str to str
        The loops' variables, by numbers that are set to one of these.
    wholes : mapping of str to (tuple of str, str)
        Tuples and lists that the loop sets: the names of their items, and a form for these.
    begins : mapping of str to str
        Python text of what numbers are before the first iteration.
    own : collection of str
        The user's names.
    """
    begins = {name: _FETCHED.sub(r"\1.get()[()]", text) for name, text in begins.items()}
    if any("cupy_" in text for text in begins.values()):
        return None
    found: list[Share] = []
    together = {name for names in sums.bests.values() for name in names}
    packed = {part for parts, _ in wholes.values() for part in parts}
    for name, operator in sums.operators.items():
        if name in together or name in sums.marks.values():
            continue
        others = [_beside(sums, terms, along, one) for one in sums.bests.get(name, ())]
        for whole, (parts, form) in wholes.items():
            inner = {one.name: one for one in others if one.name in parts}
            if len(inner) == len(parts):
                text = form.format(", ".join(_typed(inner[part]) for part in parts))
                others = [one for one in others if one.name not in parts]
                others.append(Share(whole, "", text, PYTHON["int"], constant=text))
        one = _share(sums, terms, name, operator)
        others = [replace(o, before=begins.get(o.name, "")) for o in others]
        one = replace(one, others=tuple(others), before=begins.get(name, ""))
        found.append(replace(one, made_up=name in begins and name not in own))
    names = {o.name for one in found for o in (one, *one.others)}
    known = all(one.before or not one.made_up for one in found)
    return found if known and packed.isdisjoint(names) and begins.keys() <= names else None


def _share(sums: Together, terms: Mapping[str, str], name: str, operator: str) -> Share:
    mark = sums.marks.get(name)
    among = terms[mark] if mark else ""
    if name in sums.later_wins:
        among = f"{terms[sums.later_wins[name]]} >= 0"
    last = name in sums.last_of_equals | sums.last_at | sums.later_wins.keys()
    type_ = sums.types.get(name, PYTHON["bool"])
    constant = sums.constants.get(name, "")
    return Share(name, operator, terms[name], type_, last, among, constant)


def _beside(sums: Together, terms: Mapping[str, str], along: Mapping[str, str], name: str) -> Share:
    """What is set with an extreme: a variable of the loops, or an array of shares."""
    if name in along:
        return Share(name, "", along[name], PYTHON["int"], constant=name)
    return Share(name, "", terms[name], sums.types[name])


_FETCHED = re.compile(r"cupy_\.asnumpy\((.+?)\)\[\(\)\]")


def returned(shares: Sequence[Share], more: Sequence[tuple[str, str]]) -> Left:
    """The numbers that a loop leaves.

    Parameters
    ----------
    shares : sequence of Share
    more : sequence of (str, str)
        Further names, with the Python text of their values.
    """
    names = [name for one in shares for name in one.names] + [name for name, _ in more]
    several = len(shares) + len(more) > 1
    stars = ("*" if len(one.names) > 1 and several else "" for one in shares)
    together = len(shares) > 1
    texts = [star + one.text(together=together) for star, one in zip(stars, shares, strict=True)]
    texts += [text for _, text in more]
    return Left(tuple(names), ", ".join(texts))


@dataclass(frozen=True, slots=True)
class Left:
    """What the call of a loop gives.

    Attributes
    ----------
    names : tuple of str
        What gets it.
    text : str
        Python text of ``returns=``.
    ends : str
        The function around returns it: ``always``, or where it is ``not None``.
    """

    names: tuple[str, ...]
    text: str
    ends: str = ""


def at_hit(
    found: str, lines: Sequence[str], olds: Mapping[str, str], otherwise: Sequence[str]
) -> Left | None:
    """What a loop leaves that ends at its first hit; None where there are no words for it.

    Parameters
    ----------
    found : str
        Python text that is true where there is a hit.
    lines : sequence of str
        What is done there: names are set, or something is returned.
    olds : mapping of str to str
        What names have where there is no hit, if not what they had.
    otherwise : sequence of str
        What is done there.
    """
    every = [_FETCHED.sub(r"\1.get()[()]", line) for line in (*lines, *otherwise)]
    value = every[len(lines) - 1].removeprefix("return ") if lines else ""
    ends = bool(lines) and lines[-1].startswith("return ")
    if not lines or any("cupy" in line for line in every):
        return None
    if ends:
        none = every[-1].removeprefix("return ") if otherwise else "None"
        told = not otherwise or (len(otherwise) == 1 and otherwise[0].startswith("return "))
        named = re.fullmatch(r"(?!True$|False$|math\.|np\.|numpy\.)[A-Za-z_][\w.]*", value)
        if named and not otherwise and not found.startswith(f"({value} := "):
            return None  # what has a name may be None
        value, none = (f"({text})" if "," in text else text for text in (value, none))
        text, when = f"{value} if {found} else {none}", "always" if otherwise else "not None"
        return Left((), text, when) if told else None
    if otherwise:
        return None
    pairs = [(line.partition(" = ")[0], line.partition(" = ")[2]) for line in every]
    names = dict.fromkeys([*(name for name, _ in pairs), *olds])
    values = {name: olds.get(name, name) for name in names} | dict(pairs)
    texts = [", ".join(values[n] for n in names), ", ".join(olds.get(n, n) for n in names)]
    whole, none = (f"({text})" if len(names) > 1 else text for text in texts)
    return Left(tuple(names), f"{whole} if {found} else {none}")


def running(operator: str, terms: str, into: str, begin: str) -> str:
    """Text of running numbers, which are stored in an array or make one."""
    word = {"+": "sum", "*": "product", "min": "least", "max": "greatest"}[operator]
    given = [terms, *([into] if into else []), *([f"begin={begin}"] if begin else [])]
    return f"running_{word}({', '.join(given)})"


def last_of(array: str, type_: Type, *, zero: bool = False, keeps: str = "") -> str:
    """Text of the last element of an array as a number.

    Parameters
    ----------
    array : str
    type_ : Type
    zero : bool
        The array lacks the zero that all began with.
    keeps : str
        The number that it is as long as it is equal to that.
    """
    value = f"{type_}({array}[-1])" if type_.weak else f"{array}[-1].get()[()]"
    value = f"0.0 + {value}" if zero else value
    return f"{keeps} if (found := {value}) == {keeps} else found" if keeps else value


__all__ = [
    "Left",
    "Share",
    "at_hit",
    "last_of",
    "returned",
    "running",
    "shares_of",
]
