"""Functions that are given numbers, and make the arrays themselves."""

from __future__ import annotations

from gpuport.analysis.functions.summaries import Analysed, has_device_parameter
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import (
    Either,
    Value,
)


def only_arithmetic(analysed: Analysed) -> bool:
    """Whether a function does arithmetic on parameters that need not be arrays, and no more."""
    unit = analysed.unit
    if unit.refusal is not None or not has_device_parameter(analysed):
        return False
    values = [unit.parameters.initial[name] for name in unit.parameters.nodes]
    calls = any(o.path is not None for o in unit.work.operations.values())
    return not calls and all(isinstance(v, Either) and not v.seen for v in values)


def is_driver(analysed: Analysed) -> bool:
    """Whether a function makes arrays, and nothing says that it is given any."""
    unit = analysed.unit
    makes = any(o.creates for o in unit.work.operations.values())
    initial = unit.parameters.initial.values()
    return unit.refusal is None and makes and all(map(_may_be_number, initial))


def makes_arrays(analysed: Analysed) -> bool:
    """Whether a function has something to do on the device where it is given numbers only."""
    unit = analysed.unit
    makes = any(
        o.creates and analysed.placement.of(o.graph_node) is Place.DEVICE
        for o in unit.work.operations.values()
    )
    return makes and all(isinstance(value, Either) for value in unit.parameters.initial.values())


def _may_be_number(value: Value) -> bool:
    return isinstance(value, Either) and not value.seen
