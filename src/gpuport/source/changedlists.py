"""Lists and dicts that are changed: what they were made of does not tell what they hold.

Told by names alone, of variables, attributes, parameters and functions, for a module as a whole:
what one name is bound to, another may be bound to as well, and a change through either is one of
both.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from gpuport._frozen import frozen
from gpuport.source.constantnames import Bound, constants, holder_of, read_as, settings
from gpuport.source.syntax import Kinds, by_kind, walk

CHANGING = frozenset(
    {"append", "insert", "add", "setdefault", "extend", "update", "pop", "popitem", "clear",
     "remove", "reverse", "sort"}
)  # fmt: skip
"""Methods that change a list, a dict or a set."""

_HANDS_ON = frozenset(
    {"dict", "enumerate", "iter", "list", "map", "next", "reversed", "sorted", "tuple", "zip"}
)
"""Builtins whose results hold what their arguments held."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@frozen
class ChangedLists:
    """The names whose lists or dicts are changed, and the displays that are bound to them.

    ``directly``: the names by which they are, of which any of ``names`` may be another.
    """

    names: frozenset[str]
    displays: frozenset[int]
    directly: frozenset[str] = frozenset()


def changed_lists(kinds: Kinds) -> ChangedLists:
    """What of a module's lists and dicts is changed after it was made.

    Parameters
    ----------
    kinds : dict of type to list
        The nodes of the module's tree, by their classes.

    Returns
    -------
    ChangedLists
    """
    first = _changed_by(kinds)
    if not first:
        return ChangedLists(frozenset(), frozenset())
    bound = [*_bound_by_statements(kinds), *_bound_by_calls(kinds), *_given_back(kinds)]
    told, fixed = settings(kinds, bound), constants(kinds, bound) - first
    if told or fixed:
        bound = [
            one for one in bound
            if read_as(one[1]) not in told and holder_of(one[1]) not in fixed
        ]  # fmt: skip
    names = _spread(first, bound, _builtins(kinds, bound))
    displays = frozenset(
        id(display) for targets, value in bound if not names.isdisjoint(targets)
        for display in _displays(value)
    )  # fmt: skip
    return ChangedLists(names, displays, first)


def _builtins(kinds: Kinds, bound: list[Bound]) -> frozenset[str]:
    """The builtins that hand on what they are given, and that the module means by these names."""
    own = {name for targets, _ in bound for name in targets}
    own |= {node.name for kind in (*_FUNCTIONS, ast.ClassDef) for node in kinds[kind]}
    imports = [node for kind in (ast.Import, ast.ImportFrom) for node in kinds[kind]]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    own |= imported | {argument.arg for argument in kinds[ast.arg]}
    return frozenset() if "*" in imported else _HANDS_ON - own


def changed_within(node: ast.AST) -> frozenset[str]:
    """The names whose lists or dicts a piece of code changes."""
    return _changed_by(by_kind(walk(node)))


def _changed_by(kinds: Kinds) -> frozenset[str]:
    found: list[str] = []
    for node in kinds[ast.Subscript]:
        if node.ctx.__class__ is not ast.Load:
            found += _sources(node.value)
    for node in kinds[ast.AugAssign]:
        found += _sources(node.target)
    for node in kinds[ast.Call]:
        if node.func.__class__ is ast.Attribute and node.func.attr in CHANGING:
            found += _sources(node.func.value)
    return frozenset(found)


def _bound_by_statements(kinds: Kinds) -> Iterator[Bound]:
    """What assignments, loops and defaults bind, by the names that they bind it to."""
    for node in kinds[ast.Assign]:
        for target in node.targets:
            yield tuple(_sources(target)), node.value
    for node in (*kinds[ast.AnnAssign], *kinds[ast.NamedExpr]):
        if node.value is not None:
            yield tuple(_sources(node.target)), node.value
    for node in (*kinds[ast.For], *kinds[ast.comprehension]):
        yield tuple(_sources(node.target)), ast.Starred(node.iter, ast.Load())
    for node in kinds[ast.arguments]:
        positional = [*node.posonlyargs, *node.args]
        ends = positional[len(positional) - len(node.defaults) :]
        given = zip((*ends, *node.kwonlyargs), (*node.defaults, *node.kw_defaults), strict=True)
        for parameter, default in given:
            if default is not None:
                yield (parameter.arg,), default


def _bound_by_calls(kinds: Kinds) -> Iterator[Bound]:
    """What calls give to parameters, by their names."""
    parameters = _parameters(kinds)
    for node in kinds[ast.Call]:
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield (keyword.arg,), keyword.value
        named = hasattr(node.func, "id")
        for names, plain in parameters.get(_called(node.func), ()) if node.args else ():
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
    for kind in _FUNCTIONS:
        for node in kinds[kind]:
            names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
            plain = not node.decorator_list and names[:1] not in (["self"], ["cls"])
            found[node.name].append((names, plain))
    for node in kinds[ast.ClassDef]:
        for inner in node.body:
            if isinstance(inner, _FUNCTIONS) and inner.name == "__init__":
                found[node.name].append(([a.arg for a in inner.args.args], False))
    return found


def _given_back(kinds: Kinds) -> Iterator[Bound]:
    """What functions give, and those inside of them, by the names of the functions."""
    functions = [node for kind in _FUNCTIONS for node in kinds[kind]]
    results = [*kinds[ast.Return], *kinds[ast.Yield]]
    around: list[Any] = []
    for node in sorted((*functions, *results), key=_begin):
        while around and _end(around[-1]) <= _begin(node):
            around.pop()
        if isinstance(node, _FUNCTIONS):
            around.append(node)
        elif node.value is not None:
            for function in around:
                yield (function.name,), node.value


def _begin(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _sources(node: ast.expr) -> list[str]:
    """The names by which what an expression gives, or what it holds, is known."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.Constant):
        return []
    if isinstance(node, ast.Call):
        name = _called(node.func)
        found = [name]
        for argument in node.args if name in _HANDS_ON else ():
            found += _sources(argument)
        return found
    return [name for part in _held(node) for name in _sources(part)]


def _held(node: ast.expr) -> list[ast.expr]:
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


def _displays(node: ast.expr) -> Iterator[ast.expr]:
    """The displays of lists and dicts in what an expression gives."""
    if isinstance(node, (ast.List, ast.Dict, ast.ListComp, ast.DictComp)):
        yield node
    held = node.args if isinstance(node, ast.Call) and _called(node.func) in _HANDS_ON else []
    for part in (*held, *_held(node)):
        yield from _displays(part)


def _spread(first: frozenset[str], bound: list[Bound], builtins: frozenset[str]) -> frozenset[str]:
    """Names whose lists or dicts may be those of the first ones.

    Two calls of one of the ``builtins`` have nothing in common.
    """
    near: dict[str, list[set[str]]] = defaultdict(list)
    for targets, value in bound:
        together = {*targets, *_sources(value)} - builtins
        for name in together if len(together) > 1 else ():
            near[name].append(together)
    found, pending = set(first), list(first)
    while pending:
        for together in near.pop(pending.pop(), ()):
            new = together - found
            found |= new
            pending += new
    return frozenset(found)


__all__ = ["CHANGING", "ChangedLists", "changed_lists", "changed_within"]
