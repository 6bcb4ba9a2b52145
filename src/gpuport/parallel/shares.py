"""What is made of the shares that the iterations have in numbers, in the runtime's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.parallel.typing import Type

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
    """

    name: str
    operator: str
    terms: str
    type: Type
    last: bool = False
    among: str = ""
    constant: str = ""
    others: tuple[Share, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The numbers that it gives."""
        return (self.name, *(one.name for one in self.others))

    @property
    def adds(self) -> bool:
        """Whether what the number was takes part in arithmetic."""
        return self.operator in ("+", "*")

    @property
    def text(self) -> str:
        """Python text of the numbers."""
        if self.operator == "any":
            return f"{self.constant} if {self.terms}.any() else {self.name}"
        if self.adds:
            made = f"{self.name} {self.operator} {self._reduced()}"
            return f"{made} if {self.among}.any() else {self.name}" if self.among else made
        word = {"max": "greatest", "min": "least"}.get(self.operator, "latest")
        parts = [_typed(one) for one in (self, *self.others)]
        olds = ", ".join(self.names)
        listed = ", ".join(parts)
        given = [f"({listed})", f"({olds})"] if self.others else [listed, olds]
        given += ["last=True"] if self.last and word != "latest" else []
        given += [f"among={self.among}"] if self.among else []
        return f"{word}({', '.join(given)})"

    def _reduced(self) -> str:
        """The sum, or product, of the shares as a number."""
        narrow = self.type.kind in "iu" and not self.type.weak
        dtype = f"dtype='{self.type.dtype}'" if narrow else ""
        value = f"{self.terms}.{'sum' if self.operator == '+' else 'prod'}({dtype})"
        return f"{self.type}({value})" if self.type.weak else f"{value}.get()[()]"


def _typed(one: Share) -> str:
    """The shares, as what the loop takes them for."""
    if one.type.weak and not one.constant:
        return f"{_TYPED[str(one.type)]}({one.terms})"
    return one.terms


def returned(shares: Sequence[Share], more: Sequence[tuple[str, str]]) -> tuple[list[str], str]:
    """The numbers that a loop leaves, and the text of ``returns=``.

    Parameters
    ----------
    shares : sequence of Share
    more : sequence of (str, str)
        Further names, with the Python text of their values.
    """
    names = [name for one in shares for name in one.names] + [name for name, _ in more]
    several = len(shares) + len(more) > 1
    texts = [f"*{one.text}" if one.others and several else one.text for one in shares]
    texts += [text for _, text in more]
    joined = ", ".join(texts)
    return names, f"({joined})" if any(text.startswith("*") for text in texts) else joined


__all__ = ["Share", "returned"]
