"""How many axes arrays have, as the text of their function shows it.

What is found here tells how ``x[i]`` is meant, as a number or as a row. A guard at the launch
makes sure of it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.names import constant_int, dotted, is_shape, subscript_indices, walk
from gpuport.rules.loopfunctions import last_names, makers

REDUCING = frozenset(
    ("sum", "mean", "std", "var", "max", "min", "amax", "amin", "norm", "dot", "vdot", "inner")
)


def ranks_of(function: ast.AST, facts: Mapping[str, Fact]) -> Mapping[str, int]:
    """What the text of a function shows, after what its calls tell."""
    arrays = {name: fact for name, fact in facts.items() if isinstance(fact, ArrayFact)}
    told = {name: fact.told for name, fact in arrays.items() if fact.told is not None}
    matrices = tuple(name for name, fact in arrays.items() if fact.matrix)
    return shown_ranks(function, tuple(told.items()), matrices)


@lru_cache(maxsize=8)
def shown_ranks(
    function: ast.AST,
    told: tuple[tuple[str, int], ...] = (),
    matrices: tuple[str, ...] = (),
) -> Mapping[str, int]:
    """The most axes that something in a function shows each array to have.

    ``x[i, j]``, ``n, m = x.shape``, ``x = np.zeros((n, m))``, ``np.max(x[i])``; and of ``x`` and
    ``y`` in ``d = x[i] - y[j]`` two, if ``d`` is summed up or subscripted. Names that are bound
    more than once may be of arrays with more axes or fewer: nothing is said of them. ``matrices``
    are arrays that likely have two axes, whatever the text shows.
    """
    nodes = list(walk([function]))
    found: dict[str, int] = {**dict.fromkeys(matrices, 2), **dict(told)}
    alike: list[tuple[str, str]] = []
    for node in nodes:
        for name, rank in _shown(node):
            found[name] = max(rank, found.get(name, 0))
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            alike += _pairs(node.targets[0], node.value)
    _spread(found, alike)
    for name, rank in _of_vectors(nodes):
        found.setdefault(name, rank)
    _spread(found, alike)
    stores = [node for node in nodes if _stores_element(node)]
    for _ in range(3):
        for node in stores:
            for name, rank in _of_rows(node, found):
                found.setdefault(name, rank)
    _spread(found, alike)
    found.update(told)
    bound = Counter(name for node in nodes for name in _binds(node))
    return {name: rank for name, rank in found.items() if bound[name] < 2}


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id


def _spread(found: dict[str, int], alike: list[tuple[str, str]]) -> None:
    """Arrays made like others have as many axes."""
    for _ in range(3):
        for name, other in alike:
            for one, like in ((name, other), (other, name)):
                if like in found:
                    found[one] = max(found[like], found.get(one, 0))


def _of_vectors(nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
    """Arrays whose parts are named, and taken apart or summed up under that name."""
    taken: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            taken.add(node.value.id)
        elif isinstance(node, ast.Call) and _name(node.func) in REDUCING:
            assert isinstance(node.func, ast.Attribute)
            for part in (*node.args, node.func.value):
                taken |= {n.id for n in walk([part]) if isinstance(n, ast.Name)}
                yield from _added(part)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            taken |= {n.id for n in (node.left, node.right) if isinstance(n, ast.Name)}
    for node in nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        named = isinstance(target, ast.Name) and target.id in taken
        if named or isinstance(target, ast.Tuple):
            assert isinstance(node, ast.Assign)
            yield from _taken_whole(node.value)
            yield from _added(node.value)
        if isinstance(target, ast.Name):
            assert isinstance(node, ast.Assign)
            yield from _copied(target.id, node.value, nodes)


def _stores_element(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return isinstance(node.targets[0], ast.Subscript)
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript)


def _of_rows(node: ast.AST, found: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """What a row is stored in, has rows; and so has what alone is added to a row."""
    assert isinstance(node, ast.Assign | ast.AugAssign)
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    name = dotted(target.value) if isinstance(target, ast.Subscript) else None
    if name is None or not isinstance(target, ast.Subscript):
        return
    leaves = [leaf for leaf in _operands(node.value) if dotted(leaf.value) is not None]
    if any(_is_row(leaf, found) for leaf in leaves):
        yield name, _indices(target) + 1
    added = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub)
    if added and _is_row(target, found) and len(leaves) == 1 and _indices(leaves[0]):
        yield dotted(leaves[0].value) or "", _indices(leaves[0]) + 1


def _is_row(node: ast.Subscript, found: Mapping[str, int]) -> bool:
    indices = _indices(node)
    whole = any(isinstance(one, ast.Slice) for one in subscript_indices(node))
    return indices > 0 and not whole and found.get(dotted(node.value) or "") == indices + 1


def _operands(node: ast.expr) -> Iterator[ast.Subscript]:
    """The subscripts that an expression computes with, element by element."""
    if isinstance(node, ast.Subscript):
        yield node
    elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        yield from _operands(node.left)
        yield from _operands(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from _operands(node.operand)


def _added(node: ast.expr) -> Iterator[tuple[str, int]]:
    """Parts that are added to others: of the factors of a product, some may be numbers."""
    if isinstance(node, ast.BinOp):
        for side in (node.left, node.right):
            if isinstance(node.op, ast.Add | ast.Sub):
                yield from _taken_whole(side)
            yield from _added(side)
    elif isinstance(node, ast.UnaryOp):
        yield from _added(node.operand)
    elif isinstance(node, ast.Call):
        for part in node.args:
            yield from _added(part)


def _shown(node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Subscript):
        yield from _subscripted(node)
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        yield from _assigned(node.targets[0], node.value)
    elif isinstance(node, ast.Call) and _name(node.func) in REDUCING:
        for part in node.args:
            yield from _taken_whole(part)
        if isinstance(node.func, ast.Attribute):
            yield from _taken_whole(node.func.value)


def _name(function: ast.expr) -> str:
    """``max`` for ``np.max`` and for ``x[i].max``."""
    return function.attr if isinstance(function, ast.Attribute) else ""


def _subscripted(node: ast.Subscript) -> Iterator[tuple[str, int]]:
    if is_shape(node.value) and isinstance(node.value, ast.Attribute):
        axis, array = constant_int(node.slice), dotted(node.value.value)
        if axis is not None and axis > 0 and array is not None:
            yield array, axis + 1
        return
    indices, base = _indices(node), node.value
    while isinstance(base, ast.Subscript):
        indices, base = indices + _indices(base), base.value
    name = dotted(base)
    if name is not None and indices > 1:
        yield name, indices


def _indices(node: ast.Subscript) -> int:
    """How many axes a subscript takes; none that leaves or makes some."""
    listed = subscript_indices(node)
    odd = any(isinstance(one, ast.Constant) and type(one.value) is not int for one in listed)
    return 0 if odd or any(isinstance(one, ast.Attribute) for one in listed) else len(listed)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, int]]:
    if isinstance(target, ast.Tuple) and is_shape(value) and isinstance(value, ast.Attribute):
        array = dotted(value.value)
        if array is not None and not any(isinstance(e, ast.Starred) for e in target.elts):
            yield array, len(target.elts)
    elif isinstance(target, ast.Name) and isinstance(value, ast.Call) and value.args:
        made = _name(value.func)
        if made in _of_shape():
            shape = value.args[0]
            yield target.id, len(shape.elts) if isinstance(shape, ast.Tuple) else 1


def _taken_whole(node: ast.expr) -> Iterator[tuple[str, int]]:
    """What a reduction takes: were ``x[i]`` a number, there would be nothing to add up."""
    if isinstance(node, ast.Subscript):
        name = dotted(node.value)
        if name is not None and not any(isinstance(i, ast.Slice) for i in subscript_indices(node)):
            yield name, _indices(node) + 1


def _copied(target: str, value: ast.expr, nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
    """``y = b[k].copy()``, of which ``y[i]`` is taken: ``b`` has an axis more."""
    if not isinstance(value, ast.Call) or _name(value.func) != "copy" or value.keywords:
        return
    given = value.args[0] if value.args else value.func
    part = given.value if isinstance(given, ast.Attribute) else given
    if not isinstance(part, ast.Subscript):
        return
    taken = [
        _indices(node)
        for node in nodes
        if isinstance(node, ast.Subscript) and dotted(node.value) == target
    ]
    for name, rank in _taken_whole(part):
        yield from [(name, rank - 1 + max(taken))] if taken else []


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[str, str]]:
    """Names of arrays of which one has the shape of the other."""
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Call):
        return []
    made = _name(value.func)
    like = value.args[0] if value.args else None
    if made == "copy" and like is None and isinstance(value.func, ast.Attribute):
        like = value.func.value
    other = None if like is None or made not in _of_shape_of() else dotted(like)
    return [] if other is None else [(target.id, other)]


@cache
def _of_shape() -> frozenset[str]:
    """Names of functions that take the shape of a new array first."""
    return last_names(makers().of_shape)


@cache
def _of_shape_of() -> frozenset[str]:
    """Names of functions that take an array first whose shape the new one has."""
    return last_names(makers().of_shape_of)
