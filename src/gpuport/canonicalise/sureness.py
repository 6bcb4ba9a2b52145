"""Operations that cannot raise: what an outer loop does may move into the one inside it.

Where that runs no round, nobody computes them any more.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.grids import MAY_RAISE, Grid
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.signs import is_natural
from gpuport.canonicalise.writer import number_of
from gpuport.facts.knowledge import is_of
from gpuport.ir.extents import Affine
from gpuport.ir.structure import Op, Value

PLAIN = frozenset({"Const", "Extent", "Compare", "Unary", "Cast"})


def check_sure(elements: Elements, ops: Iterable[Op], grid: list[Grid]) -> None:
    """Refuse operations of an outer loop that may raise.

    Raises
    ------
    Blocked
    """
    for op in ops:
        if op.kind in PLAIN or (op.kind == "Load" and _is_there(elements, op, grid)):
            continue
        if op.kind == "Binary" and not _may_raise(op):
            continue
        numbers = element_rules().number_modules
        if op.kind == "Elementwise" and not is_of(op.attributes["path"], numbers):
            continue
        raise Blocked("an outer loop does more than compute numbers", op.span)


def _may_raise(op: Op) -> bool:
    return op.attributes["operator"] in MAY_RAISE and not number_of(op.operands[1])


def _is_there(elements: Elements, op: Op, grid: list[Grid]) -> bool:
    """Whether each index goes over the very axis that it is used for."""
    array, *indices = op.operands
    shape = elements.type(array).shape or ()
    axes = {place.index: place for place in grid}
    return all(
        index in axes and _goes_over(elements, axes[index], array, axis, extent)
        for axis, (index, extent) in enumerate(zip(indices, shape, strict=True))
    )


def _goes_over(
    elements: Elements, place: Grid, array: Value, axis: int, extent: Affine | None
) -> bool:
    if place.step < 0 or not is_natural(elements, place.low):
        return False
    made = place.high.definition
    if place.high not in elements.like:
        return extent is not None and elements.type(place.high).integer == extent
    if extent is not None and number_of(place.high) == extent.number is not None:
        return True
    of_axis = isinstance(made, Op) and made.kind == "Extent"
    return of_axis and isinstance(made, Op) and _is_axis(elements, made, array, axis, extent)


def _is_axis(elements: Elements, made: Op, array: Value, axis: int, extent: Affine | None) -> bool:
    base, other = made.operands[0], made.attributes["axis"]
    known = (elements.type(base).shape or (None,) * (other + 1))[other]
    return (base is array and other == axis) or (extent is not None and known == extent)
