"""Whether complex numbers may be divided by infinity: 0 in NumPy, NaN in CuPy."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import isinf

from gpuport.analysis.knowledge.tables import placement_words
from gpuport.source.syntax import Kinds, inside, walk


def store_infinity(every: Iterable[Kinds]) -> bool:
    """Whether a program puts infinity in an array somewhere."""
    return any(_stores_infinity(kinds) for kinds in every)


def _stores_infinity(kinds: Kinds) -> bool:
    stores = placement_words().infinity["stores"]
    return any(
        _is_infinity(node.value) and any(isinstance(t, ast.Subscript) for t in node.targets)
        for node in kinds[ast.Assign]
    ) or any(
        getattr(node.func, "attr", getattr(node.func, "id", "")) in stores
        and any(map(_is_infinity, node.args))
        for node in kinds[ast.Call]
    )


def _is_infinity(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "float" and node.args:
        return _says_infinity(getattr(node.args[0], "value", ""))
    return getattr(node, "attr", getattr(node, "id", "")) in placement_words().infinity["names"]


def _says_infinity(text: object) -> bool:
    try:
        return isinstance(text, str) and isinf(float(text))
    except ValueError:
        return False


def made_of_complex(node: ast.expr, function: ast.AST) -> bool:
    """Whether what an expression is made of says complex numbers, names by what is bound to them.

    Asked where the dtype is not known.
    """
    saying = placement_words().infinity["complex"]
    said = names_behind(node, function)
    return None in said or not said.isdisjoint(saying)


def names_behind(node: ast.AST, function: ast.AST) -> set[str | None]:
    """The words in an expression, and in what names in it are bound to; None for ``2j``."""
    seen: set[str | None] = set()
    ahead = [*_words(node)]
    while ahead:
        said = ahead.pop()
        if said not in seen:
            seen.add(said)
            ahead += () if said is None else _words_bound_in(function).get(said, ())
    return seen


@lru_cache(maxsize=8)  # asked for many at a time
def _words_bound_in(function: ast.AST) -> dict[str, set[str | None]]:
    """The words of what assignments in a function bind names to, or put into them."""
    found: dict[str, set[str | None]] = {}
    for inner in inside(function):
        if isinstance(inner, ast.Assign):
            words = set(_words(inner.value))
            for name in (name for target in inner.targets for name in walk(target)):
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, set()).update(words)
    return found


def _words(node: ast.AST) -> Iterator[str | None]:
    """Names in an expression; None for a complex number that is written out."""
    for inner in walk(node):
        if isinstance(inner, ast.Constant):
            if isinstance(inner.value, complex):
                yield None
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
        elif isinstance(inner, ast.Name):
            yield inner.id


__all__ = ["made_of_complex", "names_behind", "store_infinity"]
