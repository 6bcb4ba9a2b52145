"""Attributes of which nothing is known since their class is not followed, and what would help."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from gpuport.analysis.explanation.causes import bound_from
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import why_host
from gpuport.analysis.objects.receivers import receiver_of
from gpuport.source.syntax import walk


def why_not_followed(unit: Unit, node: ast.expr) -> str | None:
    """Why nothing is known of an attribute that an expression in a method comes from.

    None where it comes from no attribute, or from one of a class that is followed.
    """
    parent, following = unit.scope.parent, unit.project.program.following
    if parent is None or following is None or not isinstance(parent.node, ast.ClassDef):
        return None
    reason = following.opened.get(parent.name)
    attribute = next(_attributes(unit, node), None)
    if reason is None or attribute is None:
        return None
    where = unit.project.program.where(unit.project, reason.node)
    why = reason.message.removeprefix(why_host(""))
    why = f"`{attribute}` is not followed, nor is its class ({reason.code} on {where}): {why}"
    return why if reason.help is None else f"{why}; {reason.help}"


def _attributes(unit: Unit, node: ast.expr) -> Iterator[str]:
    """Attributes of the instance that an expression reads, or the names that it reads came from."""
    receiver = receiver_of(unit.node)
    if receiver is None:
        return
    sources = _sources(unit.node)
    ahead, seen = [node], set[str]()
    while ahead:
        for one in walk(ahead.pop(0)):
            if isinstance(one, ast.Attribute) and getattr(one.value, "id", None) == receiver:
                yield f"{receiver}.{one.attr}"
            elif isinstance(one, ast.Name) and one.id not in seen:
                seen.add(one.id)
                ahead += sources.get(one.id, ())


@lru_cache(maxsize=8)  # asked for one attribute after the other
def _sources(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What the names in a function are bound from."""
    bound = bound_from(function)
    found: dict[str, list[ast.expr]] = {}
    for one in walk(function):
        if isinstance(one, ast.Name) and id(one) in bound:
            found.setdefault(one.id, []).append(bound[id(one)])
    return found


__all__ = ["why_not_followed"]
