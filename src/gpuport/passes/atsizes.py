"""What is told of ported work in loops that NumPy is quicker at, at the sizes the program shows."""

from __future__ import annotations

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
from gpuport.source.repeated import in_loops
from gpuport.source.stores import is_part, worked_on


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
    again = in_loops(analysed.unit.node) if not shapes.repeated else None
    work = [
        one for one in analysed.unit.work.operations.values()
        if device.of(one.graph_node) is Place.DEVICE and not one.only_numbers
        and (again is None or id(one.node) in again)
    ]  # fmt: skip
    # what is stored in a part of an array is as large as what was computed for it
    work = [one for one in work if not is_part(one.node)] or work
    sizes = [_most(one, shapes) for one in work]
    known = [one for one in sizes if one is not None]
    if not work or len(known) < len(work):
        return None
    inside = {id(one.node) for one in work}
    spared = sum(c.launches - 1 for c in outcome.chains if c.covered & inside)
    plain = [is_of_their_size(analysed, one) for one in work]
    return slower(
        [size for size, one in zip(known, plain, strict=True) if one],
        [size for size, one in zip(known, plain, strict=True) if not one],
        max(len(work) - spared, 1),
    )


def _most(operation: Operation, shapes: Shapes) -> int | None:
    """Elements of the largest array that an operation gives or is given; None if that is open, or
    it is of numbers alone: what the host waits for is told elsewhere."""
    own, given = worked_on(operation.node, shapes.given_to)
    sizes = [count(shapes.told(one)) for one in given]
    if own is not None:
        sizes = [count(shapes.told(own)), *(sizes if sizes and None not in sizes else ())]
    known = [one for one in sizes if one is not None]
    most = max(known, default=1)
    return most if len(known) == len(sizes) and most > 1 else None


__all__ = ["SLOWER", "at_sizes"]
