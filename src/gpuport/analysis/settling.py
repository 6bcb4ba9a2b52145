"""What can only be decided once the whole body of a function has been read."""

from __future__ import annotations

from gpuport.analysis.unit import Unit


def finish(unit: Unit) -> None:
    """Decide what of a unit stays on the host, once it is known what is written and when."""
    settle_elements(unit)
    unit.settle_lent()


def settle_elements(unit: Unit) -> None:
    """Elements and views that are not sure to be any: harmless unless their array is written."""
    if unit.reshaped:
        from gpuport.analysis.orders import settle

        settle(unit)
    for (kind, _), rewrite in list(unit.rewrites.items()):
        if kind == "shared" and rewrite.graph_node.root().mutated:
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
