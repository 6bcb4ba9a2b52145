"""Paths that leave a block before its end: ``break``, ``continue`` and what is raised.

What a name is bound to there is what the code behind the block finds, whatever the rest of the
block would have made of it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from gpuport.analysis.interpretation.flows import Flow

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit


Run: TypeAlias = "Callable[[Unit, Sequence[ast.stmt]], None]"
"""Interprets statements in order."""


@dataclass(slots=True, eq=False)
class Bindings:
    """All that names were bound to at some points of a text, in the order in which it was met."""

    flows: dict[str, list[Flow]] = field(default_factory=dict)

    def note(self, env: dict[str, Flow]) -> None:
        """One more point."""
        for name, flow in env.items():
            seen = self.flows.setdefault(name, [])
            if not any(flow is one for one in seen):
                seen.append(flow)

    def join_into(self, unit: Unit, names: Collection[str] | None = None) -> None:
        """A path leads from each of the points to here; other names than these are not read."""
        for name, flows in self.flows.items():
            if names is None or name in names:
                for flow in flows:
                    unit.join_env({name: flow})


@dataclass(slots=True, eq=False)
class LoopPaths:
    """Where ``break`` and ``continue`` leave the body of one loop."""

    breaking: Bindings = field(default_factory=Bindings)
    continuing: Bindings = field(default_factory=Bindings)

    def note_later(self, env: dict[str, Flow]) -> None:
        """What the names are bound to on paths that left the body already, if any did."""
        for bindings in (self.breaking, self.continuing):
            if bindings.flows:
                bindings.note(env)


@contextmanager
def loop_paths(unit: Unit) -> Iterator[LoopPaths]:
    """Of the loop whose body is interpreted here."""
    unit.loop_paths.append(LoopPaths())
    try:
        yield unit.loop_paths[-1]
    finally:
        unit.loop_paths.pop()


@contextmanager
def interruptible(unit: Unit) -> Iterator[Bindings]:
    """Any statement of the block that is interpreted here may be the last that runs of it."""
    bindings = Bindings()
    bindings.note(unit.env)
    unit.interruptible.append(bindings)
    try:
        yield bindings
    finally:
        unit.interruptible.pop()


def ends(body: Sequence[ast.stmt]) -> bool:
    """Whether nothing runs behind a block."""
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def goes_on(body: Sequence[ast.stmt]) -> bool:
    """Whether code of the same function may run behind a block, be it that behind a loop."""
    return not (body and isinstance(body[-1], (ast.Return, ast.Raise)))


__all__ = ["Bindings", "LoopPaths", "ends", "goes_on", "interruptible", "loop_paths"]
