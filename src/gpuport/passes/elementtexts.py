"""What a function makes that is called for each element or vector, as an expression."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.vectorized import Callback, DisguisedLoop
from gpuport.analysis.interpretation.unit import Unit
from gpuport.rules.loopfunctions import makers
from gpuport.source.making import Standing
from gpuport.source.syntax import copied, walk

NUMBERS = ("int", "float", "bool")
"""Python's numbers that kernels have."""
_CODES = {"d": "float64", "f": "float32", "?": "bool_"}
"""Codes of types that numbers of any type become alike, one by one and as an array."""

Given = list[tuple[Argument, str]]


def of_element(unit: Unit, callback: Callback, given: Given) -> str | None:
    """The expression; None where it cannot be written at the place of the call.

    Parameters
    ----------
    unit : Unit
    callback : Callback
    given : list of (Argument, str)
        The arguments of the call, and the text that stands for one element of each.
    """
    node = callback.definition
    if node is None:
        assert isinstance(callback.function, ast.expr)
        plain = all(argument.position is not None for argument, _ in given)
        head = unit.module.segment(callback.function)
        return f"{head}({', '.join(text for _, text in given)})" if plain else None
    by_name = _by_parameter(node, given)
    if by_name is None:
        return None
    if isinstance(callback.function, ast.Name) and isinstance(node, ast.FunctionDef):
        name = callback.function.id
        same = unit.scope.owner(name) is callback.scope.owner(name)
        return f"{name}({', '.join(by_name.values())})" if same else None
    written = _written_in(unit, callback, node, by_name)
    if written is None and isinstance(callback.function, ast.FunctionDef):
        return f"{node.name}.pyfunc({', '.join(by_name.values())})"  # type: ignore[union-attr]
    return written


def _by_parameter(node: ast.FunctionDef | ast.Lambda, given: Given) -> dict[str, str] | None:
    """The text that each parameter gets, its default among them."""
    listed = node.args
    if listed.vararg or listed.kwarg or listed.kwonlyargs or listed.posonlyargs:
        return None
    parameters = [one.arg for one in listed.args]
    found: dict[str, str] = {}
    behind = parameters[len(parameters) - len(listed.defaults) :]
    for name, default in zip(behind, listed.defaults, strict=True):
        if isinstance(default, ast.Constant) and type(default.value).__name__ in NUMBERS:
            found[name] = repr(default.value)
    for argument, text in given:
        place, keyword = argument.position, argument.keyword
        if place is not None:
            keyword = parameters[place] if place < len(parameters) else None
        if keyword is None or keyword not in parameters:
            return None
        found[keyword] = text
    return {name: found[name] for name in parameters} if found.keys() >= set(parameters) else None


def _written_in(
    unit: Unit, callback: Callback, node: ast.FunctionDef | ast.Lambda, given: Mapping[str, str]
) -> str | None:
    """The one expression that a function gives, with what its parameters get in it."""
    body = node.body if isinstance(node, ast.Lambda) else _only_returned(node.body)
    if body is None or any(isinstance(part, ast.Lambda) for part in walk(body)):
        return None
    others = (n.id for n in walk(body) if isinstance(n, ast.Name) and n.id not in given)
    if any(unit.scope.owner(name) is not callback.scope.owner(name) for name in others):
        return None
    named = {name: ast.parse(text, mode="eval").body for name, text in given.items()}
    return ast.unparse(Standing(named).visit(copied(body)))


def _only_returned(body: Iterable[ast.stmt]) -> ast.expr | None:
    """What a function gives that does nothing else."""
    stated = [
        one for one in body
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]  # fmt: skip
    last = stated[0] if len(stated) == 1 else None
    return last.value if isinstance(last, ast.Return) else None


def asked_type(loop: DisguisedLoop, numpy: str) -> str | None:
    """The type that is asked for the array; empty where it has its items'; None for others."""
    asked = loop.otypes
    if asked is None:
        return ""
    if isinstance(asked, (ast.List, ast.Tuple)) and len(asked.elts) == 1:
        (asked,) = asked.elts
    elif not isinstance(asked, ast.Constant):
        return None
    if isinstance(asked, ast.Constant):
        name = _CODES.get(asked.value) if isinstance(asked.value, str) else None
        return None if name is None else f"{numpy}.{name}"
    return ast.unparse(asked) if loop.callback.scope.resolve(asked) in makers().any_number else None


__all__ = ["NUMBERS", "Given", "asked_type", "of_element"]
