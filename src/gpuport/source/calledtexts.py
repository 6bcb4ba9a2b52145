"""Reasons that quote a function which a loop calls: they name it, and use its own names.

What a function does may be written out in a copy of the loop, where it has names of its own
(``obs_``): a reader of the loop finds these nowhere.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any

_QUOTED = re.compile(r"`([^`]+)`")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ADDED = re.compile(r"\d*_$")


def where_called(message: str, loop: ast.AST, facts: Mapping[str, Any]) -> str:
    """A reason as it is, or that it holds of a function that the loop calls.

    Parameters
    ----------
    message : str
    loop : ast.AST
    facts : mapping of str to Fact
        Of the names that the loop reads, functions among them.
    """
    quoted = _QUOTED.search(message)
    known = _words(loop) | set(dir(builtins)) | set(keyword.kwlist)
    strange = [name for name in _NAME.findall(quoted[1]) if name not in known] if quoted else []
    for definition in _called(facts) if strange else ():
        theirs = _words(definition)
        plain = {name: _as_written(name, theirs) for name in strange}
        if None in plain.values():
            continue
        for name, written in plain.items():
            message = re.sub(rf"\b{name}\b", written or name, message)
        return f"in `{definition.name}`, which it calls: {message}"
    return message


def _called(facts: Mapping[str, Any]) -> Iterator[ast.FunctionDef]:
    """The functions that are called, those that they call after them."""
    waiting, seen = [facts], set[int]()
    for one in waiting:
        for fact in one.values():
            definition = getattr(fact, "definition", None)
            if isinstance(definition, ast.FunctionDef) and id(definition) not in seen:
                seen.add(id(definition))
                waiting.append(fact.globals)
                yield definition


def _words(node: ast.AST) -> set[str]:
    """The names, attributes and parameters in a text."""
    every = list(ast.walk(node))
    kinds = ("id", "attr", "arg", "name")
    words = (getattr(one, kind, None) for one in every for kind in kinds)
    return {word for word in words if isinstance(word, str)}


def _as_written(name: str, theirs: set[str]) -> str | None:
    if name in theirs:
        return name
    plain = _ADDED.sub("", name)
    return plain if plain in theirs else None


__all__ = ["where_called"]
