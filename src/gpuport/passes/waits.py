"""Where the host waits for the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Place


def waits(analysed: Analysed) -> Iterator[ast.AST]:
    """The expressions of which the host asks for the value on the device."""
    unit = analysed.unit
    if unit.refusal is not None:
        return
    for node, origin in unit.work.syncs.values():
        if analysed.placement.of(origin) is Place.DEVICE:
            yield node
    for node, *origins in unit.work.slice_bounds.values():
        if all(analysed.placement.of(origin) is Place.DEVICE for origin in origins):
            yield node


__all__ = ["waits"]
