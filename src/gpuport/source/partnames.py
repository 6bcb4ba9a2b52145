"""Names in a loop that stand for a part of an array, from where they are bound to the last use."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from gpuport.source.entries import filled_up, is_whole, subscript_indices
from gpuport.source.making import Standing, placed
from gpuport.source.syntax import bound_in, copied, dotted, walk

_OF_PLACES = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Slice, ast.Tuple, ast.Attribute,
)  # fmt: skip


def parts_written_in(
    loop: ast.For, ranks: Mapping[str, int], live: Collection[str]
) -> ast.For | None:
    """A copy of a loop with parts of arrays in the place of their names, where it changes them.

    None where it has no such names.

    ``row = x[t]`` is another name of ``x[t]``, and ``row += 1.0`` changes `x`, where nothing else
    is ever called `row`, where it is read after that alone, and where `t` stays what it is.

    Parameters
    ----------
    loop : ast.For
    ranks : mapping of str to int
        How many axes arrays have, by their text: of one that has one, ``x[t]`` is a number.
    live : collection of str
        Names that are read after the loop: they stay.
    """
    made = copied(loop)
    counted = frozenset(bound_in(made.target))
    parts = dict(_parts(made, made.body, counted, _bindings(made), ranks))
    changed = {dotted(_base(one)) for node in walk(made) for one in _stored_by(node)}
    changed |= {dotted(part.value) for name, part in parts.items() if name in changed}
    named = {name: part for name, part in parts.items() if name not in live}
    given = {name: part for name, part in named.items() if dotted(part.value) in changed}
    return _WrittenIn(given).visit(made) if given else None


class _WrittenIn(Standing):
    """Puts parts in the place of their names, and leaves out what bound these."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id in self.given:
            return placed(ast.Pass(), node)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``row[:]`` and ``row[...]`` are the whole part."""
        named = isinstance(node.value, ast.Name) and node.value.id in self.given
        entries = filled_up(subscript_indices(node), 1) if named else None
        if not entries or not is_whole(entries[0]):
            return self.generic_visit(node)
        whole = self.visit(node.value)
        whole.ctx = node.ctx
        return whole  # type: ignore[no-any-return]


def _parts(
    loop: ast.For,
    block: list[ast.stmt],
    counted: frozenset[str],
    bindings: Counter[str],
    ranks: Mapping[str, int],
) -> Iterator[tuple[str, ast.Subscript]]:
    """The names that a block binds, and the parts."""
    for at, one in enumerate(block):
        inner = counted | bound_in(one.target) if isinstance(one, ast.For) else counted
        for part in ("body", "orelse"):
            yield from _parts(loop, getattr(one, part, []), inner, bindings, ranks)
        if not isinstance(one, ast.Assign) or len(one.targets) > 1:
            continue
        name, value = getattr(one.targets[0], "id", ""), one.value
        once = bindings[name] - _added_to(loop, name) == 1
        if not isinstance(value, ast.Subscript) or not once:
            continue
        entries = filled_up(subscript_indices(value), ranks.get(dotted(value.value) or "", 0))
        if entries is None or not any(map(is_whole, entries)):
            continue
        used = sum(_mentions(statement, name) for statement in block[at + 1 :])
        if used + 1 == _mentions(loop, name) and _stays(value.slice, counted, bindings):
            yield name, value


def _stays(index: ast.expr, counted: frozenset[str], bindings: Counter[str]) -> bool:
    """Whether an index is the same until the loops around it go on."""
    for node in walk(index):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len":
            continue
        if isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "shape":
            continue
        if not isinstance(node, _OF_PLACES):
            return False
        if isinstance(node, ast.Name) and bindings[node.id] != (node.id in counted):
            return False
    return True


def _bindings(loop: ast.For) -> Counter[str]:
    """How often each name is bound, or changed in place."""
    names = (one for one in walk(loop) if isinstance(one, ast.Name))
    return Counter(one.id for one in names if not isinstance(one.ctx, ast.Load))


def _added_to(loop: ast.For, name: str) -> int:
    """How often a name stands before ``+=`` and its like, which change arrays in place."""
    added = (one.target for one in walk(loop) if isinstance(one, ast.AugAssign))
    return sum(isinstance(one, ast.Name) and one.id == name for one in added)


def _stored_by(node: ast.AST) -> list[ast.expr]:
    """What a statement changes elements of."""
    if isinstance(node, ast.AugAssign):
        return [node.target]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [one for one in targets if isinstance(one, ast.Subscript)]


def _base(target: ast.expr) -> ast.expr:
    while isinstance(target, ast.Subscript):
        target = target.value
    return target


def _mentions(node: ast.AST, name: str) -> int:
    return sum(isinstance(one, ast.Name) and one.id == name for one in walk(node))


__all__ = ["parts_written_in"]
