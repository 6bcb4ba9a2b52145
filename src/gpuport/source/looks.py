"""Which functions were looked into as one: what a pass over a module tells the next one."""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """A look that came to an end; functions by their offsets in the user's file.

    Attributes
    ----------
    arrays : bool
        Whether functions that are given arrays were among them.
    began, ended : frozenset of int
        With which functions it began, and which there were at the end.
    joined : bool
        Whether there were functions that are given arrays.
    """

    arrays: bool
    began: frozenset[int]
    ended: frozenset[int]
    joined: bool


NOTHING = Look(True, frozenset(), frozenset(), False)
"""Stands last where nothing came of the last look."""


__all__ = ["NOTHING", "Look"]
