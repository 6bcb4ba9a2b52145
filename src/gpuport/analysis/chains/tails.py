"""Expressions inside a statement that belong to the chain before it: ``np.exp(-x * x).sum()``."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence

from gpuport.analysis.chains.elementwise import Unfit, operands
from gpuport.analysis.chains.reading import Reader
from gpuport.analysis.chains.runs import Run
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.source.fresh import unused
from gpuport.source.syntax import walk


def together(rehearsal: Rehearsal, value: ast.expr) -> list[list[ast.expr]]:
    """Expressions inside a value, each by itself, and those that one display lists together.

    ``np.stack([y[1], force / body, (contact - force) / wheel])``.
    """
    nodes = list(evaluated_first(rehearsal, value))
    known = {id(node) for node in nodes}
    displays = (one for one in walk(value) if isinstance(one, ast.List | ast.Tuple))
    listed = ([part for part in one.elts if id(part) in known] for one in displays)
    return [*([node] for node in nodes), *(parts for parts in listed if len(parts) > 1)]


def with_tails(
    rehearsal: Rehearsal, run: Run, nodes: Sequence[ast.expr], statement: ast.stmt
) -> tuple[Run, tuple[ast.expr, ...]]:
    """A run with those of some expressions inside a statement that can be part of it."""
    taken: list[ast.expr] = []
    made: list[str] = []
    for node in nodes:
        found = run.copy()
        reader = Reader(rehearsal, found)
        if any(map(rehearsal.crosses, ast.walk(node))) or not rehearsal.stays(node):
            continue
        try:
            read = reader.computed(node)
        except Unfit:
            continue
        if reader.behind:
            word = f"terms_{len(made) + 1}" if made else "terms"
            name = found.fresh(unused(word, rehearsal.unit.module.names))
            found.bind(statement, name, read, frozenset(reader.behind))
            run = found
            taken.append(node)
            made.append(name)
    if made:
        run.unread -= set(made)
        run.made = made
    return run, tuple(taken)


def evaluated_first(rehearsal: Rehearsal, node: ast.expr) -> Iterator[ast.expr]:
    """Elementwise expressions inside another one, up to the first call of something unknown."""
    with contextlib.suppress(Unfit):
        yield from _evaluated(rehearsal, node)


def _evaluated(rehearsal: Rehearsal, node: ast.expr) -> Iterator[ast.expr]:
    if rehearsal.launches(node):
        yield node
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield from _evaluated(rehearsal, node.func.value)
        for part in (*node.args, *(k.value for k in node.keywords)):
            yield from _evaluated(rehearsal, part)
        if rehearsal.operation(node) is None:
            raise Unfit
    elif isinstance(node, ast.BinOp | ast.UnaryOp):
        for part in operands(node):
            yield from _evaluated(rehearsal, part)
    elif isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        yield from _evaluated(rehearsal, node.value)
    elif isinstance(node, ast.Tuple | ast.List):
        for part in node.elts:
            yield from _evaluated(rehearsal, part)
    elif not isinstance(node, ast.Name | ast.Constant):
        raise Unfit


__all__ = ["evaluated_first", "together", "with_tails"]
