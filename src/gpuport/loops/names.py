"""Names in a loop: which expressions name an array, what is stored, what a name resolves to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gpuport.loops.facts import Fact, FunctionFact, ModuleFact
from gpuport.source import syntax
from gpuport.source.entries import subscript_indices as subscript_indices
from gpuport.source.fresh import Fresh as Fresh
from gpuport.source.fresh import Renamed as Renamed
from gpuport.source.names import marked
from gpuport.source.wholes import constant_int as constant_int
from gpuport.source.wholes import decided as decided
from gpuport.source.wholes import linear as linear
from gpuport.source.wholes import range_text as range_text
from gpuport.source.wholes import trips_text as trips_text

Expr = ast.expr
"""An expression, as the user wrote it or as it is rewritten."""

PLACES = re.compile(r"k\d*_")
"""Variables of loops over parts of arrays, of which users wrote none."""

BOUNDS = re.compile(r"(from|to)\d*_")
"""Where loops over parts of arrays begin and end: whole numbers."""

CONJUGATE = "conjugate_"
"""The method of that name in plain form: a function of the number."""


dotted = syntax.dotted


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every node under these, themselves included; operators and contexts are left out."""
    for node in nodes:
        yield from syntax.walk(node)


def blocks(root: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements under a node, which may be rewritten as they come."""
    for node in syntax.walk(root):
        held = node.__dict__
        for part in ("body", "orelse"):
            block = held.get(part)
            if block.__class__ is list:
                yield block


def stored(nodes: Iterable[ast.AST]) -> set[str]:
    """The plain names that these statements bind."""
    return {
        node.id
        for one in nodes
        for node in syntax.walk(one)
        if node.__class__ is ast.Name and node.ctx.__class__ is not ast.Load
    }


def loaded(nodes: Iterable[ast.AST]) -> set[str]:
    """The plain names that these nodes read, those of augmented assignments included."""
    found = set()
    for one in nodes:
        for node in syntax.walk(one):
            kind = node.__class__
            if kind is ast.Name:
                if isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                    found.add(node.id)  # type: ignore[attr-defined]
            elif kind is ast.AugAssign and isinstance(node.target, ast.Name):  # type: ignore[attr-defined]
                found.add(node.target.id)  # type: ignore[attr-defined]
    return found


@lru_cache(maxsize=4)
def named(function: ast.AST) -> frozenset[str]:
    """Every plain name in a function."""
    return frozenset(node.id for node in walk([function]) if isinstance(node, ast.Name))


@lru_cache(maxsize=4)
def bound_names(function: ast.AST) -> frozenset[str]:
    """The plain names that a function binds, parameters included."""
    taken = {node.arg for node in walk([function]) if isinstance(node, ast.arg)}
    return frozenset(taken | stored([function]))


def kernel_name(function: str) -> str:
    """The name of a kernel made of a function's statements: ``_relax``, ``_init`` of a class."""
    return f"_{function.strip('_') or 'kernel'}"


def mentions(nodes: Iterable[ast.AST], name: str) -> int:
    """How often a plain name stands in these nodes."""
    return sum(isinstance(child, ast.Name) and child.id == name for child in walk(nodes))


def is_shape(node: ast.AST) -> bool:
    """Whether the node is ``x.shape``."""
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def function_path(node: ast.expr, facts: Mapping[str, Fact]) -> str | None:
    """The resolved name of a called function: ``numpy.sin``, ``builtins.abs``, ``relax``.

    A plain name of which no fact is known is the builtin of that name, or unknown.
    """
    import builtins

    name = dotted(node)
    if name is None:
        return None
    fact = facts.get(name)
    if name == CONJUGATE and fact is None:
        return "method.conjugate"
    if isinstance(fact, FunctionFact):
        return fact.path
    head, _, rest = name.partition(".")
    owner = facts.get(head)
    if isinstance(owner, ModuleFact) and rest:
        return marked(f"{owner.path}.{rest}", owner.replaced)
    if not rest and fact is None and hasattr(builtins, name):
        return f"builtins.{name}"
    return None


def called_with(call: ast.Call, facts: Mapping[str, Fact]) -> tuple[str, list[ast.expr]]:
    """What a call calls, and its operands: ``x.sum()`` is ``numpy.ndarray.sum`` of `x`.

    The path is empty for what has none and is no method.
    """
    path = function_path(call.func, facts)
    if path is None and isinstance(call.func, ast.Attribute):
        return f"numpy.ndarray.{call.func.attr}", [call.func.value, *call.args]
    return path or "", list(call.args)
