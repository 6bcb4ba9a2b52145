"""What the text of a module binds lists and dicts to, by names alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from gpuport.source.constantnames import Bound
from gpuport.source.syntax import Kinds

HANDS_ON = frozenset(
    {"dict", "enumerate", "iter", "list", "map", "next", "reversed", "sorted", "tuple", "zip"}
)
"""Builtins whose results hold what their arguments held."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def bound_by_statements(kinds: Kinds) -> Iterator[Bound]:
    """What assignments, loops and defaults bind, by the names that they bind it to."""
    for node in kinds[ast.Assign]:
        for target in node.targets:
            yield tuple(sources(target)), node.value
    for node in (*kinds[ast.AnnAssign], *kinds[ast.NamedExpr]):
        if node.value is not None:
            yield tuple(sources(node.target)), node.value
    for node in kinds[ast.arguments]:
        positional = [*node.posonlyargs, *node.args]
        ends = positional[len(positional) - len(node.defaults) :]
        given = zip((*ends, *node.kwonlyargs), (*node.defaults, *node.kw_defaults), strict=True)
        for parameter, default in given:
            if default is not None:
                yield (parameter.arg,), default


def bound_by_loops(kinds: Kinds, builtins: frozenset[str]) -> Iterator[Bound]:
    """What loops take out of what they go through."""
    for node in (*kinds[ast.For], *kinds[ast.comprehension]):
        for target, through in _side_by_side(node.target, node.iter, builtins):
            yield tuple(sources(target)), ast.Starred(through, ast.Load())


def _side_by_side(
    target: ast.expr, through: ast.expr, builtins: frozenset[str]
) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of a loop with what each of them is taken out of: those of ``zip`` one by one."""
    targets = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    function = through.func if isinstance(through, ast.Call) and not through.keywords else None
    name = function.id if isinstance(function, ast.Name) and function.id in builtins else ""
    args = through.args if isinstance(through, ast.Call) and name in ("zip", "enumerate") else []
    if name == "enumerate" and args and len(targets) == len(_COUNTED):
        targets, args = targets[1:], args[:1]
    starred = any(isinstance(one, ast.Starred) for one in (*targets, *args))
    if not args or starred or len(targets) != len(args):
        yield target, through
        return
    for one, part in zip(targets, args, strict=True):
        yield from _side_by_side(one, part, builtins)


_COUNTED = ("number", "item")
"""What ``enumerate`` gives."""


def bound_by_calls(kinds: Kinds) -> Iterator[Bound]:
    """What calls give to parameters, by their names."""
    parameters = _parameters(kinds)
    for node in kinds[ast.Call]:
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield (keyword.arg,), keyword.value
        named = hasattr(node.func, "id")
        for names, plain in parameters.get(called(node.func), ()) if node.args else ():
            more = 1 if named and plain else 2  # a method's has `self` first
            for place, argument in enumerate(node.args):
                if isinstance(argument, ast.Starred):
                    more = len(names)  # it, and what follows, goes to any parameter from here on
                yield tuple(names[place : place + more]), argument


def _parameters(kinds: Kinds) -> dict[str, list[tuple[list[str], bool]]]:
    """By the name by which it is called, the parameters of each function.

    With whether its arguments are those of a call by its name: no `self`, and no decorator.
    """
    found: dict[str, list[tuple[list[str], bool]]] = defaultdict(list)
    for kind in FUNCTIONS:
        for node in kinds[kind]:
            names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
            plain = not node.decorator_list and names[:1] not in (["self"], ["cls"])
            found[node.name].append((names, plain))
    for node in kinds[ast.ClassDef]:
        for inner in node.body:
            if isinstance(inner, FUNCTIONS) and inner.name == "__init__":
                found[node.name].append(([a.arg for a in inner.args.args], False))
    return found


def given_back(kinds: Kinds) -> Iterator[Bound]:
    """What functions give, and those inside of them, by the names of the functions."""
    functions = [node for kind in FUNCTIONS for node in kinds[kind]]
    results = [*kinds[ast.Return], *kinds[ast.Yield]]
    around: list[Any] = []
    for node in sorted((*functions, *results), key=_begin):
        while around and _end(around[-1]) <= _begin(node):
            around.pop()
        if isinstance(node, FUNCTIONS):
            around.append(node)
        elif node.value is not None:
            for function in around:
                yield (function.name,), node.value


def _begin(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def sources(node: ast.expr) -> list[str]:
    """The names by which what an expression gives, or what it holds, is known."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.Constant):
        return []
    if isinstance(node, ast.Call):
        name = called(node.func)
        found = [name]
        for argument in node.args if name in HANDS_ON else ():
            found += sources(argument)
        return found
    return [name for part in held(node) for name in sources(part)]


def held(node: ast.expr) -> list[ast.expr]:
    """The parts of an expression that what it gives may hold, or be."""
    if isinstance(node, (ast.Subscript, ast.Starred, ast.NamedExpr)):
        return [node.value]
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return node.elts
    if isinstance(node, ast.Dict):
        return node.values
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.DictComp):
        return [node.value]
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
        sides = [node.left, node.right]
        return sides if any(isinstance(side, (ast.List, ast.ListComp)) for side in sides) else []
    return []


__all__ = [
    "FUNCTIONS", "HANDS_ON", "bound_by_calls", "bound_by_loops", "bound_by_statements", "called",
    "given_back", "held", "sources",
]  # fmt: skip
