"""What may stand for a function or an object that a parameter holds, by the use made of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.verify.sides.syntax import (
    ARRAY_ATTRIBUTES,
    GENERATOR_METHODS,
    TEXT_METHODS,
    arities,
    attributes_of,
    is_name,
)
from gpuport.verify.slots import ANY_TEXT, Slot

# NumPy's own, so that a counterexample needs nothing else
_FUNCTIONS = {
    1: ("numpy:tanh", "numpy:sum", "numpy:square"),
    2: ("numpy:hypot", "numpy:dot", "numpy:subtract"),
    3: ("numpy:clip", "numpy:where"),
}
READABLE = "numpy:nan_to_num"
"""One that is written in Python, with names and defaults for its parameters."""
STAND_IN = "types:SimpleNamespace"
"""The class of objects that are made up of the attributes that a function reads."""
_DEEPEST = 2  # attributes of attributes that are made up
_MOST = 10  # attributes of one object
_OF_OTHERS = frozenset({"items", "keys", "values", "get", "append", "extend", "tolist", "nonzero"})


def stand_ins(name: str, scope: ast.AST) -> Iterator[Slot]:
    """Functions for a name that is called, a text or an object for one whose attributes say so."""
    counts = arities(name, scope)
    if counts:
        yield from functions(name, counts)
        return
    attributes = attributes_of(name, scope)
    if TEXT_METHODS & set(attributes):
        yield Slot(name, "choice", choices=(ANY_TEXT,))
    other = [a for a in attributes if not a.startswith("__")]
    foreign = set(other) - ARRAY_ATTRIBUTES - GENERATOR_METHODS - TEXT_METHODS - _OF_OTHERS
    if not foreign or len(other) > _MOST or name.count(".") >= _DEEPEST:
        return
    if any(isinstance(n, ast.Subscript) and is_name(n.value, name) for n in ast.walk(scope)):
        return
    yield from _objects(name, tuple(other), scope)


def functions(name: str, counts: tuple[int, ...] = (1,)) -> Iterator[Slot]:
    """Functions of so many arguments."""
    for place in _FUNCTIONS.get(max(counts, default=1), ()):
        yield Slot(name, "callable", place)


def _objects(name: str, attributes: tuple[str, ...], scope: ast.AST) -> Iterator[Slot]:
    """An object with these attributes: each as its own use suggests, then all as numbers."""
    from dataclasses import replace

    from gpuport.verify.signatures.usage import guessed

    first = [replace(next(guessed(f"{name}.{a}", scope)), name=a) for a in attributes]
    yield Slot(name, "object", STAND_IN, items=tuple(first))
    plain = [Slot(s.name, "float") if s.kind == "array" else s for s in first]
    if plain != first:
        yield Slot(name, "object", STAND_IN, items=tuple(plain))
