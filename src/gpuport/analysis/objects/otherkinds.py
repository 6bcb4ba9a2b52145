"""Arrays that are put where only numbers were seen: all that was said of the place is doubted."""

from __future__ import annotations

import ast

from gpuport.analysis.interpretation.flows import Flow, Refused
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Scalar,
    Sequence,
    Unknown,
    elements,
    is_container,
    join,
    on_device_possible,
    parts,
)
from gpuport.analysis.values.nesting import put
from gpuport.source.names import Scope
from gpuport.source.onlyread import only_reads


def check_kind(unit: Unit, place: ast.expr, base: Flow, flow: Flow) -> None:
    """Refuse the function where a list without arrays, which is not followed, gets one.

    Others that hold the list, by other names, would go on taking what is in it for numbers.
    """
    if base.origin is not None or not is_container(base.value):
        return
    of, value = elements(base.value), flow.value
    arrays = isinstance(value, (Array, Either)) or is_container(value)
    if of is None or isinstance(of, Unknown) or not arrays or not on_device_possible(value):
        return
    if join(of, lasting(value)) != of:
        text = unit.module.segment(place).splitlines()[0][:60]
        message = f"unknown type: `{text}` gets an array, and held none where it was made"
        raise Refused(Reason("GP901", message, place, "unknown-type"))


def doubt(
    unit: Unit,
    expression: ast.expr,
    flow: Flow,
    scope: Scope | None = None,
    name: str | None = None,
) -> None:
    """A function of the project may have put anything into a list or a dict, given as ``name``."""
    if not isinstance(flow.value, (Sequence, Mapping)):
        return
    numbers = flow.origin is None and all(isinstance(one, Scalar) for one in parts(flow.value))
    if numbers and scope is not None and name is not None and only_reads(scope, name):
        return
    if flow.origin is not None:
        put(unit, flow.origin, expression, Flow(UNKNOWN))
    elif isinstance(expression, ast.Name) and expression.id in unit.env:
        unit.env[expression.id] = Flow(UNKNOWN)


__all__ = ["check_kind", "doubt"]
