"""Extents that are read from values that take the place of others."""

from __future__ import annotations

from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.structure import Value


def renamed(extent: Affine | None, new: dict[Value, Value]) -> Affine | None:
    """An extent that is read from values that take the place of others."""
    if extent is None or not any(symbol.source in new for symbol in extent.symbols):
        return extent
    total = Affine((), extent.constant)
    for symbol, factor in extent.terms:
        source = new.get(symbol.source, symbol.source)
        total = total + Affine.of(Symbol(source, symbol.path, symbol.name)) * factor
    return total
