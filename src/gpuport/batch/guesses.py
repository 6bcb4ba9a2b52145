"""Numbers of axes that are likely where nothing says how many there are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeGuard

from gpuport.batch.records import Known, Loop
from gpuport.batch.scope import Region, owner_of
from gpuport.rules.stacking import stacking
from gpuport.source.syntax import children, dotted, walk

_OF_MATRICES = (3, 2)


_OF_VECTORS = (2, 3)
"""Axes that a stack is tried with where nothing says how many it has."""


def likely_ranks(region: Region, name: str) -> tuple[int, ...]:
    """Numbers of axes to try, the likeliest first."""
    parts = name.rpartition(".")[2].isdigit()  # what tuples hold
    name = name if parts else owner_of(name)
    items = items_of(region.node, name)
    shown = region.known.get(name, Known()).shown
    if shown is not None:
        return (shown,)
    if region.known.get(name, Known()).hosted:
        return (1, 2, 3)
    if parts:
        return (1, 2, 0) if _is_right_side(region, name) else (2, 1, 0)
    if items is None:
        fixed = frozenset({name})
        is_matrix = any(_as_matrix(region, n, fixed) for n in walk(region.node))
        return (2, 1, 0) if is_matrix else (0, 1, 2)
    if _only_numbers(region, items):
        return (1, 2, 3)
    of_matrices = any(_as_matrix(region, n, items) for n in walk(region.node))
    of_matrices = of_matrices or (_only_source(region, name) and _any_of_matrices(region))
    if cut := _indices_of_windows(region.node, name):
        return (max(cut, 2), max(cut, 2) - 1) if of_matrices else (cut, cut + 1)
    more = _indices_beside(region.node, name)
    if region.known.get(name, Known()).kind == "list":
        return (2, 1) if of_matrices else (1, 2)
    return tuple(rank + more for rank in (_OF_MATRICES if of_matrices else _OF_VECTORS))


def _is_right_side(region: Region, name: str) -> bool:
    """Whether an array of tuples is what systems are solved for: a vector, mostly."""
    owner, _, place = name.rpartition(".")
    taken = set()
    for inner in walk(region.node):
        if isinstance(inner, (ast.For, ast.comprehension)) and place.isdigit():
            held = [n for n in walk(inner.iter) if _is_name(n, owner_of(owner))]
            names = _innermost(inner.target)
            if held and int(place) < len(names):
                taken.add(names[int(place)])
    return any(
        isinstance(call, ast.Call)
        and len(call.args) > 1
        and any(_is_name(call.args[1], one) for one in taken)
        and stacking().forms.get(region.source.resolve(call.func) or "") in _SYSTEMS
        for call in walk(region.node)
    )


_SYSTEMS = frozenset({"solve", "least_squares"})


def _innermost(target: ast.expr) -> list[str]:
    """The names that a tuple is taken apart into, its key or number left out."""
    if isinstance(target, ast.Tuple) and isinstance(target.elts[-1], ast.Tuple):
        return _innermost(target.elts[-1])
    elements = target.elts if isinstance(target, ast.Tuple) else []
    return [one.id if isinstance(one, ast.Name) else "" for one in elements]


def _indices_beside(node: Loop, name: str) -> int:
    """How many indices stand beside the item's own: one in ``a[i, j]``."""
    lengths = {
        sum(not isinstance(index, (ast.Slice, ast.Constant)) for index in inner.slice.elts)
        for inner in walk(node)
        if isinstance(inner, ast.Subscript)
        and _is_name(inner.value, name)
        and isinstance(inner.slice, ast.Tuple)
    }
    return max(lengths.pop() - 1, 0) if len(lengths) == 1 else 0


def _indices_of_windows(node: Loop, name: str) -> int:
    """The indices of an array of which the loop takes nothing but parts at places of its counter,
    ``x[i - h:i + h + 1]``; 0 of any other array."""
    heads = [part for part in walk(node) if isinstance(part, (ast.For, ast.comprehension))]
    counters = {n.id for head in heads for n in walk(head.target) if isinstance(n, ast.Name)}
    found = (
        inner.slice.elts if isinstance(inner.slice, ast.Tuple) else [inner.slice]
        for inner in walk(node)
        if isinstance(inner, ast.Subscript) and _is_name(inner.value, name)
    )
    lengths = {len(held) if _is_cut(held, counters) else 0 for held in found}
    return lengths.pop() if len(lengths) == 1 else 0


def _is_cut(indices: list[ast.expr], counters: set[str]) -> bool:
    return any(isinstance(one, ast.Slice) and _reads(one, counters) for one in indices)


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in walk(node))


@lru_cache(maxsize=64)
def items_of(node: Loop, name: str) -> frozenset[str] | None:
    """Names that an array's items have in the loop; None where the loop does not go over it."""
    found = [
        inner for inner in walk(node)
        if isinstance(inner, ast.Subscript) and _is_name(inner.value, name)
    ]  # fmt: skip
    targets: set[str] = {ast.dump(inner) for inner in found}
    over = False
    for inner in walk(node):
        if isinstance(inner, ast.Assign) and ast.dump(inner.value) in targets:
            targets |= {t.id for t in inner.targets if isinstance(t, ast.Name)}
    for inner in walk(node):
        if isinstance(inner, (ast.For, ast.comprehension)):
            pairs = list(_in_step(inner.target, inner.iter))
            over = over or any(_is_name(n, name) for n in walk(inner.iter))
            targets |= {
                t.id for t, it in pairs
                if isinstance(t, ast.Name) and _is_name(_all_of(it), name)
            }  # fmt: skip
    return frozenset(targets) if found or over else None


def _all_of(node: ast.expr) -> ast.expr:
    """``mats`` of ``mats[1:]`` and of ``reversed(mats)``."""
    if isinstance(node, ast.Call) and _is_name(node.func, "reversed") and len(node.args) == 1:
        return node.args[0]
    return node.value if is_stretch(node) else node


def is_stretch(node: ast.expr) -> TypeGuard[ast.Subscript]:
    """Whether it is ``mats[1:]``, ``mats[::2]``, ``mats[:n]``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    cut = node.slice
    bounds = [cut.lower, cut.upper, cut.step] if isinstance(cut, ast.Slice) else [node]
    simple = (ast.Name, ast.Constant, ast.UnaryOp, ast.unaryop, ast.expr_context)
    return all(isinstance(part, simple) for one in bounds if one for part in walk(one))


def _only_source(region: Region, name: str) -> bool:
    """Whether the loop reads the items of nothing else."""
    stored = {
        dotted(inner.value) for inner in walk(region.node)
        if isinstance(inner, ast.Subscript) and isinstance(inner.ctx, ast.Store)
    }  # fmt: skip
    return not any(
        other != name and other not in stored and known.kind in ("array", "list", "unknown")
        and items_of(region.node, other) is not None
        for other, known in region.known.items()
    )  # fmt: skip


def _any_of_matrices(region: Region) -> bool:
    """Whether the loop calls a function of matrices."""
    return any(
        isinstance(inner, ast.Call)
        and (region.source.resolve(inner.func) or "") in stacking().matrices
        for inner in walk(region.node)
    )


def _in_step(target: ast.expr, iterable: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets of a loop with what each goes over."""
    if not isinstance(iterable, ast.Call) or not isinstance(iterable.func, ast.Name):
        yield target, iterable
        return
    parts = target.elts if isinstance(target, ast.Tuple) else []
    if iterable.func.id == "enumerate" and len(parts) == 2 and iterable.args:
        yield from _in_step(parts[1], iterable.args[0])
    elif iterable.func.id == "zip":
        for part, one in zip(parts, iterable.args, strict=False):
            yield from _in_step(part, one)


def _is_name(node: ast.expr | ast.AST, name: str) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) == name


def _as_matrix(
    region: Region, node: ast.AST, items: frozenset[str], inside: frozenset[int] = frozenset()
) -> bool:
    """Whether an expression takes one of the items for a matrix."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        parts = [node.value]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        pair = ((node.left, node.right), (node.right, node.left))
        parts = [one for one, other in pair if _is_square(region, other)]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        parts = [node.left]
        inner = node.left  # F @ P @ F.T
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.MatMult):
            parts.append(inner.right)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in stacking().products:
        parts = [node.func.value] if region.source.resolve(node.func) is None else node.args[:1]  # type: ignore[attr-defined]
    elif isinstance(node, ast.Call) and (function := region.source.definition(node)) is not None:
        return _taken_for_matrix(region, node, function, items, inside)
    elif isinstance(node, ast.Call):
        path = region.source.resolve(node.func) or ""
        takes_matrix = path in stacking().matrices or stacking().forms.get(path) in _TAKE_MATRICES
        parts = node.args[:1] if takes_matrix else []
    return any(_is_item(part, items) for part in parts)


def _is_square(region: Region, node: ast.expr) -> bool:
    """Whether an expression shows that it is a matrix: ``h @ p @ h.T``, ``s * np.eye(n)``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        return any(_is_square(region, one) for one in (node.left, node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return isinstance(node.right, ast.Attribute) and node.right.attr in ("T", "mT")
    if not isinstance(node, ast.Call):
        return False
    path = region.source.resolve(node.func) or ""
    function = stacking().matrices.get(path)
    gives_matrix = function is not None and function.gives == (2,)
    return gives_matrix or stacking().forms.get(path) in ("identity", "outer")


def _only_numbers(region: Region, items: frozenset[str]) -> bool:
    """Whether items do nothing but scale something, stand in the displays of small arrays, or
    are the places of what is added."""
    found, summed = False, _ids_in_reductions(region)
    asked = _ids_in_conditions(region) | _ids_in_slices(region)
    for node in walk(region.node):
        if id(node) in summed and any(_is_item(p, items) for p in children(node)):
            return False
        for part in children(node):
            if not isinstance(part, (ast.Name, ast.Subscript)) or not _is_item(part, items):
                continue
            if not isinstance(part.ctx, ast.Load):
                continue
            if id(part) not in asked and not _takes_number(region, node):
                return False
            found = True
    return found


def _ids_in_reductions(region: Region) -> set[int]:
    """Nodes of what is summed, averaged and the like: that has axes."""
    found: set[int] = set()
    for node in walk(region.node):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in stacking().reductions:
            found |= {id(part) for part in walk(node)}
    return found


def _ids_in_slices(region: Region) -> set[int]:
    """Nodes of where slices begin and end: numbers."""
    slices = [node for node in walk(region.node) if isinstance(node, ast.Slice)]
    return {id(part) for one in slices for part in walk(one)}


def _ids_in_conditions(region: Region) -> set[int]:
    """Nodes of which the truth is asked, or that are compared where it is: numbers."""
    found: set[int] = set()
    waiting = [
        test for node in walk(region.node)
        for test in (
            [node.test] if isinstance(node, ast.If)
            else node.ifs if isinstance(node, ast.comprehension) else []
        )
    ]  # fmt: skip
    while waiting:
        node = waiting.pop()
        found.add(id(node))
        if isinstance(node, (ast.BoolOp, ast.UnaryOp, ast.Compare, ast.BinOp)):
            waiting += [part for part in children(node) if isinstance(part, ast.expr)]
    return found


def _takes_number(region: Region, node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):  # `out[owner] += value`
        return isinstance(node.ctx, ast.Store)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Mult, ast.Div, ast.Pow))
    if isinstance(node, ast.List):
        return True
    if isinstance(node, ast.Call):
        return (region.source.resolve(node.func) or "") in stacking().elementwise
    return False


def _is_item(node: ast.AST, items: frozenset[str]) -> bool:
    return (isinstance(node, ast.Name) and node.id in items) or (
        isinstance(node, ast.Subscript) and ast.dump(node) in items
    )


def _taken_for_matrix(
    region: Region,
    node: ast.Call,
    function: ast.FunctionDef,
    items: frozenset[str],
    inside: frozenset[int],
) -> bool:
    """Whether a function of the module takes one of the items for a matrix."""
    if id(function) in inside:
        return False
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    given = [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]
    own = frozenset(
        name for name, value in given
        if name is not None and (
            _is_item(_scaled(region, value), items) or ast.dump(value) in items
        )
    )  # fmt: skip
    within = replace(region, source=region.source.inside(function))
    inside |= {id(function)}
    return bool(own) and any(_as_matrix(within, part, own, inside) for part in walk(function))


def _scaled(region: Region, node: ast.expr) -> ast.expr:
    """What an expression scales by a number: ``k`` of ``0.5 * k``; otherwise itself."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            named = region.known.get(one.id, Known()) if isinstance(one, ast.Name) else Known()
            if isinstance(one, ast.Constant) or named.kind == "number":
                return _scaled(region, other)
    return node


_TAKE_MATRICES = frozenset(
    {
        "solve",
        "least_squares",
        "exponential",
        "product",
        "contraction",
        "transpose",
        "diagonal",
        "trace",
    }
)
