"""Loops over vectors, planned as loops over their elements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.loops.facts import ArrayFact, LoopNest
from gpuport.loops.names import (
    Fresh,
    blocks,
    dotted,
    function_path,
    mentions,
    named,
    stored,
    walk,
)
from gpuport.loops.private.workspaces import Widened
from gpuport.parallel.across.turning import Known, turned
from gpuport.rules.loopfunctions import allocating


def across(nest: LoopNest, loop: ast.For | ast.While) -> tuple[Widened, tuple[str, ...]] | None:
    """The loop over the elements in the place of one over vectors, and arrays that it leaves.

    None for other loops.
    """
    ranks = _ranks(nest, loop)
    if ranks is None:
        return None
    arrays = {name: fact for name, fact in nest.facts.items() if isinstance(fact, ArrayFact)}
    floating = {n for n, fact in arrays.items() if (fact.dtype or "float64").startswith("float")}
    fresh = Fresh(named(nest.function))
    known = Known(
        ranks,
        frozenset(floating),
        frozenset(name for name in arrays if _is_owned(nest, loop, name)),
        nest.live_after,
        lambda function: function_path(function, nest.facts),
        fresh.name,
    )
    found = turned(loop, known)
    if found is None:
        return None
    return Widened(found.loop, nest, (), (), found.equal), found.left


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
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        text = dotted(node.value)
        if text is not None and any(isinstance(one, ast.Slice) for one in entries):
            found.setdefault(text, len(entries))
    subscripted = {text for node in asked if (text := dotted(node.value)) in nest.facts}
    return None if subscripted - found.keys() else found


def _is_owned(nest: LoopNest, loop: ast.stmt, name: str) -> bool:
    """Whether an array is made right before a loop, and nothing else has held it since."""
    block = next((b for b in blocks(nest.function) if loop in b), [])
    before = block[: block.index(loop)] if loop in block else []
    for at in range(len(before) - 1, -1, -1):
        one = before[at]
        if not mentions([one], name):
            continue
        if name not in stored([one]):
            if not _only_computes(one, name):
                return False
            continue
        if not isinstance(one, ast.Assign) or not isinstance(one.targets[0], ast.Name):
            return False
        return len(one.targets) == 1 and _is_made(one.value, nest)
    return False


def _is_made(value: ast.expr, nest: LoopNest) -> bool:
    """Whether an expression makes an array that nothing else holds."""
    if isinstance(value, ast.Call):
        return function_path(value.func, nest.facts) in allocating()
    return isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Compare))


def _only_computes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement does no more with an array than compute with it, or ask for its size."""
    used = 0
    for node in walk([statement]):
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "ndim", "dtype"):
            parts = [node.value]
        used += sum(isinstance(one, ast.Name) and one.id == name for one in parts)
    return used == mentions([statement], name)


def over_elements(loop: ast.For) -> Iterator[ast.Name]:
    """The variables of the loops over the elements, which stand around all else."""
    one: ast.stmt = loop
    while isinstance(one, ast.For) and isinstance(one.target, ast.Name):
        if not one.target.id.endswith("_"):
            return
        yield one.target
        one = one.body[0] if len(one.body) == 1 else ast.Pass()


__all__ = ["across", "over_elements"]
