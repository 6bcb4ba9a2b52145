"""Parts of arrays that may hold no element, and what a loop over them would then not look at.

``y[i, i:] = x[k[i], i:] * w[m * i]`` asks for row ``k[i]`` and for one weight even where ``i:``
takes nothing, and tells of an index out of range. A loop over the elements of the part does so
only where there is one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gpuport.loops.names import decided, mentions, subscript_indices
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import SubscriptRange


def filled_where_checked(
    loop: ast.stmt, unfilled: Mapping[str, str | None], ranges: Sequence[SubscriptRange]
) -> list[str]:
    """Guards that parts have an element, where an index beside it has to be checked.

    Parameters
    ----------
    loop : stmt
        A region in plain form.
    unfilled : mapping of str to (str or None)
        Variables of loops over parts, and what makes sure that each of these makes an iteration;
        None where no guard does.
    ranges : sequence of SubscriptRange

    Raises
    ------
    Refused
        Where there is no such guard.
    """
    unproven = {(id(one.node), one.axis) for one in ranges if not one.proven}
    guards: dict[str, None] = {}
    for place, index in _beside(loop, (), {*unfilled}, unproven) if unproven else ():
        guard = unfilled[place]
        if guard is None or decided(guard) == "False":
            raise Refused(
                UNSUPPORTED,
                index,
                f"a part of an array may have no element here, and nothing would see then "
                f"whether the index `{ast.unparse(index)}` is out of range",
            )
        guards[guard] = None
    return [*guards]


def _beside(
    node: ast.AST, places: tuple[str, ...], made: set[str], unproven: set[tuple[int, int]]
) -> Iterator[tuple[str, ast.expr]]:
    """Loops over parts, by their variables, and indices in them that have none of these."""
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id in made:
        places = (*places, node.target.id)
    if isinstance(node, ast.Subscript):
        for axis, index in enumerate(subscript_indices(node)):
            if (id(node), axis) in unproven and not any(mentions([index], p) for p in places):
                yield from ((place, index) for place in places)
    for child in ast.iter_child_nodes(node):
        yield from _beside(child, places, made, unproven)


__all__ = ["filled_where_checked"]
