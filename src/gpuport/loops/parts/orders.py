"""Elements of parts and of written-out lists at a place once these are sorted."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from gpuport.loops.context.given import given_once
from gpuport.loops.context.terms import terms_of
from gpuport.loops.facts import Fact, ModuleFact
from gpuport.loops.names import (
    blocks,
    constant_int,
    dotted,
    function_path,
    loaded,
    mentions,
    stored,
    walk,
)
from gpuport.loops.parts.part_reductions import kinds
from gpuport.loops.parts.parts import Operation, operation, single
from gpuport.rules.loopfunctions import vector_functions
from gpuport.source import syntax

if TYPE_CHECKING:
    from gpuport.loops.parts.slices import Slices

_FLAT = ("ravel", "flatten")
_COPYING = ("flatten", "copy")
"""Methods of an array that give a new one, with the same elements."""


class Orders:
    """Understands ``np.sort(part)[k]`` and ``sorted(part)[k]``.

    Parameters
    ----------
    slices : Slices
    """

    def __init__(self, slices: Slices) -> None:
        self.slices = slices

    def found(self, where: ast.Subscript, call: ast.Call, at: int) -> ast.expr | None:
        """The name that holds the element; None where that is not understood."""
        sorting = vector_functions().sorting
        path = function_path(call.func, self.slices.facts) or ""
        if path not in sorting or call.keywords or len(call.args) != 1:
            return None
        taken = call.args[0]
        flat = self._flattened(taken)
        part = taken if flat is None else flat
        found = single(part, self.slices.parts) or operation(part, self.slices.parts, None)
        if found is None or (flat is None and found.axes != 1):
            return None
        size = self._size(found)
        if size is None or not -size <= at < size:
            return None
        if not (sorting[path] or self._has_order(found)):
            return None
        return self.slices.reduction("sorted", found, where, at % size)

    def _flattened(self, node: ast.expr) -> ast.expr | None:
        """What ``x[i:j, k:l].ravel()`` is of."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        return node.func.value if node.func.attr in _FLAT and not node.args else None

    def _size(self, found: Operation) -> int | None:
        """How many elements there are, where that is written out."""
        size = 1
        for axis in next(iter(found.parts.values())).axes:
            terms = terms_of(ast.parse(axis.length, mode="eval").body)
            if terms is None or any(value for name, value in terms.items() if name):
                return None
            size *= terms.get("", 0)
        return size

    def _has_order(self, found: Operation) -> bool:
        """Whether no element is NaN, which has no place in an order of Python's.

        A guard asks arrays of floating numbers for that.
        """
        several = kinds(found, self.slices)
        if all((kind or "float64").startswith(("int", "uint")) for kind in several):
            return True
        arrays = {dotted(part.array) for part in found.parts.values()}
        plain = isinstance(found.node, ast.Subscript | ast.Name) and len(arrays) == 1
        (array,) = arrays if plain else (None,)
        if array is None or array in self.slices.written:
            return False
        self.slices.guards.append(f"not ({array} != {array}).any()")
        return True


def orders_written_in(
    loop: ast.For | ast.While, live: frozenset[str], facts: Mapping[str, Fact]
) -> None:
    """Put ``sorted(x[i:i + 3])`` in the place of a name of it, ``window[1]``, in place.

    Parameters
    ----------
    loop : ast.For or ast.While
    live : frozenset of str
        Names that something reads after it.
    facts : mapping of str to Fact
    """
    _sorted_copies(loop, facts)
    once = given_once(loop)
    written = written_arrays(loop)
    for block in blocks(loop):
        for node in list(block):
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
                continue
            name, call = target.id, node.value
            sorting = vector_functions().sorting
            sorts = isinstance(call, ast.Call) and function_path(call.func, facts) in sorting
            if not sorts or name in live or name not in once or loaded([call]) & written:
                continue
            after = block[block.index(node) + 1 :]
            items = [
                n for n in walk(after) if isinstance(n, ast.Subscript) and dotted(n.value) == name
            ]
            plain = all(constant_int(n.slice) is not None for n in items)
            everywhere = mentions([loop], name) == 1 + len(items) == 1 + mentions(after, name)
            if plain and everywhere and not loaded([call]) & stored(after):
                for item in items:
                    item.value = syntax.copied(call)
                block.remove(node)


def _sorted_copies(loop: ast.stmt, facts: Mapping[str, Fact]) -> None:
    """``window = x[i:j].copy()`` that is sorted in place right after it, as ``np.sort(x[i:j])``."""
    owner = next(
        (n for n, f in facts.items() if isinstance(f, ModuleFact) and f.path == "numpy"), None
    )
    for block in blocks(loop):
        for node, after in [*pairwise(block)]:
            name = _sorted_in_place(after)
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if owner is None or name is None or getattr(target, "id", None) != name:
                continue
            assert isinstance(node, ast.Assign)
            made = node.value
            copied = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute)
            if copied and made.func.attr in _COPYING and not (made.args or made.keywords):  # type: ignore[attr-defined]
                flat = made.func.attr == "flatten"  # type: ignore[attr-defined]
                taken = made if flat else made.func.value  # type: ignore[attr-defined]
                sort = ast.Attribute(ast.Name(owner, ast.Load()), "sort", ast.Load())
                call = ast.copy_location(ast.Call(sort, [taken], []), made)
                node.value = ast.fix_missing_locations(call)
                block.remove(after)


def _sorted_in_place(node: ast.stmt) -> str | None:
    """``window.sort()``."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.args or call.keywords:
        return None
    function = call.func
    sorts = isinstance(function, ast.Attribute) and function.attr == "sort"
    return dotted(function.value) if sorts else None  # type: ignore[attr-defined]


def written_arrays(loop: ast.stmt) -> set[str]:
    """The arrays of which a loop writes elements."""
    stores = (n for n in walk([loop]) if isinstance(n, ast.Subscript))
    return {dotted(n.value) or "" for n in stores if not isinstance(n.ctx, ast.Load)}


__all__ = ["Orders", "orders_written_in", "written_arrays"]
