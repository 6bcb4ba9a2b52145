"""What each block of statements does with the names of its frame.

Loops carry what they assign. What a `try` may leave in any version must not be an SSA value: names
that its body assigns, and that a handler, the code after it or the next round of a loop reads.
"""

from __future__ import annotations

import ast
from collections import Counter

from gpuport.lower.scopes import Scope


class Block:
    """Statements that run one after the other.

    Attributes
    ----------
    stored, deleted : set of str
        Names that it assigns, or deletes, at any depth.
    certain : set of str
        Names that are assigned by all means up to here.
    exposed : set of str
        Names that it may read before it assigns them.
    loads : Counter
        How often it reads each name.
    jumps : bool
        Whether `break` or `continue` leaves it.
    """

    __slots__ = ("certain", "deleted", "exposed", "jumps", "loads", "protected", "stored")

    def __init__(self) -> None:
        self.stored: set[str] = set()
        self.deleted: set[str] = set()
        self.certain: set[str] = set()
        self.exposed: set[str] = set()
        self.loads: Counter[str] = Counter()
        self.jumps = False
        self.protected: list[Protected] = []

    def load(self, name: str) -> None:
        """Note that a name is read."""
        self.loads[name] += 1
        if name not in self.certain:
            self.exposed.add(name)

    def store(self, name: str, *, surely: bool = True) -> None:
        """Note that a name is assigned."""
        self.stored.add(name)
        if surely:
            self.certain.add(name)

    def delete(self, name: str) -> None:
        """Note that a name is deleted."""
        self.load(name)
        self.stored.add(name)
        self.deleted.add(name)
        self.certain.discard(name)

    def close(self, inner: Block, *, is_loop: bool = False) -> None:
        """Take over what a block inside does."""
        self.stored |= inner.stored
        self.deleted |= inner.deleted
        self.exposed |= inner.exposed - self.certain
        if inner.loads:
            self.loads.update(inner.loads)
        if is_loop:
            for one in inner.protected:
                one.goes_round |= inner.exposed & one.stored
        else:
            self.jumps = self.jumps or inner.jumps
        self.protected += inner.protected


class Protected:
    """A region that an exception may leave at any point and after which control may go on.

    Attributes
    ----------
    stored : set of str
        Names whose version is not known afterwards.
    inside : Counter
        Reads that see the versions of the region itself.
    only : Counter or None
        The only reads that matter, where nothing else can follow.
    goes_round : set of str
        Names that the next round of a loop around may read.
    manager : ast.With or None
        The statement, where context managers decide whether control can go on.
    """

    def __init__(
        self,
        scope: Scope,
        stored: set[str],
        inside: Counter[str],
        only: Counter[str] | None = None,
        manager: ast.With | ast.AsyncWith | None = None,
    ) -> None:
        self.scope, self.stored, self.inside, self.only = scope, stored, inside, only
        self.manager = manager
        self.goes_round: set[str] = set()

    def unsafe(self, loads: Counter[str]) -> set[str]:
        """Names that must not be SSA values, given all reads of the frame."""
        if self.only is not None:
            return {name for name in self.stored if self.only[name]}
        outside = {name for name in self.stored if loads[name] > self.inside[name]}
        return outside | self.goes_round


def guarded(scope: Scope, node: ast.Try, parts: Parts) -> list[Protected]:
    """The protected regions of a `try`, by the blocks of its parts."""
    found = []
    if node.handlers:
        leave = not parts.handlers.jumps and all(
            isinstance(handler.body[-1], (ast.Return, ast.Raise)) for handler in node.handlers
        )
        inside = parts.body.loads + parts.orelse.loads
        only = parts.handlers.loads if leave else None
        found.append(Protected(scope, set(parts.body.stored), inside, only))
    if node.finalbody:
        before = parts.body.stored | parts.handlers.stored | parts.orelse.stored
        inside = parts.body.loads + parts.handlers.loads + parts.orelse.loads
        only = None if parts.final.jumps else parts.final.loads
        found.append(Protected(scope, before, inside, only))
        found.append(Protected(scope, set(parts.final.stored), Counter(parts.final.loads)))
    return found


class Parts:
    """The blocks of a `try`."""

    def __init__(self) -> None:
        self.body, self.handlers, self.orelse, self.final = (Block() for _ in range(4))
