"""Arrays that end with a function but for what it returns: they may be moved where it does.

``g = kernel.T @ r; g[1:] += w; return g``: what callers get may as well be a copy of ``g``, made by
the transfer, so that ``g`` and the result can be in different places.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.placement.graph import Node, keeps
from gpuport.analysis.values.lattice import Array
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.objects.instances import Objects


@dataclass(frozen=True, slots=True)
class Leaving:
    """An array of a name that a statement returns, by itself or as an item of a display.

    Attributes
    ----------
    unit : Unit
        The function.
    expression : ast.Name
    flow : Flow
    result : Node
        Where callers find it.
    weight : float
        How often the statement runs.
    movable : bool
        Whether a transfer can be written there.
    line : int
        Of the statement.
    """

    unit: Unit
    expression: ast.Name
    flow: Flow
    result: Node
    weight: float
    movable: bool
    line: int


def leaving(unit: Unit, expression: ast.expr, flow: Flow, result: Node) -> Leaving | None:
    """What is returned, if nothing but a name of the function that ends holds it; else None.

    That nothing in the rest of the program holds it too is to be asked when all has been read.
    """
    if not isinstance(expression, ast.Name) or not isinstance(flow.value, Array):
        return None
    if unit.memory.made.get(expression.id) is not True:
        return None
    tries = any(one.finalbody for one in unit.module.kinds[ast.Try])
    if tries and any(isinstance(node, ast.Try) and node.finalbody for node in walk(unit.node)):
        return None  # it runs after what is returned was read
    movable = unit.movable(expression)
    return Leaving(unit, expression, flow, result, unit.weight, movable, unit.line)


def let_leave(objects: Objects) -> None:
    """Give the results of a round what was returned: by a transfer where that is the same."""
    held = {id(place) for node in objects.nodes.values() for place in node.places()}
    named = Counter(map(_named, objects.leaving))
    for one in objects.leaving:
        assert one.flow.origin is not None
        root = one.flow.origin.root()
        kept = root.let_go or (root.pinned is not None and keeps(root.pinned))
        if kept or id(root) in held or named[_named(one)] > 1:
            objects.share(one.result, one.flow)
            held.add(id(one.result.root()))
            continue
        one.unit.graph.use(
            one.expression, one.flow.origin, one.result, one.flow.value, one.weight,
            movable=one.movable,
        )  # fmt: skip


def is_one_of(one: Leaving, others: list[Leaving]) -> bool:
    """Whether the same statement returns the same array in another place as well."""
    return any(_named(one) == _named(other) and one.result is not other.result for other in others)


def _named(one: Leaving) -> tuple[int, int, str]:
    """The statement, and the name in it: of two that it returns callers see that they are one."""
    return id(one.unit), one.line, one.expression.id


__all__ = ["Leaving", "is_one_of", "leaving", "let_leave"]
