"""Where in a text its interpretation is: in which loops, in a string, in a guarded block."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

from gpuport.analysis.placement.graph import Reason

if TYPE_CHECKING:
    from gpuport.analysis.statements.paths import Bindings, LoopPaths

SELDOM = 2.0**-10
"""How often a branch runs that is there for what a kernel cannot be given."""


@dataclass(slots=True, eq=False)
class Whereabouts:
    """What holds for the expressions that are interpreted now.

    Attributes
    ----------
    loops : list of frozenset of str
        The targets of the loops around, the innermost last.
    loop_nodes : list of ast.AST
        These loops; a comprehension is known by what it goes over.
    few : list of int
        How often they run, where that is a few times; 0 of others.
    depth : int
        Loops of callers around the calls of the function, as far as they are known.
    in_stacked : int
        How many loops around become stacked calls.
    in_text, frozen_text : int
        How many f-strings are around, and how many of them cannot be edited at all.
    beside_kernel : int
        How many branches around do what a kernel does in the other one, where it cannot run.
    inseparable : int
        How many values around are moved as a whole or not at all.
    guarded : Reason, optional
        Why operations here stay on the host.
    filtered : set of int
        Ids of those of comprehensions with ``if``.
    loop_paths : list of LoopPaths
        Where the bodies of the loops around are left early, the innermost last.
    interruptible : list of Bindings
        What names are in the blocks around that may end at any of their statements.
    statement, line : ast.stmt or None, int
        The assignment that was begun last, and where the statement is that is read.
    """

    loops: list[frozenset[str]] = field(init=False, default_factory=list)
    loop_nodes: list[ast.AST] = field(init=False, default_factory=list)
    few: list[int] = field(init=False, default_factory=list)
    filtered: set[int] = field(init=False, default_factory=set)
    depth: int = field(init=False, default=0)
    in_stacked: int = field(init=False, default=0)
    in_text: int = field(init=False, default=0)
    frozen_text: int = field(init=False, default=0)
    beside_kernel: int = field(init=False, default=0)
    inseparable: int = field(init=False, default=0)
    guarded: Reason | None = field(init=False, default=None)
    loop_paths: list[LoopPaths] = field(init=False, default_factory=list)
    interruptible: list[Bindings] = field(init=False, default_factory=list)
    statement: ast.stmt | None = field(init=False, default=None)
    line: int = field(init=False, default=0)

    @property
    def weight(self) -> float:
        """How often an expression here runs, compared with one outside all loops."""
        often = float(min(4**self.depth * prod(count or 4 for count in self.few), 4**4))
        return often * SELDOM if self.beside_kernel else often

    @contextmanager
    def loop(self, names: frozenset[str], node: ast.AST, few: int = 0) -> Iterator[None]:
        """The body of a loop whose targets are ``names``, which runs a ``few`` times, or often."""
        self.loops.append(names)
        self.loop_nodes.append(node)
        self.few.append(few)
        try:
            yield
        finally:
            self.loops.pop()
            self.loop_nodes.pop()
            self.few.pop()

    @contextmanager
    def within_stacked(self, has_form: bool) -> Iterator[None]:
        """A loop that becomes stacked calls: work on single items in it costs nothing."""
        self.in_stacked += has_form
        try:
            yield
        finally:
            self.in_stacked -= has_form

    @contextmanager
    def within_other_branch(self, is_beside: bool) -> Iterator[None]:
        """The branch of an ``if``; ``is_beside``: a kernel does the same in the other one."""
        self.beside_kernel += is_beside
        try:
            yield
        finally:
            self.beside_kernel -= is_beside

    @contextmanager
    def within_text(self, *, frozen: bool) -> Iterator[None]:
        """The inside of an f-string: no quotes can be written there; ``frozen``: nothing can."""
        self.frozen_text += frozen
        self.in_text += 1
        try:
            yield
        finally:
            self.frozen_text -= frozen
            self.in_text -= 1

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Parts of an expression's value: to move one of them would move the whole."""
        self.inseparable += 1
        try:
            yield
        finally:
            self.inseparable -= 1

    @contextmanager
    def guard(self, reason: Reason) -> Iterator[None]:
        """Operations in here stay on the host."""
        before, self.guarded = self.guarded, self.guarded or reason
        try:
            yield
        finally:
            self.guarded = before


__all__ = ["Whereabouts"]
