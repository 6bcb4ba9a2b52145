"""Stacked code in the text: beside the loops, with the functions that it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.unit import Unit
from gpuport.batch.records import Batch
from gpuport.emit.aliases import Aliases
from gpuport.emit.batchtext import Text, free_name, twin_text
from gpuport.emit.joinedlists import arrays_of
from gpuport.source.edits import Edit


def edits(
    analysed: Analysed, aliases: Aliases, made: Iterable[Batch], others: Iterable[Edit]
) -> list[Edit]:
    """All edits, with those that put stacked code beside the loops.

    ``others`` are the edits so far: where a loop goes a step deeper, so do their lines.
    """
    module = analysed.unit.module
    others, new = list(others), []
    for batch in made:
        names, twins = _twins(analysed.unit, aliases, batch)
        new += twins
        text = Text(module, aliases, batch, analysed.unit.node, names)
        start, end = module.extent(batch.node)
        is_loop = isinstance(batch.node, (ast.For, ast.While))
        parts = text.loop(others) if is_loop else text.comprehension()
        new.append(Edit(start, end, tuple(parts), order=2))
        if is_loop and not batch.helper:
            others = [text.deeper(one) for one in others]
        if batch.arrays or not is_loop:
            new += arrays_of(analysed, batch, aliases)
    return [*others, *new]


def _twins(unit: Unit, aliases: Aliases, batch: Batch) -> tuple[dict[str, str], list[Edit]]:
    """What the functions that a batch calls are called, and the edits that write the new ones."""
    module, written = unit.module, unit.project.remembered.vectorised
    names: dict[str, str] = {}
    new: list[Edit] = []
    for twin in batch.twins:
        if twin.key not in written:
            written[twin.key] = free_name(module, f"{twin.function.name}_stack", written.values())
            last = twin.function.end_lineno or twin.function.lineno
            end = module.line_starts[last - 1] + len(module.line_text(last).rstrip("\r\n"))
            text = twin_text(module, aliases, twin, written[twin.key], names)
            new.append(Edit(end, end, (text,), order=-len(written)))
        names[twin.placeholder] = written[twin.key]
    return names, new


__all__ = ["edits"]
