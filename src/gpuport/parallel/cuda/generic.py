"""One text for float32 and float64, of the texts for each.

NumPy computes in the dtype of the arrays, and takes Python's numbers for numbers of that dtype. The
two texts then differ in the type's name, in literals and in conversions alone; where they differ in
anything else, a text for both would be wrong for one of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from gpuport.runtime.kernels.weak import HELPERS

_TOKEN = re.compile(
    r"(?P<space>\s*)(?P<text>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?f?|\d+[eE][+-]?\d+f?"
    r"|[A-Za-z_]\w*|\d\w*|\S)"
)
_LITERAL = re.compile(r"(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+")
_TO_SINGLE, _TO_DOUBLE = ["(", "float", ")"], ["(", "double", ")"]
_ARITHMETIC = frozenset({"+", "-", "*", "/"})


def generic_text(double: str, single: str, letter: str, weak: Collection[str]) -> str | None:
    """The text for both dtypes; None where there is none.

    Parameters
    ----------
    double, single : str
        The text with float64 for what is open, and the same with float32.
    letter : str
        What stands for the type.
    weak : collection of str
        Parameters that are numbers of Python's: they take the arrays' dtype by themselves.
    """
    found = _Merge(double, single, letter, weak).merged()
    return None if found is None else with_typed_arguments(found, weak)


def with_typed_arguments(text: str, weak: Collection[str]) -> str:
    """The text of a kernel in which float32 may take part, for functions that take one type.

    Literals and numbers of Python's are of a type of their own there, which no template of
    ``semantics/`` takes beside another.

    Parameters
    ----------
    text : str
    weak : collection of str
        Parameters that are numbers of Python's.
    """
    found = [(m["space"], m["text"]) for m in _TOKEN.finditer(text)]
    tokens = [text for _, text in found]
    calls = _lone_arguments(tokens)
    parts = []
    for here, (space, token) in enumerate(found):
        typed = here in calls and (token in weak or _LITERAL.fullmatch(token))
        parts.append(f"{space}{'(double)' if typed else ''}{token}")
    return "".join(parts)


def _lone_arguments(tokens: list[str]) -> set[int]:
    """Where an argument of a function that takes one type alone is one token, but for its sign."""
    found: set[int] = set()
    opened: list[bool] = []
    for here, token in enumerate(tokens):
        if token in "([{":
            word = tokens[here - 1] if here and token == "(" else ""
            opened.append(word.isidentifier() and word not in _OF_ANY_TYPES)
        elif token in ")]}":
            opened.pop()
        elif opened and opened[-1] and tokens[here + 1 : here + 2] in ([","], [")"]):
            start = here - 1 if tokens[here - 1] == "-" else here
            if tokens[start - 1] in ("(", ","):
                found.add(here)
    return found


_OF_ANY_TYPES = frozenset(HELPERS) | {"pow", "if", "while", "for", "switch", "return", "sizeof"}


_CONSTANTS = frozenset({"CUDART_INF", "CUDART_NAN"})
"""Numbers that are the same in either type."""


class _Merge:
    """Goes through both texts at once; the layout is that of the one for float64."""

    def __init__(self, double: str, single: str, letter: str, weak: Collection[str]) -> None:
        found = [(m["space"], m["text"]) for m in _TOKEN.finditer(double)]
        self.spaces = [space for space, _ in found]
        self.wide = [text for _, text in found]
        self.narrow = [m["text"] for m in _TOKEN.finditer(single)]
        self.alone = _lone_arguments(self.wide)
        self.letter, self.weak = letter, weak
        self.at = 0
        self.closing: list[tuple[int, str]] = []
        """Parentheses that the second text alone has, and what is written for them."""

    def merged(self) -> str | None:
        parts: list[str] = []
        for here, space in enumerate(self.spaces):
            parts.append(self._closed())
            before = self._conversions(here)
            found = self._both(here)
            if found is None:
                return None
            parts.append(f"{space}{before}{found}")
            self.at += 1
        parts.append(self._closed())
        return "".join(parts) if self.at == len(self.narrow) else None

    def _both(self, here: int) -> str | None:
        """A token for both."""
        wide = self.wide[here]
        if wide == "double" and self.wide[here - 1 : here + 2] != _TO_DOUBLE:
            # a variable: of float64 for either dtype it may be a number of Python's that meets
            # elements, and which of them it is does not show
            return self.letter if self.narrow[self.at : self.at + 1] == ["float"] else None
        narrow = self.narrow[self.at] if self.at < len(self.narrow) else ""
        if wide == narrow:
            return wide
        if (wide, narrow) == ("double", "float"):
            return self.letter
        if wide in _CONSTANTS and narrow == f"{wide}_F":
            return f"({self.letter}){wide}" if here in self.alone else wide
        if not (_LITERAL.fullmatch(wide) and narrow == f"{narrow[:-1]}f"):
            return None
        typed = f"({self.letter}){wide}" if here in self.alone else wide
        return typed if _is_rounded(wide, narrow[:-1]) else None

    def _closed(self) -> str:
        found = ""
        while self.closing and self.closing[-1][0] == self.at:
            found += self.closing.pop()[1]
            self.at += 1
        return found

    def _conversions(self, here: int) -> str:
        """What is written for conversions that the second text alone has."""
        found = ""
        while True:
            cast = self.narrow[self.at : self.at + 3]
            if cast not in (_TO_SINGLE, _TO_DOUBLE) or self.wide[here : here + 3] == _TO_DOUBLE:
                return found
            start = self.at + len(cast)
            if start == len(self.narrow):
                return found
            end = _end_of_operand(self.narrow, start)
            by_itself = cast == _TO_SINGLE and self._converts_itself(start, end)
            self.at = start
            if not by_itself:
                found += f"({self.letter if cast == _TO_SINGLE else 'double'})"
            if self.narrow[start] == "(" and self.wide[here] != "(":
                self.closing.append((end - 1, "" if by_itself else ")"))
                self.at += 1
                found += "" if by_itself else "("

    def _converts_itself(self, start: int, end: int) -> bool:
        """Whether an operand is a number of Python's that meets an element in arithmetic."""
        behind = self.narrow[end] if end < len(self.narrow) else ""
        before = self.narrow[start - 4] if start > 3 else ""
        names = {text for text in self.narrow[start:end] if text[0].isalpha() or text[0] == "_"}
        return bool({behind, before} & _ARITHMETIC) and names <= set(self.weak)


def _end_of_operand(tokens: list[str], start: int) -> int:
    """Where the operand of a conversion ends: a name with what it is called or indexed by, or so.

    Positions count tokens.
    """
    at = start
    while at < len(tokens) and tokens[at] in ("-", "+", "!"):
        at += 1
    if tokens[at : at + 1] != ["("]:
        at += 1
    while at < len(tokens) and tokens[at] in ("(", "["):
        depth = 0
        while at < len(tokens):
            depth += (tokens[at] in "([{") - (tokens[at] in ")]}")
            at += 1
            if not depth:
                break
    return at


def _is_rounded(wide: str, narrow: str) -> bool:
    return bool(np.float32(wide) == np.float32(narrow))


__all__ = ["generic_text"]
