"""Long work that is asked for again: its results, where all that it rests on is as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

R = TypeVar("R")
A = TypeVar("A")
_MOST = 8
"""Results that are kept of one piece of work; they are large."""
_Asked = tuple[Callable[..., Any], tuple[Any, ...], Any]


class Remembering(Generic[R]):
    """Results by the state that the work began with and by what it asked meanwhile.

    Work of the same state that got the same answers asks the same next: what is asked again to
    compare the answers is what the work itself would ask, in the same order.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[object, list[_Asked], R]] = []
        self._asked: list[_Asked] = []

    def begin(self, state: object) -> R | None:
        """The result of work that would go on as it did before; None where it is to be done."""
        self._asked = []
        for known, asked, result in self._kept:
            if known == state and all(one(*given) == answer for one, given, answer in asked):
                return result
        return None

    def ask(self, function: Callable[..., A], *given: Any) -> A:
        """What a function answers, on which the work rests from now on."""
        answer = function(*given)
        self._asked.append((function, given, answer))
        return answer

    def keep(self, state: object, result: R) -> None:
        """Keep the result of work that is done."""
        self._kept = [*self._kept[1 - _MOST :], (state, self._asked, result)]
        self._asked = []

    def let_go(self) -> None:
        """Forget all results."""
        self._kept, self._asked = [], []


__all__ = ["Remembering"]
