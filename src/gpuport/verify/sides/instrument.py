"""Functions of one version, run from a changed syntax tree with a hook in it for a while."""

from __future__ import annotations

import ast
import contextlib
import operator
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from gpuport.verify.sides.circumstances import functions_of
from gpuport.verify.sides.sides import Side

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
}
"""What a hook does that stands for a comparison, by the name of its operator in a syntax tree."""


@contextlib.contextmanager
def instrumented(
    side: Side, transformer: Callable[[], ast.NodeTransformer], name: str, hook: Callable[..., Any]
) -> Iterator[None]:
    """Inside the block the file's functions are what the transformer makes of them.

    In a block inside another they are what both make, one after the other.

    Parameters
    ----------
    side : Side
    transformer : subclass of ast.NodeTransformer
        Puts calls of `name` in the tree, and keeps lines and columns.
    name : str
        A global name that nothing else has.
    hook : callable
        What it stands for.
    """
    module = side.module
    if module is None:
        yield
        return
    kept, around = [], side.instruments
    side.instruments = (*around, transformer)
    codes = _codes(side.file, side.instruments)
    vars(module)[name] = hook
    for function in functions_of(module):
        code = codes.get(_key(function.__code__))
        if code is not None and code.co_freevars == function.__code__.co_freevars:
            kept.append((function, function.__code__))
            function.__code__ = code
    try:
        yield
    finally:
        for function, code in kept:
            function.__code__ = code
        side.instruments = around
        del vars(module)[name]


def call_of(name: str, node: ast.expr, arguments: list[ast.expr]) -> ast.expr:
    """A call of the hook at the place of `node`."""
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


@cache
def _codes(
    file: Path, transformers: tuple[Callable[[], ast.NodeTransformer], ...]
) -> dict[tuple[str, int], CodeType]:
    """The changed file's code objects, by name and line."""
    tree = ast.parse(file.read_bytes())
    for transformer in transformers:
        tree = transformer().visit(tree)
    todo, found = [compile(tree, str(file), "exec", dont_inherit=True)], {}
    while todo:
        code = todo.pop()
        found[_key(code)] = code
        todo += [part for part in code.co_consts if isinstance(part, CodeType)]
    return found
