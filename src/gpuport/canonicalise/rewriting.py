"""All rewrites of a function, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.chains import chains_of, map_of_root
from gpuport.canonicalise.hoisting import hoist
from gpuport.canonicalise.inlining import inline_calls
from gpuport.canonicalise.nests import DEEPEST, ParallelRegion, map_of_nest, nest_of
from gpuport.canonicalise.silence import check_silence
from gpuport.canonicalise.undoing import Snapshot
from gpuport.facts.contexts import Context
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.records import Span


@dataclass(frozen=True, slots=True)
class Left:
    """A loop or a chain that stays as it is, and why.

    Attributes
    ----------
    span : Span
        What stands in the way.
    reason : str
    op : Op
        The loop, or what the chain makes.
    """

    span: Span
    reason: str
    op: Op


@dataclass
class Canonical:
    """What rewriting a function gave.

    Attributes
    ----------
    regions : list of ParallelRegion
        Maps, which stand in the IR now.
    left : list of Left
    """

    regions: list[ParallelRegion] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)


def canonicalise(
    function: Function,
    contexts: Iterable[Context],
    accept: Callable[[ParallelRegion], object],
) -> Canonical:
    """Put maps in the place of the loops and chains of a function that can be one.

    Parameters
    ----------
    function : Function
        It is changed.
    contexts : iterable of Context
        Those for which the result has to hold.
    accept : callable
        Asked of each loop nest before it is put in: vouches for it, or raises `Blocked` for one
        whose iterations may not run in any order.
    """
    made = Canonical()
    _Rewriter(function, tuple(contexts), accept, made).region(function.body)
    return made


class _Rewriter:
    def __init__(
        self,
        function: Function,
        contexts: tuple[Context, ...],
        accept: Callable[[ParallelRegion], object],
        made: Canonical,
    ) -> None:
        self.function, self.contexts, self.accept, self.made = function, contexts, accept, made

    def region(self, region: Region) -> None:
        """Whole nests first, then what is inside those that stay; chains last."""
        for op in list(region.ops):
            if op.kind == "For" and self._nest(op):
                continue
            for inner in op.regions if op.kind != "Map" else ():
                self.region(inner)
        for chain in chains_of(self.function, self.contexts, region):
            for root in chain.roots():
                try:
                    check_silence(self.contexts, root)
                    self._put_in(map_of_root(chain, root))
                except Blocked as blocked:
                    self._leave(root, blocked)
            chain.sweep()

    def _nest(self, loop: Op) -> bool:
        """Whether a loop is a map now; one that cannot be is as it was."""
        before = Snapshot(self.function, self.contexts)
        try:
            check_silence(self.contexts, loop)
            reads = frozenset(_read_by(loop))
            inline_calls(self.function, self.contexts, loop)
            loads = hoist(self.function, self.contexts, loop)
            found = replace(self._deepest(loop), loads=loads, reads=reads)
        except Blocked as blocked:
            before.restore()
            self._leave(loop, blocked)
            return False
        self._put_in(found)
        return True

    def _deepest(self, loop: Op) -> ParallelRegion:
        """A map over as many loops of a nest as may be; those inside it stay serial."""
        first: Blocked | None = None
        for depth in range(len(nest_of(loop, DEEPEST)), 0, -1):
            try:
                found = map_of_nest(self.function, self.contexts, loop, depth)
                self.accept(found)
            except Blocked as blocked:
                first = first or blocked
            else:
                return found
        assert first is not None, "a loop is a nest of one at least"
        raise first

    def _put_in(self, region: ParallelRegion) -> None:
        region.put_in()
        self.made.regions.append(region)

    def _leave(self, op: Op, blocked: Blocked) -> None:
        self.made.left.append(Left(blocked.span or op.span, blocked.reason, op))


def _read_by(loop: Op) -> Iterator[Value]:
    """What a loop uses otherwise than by looking up attributes."""
    for op in (loop, *(inner for region in loop.regions for inner in walk(region))):
        yield from op.operands[1:] if op.kind == "GetAttr" else op.operands
