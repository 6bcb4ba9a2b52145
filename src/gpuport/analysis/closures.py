"""Names that inner functions, lambdas and generators read when they run, which is later."""

from __future__ import annotations

import ast

from gpuport.analysis.unit import Unit
from gpuport.analysis.values import objects_in, on_device_possible
from gpuport.source.syntax import walk


def capture(unit: Unit, node: ast.AST) -> None:
    """What code that runs later reads stays on the host."""
    for inner in walk(node):
        if not isinstance(inner, ast.Name) or inner.id not in unit.env:
            continue
        flow = unit.env[inner.id]
        if unit.objects is not None:
            why = f"`{inner.id}` is used by code that runs later"
            for owner in objects_in(flow.value):
                unit.objects.open(owner, inner, why)
        if flow.origin is not None and on_device_possible(flow.value):
            unit.pin(
                flow.origin,
                "GP909",
                f"`{inner.id}` is used by code that runs later, on line {unit.module.line(inner)}",
                inner,
                "unsupported-syntax",
            )


__all__ = ["capture"]
