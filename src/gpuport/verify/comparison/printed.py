"""Comparison of texts that numbers stand in: what was printed, and files that were written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b")
# NumPy pads the numbers of an array to one width
_PADDING = re.compile(r"\s+(?=[\])}])|(?<=[\[({])\s+")
LAST_DIGITS = "printed numbers differ in their last digits"


@dataclass(frozen=True, slots=True)
class TextComparison:
    """``difference`` is None where the texts hold the same; ``loose`` where not to the digit."""

    difference: str | None = None
    loose: bool = False


def compare_texts(original: str, port: str, moved: Iterable[str], factor: float) -> TextComparison:
    """Compare two texts; numbers may deviate by their last digit, and as values may.

    Parameters
    ----------
    original, port : str
    moved : iterable of str
        The original's text under one ULP; taken only where numbers differ.
    factor : float
        ``c`` of the bound, see `tolerance`.

    Returns
    -------
    TextComparison
    """
    if original == port:
        return TextComparison()
    if _words(original) != _words(port):
        return TextComparison(f"text: {original!r:.400} became {port!r:.400}")
    first, second = _NUMBER.findall(original), _NUMBER.findall(port)
    for text, other, by in zip(first, second, _response(first, moved), strict=True):
        x, y = float(text), float(other)
        allowed = _last_digit(text) + factor * (by + 2.0**-53 * abs(x))
        if text != other and not (x == y or abs(x - y) <= allowed):
            return TextComparison(f"number: {text} became {other}")
    return TextComparison(loose=True)


def _words(text: str) -> list[str]:
    """A text's words without its numbers, and without the space that depends on these."""
    return _PADDING.sub("", _NUMBER.sub("#", text)).split()


def _response(numbers: list[str], texts: Iterable[str]) -> list[float]:
    """How far each number of the original moves under one ULP."""
    moved = [0.0] * len(numbers)
    for text in texts:
        others = _NUMBER.findall(text)
        if len(others) == len(numbers):
            pairs = zip(moved, numbers, others, strict=True)
            moved = [max(by, abs(float(b) - float(a))) for by, a, b in pairs]
    return moved


def _last_digit(text: str) -> float:
    """The unit of the last digit that a printed number shows; an integer shows all of itself."""
    digits, _, exponent = text.lower().partition("e")
    _, point, fraction = digits.partition(".")
    if "n" in digits or not (point or exponent):
        return 0.0
    return 10.0 ** (int(exponent or 0) - len(fraction))
