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
        allowed = _last_digit(text, other) + factor * (by + 2.0**-53 * abs(x))
        near = abs(x - y) <= allowed if x != y else _is_whole(text) is _is_whole(other)
        if text != other and not near:
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


def _is_whole(text: str) -> bool:
    """Whether a printed number is one of an integer: ``3``, and not ``3.``, ``3e0`` or ``nan``."""
    return text.lstrip("+-").isdecimal()


def _last_digit(*texts: str) -> float:
    """The unit of the last digit of the number that shows the most; integers show all of it.

    ``0.5`` beside ``0.49999999`` has been cut, and is no number of one digit.
    """
    return min((_unit(text) for text in texts if not _is_whole(text)), default=0.0)


def _unit(text: str) -> float:
    digits, _, exponent = text.lower().partition("e")
    _, _, fraction = digits.partition(".")
    return 0.0 if "n" in digits else 10.0 ** (int(exponent or 0) - len(fraction))
