"""Whether IR is well formed: run after lowering and after each rewrite."""

from __future__ import annotations

from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import arms, exits
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.records import Span


class IRError(Exception):
    """The IR is not well formed: a bug of gpuport's."""


def check(function: Function, *, nested: bool = True) -> None:
    """Check one function.

    Parameters
    ----------
    function : Function
    nested : bool
        Whether spans must nest, as they do in what was lowered; a rewrite may put an expression
        of one statement into the loop of another.

    Raises
    ------
    IRError
        Unless each use is dominated by its one definition, each region ends in a terminator, and
        operations have the regions, attributes and number of values that their kinds need.
    """
    _Checker(function, nested).run()


class _Checker:
    def __init__(self, function: Function, nested: bool) -> None:
        self.function, self.nested = function, nested
        self.defined: set[int] = set()

    def run(self) -> None:
        self._define(self.function.parameters, self.function)
        self._region(self.function.body, set(self.function.parameters), None)

    def _fail(self, text: str) -> IRError:
        return IRError(f"{self.function.qualname}: {text}")

    def _define(self, values: list[Value], where: object) -> None:
        for value in values:
            if value.index in self.defined or not 2 <= value.index < self.function.size:
                raise self._fail(f"{value} is defined twice, or has no slot ({where})")
            self.defined.add(value.index)

    def _region(self, region: Region, visible: set[Value], owner: Op | None) -> None:
        if not region.ops or KINDS[region.terminator.kind].effect is not Effect.EXIT:
            raise self._fail(f"a region of {owner} ends without a terminator")
        self._define(region.parameters, owner)
        here = list(region.parameters)  # what is visible in this region and no longer after it
        visible.update(here)
        for op in region.ops:
            self._op(op, region, visible, owner)
            for inner in op.regions:
                self._region(inner, visible, op)
            self._arity(op)
            self._define(op.results, op)
            visible.update(op.results)
            here += op.results
        visible.difference_update(here)

    def _op(self, op: Op, region: Region, visible: set[Value], owner: Op | None) -> None:
        kind = KINDS.get(op.kind)
        if kind is None:
            raise self._fail(f"there is no kind {op.kind}")
        if op.parent is not region or any(inner.owner is not op for inner in op.regions):
            raise self._fail(f"{op} does not know its region, or a region does not know it")
        if kind.effect is Effect.EXIT and op is not region.terminator:
            raise self._fail(f"{op} is no end of its region")
        if kind.regions is not None and len(op.regions) != kind.regions:
            raise self._fail(f"{op} has {len(op.regions)} regions, not {kind.regions}")
        if set(op.attributes) != set(kind.attributes):
            raise self._fail(f"{op} has the attributes {sorted(op.attributes)}")
        for value in op.operands:
            if value not in visible:
                raise self._fail(f"{op} uses {value}, which is not defined there")
        if self.nested and owner is not None and not _within(op.span, owner.span):
            raise self._fail(f"the span of {op} leaves that of {owner}")

    def _arity(self, op: Op) -> None:
        """Whether what regions hand on fits the results of an operation that owns them."""
        if op.kind in ("If", "With", "Try"):
            ends = [arm.terminator for arm in arms(op) if arm.terminator.kind == "Yield"]
        elif op.kind in ("For", "While"):
            ends = list(exits(op.regions[-2], ("Continue", "Break")))
        else:
            return
        for end in ends:
            if len(end.operands) != len(op.results):
                raise self._fail(f"{end} hands {len(end.operands)} values to {op}")


def _within(inner: Span, outer: Span) -> bool:
    starts = (outer.line, outer.column) <= (inner.line, inner.column)
    return starts and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
