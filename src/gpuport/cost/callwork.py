"""What running a call on the device saves, by the name of its function."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Protocol

_PLAIN, _HEAVY = 2.0, 24.0
"""What going through arrays once saves, and what sorting or multiplying matrices does."""


class Words(Protocol):
    """The words of ``rules/placement.yaml`` on work."""

    def __hash__(self) -> int: ...
    @property
    def heavy(self) -> frozenset[str]: ...
    @property
    def plain(self) -> frozenset[str]: ...
    @property
    def light(self) -> frozenset[str]: ...
    @property
    def of_vectors(self) -> frozenset[str]: ...
    @property
    def searches(self) -> frozenset[str]: ...


@lru_cache(maxsize=4096)
def is_light(words: Words, path: str) -> bool:
    """Whether a call only moves data about or changes its type."""
    return any(fnmatchcase(path, pattern) for pattern in words.light)


def call_work(words: Words, path: str, *, gives_number: bool = False) -> float:
    """What running a call on the device saves, in elementwise operations on its arrays.

    Parameters
    ----------
    words : Words
    path : str
        Resolved name of the function.
    gives_number : bool
        A search for one number is over before a launch has begun.
    """
    if gives_number and path in words.searches:
        return 0.0
    return _PLAIN if gives_number and path in words.of_vectors else _work(words, path)


@lru_cache(maxsize=4096)
def _work(words: Words, path: str) -> float:
    if is_light(words, path):
        return 0.0
    heavy = any(fnmatchcase(path, pattern) for pattern in words.heavy)
    return _HEAVY if heavy and path not in words.plain else _PLAIN


__all__ = ["Words", "call_work", "is_light"]
