"""Functions of libraries: they change none of a program's objects that they are not given."""

from __future__ import annotations

from gpuport.analysis.knowledge.tables import PlacementWords
from gpuport.rules.libraries import library_of


def stays_outside(words: PlacementWords, path: str) -> bool:
    """Whether a function, by its resolved name, is none of the program and runs none of it."""
    if path in words.reaching_in:
        return False
    return library_of(path) is not None or path.partition(".")[0] in words.standing_apart


__all__ = ["stays_outside"]
