"""What loops over items are called with, and how they are noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A loop, its arguments, and the words of its decorator."""

    function: Callable[..., Any]
    given: tuple[Any, ...]
    words: dict[str, Any]


CASES: dict[str, dict[str, Case]] = {}


def case(*given: Any, **words: Any) -> Callable[[Any], Any]:
    """Note a loop."""

    def note(function: Any) -> Any:
        known = CASES.setdefault(function.__module__, {})
        known[function.__name__] = Case(function, given, words)
        return function

    return note


def matrices(count: int = 7, size: int = 3, seed: int = 0) -> Any:
    """Positive matrices."""
    a = np.random.default_rng(seed).normal(size=(count, size, size))
    return a @ a.swapaxes(1, 2) + size * np.eye(size)


A, B = matrices(), matrices(seed=1)
V = np.random.default_rng(2).normal(size=(7, 3))
S = np.random.default_rng(3).uniform(0.5, 2, size=7)
K = np.array([0, 2, 1, 1, 0, 2, 2])
L = np.random.default_rng(4).normal(size=12)
Z = np.zeros
