"""The assignments at the top of a module, and in what it does where it is run as a program."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from gpuport.source.syntax import DEFINITIONS, children, walk

_COUNTED = frozenset({"int", "len"})
_REAL = frozenset({"float"})
_CONSTANTS = frozenset({"pi", "e", "inf", "nan"})
_OF_TWO = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def is_main_guard(node: ast.stmt) -> bool:
    """Whether a statement is ``if __name__ == "__main__":``."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.left, ast.Name)
        and node.test.left.id == "__name__"
    )


def assignments_in_order(tree: ast.Module, bound: Mapping[str, int]) -> list[ast.stmt]:
    """The assignments that a module runs one after the other, as far as they tell what is bound.

    What a loop, a condition or a function binds as well is not known where it is read, nor is what
    is computed of it: ``a = 1.0``, ``for k in range(3): a = a * x`` and ``b = 2 * a``. Unless all
    that is bound are Python's whole numbers, or all its floats.

    Parameters
    ----------
    tree : ast.Module
    bound : mapping
        How often the module binds each name.
    """
    body: list[ast.stmt] = []
    for node in tree.body:
        body += node.body if isinstance(node, ast.If) and is_main_guard(node) else [node]
    every = [node for node in body if isinstance(node, ast.Assign | ast.AnnAssign)]
    plain = Counter(name for node in every for name in _names(node, ast.Store))
    shifting = {name for name, times in plain.items() if bound.get(name) != times}
    if shifting:
        shifting -= _numbers(tree, bound)
    while True:
        told = [node for node in every if shifting.isdisjoint(_names(node, ast.Load))]
        more = {n for node in every if node not in told for n in _names(node, ast.Store)} - shifting
        if not more:
            return list(told)
        shifting |= more


def _names(node: ast.AST, context: type[ast.expr_context]) -> list[str]:
    return [n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)]


def _numbers(tree: ast.Module, bound: Mapping[str, int]) -> set[str]:
    """The names of which all that the module binds them to are numbers of one type."""
    values: dict[str, list[ast.expr]] = {}
    for name, value in _bindings(tree):
        values.setdefault(name, []).append(value)
    kinds: dict[str, str | None] = {}
    for _ in range(len(values) + 1):
        found = {
            name: _joined([_kind(one, kinds) for one in every])
            for name, every in values.items() if bound.get(name) == len(every)
        }  # fmt: skip
        if found == kinds:
            break
        kinds = found
    return {name for name, kind in kinds.items() if kind in ("int", "float")}


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names, and what assignments and counting loops outside of functions bind them to."""
    if isinstance(node, ast.Assign):
        yield from ((t.id, node.value) for t in node.targets if isinstance(t, ast.Name))
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, ast.BinOp(node.target, node.op, node.value)
    elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        counts = getattr(getattr(node.iter, "func", None), "id", "") == "range"
        yield node.target.id, ast.Constant(0 if counts else None)
    for one in children(node):
        if isinstance(one, ast.stmt) and type(one) not in DEFINITIONS:
            yield from _bindings(one)


def _joined(kinds: list[str | None]) -> str | None:
    """The one type that several have; "" for nothing yet, None for no such type."""
    found = set(kinds) - {""}
    return found.pop() if len(found) == 1 else None if found else ""


def _kind(node: ast.expr, kinds: Mapping[str, str | None]) -> str | None:
    if isinstance(node, ast.Constant):
        name = type(node.value).__name__
        return name if name in ("int", "float") else None
    if isinstance(node, ast.Name):
        return kinds.get(node.id, "" if not kinds else None)
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return _kind(node.operand, kinds)
    if isinstance(node, ast.BinOp):
        sides = _kind(node.left, kinds), _kind(node.right, kinds)
        if None in sides or "" in sides:
            return None if None in sides else ""
        if isinstance(node.op, ast.Pow):  # of a negative float it may be complex
            return "float" if sides == ("float", "int") else None
        whole = "float" not in sides and not isinstance(node.op, ast.Div)
        return "float" if not whole else "int" if isinstance(node.op, _OF_TWO) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return "int" if node.func.id in _COUNTED else "float" if node.func.id in _REAL else None
    constant = isinstance(node, ast.Attribute) and node.attr in _CONSTANTS
    return "float" if constant else None


__all__ = ["assignments_in_order", "is_main_guard"]
