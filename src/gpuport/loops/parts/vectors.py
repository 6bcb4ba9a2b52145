"""Names of rows and of what is computed from rows: ``d = a[i] - b[j]``, ``row = x[i]``.

A thread has no arrays of its own. Where such a name means the same all the way to its last use,
what it stands for is written in its place.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from gpuport.loops.context.ranks import REDUCING
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import (
    Fresh,
    blocks,
    constant_int,
    dotted,
    function_path,
    loaded,
    mentions,
    stored,
    subscript_indices,
    walk,
)
from gpuport.loops.parts.parts import Operation, Parts, computed_with, operation
from gpuport.source import syntax
from gpuport.source.making import assigned

Loop = ast.For | ast.While


def written_out(loop: Loop, parts: Parts, live: frozenset[str], fresh: Fresh) -> Mapping[str, None]:
    """Write out the vectors that a loop gives names to, in place.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    parts : Parts
    live : frozenset of str
        Names that something reads after the loop: they are left alone.
    fresh : Fresh

    Returns
    -------
    mapping of str to None
        What the launch has to ask, as keys: that vectors are as long as one another.
    """
    guards: dict[str, None] = {}
    while any(_written(loop, block, parts, live, fresh, guards) for block in blocks(loop)):
        pass
    return guards


def vector_names(loop: Loop, parts: Parts) -> frozenset[str]:
    """Names that a loop gives rows, or what is computed from rows."""
    values = [*_values(loop)]
    found: frozenset[str] = frozenset()
    while True:
        more = found.union(n for n, value in values if _gives_vector(n, value, found, loop, parts))
        if more == found:
            return found
        found = more


def _values(loop: Loop) -> Iterator[tuple[str, ast.expr]]:
    """Names, and what they are given or what is added to them."""
    for node in walk(loop.body):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            value = node.value  # type: ignore[attr-defined]
            several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=False) if several else [(target, value)]  # type: ignore[attr-defined]
            yield from ((one.id, v) for one, v in pairs if isinstance(one, ast.Name) and v)


def _gives_vector(
    name: str, value: ast.expr, found: Collection[str], loop: Loop, parts: Parts
) -> bool:
    """Whether a name is given a vector, where those that are found are such."""
    for one in computed_with(value, parts.facts):
        if parts.is_part(one) or (isinstance(one, ast.Name) and one.id in found):
            return True
    vector = operation(syntax.copied(value), parts, None)
    return vector is not None and _is_vector(vector, loop.body, name, parts)


def _written(
    loop: Loop,
    block: list[ast.stmt],
    parts: Parts,
    live: frozenset[str],
    fresh: Fresh,
    guards: dict[str, None],
) -> bool:
    """Write out the first vector of a block; whether there is one."""
    for at, statement in enumerate(block):
        named = _named(statement)
        if named is None or named[0] in live:
            continue
        name, value = named
        before = _Reductions(parts, fresh)
        vector = operation(before.visit(syntax.copied(value)), parts, None)
        if vector is None or not _is_vector(vector, block, name, parts):
            continue
        alike = _as_long(vector, loop)
        if alike is not None and _write_out(loop, block, statement, name, vector, parts):
            guards |= alike
            block[at : at + 1] = before.made
            return True
    return False


def _as_long(vector: Operation, loop: Loop) -> dict[str, None] | None:
    """That the parts of a vector are as long as one another; None where no launch can ask that.

    What is done with its elements alone would not tell.
    """
    lengths = list(dict.fromkeys(part.axes[0].length for part in vector.parts.values()))
    names = {name for one in lengths for name in loaded([parse(one, vector.node)])}
    if len(lengths) > 1 and names & stored([loop]):
        return None
    return {f"{lengths[0]} == {other}": None for other in lengths[1:]}


def _named(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    return (target.id, statement.value) if isinstance(target, ast.Name) else None


def _is_vector(vector: Operation, block: Sequence[ast.stmt], name: str, parts: Parts) -> bool:
    """Whether it holds rows for certain, or is used as only a row can be."""
    if any(parts.is_part(leaf) for leaf in vector.parts):
        return True
    for node in walk(block):
        if isinstance(node, ast.Subscript) and dotted(node.value) == name:
            return True
        function = node.func if isinstance(node, ast.Call) else None
        reduces = isinstance(function, ast.Attribute) and function.attr in REDUCING
        if reduces and mentions([node], name):
            return True
    return False


def _write_out(
    loop: Loop,
    block: list[ast.stmt],
    statement: ast.stmt,
    name: str,
    vector: Operation,
    parts: Parts,
) -> bool:
    """Write a vector in the place of its name in what follows; whether that can be done."""
    following = block[block.index(statement) + 1 :]
    inside = mentions([statement, *following], name) == mentions([loop], name)
    bound_once = sum(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        for n in walk([loop])
    )
    if not inside or bound_once != 1 or _changes(_up_to_last_use(following, name), vector):
        return False
    if not _is_read(following, name):
        return False  # it may name a place beyond the end, which raises here and nowhere later
    plain = isinstance(vector.node, ast.Subscript)  # a view: what is stored in it, is in the array
    if not plain and _stores_into(following, name):
        return False
    placed = _Placed(name, vector, parts)
    made = [placed.visit(syntax.copied(one)) for one in following]
    if placed.failed:
        return False
    block[block.index(statement) + 1 :] = made
    return True


def _is_read(statements: Sequence[ast.stmt], name: str) -> bool:
    """Whether a name is read whatever the conditions among some statements are."""
    for statement in statements:
        if isinstance(statement, ast.If):
            if mentions([statement.test], name):
                return True
            both = (statement.body, statement.orelse)
            if all(_is_read(branch, name) for branch in both):
                return True
        elif isinstance(statement, ast.For | ast.While):
            if _is_read(statement.body, name):
                return True
        elif mentions([statement], name):
            return True
    return False


def _up_to_last_use(following: Sequence[ast.stmt], name: str) -> list[ast.AST]:
    """What is carried out before a name is read for the last time."""
    used = [k for k, one in enumerate(following) if mentions([one], name)]
    if not used:
        return []
    last = following[used[-1]]
    before: list[ast.AST] = [*following[: used[-1]]]
    # What an assignment stores, it stores when its value is known.
    return [*before, last.value if isinstance(last, ast.Assign | ast.AugAssign) else last]


def _changes(following: Sequence[ast.AST], vector: Operation) -> bool:
    """Whether what it is computed from becomes another thing before its last use."""
    names = {n.id for n in walk([vector.node]) if isinstance(n, ast.Name)}
    if names & stored(following):
        return True
    if isinstance(vector.node, ast.Subscript):
        return False
    arrays = {dotted(part.array) for part in vector.parts.values()}
    return any(_stores_into(following, array) for array in arrays if array is not None)


def _stores_into(statements: Sequence[ast.AST], name: str) -> bool:
    for node in walk(statements):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            base: ast.expr = node
            while isinstance(base, ast.Subscript):
                base = base.value
            if dotted(base) == name:
                return True
    return False


class _Reductions(ast.NodeTransformer):
    """Gives names to the numbers that reductions of parts are: ``x[i] - x[i].max()``."""

    def __init__(self, parts: Parts, fresh: Fresh) -> None:
        self.parts, self.fresh = parts, fresh
        self.made: list[ast.stmt] = []

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in REDUCING:
            return self.generic_visit(node)
        parts = [one for part in (*node.args, node.func.value) for one in ast.walk(part)]
        if not any(self.parts.is_part(one) for one in parts):
            return self.generic_visit(node)
        name = self.fresh.name("whole")
        self.made.append(assigned(name, node, node))
        return ast.copy_location(ast.Name(name, ast.Load()), node)


def _element_of(view: ast.Subscript, indices: Sequence[ast.expr]) -> ast.Subscript | None:
    """``u[i, j]`` for ``u[:, j][i]``; None where the view is not of whole axes."""
    left, made = list(indices), syntax.copied(view)
    places = subscript_indices(made)
    cut = [k for k, one in enumerate(places) if isinstance(one, ast.Slice)]
    if not cut or any(ast.unparse(places[k]) != ":" for k in cut):
        return None
    for k in cut[: len(left)]:
        places[k] = left.pop(0)
    every: list[ast.expr] = [*places, *left]
    made.slice = every[0] if len(every) == 1 else ast.Tuple(every, ast.Load())
    return ast.fix_missing_locations(made)


class _Placed(ast.NodeTransformer):
    """Puts a vector, or the element that is asked for, in the place of its name."""

    def __init__(self, name: str, vector: Operation, parts: Parts) -> None:
        self.name, self.vector, self.parts = name, vector, parts
        self.failed = False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        measured = function_path(node.func, self.parts.facts) == "builtins.len"
        if measured and len(node.args) == 1 and dotted(node.args[0]) == self.name:
            return self._extent(0, node)
        return self.generic_visit(node)

    def _extent(self, axis: int, node: ast.expr) -> ast.AST:
        """What a row's own extent is, of those of its array."""
        view = self.vector.parts.get(self.vector.node)
        if view is None or axis >= len(view.axes) or not view.axes[axis].full:
            self.failed = True
            return node
        return parse(view.axes[axis].length, node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        axis = constant_int(node.slice)
        if axis is not None and axis >= 0 and dotted(node.value) == f"{self.name}.shape":
            return self._extent(axis, node)
        if not isinstance(node.value, ast.Name) or node.value.id != self.name:
            return self.generic_visit(node)
        node.slice = self.visit(node.slice)
        indices = subscript_indices(node)
        if isinstance(self.vector.node, ast.Subscript):
            self.failed = self.failed or any(isinstance(i, ast.Slice) for i in indices)
            made = None if self.failed else _element_of(self.vector.node, indices)
            if made is not None:
                return ast.copy_location(ast.Subscript(made.value, made.slice, node.ctx), node)
            node.value = syntax.copied(self.vector.node)
            return node
        whole = all(len(p.axes) == 1 and p.axes[0].low == "0" for p in self.vector.parts.values())
        if not whole or len(indices) != 1 or isinstance(indices[0], ast.Slice):
            self.failed = True
            return node
        element = self.vector.element([ast.unparse(indices[0])])
        return parse(ast.unparse(element), node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id != self.name:
            return node
        return ast.copy_location(syntax.copied(self.vector.node), node)
