"""Loops over matrices that become stacked calls: the axis that was looped over moves inside.

The loop stays beside the stacked code wherever a number of axes is only known at run time, and
for whatever is not on the device.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpuport.analysis.batches import Noted, known, takes_items
from gpuport.analysis.graph import Place
from gpuport.analysis.summaries import Analysed
from gpuport.batch.plan import Region, plan
from gpuport.batch.records import Batch, Guard, Refusal
from gpuport.passes.aliases import Aliases
from gpuport.passes.kernels import launches
from gpuport.passes.transfers import Transfer
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module

_WIDE = 88

_STEP = "    "

Part = str | Extent


@dataclass(frozen=True, slots=True)
class Batches:
    """What became of the loops over matrices of one function."""

    made: tuple[Batch, ...] = ()
    refused: tuple[Refusal, ...] = ()


class _Source:
    """The file as the batching room reads it."""

    def __init__(self, analysed: Analysed) -> None:
        self.unit = analysed.unit
        self.analysed = analysed

    def segment(self, node: ast.AST) -> str:
        return self.unit.module.segment(node)

    def extent(self, node: ast.AST) -> tuple[int, int]:
        return self.unit.module.extent(node)

    def resolve(self, node: ast.expr) -> str | None:
        return self.unit.scope.resolve(node)

    def on_device(self, node: ast.Call) -> bool:
        operation = self.unit.operations.get(id(node))
        return operation is not None and (
            self.analysed.placement.of(operation.graph_node) is Place.DEVICE
        )

    def function(self, node: ast.Call) -> str:
        operation = self.unit.operations.get(id(node))
        target = None if operation is None else operation.target
        if self.on_device(node) and target is not None and target.startswith("cupy."):
            return "{cupy}." + target.removeprefix("cupy.")
        return self.segment(node.func)


def batches(analysed: Analysed, crossings: Iterable[Transfer]) -> Batches:
    """Stacked code for the loops over matrices of a function, or why there is none.

    Parameters
    ----------
    analysed : Analysed
    crossings : iterable of Transfer
        What the function moves: nothing may be moved within a loop that is stacked.
    """
    unit = analysed.unit
    if not unit.batches or unit.refusal is not None:
        return Batches()
    made: list[Batch] = []
    refused: list[Refusal] = []
    moved = [unit.module.extent(one.use.expression) for one in crossings]
    moved += [unit.module.extent(one.plan.region) for one in launches(analysed)]
    found = sorted(unit.batches.values(), key=lambda one: unit.module.extent(one.node))
    for one in found:
        extent = unit.module.extent(one.node)
        if any(_within(extent, unit.module.extent(batch.node)) for batch in made):
            continue
        if not _on_device(analysed, one) or any(_within(part, extent) for part in moved):
            continue
        region = Region(one.node, _Source(analysed), known(unit, one), _live(analysed, one.node))
        result = plan(region)
        if isinstance(result, Batch):
            made.append(result)
        elif takes_items(analysed.unit, one.node):
            refused.append(result)
    return Batches(tuple(made), tuple(refused))


def _within(inner: Extent, outer: Extent) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _on_device(analysed: Analysed, one: Noted) -> bool:
    """Whether all array work of a loop runs on the device, under the names that NumPy has."""
    unit, seen = analysed.unit, False
    for node in ast.walk(one.node):
        operation = unit.operations.get(id(node))
        if operation is not None and analysed.placement.of(operation.graph_node) is Place.DEVICE:
            seen = True
        elif operation is not None and not operation.only_numbers:
            return False
        if id(node) in unit.replacements:
            return False
    return seen


def _live(analysed: Analysed, node: ast.For | ast.ListComp) -> frozenset[str]:
    """Names of a loop that are read after it."""
    from gpuport.loops.plan import live_after

    function = analysed.unit.node
    if isinstance(node, ast.ListComp):
        return frozenset()
    if isinstance(function, ast.FunctionDef):
        return frozenset(live_after(function, node))
    inner = {id(part) for part in ast.walk(node)}
    return frozenset(
        part.id for part in ast.walk(function)
        if isinstance(part, ast.Name) and id(part) not in inner and isinstance(part.ctx, ast.Load)
    )  # fmt: skip


# ---------------------------------------------------------------------- text


def edits(
    analysed: Analysed, aliases: Aliases, made: Iterable[Batch], others: Iterable[Edit]
) -> Iterator[Edit]:
    """The edits that put stacked code beside the loops.

    ``others`` are the edits within the loops.
    """
    module = analysed.unit.module
    others = list(others)
    for batch in made:
        text = _Text(module, aliases, batch)
        start, end = module.extent(batch.node)
        parts = text.comprehension() if isinstance(batch.node, ast.ListComp) else text.loop(others)
        yield Edit(start, end, tuple(parts), order=2)


class _Text:
    """The text that takes a loop's place."""

    def __init__(self, module: Module, aliases: Aliases, batch: Batch) -> None:
        self.module = module
        self.aliases = aliases
        self.batch = batch
        self.extent = module.extent(batch.node)
        line = module.line_text(batch.node.lineno)
        self.indent = line[: len(line) - len(line.lstrip(" \t\f"))]
        self.step = self._step()

    def _step(self) -> str:
        if isinstance(self.batch.node, ast.ListComp):
            return _STEP
        first = self.module.line_text(self.batch.node.body[0].lineno)
        inner = first[: len(first) - len(first.lstrip(" \t\f"))]
        return inner[len(self.indent) :] if inner.startswith(self.indent) else _STEP

    def named(self, text: str) -> str:
        """Text with the module's names for CuPy and the runtime."""
        return text.replace("{cupy}", self.aliases.cupy).replace("{batched}", self.aliases.batched)

    def guard(self) -> str:
        """The question whether the items can be stacked."""
        guard = self.batch.guard
        given = [_by_rank(guard.stacks)]
        if guard.fixed:
            given.append(f"fixed={_by_rank(guard.fixed)}")
        if guard.length is not None:
            given.append(f"length={guard.length}")
        if guard.writes:
            given.append(f"writes={_names(list(guard.writes))}")
        return self.named(f"{{batched}}.stackable({', '.join(given)})")

    def comprehension(self) -> Iterator[Part]:
        """``stacked if stackable else [the comprehension]``."""
        (stacked,) = map(self.named, self.batch.lines)
        guard = self.guard()
        if self.batch.helper:
            yield stacked
            return
        column = self.extent[0] - self.module.line_starts[self.batch.node.lineno - 1]
        length = self.extent[1] - self.extent[0]
        if column + len(stacked) + len(guard) + length + 11 <= _WIDE and "\n" not in stacked:
            yield f"({stacked} if {guard} else "
            yield self.extent
            yield ")"
            return
        newline = self.module.newline + self.indent + self.step
        yield f"({newline}{stacked}{newline}if {guard}{newline}else "
        yield self.extent
        yield f"{self.module.newline}{self.indent})"

    def loop(self, others: list[Edit]) -> Iterator[Part]:
        """The stacked statements, and the loop as the other branch."""
        newline = self.module.newline
        inner = newline + self.indent + self.step
        lines = [inner + self._indented(self.named(line)) for line in self.batch.lines]
        if not self.batch.retried:
            yield f"if {self.guard()}:"
            yield from lines
            yield f"{newline}{self.indent}else:{inner}"
        else:
            flag = self._free("stacked")
            error = f"{self.aliases.cupy}.linalg.LinAlgError"
            yield f"{flag} = {self.guard()}{newline}{self.indent}if {flag}:{inner}try:"
            yield from (line.replace(inner, inner + self.step, 1) for line in lines)
            yield f"{inner}except {error}:{inner}{self.step}{flag} = False"
            yield f"{newline}{self.indent}if not {flag}:{inner}"
        yield from self._original(others)

    def _indented(self, text: str) -> str:
        return text

    def _original(self, others: list[Edit]) -> Iterator[Part]:
        """The user's loop, one step deeper; its first line has its indentation already."""
        start, end = self.extent
        node = self.batch.node
        position, kept = start, self._whole_lines(others)
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1):
            begin = self.module.line_starts[line - 1]
            if line in kept or not self.module.line_text(line).strip():
                continue
            yield (position, begin)
            position = begin
            yield self.step
        yield (position, end)

    def _whole_lines(self, others: list[Edit]) -> set[int]:
        """Lines that begin inside a string or an edit: they stay as they are."""
        found: set[int] = set()
        for part in ast.walk(self.batch.node):
            if isinstance(part, (ast.Constant, ast.JoinedStr)) and part.end_lineno is not None:
                found.update(range(part.lineno + 1, part.end_lineno + 1))
        for edit in others:
            if _within((edit.start, edit.end), self.extent):
                first, last = self.module.position(edit.start)[0], self.module.position(edit.end)[0]
                found.update(range(first + 1, last + 1))
        return found

    def _free(self, candidate: str) -> str:
        taken = {n.id for n in ast.walk(self.module.tree) if isinstance(n, ast.Name)}
        while candidate in taken:
            candidate += "_"
        return candidate


def _by_rank(ranks: dict[str, int]) -> str:
    by_rank: dict[int, list[str]] = {}
    for name, rank in ranks.items():
        by_rank.setdefault(rank, []).append(name)
    return "{" + ", ".join(f"{rank}: {_names(names)}" for rank, names in by_rank.items()) + "}"


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


__all__ = ["Batches", "Guard", "batches", "edits"]
