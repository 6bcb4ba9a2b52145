"""Medians of parts: the element, or the two, that have half of the others below them; other ranks.

A thread has no array to sort. It counts for each element how many are below it, which takes the
square of their number: for windows, the only parts whose median is taken, that is little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import indent

from gpuport.loops.names import Fresh

Each = Callable[[list[str]], str]
"""The text of an element, from those of its places."""


@dataclass(frozen=True)
class Elements:
    """The elements of a part, as a thread goes through them.

    Attributes
    ----------
    each : callable
    places, others : list of str
        Variables of the loops over the elements, and over the others for each of them.
    spans : sequence of (str, str)
        Where the part begins and ends along each of its axes.
    kind : str
        Their dtype.
    filled : bool
        Whether there is one for certain.
    """

    each: Each
    places: list[str]
    others: list[str]
    spans: Sequence[tuple[str, str]]
    kind: str
    filled: bool

    def counts(self) -> list[str]:
        """How many there are along each axis."""
        sizes = [stop if start == "0" else f"{stop} - {start}" for start, stop in self.spans]
        return [f"({one})" if self.filled else f"max({one}, 0)" for one in sizes]


def median(result: str, elements: Elements, owner: str, fresh: Fresh) -> list[str]:
    """The statements that give a name the median of a part, as NumPy does.

    Parameters
    ----------
    result : str
        The name.
    elements : Elements
        The median of none is NaN.
    owner : str
        The name of NumPy.
    fresh : Fresh
    """
    each, kind, spans, filled = elements.each, elements.kind, elements.spans, elements.filled
    floating = kind.startswith("float")
    made = kind if floating else "float64"
    value, below, same, low, high, count, odd = (
        fresh.name(word) for word in ("value", "below", "same", "low", "high", "count", "odd")
    )
    zero, nan = f"{owner}.{kind}(0)", f"{owner}.{made}({owner}.nan)"
    places, others = elements.places, elements.others
    other = fresh.name("other")
    counted = [
        f"{other} = {each(others)}",
        f"if {other} < {value}:\n    {below} = {below} + 1",
        f"if {other} == {value}:\n    {same} = {same} + 1",
    ]
    inside = _over(others, spans, "\n".join(counted))
    # Counts of NumPy's: it has to be shown of Python's that they fit 64 bits.
    none = f"{owner}.int64(0)"
    steps = [f"{value} = {each(places)}", f"{below} = {none}", f"{same} = {none}", inside]
    # Of equals each has the same number below it.
    steps += [
        f"if {below} <= {half} < {below} + {same}:\n    {name} = {value}"
        for name, half in ((low, f"({count} - 1) // 2"), (high, f"{count} // 2"))
    ]
    if floating:
        steps.append(f"if {value} != {value}:\n    {odd} = {value}")
    ends = [name if floating else f"{owner}.float64({name})" for name in (low, high)]
    middle = f"({ends[0]} if {count} % 2 == 1 else ({ends[0]} + {ends[1]}) / 2)"
    undefined = [*([] if filled else [f"{count} == 0"]), *([f"{odd} != {odd}"] * floating)]
    if undefined:
        middle = f"{nan} if {' or '.join(undefined)} else {middle}"
    return [
        f"{count} = {' * '.join(elements.counts())}",
        f"{low} = {zero}",
        f"{high} = {zero}",
        *([f"{odd} = {zero}"] * floating),
        _over(places, spans, "\n".join(steps)),
        f"{result} = {middle}",
    ]


def ranked(result: str, elements: Elements, at: int, owner: str, fresh: Fresh) -> list[str]:
    """The statements that give a name the element that is at a place of a part once sorted.

    Of equals the first one comes first; NaN comes last, as NumPy has it.

    Parameters
    ----------
    result : str
        The name.
    elements : Elements
    at : int
        Less than there are elements for certain.
    owner : str
        The name of NumPy.
    fresh : Fresh
    """
    each, kind = elements.each, elements.kind
    value, below, same, other, seen = (
        fresh.name(word) for word in ("value", "below", "same", "other", "seen")
    )
    none = f"{owner}.int64(0)"
    last = f"{owner}.nan" if kind.startswith("float") else "0"
    counted = [
        f"{other} = {each(elements.others)}",
        f"if {other} < {value}:\n    {below} = {below} + 1",
        f"if {other} == {value}:\n    {same} = {same} + 1",
    ]
    steps = [
        f"{value} = {each(elements.places)}",
        f"{below} = {none}",
        f"{same} = {none}",
        _over(elements.others, elements.spans, "\n".join(counted)),
        f"if {below} <= {at} < {below} + {same}:\n"
        f"    if {below} + {seen} == {at}:\n        {result} = {value}\n    {seen} = {seen} + 1",
    ]
    return [
        f"{result} = {owner}.{kind}({last})",
        f"{seen} = {none}",
        _over(elements.places, elements.spans, "\n".join(steps)),
    ]


def _over(places: Sequence[str], spans: Sequence[tuple[str, str]], text: str) -> str:
    """Statements for each element, one axis in the other."""
    for place, (start, stop) in reversed(list(zip(places, spans, strict=True))):
        text = f"for {place} in range({start}, {stop}):\n" + indent(text, "    ")
    return text
