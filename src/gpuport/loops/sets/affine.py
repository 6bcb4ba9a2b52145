"""Whole numbers, conditions and parameters of a loop as isl text."""

from __future__ import annotations

from dataclasses import dataclass, field

VAGUE = "u"
"""Begins the names of auxiliary variables of which no more than a limit is known."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number: isl text, and the auxiliary variables that it is written with.

    Attributes
    ----------
    text : str
    sides : tuple of (str, str)
        Auxiliary variables, each with the constraint that holds for it.
    """

    text: str
    sides: tuple[tuple[str, str], ...] = ()

    @property
    def vague(self) -> bool:
        """Whether no more than a limit is known of it, or of a part: ``max(x[i], 0)``."""
        return any(name.startswith(VAGUE) for name, _ in self.sides)


@dataclass(frozen=True, slots=True)
class Split:
    """A whole number by its digits: ``i * m + j``, ``(i * m + j) * n + k``.

    Attributes
    ----------
    digits : tuple of Whole
        The highest first.
    periods : tuple of Whole
        How many values each digit but the highest may have: parameters.
    texts : tuple of str
        The periods as Python text.
    """

    digits: tuple[Whole, ...]
    periods: tuple[Whole, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A constraint in isl text with its auxiliary variables.

    Attributes
    ----------
    text : str
    sides : tuple of (str, str)
        Auxiliary variables, each with the constraint that holds for it.
    exact : bool
        It says all that the condition in the source says, so that its negation is sound.
    """

    text: str
    sides: tuple[tuple[str, str], ...] = ()
    exact: bool = True


def together(*parts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Auxiliary variables of several expressions, each once."""
    merged: dict[str, str] = {}
    for part in parts:
        merged.update(part)
    return tuple(merged.items())


@dataclass
class Symbols:
    """The parameters of a nest: values that are fixed before the launch.

    Attributes
    ----------
    texts : dict
        isl's name of a parameter -> the Python expression that it stands for.
    extents : set of str
        Parameters that are extents of arrays, never negative.
    positive : dict
        Python expression -> parameter, for divisors that a guard has to prove positive.
    constraints : list of str
        What holds between parameters by their meaning.
    """

    texts: dict[str, str] = field(default_factory=dict)
    extents: set[str] = field(default_factory=set)
    positive: dict[str, Whole] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)
    _by_text: dict[str, str] = field(default_factory=dict)

    def parameter(self, text: str) -> str:
        """isl's name for a Python expression."""
        if text not in self._by_text:
            name = f"p{len(self.texts)}"
            self._by_text[text] = name
            self.texts[name] = text
        return self._by_text[text]

    def extent(self, array: str, axis: int) -> str:
        """isl's name for ``array.shape[axis]``."""
        name = self.parameter(f"{array}.shape[{axis}]")
        self.extents.add(name)
        return name

    def extents_of(self, array: str) -> list[str]:
        """isl's names for those extents of an array that something is known of."""
        texts = {name: self.texts[name] for name in self.extents}
        return sorted(name for name, text in texts.items() if text.startswith(f"{array}.shape["))

    def head(self) -> str:
        """The parameters as isl wants them in front of a set."""
        return f"[{', '.join(self.texts)}] -> "
