"""Loops over vectors, planned as loops over their elements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.loops.facts import ArrayFact, LoopNest
from gpuport.loops.names import Fresh, dotted, function_path, named, walk
from gpuport.loops.private.workspaces import Widened
from gpuport.parallel.across.turning import Known, turned


def across(nest: LoopNest, loop: ast.For | ast.While) -> Widened | None:
    """The loop over the elements in the place of one over vectors; None for other loops."""
    ranks = _ranks(nest, loop)
    if ranks is None:
        return None
    floating = {
        name
        for name, fact in nest.facts.items()
        if isinstance(fact, ArrayFact) and (fact.dtype or "float64").startswith("float")
    }
    fresh = Fresh(named(nest.function))
    known = Known(
        ranks,
        frozenset(floating),
        nest.live_after,
        lambda function: function_path(function, nest.facts),
        fresh.name,
    )
    found = turned(loop, known)
    return None if found is None else Widened(found.loop, nest, (), (), found.equal)


def _ranks(nest: LoopNest, loop: ast.AST) -> dict[str, int] | None:
    """How many axes the arrays have; None where nothing says it of one that the loop subscripts.

    ``x[:, t]`` says that it has two: a guard makes sure.
    """
    found: dict[str, int] = {}
    for name, fact in nest.facts.items():
        if isinstance(fact, ArrayFact) and (fact.rank or fact.told):
            found[name] = fact.rank or fact.told or 0
    asked = [node for node in walk([loop]) if isinstance(node, ast.Subscript)]
    for node in asked:
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        text = dotted(node.value)
        if text is not None and any(isinstance(one, ast.Slice) for one in entries):
            found.setdefault(text, len(entries))
    subscripted = {text for node in asked if (text := dotted(node.value)) in nest.facts}
    return None if subscripted - found.keys() else found


def over_elements(loop: ast.For) -> Iterator[ast.Name]:
    """The variables of the loops over the elements, which stand around all else."""
    one: ast.stmt = loop
    while isinstance(one, ast.For) and isinstance(one.target, ast.Name):
        if not one.target.id.endswith("_"):
            return
        yield one.target
        one = one.body[0] if len(one.body) == 1 else ast.Pass()


__all__ = ["across", "over_elements"]
