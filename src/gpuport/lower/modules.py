"""Lowering of whole files."""

from __future__ import annotations

import ast
import gc
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from gpuport.ir import Function, prune
from gpuport.ir import Module as Program
from gpuport.lower.bindings import tell_bound
from gpuport.lower.builder import Shared
from gpuport.lower.functions import documentation
from gpuport.lower.lowering import Lowering
from gpuport.lower.scopes import Scope
from gpuport.lower.settling import Settled
from gpuport.lower.spans import Spans
from gpuport.lower.survey import Survey
from gpuport.source.module import Module

#: Frames of Python that the deepest text needs of those that are lowered.
FRAMES = 12_000


def lower(text: str, name: str = "<module>") -> Program:
    """Lower the text of a file.

    Parameters
    ----------
    text : str
    name : str
        As messages call the file.

    Raises
    ------
    SyntaxError
        For what is no Python.
    """
    with _room(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    return lower_module(Module(name, text, tree))


def lower_module(source: Module) -> Program:
    """Lower a file that is parsed."""
    with _room():
        known = Settled(Survey(source.tree))
        functions: list[Function] = []
        shared = Shared(source, known, Spans(source), functions, _futures(source.tree))
        body = Function("<module>", "<module>", shared.spans.of(source.tree))
        body.module = source.path
        functions.append(body)
        at = Lowering(shared, body, known.module)
        _begin(at, source.tree, known.module)
        if at.block(source.tree.body):
            at.end("Return", (at.const(None, source.tree),), source.tree)
        for function in functions:
            prune(function)
        tell_bound(source.tree, functions, known.deleted)
    return Program(source.path, body, functions)


def _begin(at: Lowering, tree: ast.Module, scope: Scope) -> None:
    """What a module has before its first statement."""
    doc = documentation(tree)
    if doc is not None:
        at.emit("StoreGlobal", (at.const(doc, tree.body[0]),), tree.body[0], name="__doc__")
    if scope.is_annotated:
        notes = at.value("Dict", (), tree, spread=())
        at.emit("StoreGlobal", (notes,), tree, name="__annotations__")


def _futures(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    )


@contextmanager
def _room() -> Iterator[None]:
    """More frames than Python allows by itself (they take nothing of C's stack), no collections.

    What lowering makes stays; going through all of it again and again to look for garbage takes as
    long as lowering itself.
    """
    before, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(before, FRAMES))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
        if collects:
            gc.enable()
