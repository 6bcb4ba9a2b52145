"""Lists and dicts that are changed: what they were made of does not tell what they hold.

Told by names alone, of variables, attributes, parameters and functions, for a module as a whole:
what one name is bound to, another may be bound to as well, and a change through either is one of
both.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from gpuport._frozen import frozen
from gpuport.source.syntax import walk

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
_Bound = tuple[frozenset[str], ast.expr]


@frozen
class ChangedLists:
    """The names whose lists or dicts are changed, and the displays that are bound to them."""

    names: frozenset[str]
    displays: frozenset[int]


def changed_lists(tree: ast.Module) -> ChangedLists:
    """What of a module's lists and dicts is changed after it was made.

    Parameters
    ----------
    tree : ast.Module

    Returns
    -------
    ChangedLists
    """
    nodes = walk(tree)
    parameters = _parameters(nodes)
    bound = [one for node in nodes for one in _bound_by(node, parameters)]
    bound += [
        (frozenset((function.name,)), inner.value)
        for function in nodes if isinstance(function, _FUNCTIONS)
        for inner in walk(function)
        if isinstance(inner, (ast.Return, ast.Yield)) and inner.value is not None
    ]  # fmt: skip
    names = _spread(changed_within(tree), bound)
    displays = frozenset(
        id(display) for targets, value in bound if not names.isdisjoint(targets)
        for display in _displays(value)
    )  # fmt: skip
    return ChangedLists(names, displays)


def changed_within(node: ast.AST) -> frozenset[str]:
    """The names whose lists or dicts a piece of code changes."""
    return frozenset(name for inner in walk(node) for name in _changed_by(inner))


def _changed_by(node: ast.AST) -> Iterator[str]:
    """The names whose lists or dicts a node changes."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield from _sources(node.value)
    elif isinstance(node, ast.AugAssign):
        yield from _sources(node.target)
    elif isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in CHANGING:
            yield from _sources(function.value)


def _parameters(nodes: Iterable[ast.AST]) -> dict[str, list[list[str]]]:
    """By the name by which it is called, the parameters of each function."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for node in nodes:
        if isinstance(node, _FUNCTIONS):
            found[node.name].append([a.arg for a in (*node.args.posonlyargs, *node.args.args)])
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, _FUNCTIONS) and inner.name == "__init__":
                    found[node.name].append([a.arg for a in inner.args.args])
    return found


def _bound_by(node: ast.AST, parameters: dict[str, list[list[str]]]) -> Iterator[_Bound]:
    """What a node binds, by the names that it binds it to."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield frozenset(_sources(target)), node.value
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield frozenset(_sources(node.target)), node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield frozenset(_sources(node.target)), node.iter
    elif isinstance(node, ast.arguments):
        positional = [*node.posonlyargs, *node.args]
        ends = positional[len(positional) - len(node.defaults) :]
        given = zip((*ends, *node.kwonlyargs), (*node.defaults, *node.kw_defaults), strict=True)
        for parameter, default in given:
            if default is not None:
                yield frozenset((parameter.arg,)), default
    elif isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield frozenset((keyword.arg,)), keyword.value
        for names in parameters.get(_called(node.func), ()):
            for place, argument in enumerate(node.args):
                yield frozenset(names[place : place + 2]), argument  # a method's has `self` first


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _sources(node: ast.expr) -> Iterator[str]:
    """The names by which what an expression gives, or what it holds, is known."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Call):
        yield _called(node.func)
        if _called(node.func) in _HANDS_ON:
            for argument in node.args:
                yield from _sources(argument)
    else:
        for part in _held(node):
            yield from _sources(part)


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


def _spread(first: frozenset[str], bound: list[_Bound]) -> frozenset[str]:
    """Names whose lists or dicts may be those of the first ones."""
    near: dict[str, set[str]] = defaultdict(set)
    for targets, value in bound:
        together = {*targets, *_sources(value)}
        for name in together if len(together) > 1 else ():
            near[name] |= together
    found, pending = set(first), list(first)
    while pending:
        new = near[pending.pop()] - found
        found |= new
        pending += new
    return frozenset(found)


__all__ = ["CHANGING", "ChangedLists", "changed_lists", "changed_within"]
