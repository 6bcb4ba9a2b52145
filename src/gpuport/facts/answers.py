"""Answers to questions that ask one another in circles, each asked once."""

from __future__ import annotations

from collections.abc import Callable, Hashable

Number = int | float

_DEEPEST = 50
"""How many questions may wait for one another: what is told by more is not told."""


class Answers:
    """What was asked, and what was found; None where nothing tells."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Number | None] = {}
        self._waiting = 0

    def to(self, question: Hashable, find: Callable[[], Number | None]) -> Number | None:
        """The answer to a question; None where it asks itself, or too many wait for it."""
        if question in self._found:
            return self._found[question]
        if self._waiting == _DEEPEST:
            return None
        self._found[question] = None  # what depends on itself may be anything
        self._waiting += 1
        try:
            self._found[question] = find()
        finally:
            self._waiting -= 1
        return self._found[question]


__all__ = ["Answers", "Number"]
