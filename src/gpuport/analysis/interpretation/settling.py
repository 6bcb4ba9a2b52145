"""What can only be decided once the whole body of a function has been read."""

from __future__ import annotations

from gpuport.analysis.differences import interleaving
from gpuport.analysis.differences.endingarrays import ends_with_function
from gpuport.analysis.differences.orders import settle
from gpuport.analysis.differences.shortlived import dies_unchanged
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason


def finish(unit: Unit) -> None:
    """Decide what of a unit stays on the host, once it is known what is written and when."""
    settle_elements(unit)
    _settle_lent(unit)


def _settle_taken(unit: Unit) -> None:
    """Numbers that loops take stay with their array where that is changed."""
    for numbers, array in unit.memory.taken:
        if array.root().mutated:
            unit.graph.unite(numbers, array)


def _settle_lent(unit: Unit) -> None:
    """Keep on the host what is read later and written meanwhile, or given by a caller."""
    for origin, line, reason in unit.memory.lent:
        root = origin.root()
        if root.mutated and any(at >= line for n, at in unit.memory.written if n.root() is root):
            unit.graph.pin(root, reason)
            unit.parameters.escaped |= root.parameters
        elif root.parameters:
            unit.graph.pin(root, Reason("GP402", reason.message, reason.node, "host-sink"))
            unit.parameters.lent |= root.parameters


def settle_elements(unit: Unit) -> None:
    """Elements and views that are not sure to be any: harmless unless their array is written."""
    _settle_taken(unit)
    memory = unit.memory
    asked = memory.reshaped or memory.ordered or memory.laid_out
    if asked or unit.project.program.asks_for_order(unit.node):
        settle(unit)
    interleaving.settle(unit)
    for (kind, _), rewrite in list(unit.work.rewrites.items()):
        if kind != "shared" or not rewrite.graph_node.root().mutated:
            continue
        if ends_with_function(unit, rewrite.node):
            continue
        if not dies_unchanged(unit, rewrite.node, rewrite.graph_node):
            unit.pin(
                rewrite.graph_node,
                "GP907",
                "may alias: an element of the array is kept here and the array is changed; NumPy "
                "copies elements, CuPy does not",
                rewrite.node,
                "may-alias",
                help="copy the element: `x[i].copy()`",
            )


__all__ = ["finish", "settle_elements"]
