"""Where the host waits for the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport._frozen import frozen
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Place


@frozen
class Wait:
    """An expression for which the host waits, and for what of it.

    Attributes
    ----------
    node : ast.AST
    what : str
        ``value``: a number is asked for; ``size``: how many elements the result has; ``values``:
        the operation reads something back to check it.
    """

    node: ast.AST
    what: str


def waits(analysed: Analysed) -> Iterator[Wait]:
    """The expressions for which the host waits, each once."""
    unit = analysed.unit
    if unit.refusal is not None:
        return
    for node, origin in unit.work.syncs.values():
        if analysed.placement.of(origin) is Place.DEVICE:
            yield Wait(node, "value")
    for node, *origins in unit.work.slice_bounds.values():
        if all(analysed.placement.of(origin) is Place.DEVICE for origin in origins):
            yield Wait(node, "value")
    for node, origin, what in unit.work.read_back.values():
        if analysed.placement.of(origin) is Place.DEVICE:
            yield Wait(node, what)


__all__ = ["Wait", "waits"]
