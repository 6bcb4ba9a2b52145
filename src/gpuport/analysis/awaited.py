"""Errors that a program waits for, and the functions that have to raise them.

CuPy goes on where NumPy raises for a singular matrix or an index out of range. A ``try`` around a
call waits for what is raised in the function that is called, however deep inside.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from gpuport.source.syntax import walk

_ANY = (BaseException, Exception)
"""What a program catches to say a last word: for what it calls itself, not for all that follows."""


@dataclass(slots=True, eq=False)
class Awaited:
    """Which functions of a program are called under which ``except``.

    Functions and methods go by their names alone: one that may be meant is.
    """

    handlers: Mapping[str, list[ast.ExceptHandler]] = field(default_factory=dict)
    own: frozenset[str] = frozenset()

    @classmethod
    def of(cls, trees: Iterable[ast.Module]) -> Awaited:
        """Those of the modules of a program."""
        nodes = [node for tree in trees for node in walk(tree)]
        tries = [node for node in nodes if isinstance(node, ast.Try) and node.handlers]
        if not tries:
            return cls()
        calls: dict[str, set[str]] = defaultdict(set)
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                calls[node.name].update(_named(node.body))
        own = frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef))
        found: dict[str, list[ast.ExceptHandler]] = defaultdict(list)
        for node in tries:
            near = {name for name in _named(node.body) if name in calls}
            far = _reached(near, calls)
            for handler in node.handlers:
                for name in near if _catches_anything(handler) else far:
                    found[name].append(handler)
        return cls(found, own)

    def handler(self, function: str, raised: Iterable[str]) -> ast.ExceptHandler | None:
        """The ``except`` around a call of a function that one of these errors may reach."""
        meant = [error for name in raised for error in _errors(name)]
        for handler in self.handlers.get(function, ()):
            if any(self._reaches(error, handler) for error in meant):
                return handler
        return None

    def _reaches(self, error: type[BaseException], handler: ast.ExceptHandler) -> bool:
        """Whether an ``except`` catches an error; one of a name that is not known may.

        No library raises the errors that a program defines.
        """
        return handler.type is None or any(
            issubclass(error, _errors(name) or BaseException)
            for name in _caught(handler)
            if name not in self.own
        )


def _errors(name: str) -> tuple[type[BaseException], ...]:
    """The class of errors of a name; none for an unknown one."""
    found = getattr(builtins, name, getattr(np.linalg, name, None))
    return (found,) if isinstance(found, type) and issubclass(found, BaseException) else ()


def _caught(handler: ast.ExceptHandler) -> Iterator[str]:
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    for one in named:
        yield one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "")


def _catches_anything(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or any(
        error in _ANY for name in _caught(handler) for error in _errors(name)
    )


def _named(body: list[ast.stmt]) -> Iterator[str]:
    """Names of what statements call, or hand on to be called."""
    for node in (inner for statement in body for inner in walk(statement)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _reached(names: set[str], calls: Mapping[str, set[str]]) -> set[str]:
    """Functions, and all to which they lead."""
    reached: set[str] = set()
    ahead = list(names)
    while ahead:
        one = ahead.pop()
        if one not in reached and one in calls:
            reached.add(one)
            ahead += calls[one]
    return reached


__all__ = ["Awaited"]
