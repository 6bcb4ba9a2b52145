"""What is told of ported work in loops that NumPy is quicker at, at the sizes the program shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.placement.graph import Place
from gpuport.cost.atsizes import AtSizes, slower
from gpuport.cost.broadcasting import count
from gpuport.cost.shapes import Shapes
from gpuport.emit.breakeven import is_of_their_size
from gpuport.passes.findings import info
from gpuport.passes.outcomes import Outcome
from gpuport.records import Finding, Severity
from gpuport.source.carried import COMPREHENSIONS
from gpuport.source.syntax import LOOPS, walk

_SOME = 2
"""Elements of what is worth a word."""


def at_sizes(outcome: Outcome) -> Iterator[Finding]:
    """The finding of a function whose loops launch more than their arrays are worth."""
    unit = outcome.analysed.unit
    shapes = unit.project.calls.shapes(unit.project, unit.scope)
    found = _found(outcome, shapes) if outcome.analysed.placement.device else None
    if found is None:
        return
    many = f"{found.launches} launches" if found.launches > 1 else "a launch"
    told = (
        f"{many} in a loop on {found.most:,} elements at most: about {found.device:.0f} "
        f"microseconds, where NumPy takes {found.host:.0f}; it is worth it for larger arrays"
    )
    found_here = info(outcome.analysed, "GP410", SLOWER, unit.node)
    yield replace(found_here, severity=Severity.WARNING, help=told)


SLOWER = "at the sizes that the program shows NumPy is likely to be quicker in its loops"


def _found(outcome: Outcome, shapes: Shapes) -> AtSizes | None:
    analysed, taken = outcome.analysed, outcome.batches.made
    device = analysed.placement
    kernels = analysed.unit.forms.launches.values()
    if taken or any(device.of(one.graph_node) is Place.DEVICE for one in kernels):
        return None  # how much work these are is not asked
    again = _repeated(analysed.unit.node) if not shapes.repeated else None
    work = [
        one for one in analysed.unit.work.operations.values()
        if device.of(one.graph_node) is Place.DEVICE and not one.only_numbers
        and (again is None or id(one.node) in again)
    ]  # fmt: skip
    # what is stored in a part of an array is as large as what was computed for it
    work = [one for one in work if not _is_part(one.node)] or work
    sizes = [_most(one, shapes) for one in work]
    known = [one for one in sizes if one is not None]
    if not work or len(known) < len(work):
        return None
    if max(known) < _SOME:
        return None  # numbers: what the host waits for is told
    inside = {id(one.node) for one in work}
    spared = sum(c.launches - 1 for c in outcome.chains if c.covered & inside)
    plain = [is_of_their_size(analysed, one) for one in work]
    return slower(
        [size for size, one in zip(known, plain, strict=True) if one],
        [size for size, one in zip(known, plain, strict=True) if not one],
        max(len(work) - spared, 1),
    )


def _is_part(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)


def _repeated(function: ast.AST) -> set[int]:
    """What stands in loops of a function, by ids."""
    loops = (one for one in walk(function) if isinstance(one, (*LOOPS, *COMPREHENSIONS)))
    return {id(part) for loop in loops for part in walk(loop)}


def _most(operation: Operation, shapes: Shapes) -> int | None:
    """Elements of the largest array that an operation gives or is given; None if that is open."""
    node = operation.node
    given = shapes.given_to(node) if isinstance(node, ast.Call) else []
    if isinstance(node, ast.Assign | ast.AugAssign):
        given = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    sizes = [count(shapes.told(one)) for one in given if not isinstance(one, ast.Constant)]
    if isinstance(node, ast.expr):
        sizes = [count(shapes.told(node)), *(sizes if sizes and None not in sizes else ())]
    known = [one for one in sizes if one is not None]
    most = max(known, default=1)
    return most if len(known) == len(sizes) and most > 1 else None


__all__ = ["SLOWER", "at_sizes"]
