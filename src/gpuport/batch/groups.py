"""Loops over lists, whose items may be of several shapes: those of one shape are a stack."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.batch.body import Body
from gpuport.batch.guesses import items_of
from gpuport.batch.scope import Region, Scope
from gpuport.source.syntax import dotted, walk


def goes_over_lists(region: Region) -> bool:
    """Whether a loop takes items of a list or dict, rather than of arrays alone."""
    return any(
        known.kind in ("list", "dict")
        and items_of(region.node, name) is not None
        and not _only_stored(region.node, name)
        for name, known in region.known.items()
    )


def _only_stored(node: ast.AST, name: str) -> bool:
    """Whether a loop does nothing with a name but store to its places, ``found[i] = x``."""
    parts = walk(node)
    stored = {
        id(part.value) for part in parts
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)
    }  # fmt: skip
    return all(
        id(part) in stored for part in parts
        if isinstance(part, (ast.Name, ast.Attribute)) and dotted(part) == name
    )  # fmt: skip


def over_stacks(scope: Scope, index: str, items: str = "") -> str:
    """``for k, x in batched.stacks(xs)``, or of these items of the lists."""
    names = ", ".join([index, *(v for variables in scope.variables.values() for v in variables)])
    return f"for {names} in {{batched}}.stacks({items or ', '.join(scope.variables)})"


def loop_over_stacks(body: Body, index: str) -> Iterator[str]:
    """The body for one stack after the other, and then its results in the order of the items."""
    for stacks in body.appended.values():
        yield f"{stacks} = []"
    yield f"{over_stacks(body.scope, index)}:"
    for line in body.lines:
        yield f"    {line}"
    for name, stacks in body.appended.items():
        yield _in_order(body, name, stacks)


def _in_order(body: Body, name: str, stacks: str) -> str:
    """The statement that gives a list (or dict, or array) what the stacks hold for it."""
    key = body.scope.key
    if name in body.keyed and key is not None:
        return f"{name}.update(zip({key[1]}, {{batched}}.unstack({stacks})))"
    if name in body.numbered:
        return f"{name}.update(enumerate({{batched}}.unstack({stacks})))"
    if name in body.arrays:
        return f"{name} = {{batched}}.array({stacks})"
    return f"{name}.extend({{batched}}.unstack({stacks}))"
