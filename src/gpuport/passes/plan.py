"""The transfer plan of a function: what crosses, where, how often, how much; what that saves."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Array, Either, Number, Scalar, is_container
from gpuport.analysis.values.sizes import Size, Sizes
from gpuport.emit.boundary import Boundary
from gpuport.emit.kernels import launches
from gpuport.emit.transfers import Transfer
from gpuport.passes.notes import waits
from gpuport.records import Crossing, Transfers
from gpuport.source.trips import Often, Trips, loops_around

_LONGEST = 60


def plan(
    analysed: Analysed, crossings: tuple[Transfer, ...], found: Boundary | None,
    once: frozenset[int],
) -> Transfers:  # fmt: skip
    """What one ported function moves.

    Parameters
    ----------
    analysed : Analysed
    crossings : tuple of Transfer
        The transfers that its port writes out.
    found : Boundary or None
        Its boundary, where it has one.
    once : frozenset of int
        Ids of what is in loops that run once for all of their items, and of what kernels do.
    """
    return _Plan(analysed, crossings, found, once).transfers()


@dataclass
class _Plan:
    analysed: Analysed
    crossings: tuple[Transfer, ...]
    boundary: Boundary | None
    once: frozenset[int]

    @cached_property
    def _loops(self) -> dict[int, tuple[Trips, ...]]:
        return loops_around(self.analysed.unit.node, self.analysed.unit.module).found

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self.analysed.unit)

    def transfers(self) -> Transfers:
        """The plan, in the order of the source."""
        rows = [*self._at_boundary(), *self._written_out(), *self._waits()]
        rows.sort(key=lambda row: (row.span.line, row.span.column))
        counts: Counter[str] = Counter()
        for node, arrays in self._call_by_call():
            if arrays:
                counts[str(self._often(node))] += arrays
        return Transfers(tuple(rows), tuple(sorted(counts.items())))

    # ------------------------------------------------------------------ what the port moves

    def _at_boundary(self) -> Iterator[Crossing]:
        unit = self.analysed.unit
        if self.boundary is None or isinstance(unit.node, ast.Module):
            return
        for name in self.boundary.arrays:
            if name in unit.parameters.nodes:
                yield self._row("h2d", name, unit.node, None, Often(), boundary=True)
        for name in self.boundary.writes:
            if name in self.boundary.arrays:
                yield self._row("d2h", f"{name}, written", unit.node, None, Often(), boundary=True)
        given = unit.returned.value or Scalar()
        if isinstance(given, (Array, Either, Number)) or is_container(given):
            yield self._row("d2h", "its result", unit.node, None, Often(), boundary=True)

    def _written_out(self) -> Iterator[Crossing]:
        for one in self.crossings:
            node = one.use.expression
            size, text = self._sizes.of(self._measured(node)), self._text(node)
            yield self._row(one.direction, text, node, size, self._often(one.place))

    def _measured(self, node: ast.expr) -> ast.expr:
        """A target is as large as what it is bound from."""
        stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        return ast.Name(node.id, ast.Load()) if isinstance(node, ast.Name) and stored else node

    def _waits(self) -> Iterator[Crossing]:
        """Where the host waits; a loop that runs once for all items waits once or not at all."""
        for node in (one.node for one in waits(self.analysed) if id(one.node) not in self.once):
            yield self._row("sync", self._text(node), node, None, self._often(node))

    def _text(self, node: ast.AST) -> str:
        return self.analysed.unit.module.segment(node)

    def _row(
        self,
        direction: str,
        text: str,
        node: ast.AST,
        size: Size | None,
        often: Often,
        *,
        boundary: bool = False,
    ) -> Crossing:
        unit = self.analysed.unit
        text = " ".join(text.split())
        return Crossing(
            direction=direction,
            what=text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...",
            span=unit.module.span(node),
            function=unit.name,
            boundary=boundary,
            depth=often.depth,
            often=str(often),
            count=None if often.factors else often.count,
            size=str(size) if size is not None else None,
            bytes=size.bytes if size is not None else None,
            repeats=unit.called_in_loops,
        )

    def _often(self, node: ast.AST) -> Often:
        return Often.of(self._loops.get(id(node), ()))

    # ------------------------------------------------------------------ what each call would move

    def _call_by_call(self) -> Iterator[tuple[ast.AST, int]]:
        """Calls with the arrays that each would move, were it alone on the device."""
        unit = self.analysed.unit
        if unit.refusal is not None:
            return
        taken: Counter[int] = Counter()
        for use in unit.graph.uses.values():
            taken[id(use.consumer)] += isinstance(use.value, (Array, Either))
        for operation in unit.work.operations.values():
            if self.analysed.placement.of(operation.graph_node) is Place.DEVICE:
                yield operation.node, self._moved_by(operation, taken)
        for launch in launches(self.analysed):
            read = [n for n in launch.plan.reads | launch.plan.writes if self._is_array(n)]
            yield launch.plan.region, len(read) + len(launch.written)

    def _moved_by(self, operation: Operation, taken: Counter[int]) -> int:
        if operation.path is None or operation.only_numbers:
            return 0
        effect = self.analysed.unit.knowledge.rules.effect(operation.path)
        if effect is not None and effect.view:
            return 0  # on the host it costs nothing
        return taken[id(operation.graph_node)] + 1

    def _is_array(self, name: str) -> bool:
        flow = self.analysed.unit.env.get(name)
        return flow is not None and isinstance(flow.value, (Array, Either))


__all__ = ["plan"]
