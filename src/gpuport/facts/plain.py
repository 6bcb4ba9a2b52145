"""What values are that hold no arrays and no objects: numbers, texts, and tuples of them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from gpuport.ir.types import Type, join_all

Plain = str | tuple["Plain", ...]
"""``int``, ``float``, ``bool``, ``complex``, ``number`` (one of the first two), ``str``;
``numpy.float64`` and so on of NumPy's numbers, ``numpy.`` where it may be either's; or a tuple of
what is known of its items."""

Key = TypeVar("Key", bound=Hashable)

_NAMES: dict[type[ast.AST], str] = {
    ast.arg: "arg", ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.ClassDef: "name",
    ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.MatchMapping: "rest",
}  # fmt: skip
"""What binds a name, by the field where that stands."""

_NUMBERS = frozenset({"int", "float", "bool", "complex"})


def all_plain(seen: Mapping[Key, Iterable[Type]]) -> dict[Key, Plain]:
    """What values of these types are, of those that are nothing else."""
    joined = ((key, join_all(types)) for key, types in seen.items())
    found = ((key, _of(t)) for key, t in joined if t is not None)
    return {key: one for key, one in found if one is not None}


def bound_once(function: ast.AST) -> frozenset[str]:
    """The names that a function binds at one place: a parameter, a loop, an assignment."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return frozenset()
    counts = Counter(name for node in ast.walk(function) for name in _bound(node))
    return frozenset(name for name, count in counts.items() if count == 1)


def _bound(node: ast.AST) -> list[str]:
    """The names that one piece of syntax binds; those of other scopes twice."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names * 2
    if isinstance(node, ast.alias):
        return [node.asname or node.name.partition(".")[0]]
    name = getattr(node, _NAMES.get(type(node), ""), None)
    return [name] if isinstance(name, str) else []


def _of(t: Type) -> Plain | None:
    if t.kind == "string":
        return "str"
    if t.kind == "number":
        return t.dtype if t.dtype in _NUMBERS else "number"
    if t.kind in ("scalar", "numeric"):
        return f"numpy.{t.dtype if t.kind == 'scalar' and t.dtype else ''}"
    if t.kind != "tuple" or not t.items:
        return None
    items = [_of(one) for one in t.items]
    known = [one for one in items if one is not None]
    return tuple(known) if len(known) == len(items) else None


__all__ = ["Plain", "all_plain", "bound_once"]
