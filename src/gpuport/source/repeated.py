"""What programs call again and again, as far as names tell."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from gpuport.source.syntax import LOOPS, children

_REPEATING = (*LOOPS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


_Call = tuple[str, bool, str]
"""A name that is called, whether in a loop, and by which function."""

_KNOWN: WeakKeyDictionary[ast.Module, tuple[_Call, ...]] = WeakKeyDictionary()
"""What each tree calls, as long as somebody has it."""


def called_in_loops(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Names of what loops call, straight or by functions, and of what is handed on."""
    inside: dict[str, set[str]] = {}
    found: set[str] = set()
    for tree in trees:
        if tree not in _KNOWN:
            _KNOWN[tree] = tuple(_calls(tree, False, ""))
        for name, repeated, function in _KNOWN[tree]:
            inside.setdefault(function, set()).add(name)
            if repeated:
                found.add(name)
    todo = list(found)
    while todo:
        new = inside.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(found)


def _calls(node: ast.AST, repeated: bool, function: str) -> Iterator[_Call]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        repeated, function = False, node.name
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name):
            yield called.id, repeated, function
        elif isinstance(called, ast.Attribute):
            yield called.attr, repeated, function
        for given in (*node.args, *(k.value for k in node.keywords)):
            if isinstance(given, ast.Name):
                yield given.id, True, function
    for child in children(node):
        yield from _calls(child, repeated or isinstance(node, _REPEATING), function)


__all__ = ["called_in_loops"]
