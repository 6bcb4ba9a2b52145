"""Loops over vectors, planned as loops over their elements."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from gpuport.loops.facts import ArrayFact, LoopNest
from gpuport.loops.heads.heads import assignment, element
from gpuport.loops.heads.iteration import Heads
from gpuport.loops.names import (
    Fresh,
    called_with,
    dotted,
    function_path,
    named,
    walk,
)
from gpuport.loops.private.workspaces import Widened
from gpuport.loops.reasons import Refused
from gpuport.parallel.across.known import Known, Turned
from gpuport.parallel.across.turning import turned
from gpuport.rules.loopfunctions import allocating
from gpuport.source.entries import is_whole, subscript_indices
from gpuport.source.heldalone import held_alone
from gpuport.source.items import Items, items_by_number, without_body
from gpuport.source.making import read
from gpuport.source.partnames import parts_written_in


def across(nest: LoopNest, loop: ast.For | ast.While) -> tuple[Widened, Turned] | None:
    """The loop over the elements in the place of one over vectors, and what is known of it.

    None for other loops.
    """

    def makes(call: ast.Call) -> bool:
        path = called_with(call, nest.facts)[0].replace("numpy.ndarray.copy", "numpy.copy")
        return path in allocating()

    fresh = Fresh(named(nest.function))
    numbered, equal = items_by_number(loop, partial(_items, Heads(nest.facts, fresh, index="t")))
    ranks = _ranks(nest, numbered)
    if ranks is None or not isinstance(numbered, ast.For):
        return None
    written = parts_written_in(numbered, ranks, nest.live_after)
    arrays = {name: fact for name, fact in nest.facts.items() if isinstance(fact, ArrayFact)}
    floating = {n for n, fact in arrays.items() if (fact.dtype or "float64").startswith("float")}
    known = Known(
        ranks,
        frozenset(floating),
        frozenset(name for name in arrays if held_alone(nest.function, loop, name, makes)),
        nest.live_after,
        lambda function: function_path(function, nest.facts),
        fresh.name,
    )
    found = turned(written or numbered, known)
    if found is None:
        return None
    found = replace(found, free=written is not None)
    return Widened(found.loop, nest, (), (), (*equal, *found.equal)), found


def _items(heads: Heads, loop: ast.For) -> Items | None:
    """What a loop over arrays, or numbers that are no plain ``range``, goes over."""
    try:
        head = heads.read(without_body(loop))
    except Refused:
        return None
    if len(head.ranges) != 1 or head.replaced or heads.is_plain(loop):
        return None
    ((variable, arguments),) = head.ranges
    rows = [
        assignment(read(name), element(array, [*places], loop), loop)
        for name, (array, places) in head.rows.items()
    ]
    first = (*head.bindings, *rows)
    taken = [dotted(one.value) for one in walk(first) if isinstance(one, ast.Subscript)]
    if not all(isinstance(heads.facts.get(one or ""), ArrayFact) for one in taken):
        return None
    return Items(variable, arguments, first, tuple(head.guards))


def _ranks(nest: LoopNest, loop: ast.AST) -> dict[str, int] | None:
    """How many axes the arrays have; None where nothing says it of one that the loop subscripts.

    ``x[:, t]`` says that it has two: a guard makes sure.
    """
    found: dict[str, int] = {}
    for name, fact in nest.facts.items():
        if isinstance(fact, ArrayFact) and (rank := fact.rank or fact.told or 2 * fact.matrix):
            found[name] = rank
    asked = [node for node in walk([loop]) if isinstance(node, ast.Subscript)]
    for node in asked:
        entries, text = subscript_indices(node), dotted(node.value)
        if text is not None and any(map(is_whole, entries)):
            found.setdefault(text, len(entries))
    subscripted = {text for node in asked if (text := dotted(node.value)) in nest.facts}
    return None if subscripted - found.keys() else found


__all__ = ["across"]
