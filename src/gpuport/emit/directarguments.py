"""Attributes that were given local names for a loop: its kernel is passed them directly.

``h = self.h`` stands above a loop so that the loop compiler sees a name. Where the loop has become
a call, ``_step(self.h)`` says the same in one line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpuport.analysis.functions.summaries import Analysed
from gpuport.source.edits import Edit
from gpuport.source.module import Module
from gpuport.source.syntax import inside, walk

_BLOCKS = ("body", "orelse", "finalbody")


@dataclass(frozen=True, slots=True)
class Direct:
    """What is passed to a call instead of names, and the lines that gave these.

    Attributes
    ----------
    texts : dict of str to str
        By name, what it stood for.
    statements : tuple of ast.stmt
    """

    texts: dict[str, str]
    statements: tuple[ast.stmt, ...]

    def edits(self, module: Module) -> Iterator[Edit]:
        """The lines go."""
        for one in self.statements:
            start, end = module.line_starts[one.lineno - 1], module.line_starts[one.lineno]
            yield Edit(start, end, ("",))


NOTHING = Direct({}, ())


def direct_arguments(analysed: Analysed, others: Sequence[Edit]) -> dict[int, Direct]:
    """By the id of a loop, what stands right above it and nowhere else is needed.

    Parameters
    ----------
    analysed : Analysed
    others : sequence of Edit
        What else changes in the function: a line that is changed stays.
    """
    module, function = analysed.unit.module, analysed.unit.node
    named = {id(loop): (loop, above) for loop, above in _named(module, function)}
    within: dict[str, set[int]] = {}
    for loop, above in named.values():
        reads = {id(node) for node in inside(loop)}
        for name in above:
            within.setdefault(name, set()).update(reads)
    elsewhere = {
        node.id
        for node in walk(function)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and id(node) not in within.get(node.id, ())
    }
    found = {}
    for key, (_, above) in named.items():
        kept = {
            name: one for name, one in above.items()
            if name not in elsewhere and not _changes(module, one, others)
        }  # fmt: skip
        texts = {name: module.segment(one.value) for name, one in kept.items()}
        found[key] = Direct(texts, tuple(kept.values()))
    return found


def _named(module: Module, function: ast.AST) -> Iterator[tuple[ast.stmt, dict[str, ast.Assign]]]:
    """The loops of a function that have such lines above them."""
    for node in walk(function):
        for block in _BLOCKS:
            found = getattr(node, block, None)
            statements: list[ast.stmt] = found if isinstance(found, list) else []
            for at, loop in enumerate(statements):
                if isinstance(loop, ast.For | ast.While):
                    above = _above(module, statements[:at])
                    if above:
                        yield loop, above


def _above(module: Module, statements: list[ast.stmt]) -> dict[str, ast.Assign]:
    found: dict[str, ast.Assign] = {}
    for one in reversed(statements):
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute()) if (
                module.is_inserted(one) and name not in found
            ):
                found[name] = one
            case _:
                break
    return found


def _changes(module: Module, one: ast.stmt, others: Sequence[Edit]) -> bool:
    start, end = module.extent(one)
    return any(edit.start < end and start < edit.end for edit in others)


__all__ = ["NOTHING", "Direct", "direct_arguments"]
