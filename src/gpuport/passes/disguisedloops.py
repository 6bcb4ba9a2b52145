"""Calls of a function for each element or vector, as the loops that they are in disguise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.passes.alongaxes import loop_over_vectors
from gpuport.passes.listtexts import Names
from gpuport.passes.vectorizedcalls import loop_over_elements
from gpuport.passes.writtenout import WrittenOut, written_out
from gpuport.source.edits import Edit


def disguised_loops(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that make loops of the calls in a function that could be such."""
    yield from written_out(unit, node, unit.work.disguised_loops, _loop)


def _loop(
    unit: Unit, statement: ast.stmt, call: ast.Call, numpy: str, names: Names
) -> WrittenOut | None:
    by_elements = unit.work.disguised_loops[id(call)].over == "elements"
    write = loop_over_elements if by_elements else loop_over_vectors
    return write(unit, statement, call, numpy, names)


__all__ = ["disguised_loops"]
