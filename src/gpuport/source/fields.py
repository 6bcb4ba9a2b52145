"""What the classes of a module put into the attributes of their objects, by the names alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from gpuport.source.syntax import children, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


Fields = dict[str, list[tuple[ast.AST, ast.expr | None]]]
"""What is bound to attributes, and where that is written."""


def fields_of(tree: ast.AST) -> Fields:
    """What is bound to attributes of any object, and the function or class that says so.

    Parameters
    ----------
    tree : ast.AST
        Of a module.

    Returns
    -------
    dict
        By the attribute's name; None for what is not looked into.
    """
    found: Fields = {}
    for around in walk(tree):
        if isinstance(around, ast.ClassDef):
            for one in around.body:
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                    found.setdefault(one.target.id, []).append((around, _default(one.value)))
        elif isinstance(around, (*_FUNCTIONS, ast.Module)):
            for name, value in _stored_by(around):
                found.setdefault(name, []).append((around, value))
    return found


def _default(value: ast.expr | None) -> ast.expr | None:
    """``field(default_factory=lambda: np.zeros(3))``: what it makes."""
    for keyword in value.keywords if isinstance(value, ast.Call) else ():
        if keyword.arg == "default_factory":
            made = keyword.value
            return made.body if isinstance(made, ast.Lambda) else None
        if keyword.arg == "default":
            return keyword.value
    return value


def _stored_by(function: ast.AST) -> list[tuple[str, ast.expr | None]]:
    """``self.beta = np.zeros(3)``; other ways to bind an attribute are not looked into."""
    found: list[tuple[str, ast.expr | None]] = []
    known: set[int] = set()
    waiting = list(children(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            continue
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute):
                    known.add(id(target))
                    found.append((target.attr, node.value))
        elif isinstance(node, ast.AugAssign):
            known.add(id(node.target))  # an array has as many elements as before
        elif isinstance(node, ast.Attribute) and id(node) not in known:
            found += [(node.attr, None)] if isinstance(node.ctx, ast.Store) else []
        waiting += children(node)
    return found


def made_by_numpy(
    tree: ast.AST, attributes: Iterable[str], resolve: Callable[[ast.expr], str | None]
) -> bool:
    """Whether calls of NumPy make all that a class binds to some attributes.

    Parameters
    ----------
    tree : ast.AST
        Of the class.
    attributes : iterable of str
        As they are read: ``self.u``.
    resolve : callable
        The full name that a function stands for.
    """
    found = fields_of(tree)
    values = [found.get(one.rpartition(".")[2], [(tree, None)]) for one in attributes]
    return all(
        isinstance(value, ast.Call) and (resolve(value.func) or "").startswith("numpy.")
        for bound in values for _, value in bound
    )  # fmt: skip


__all__ = ["Fields", "fields_of", "made_by_numpy"]
