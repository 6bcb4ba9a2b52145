"""Arrays that a call changes between being read and being used, within one expression.

In ``print(x, step(x))`` Python reads the name first, and yet prints what ``step`` made of the
array: a copy made where the name stands would be too old. An element is the other way round: in
``x[0] + step(x)`` NumPy adds the old number, and CuPy's ``x[0]`` follows the array.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from gpuport.analysis.interpretation.flows import Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node, Reason, Use
from gpuport.analysis.values.lattice import Number
from gpuport.source.stores import read_before
from gpuport.source.syntax import DEFINITIONS, children

_AT_ONCE = (
    ast.JoinedStr, ast.FormattedValue, ast.BoolOp, ast.IfExp, ast.Attribute, ast.UnaryOp,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.comprehension,
)  # fmt: skip
"""What is done with each part of it before the next is read, or is done later."""

_HANDED_ON = (
    ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.keyword, ast.IfExp, ast.NamedExpr
)  # fmt: skip
"""What the values of its parts are still seen in."""


def settle(unit: Unit) -> None:
    """What is read before a call changes it, and used after that, is not moved in between."""
    changes = changes_by_calls(unit)
    if not changes:
        return
    uses = defaultdict(list)
    for key, use in unit.graph.uses.items():
        uses[id(use.expression)].append((key, use))
    for call, changed in changes:
        roots = {id(node.root()) for node in changed}
        for expression, added_to in _waiting(_around(unit, call)):
            for key, use in uses[id(expression)]:
                if id(use.producer.root()) in roots:
                    _hold(unit, key, use, call)
            if added_to:
                _read_again(unit, expression, roots, call)


def _around(unit: Unit, call: ast.AST) -> list[ast.AST]:
    """A call and what it stands in, from the inside out, up to its statement.

    Of one in an inner function nothing that is around it.
    """
    way = unit.module.nodes.way(unit.node, call)
    inner = any(node.__class__ in DEFINITIONS for node in way[1:-1])
    way = [call] if inner else way[:0:-1]
    last = next((place for place, node in enumerate(way) if isinstance(node, ast.stmt)), len(way))
    return way[: last + 1]


def changes_by_calls(unit: Unit) -> list[tuple[ast.AST, list[Node]]]:
    """The calls in a function's own body that change arrays, with the arrays they change."""
    found = [(call, [node]) for node, call in unit.memory.changing]
    for call, function in unit.calls.followed.values():
        found.append((call, list(_written(unit, id(function), set()))))
    return [(call, nodes) for call, nodes in found if nodes]


def _written(unit: Unit, function: int, seen: set[int]) -> Iterator[Node]:
    """What a followed function writes, and those that it calls."""
    member = unit.objects.units.get(function) if unit.objects is not None else None
    if member is None or function in seen:
        return
    seen.add(function)
    yield from (node for node, _ in member.memory.written)
    yield from (node for node, _ in member.memory.changing)
    for _, called in member.calls.followed.values():
        yield from _written(unit, id(called), seen)


def _waiting(around: list[ast.AST]) -> Iterator[tuple[ast.expr, bool]]:
    """The expressions whose values wait for a call to end, in the statement where it stands.

    Each with whether it is what the statement adds to.
    """
    for node, above in pairwise(around):
        if not isinstance(above, _AT_ONCE):
            for earlier in read_before(above, node):
                adds = isinstance(above, ast.AugAssign)
                yield from ((leaf, adds and leaf is earlier) for leaf in _leaves(earlier))


def _leaves(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, _HANDED_ON):
        for part in children(node):
            yield from _leaves(part)
    elif isinstance(node, ast.expr):
        yield node


def _hold(unit: Unit, key: tuple[int, int], use: Use, call: ast.AST) -> None:
    """Keep both ends of a use at one place; copy an element where it is read."""
    if isinstance(use.value, Number) and use.view and isinstance(use.expression, ast.Subscript):
        copy = unit.node_for("element", use.expression, "element")
        rewrite = Rewrite("copy", use.expression, use.producer)
        unit.work.rewrites["copy", id(use.expression)] = rewrite
        unit.graph.use(
            use.expression, use.producer, copy, use.value, use.weight,
            movable=use.movable, view=True, stored=True,
        )  # fmt: skip
        unit.graph.uses[key] = replace(use, producer=copy, view=False)
        return
    if use.consumer.root().pinned is not None and use.producer.root().pinned is None:
        _pin(unit, use.producer, use.expression, call)
    unit.graph.uses[key] = replace(use, movable=False)


def _read_again(unit: Unit, target: ast.expr, roots: set[int], call: ast.AST) -> None:
    """``x[0] += step(x)``: NumPy adds to the number that was there, CuPy to what is there now."""
    written = unit.nodes.get(("operation", id(target)))
    if written is not None and id(written.root()) in roots:
        _pin(unit, written, target, call)


def _pin(unit: Unit, array: Node, expression: ast.expr, call: ast.AST) -> None:
    text, changer = (unit.module.segment(node)[:60] for node in (expression, call))
    message = (
        f"may alias: `{text}` is read before `{changer}` changes it in the same statement, and "
        "used after that; NumPy and CuPy would not use the same values"
    )
    help = f"give the result of `{changer}` a name in a statement of its own"
    unit.graph.pin(array, Reason("GP907", message, expression, "may-alias", help=help))


__all__ = ["changes_by_calls", "settle"]
