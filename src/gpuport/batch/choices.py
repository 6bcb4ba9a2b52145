"""Conditions in a loop's body: what stands under one is computed for the items it chooses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.batch.arguments import index_list, short
from gpuport.batch.rebinding import as_own
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Known, Refused
from gpuport.batch.scope import Scope
from gpuport.source.syntax import dotted, walk

if TYPE_CHECKING:
    from gpuport.batch.body import Body

CHOSEN = "{chosen}"
"""Stands for the items that the condition of a comprehension chooses, until its text is whole."""


def truth(scope: Scope, node: ast.expr) -> str:
    """The text of an array with the truth of a condition for each item.

    Raises
    ------
    Refused
        Where the condition does not differ from item to item, or has a part that is asked for
        some items only and raises.
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"{{cupy}}.logical_not({truth(scope, node.operand)})"
    if isinstance(node, ast.BoolOp):
        return truth_of_all(scope, node.values, "logical_" + type(node.op).__name__.lower())
    from gpuport.batch.arguments import one_array

    item = one_array(scope, node)
    if not item.stacked:
        raise Refused(FORM, node, f"`{short(scope, node)}` is the same for all items")
    if item.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"the truth of an item with {item.rank} axes")
    return item.text


def truth_of_all(scope: Scope, nodes: Sequence[ast.expr], function: str = "logical_and") -> str:
    """The text for several conditions in a row, of which Python asks as many as it must."""
    text, raising = truth(scope, nodes[0]), len(scope.raises)
    for node in nodes[1:]:
        text = f"{{cupy}}.{function}({text}, {truth(scope, node)})"
        if len(scope.raises) > raising:
            raise Refused(FORM, node, f"`{short(scope, node)}` is asked of some items only")
    return text


def skips(node: ast.stmt) -> bool:
    """Whether a statement is ``if condition: continue``."""
    return (
        isinstance(node, ast.If)
        and not node.orelse
        and len(node.body) == 1
        and isinstance(node.body[0], ast.Continue)
    )


def go_on(body: Body, node: ast.If, rest: Sequence[ast.stmt]) -> None:
    """``if condition: continue``: the rest of a block is for the other items."""
    condition = f"{{cupy}}.logical_not({truth(body.scope, node.test)})"
    if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
        condition = truth(body.scope, node.test.operand)
    choose(body, node, condition, rest)
    body.block(rest)


def branches(body: Body, node: ast.If) -> None:
    """``if condition: ... else: ...``: each branch is for the items that take it."""
    from gpuport.batch.body import bound_by

    scope = body.scope
    condition = truth(scope, node.test)
    if node.orelse:
        holds = scope.free("holds")
        body.emit(f"{holds} = {condition}")
        condition = holds
    appended = set(body.appended)
    for statements, chosen in (
        (node.body, condition),
        (node.orelse, f"{{cupy}}.logical_not({condition})"),
    ):
        if not statements:
            continue
        anew = set(bound_by(list(statements)))
        merged = frozenset(name for name in anew if _may_be_merged(scope, name))
        for name in sorted(merged):
            as_own(body, name, node)
        before = scope.chosen, dict(scope.bound), dict(scope.picked), body.depth
        outer, made, body.merged = body.merged, dict(body.made), merged
        choose(body, node, chosen, statements)
        body.block(statements)
        scope.chosen, bound, scope.picked, body.depth = before
        body.merged, body.made = outer, made
        scope.branched |= anew - merged
        scope.bound = bound
    if node.orelse and body.appended.keys() - appended:
        raise Refused(FORM, node, "a list grows in the branches of a condition")


def _may_be_merged(scope: Scope, name: str) -> bool:
    """Whether a name that a branch binds holds an array of each item before it."""
    item = scope.bound.get(name)
    return item is not None and item.stacked and not (item.results or item.sizes)


def choose(body: Body, node: ast.If | ast.For, condition: str, rest: Sequence[ast.stmt]) -> None:
    """Have the statements that follow be for the items alone of which a condition holds."""
    scope = body.scope
    if scope.grouped and not _only_binds(scope, rest):
        raise Refused(FORM, node, "unsupported syntax: an `if` decides for each item of a list")
    places = within = scope.free("chosen")
    if scope.chosen:
        within = scope.free("within")
        body.emit(f"{within} = {{cupy}}.flatnonzero({condition})")
        body.emit(f"{places} = {scope.chosen}[{within}]")
    else:
        body.emit(f"{places} = {{cupy}}.flatnonzero({condition})")
    body.emit(f"if {places}.size:")
    body.depth += 1
    scope.chosen, scope.picked = places, {}
    stored = {name for name, context in _elements(scope, rest) if isinstance(context, ast.Store)}
    _pick_bound(body, within, rest, stored)
    _pick_stacks(body, rest, stored)


def _only_binds(scope: Scope, statements: Sequence[ast.stmt]) -> bool:
    """Whether statements bind names and store to their elements, and take nothing by number.

    Lists have their items in stacks of one shape each: a number among the chosen ones of such a
    stack is none of the list's.
    """
    for statement in statements:
        if isinstance(statement, ast.If):
            if not _only_binds(scope, (*statement.body, *statement.orelse)):
                return False
            continue
        if not isinstance(statement, (ast.Assign, ast.AugAssign)):
            return False
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        parts = [n for t in targets for n in getattr(t, "elts", [t])]
        bases = [n.value if isinstance(n, ast.Subscript) else n for n in parts]
        if not all(isinstance(base, ast.Name) for base in bases):
            return False
        if any(isinstance(n, ast.Name) and n.id == scope.index for n in walk(statement)):
            return False
    return True


def _pick_bound(body: Body, within: str, rest: Sequence[ast.stmt], stored: set[str]) -> None:
    """The chosen ones of what the body has bound so far."""
    from gpuport.batch.body import bound_by
    from gpuport.batch.changes import stored_in

    scope = body.scope
    uses = [n.id for s in rest for n in walk(s) if isinstance(n, ast.Name)]
    changed = (stored_in(rest) | set(bound_by(list(rest)))) & scope.bound.keys()
    for name, item in list(scope.bound.items()):
        if name not in uses or not item.stacked:
            continue
        text = item.postfixed(f"[{within}]")
        if uses.count(name) > 1 and not item.views & stored and not changed:
            own = scope.free(f"{name}_{scope.chosen}")
            body.emit(f"{own} = {text}")
            text = own
        unclear = bool(item.results or item.sizes)
        scope.bound[name] = replace(item, text=text, tight=True, column="", absent=unclear)


def _pick_stacks(body: Body, rest: Sequence[ast.stmt], stored: set[str]) -> None:
    """The chosen ones of what is read more than once, as one array."""
    scope = body.scope
    if scope.window is not None:
        return
    names = [name for name, _ in _elements(scope, rest)]
    for name in dict.fromkeys(names):
        known = scope.known.get(name, Known())
        if names.count(name) > 1 and name not in stored and known.kind in ("array", "unknown"):
            own = scope.free(f"{name.rpartition('.')[2]}_{scope.chosen}")
            body.emit(f"{own} = {name}[{scope.chosen}]")
            scope.picked[name] = own


def _elements(
    scope: Scope, statements: Sequence[ast.stmt]
) -> Iterator[tuple[str, ast.expr_context]]:
    """The arrays whose items stand in some statements: ``a[i]``, ``a[i, 0]``."""
    for statement in statements:
        for node in walk(statement):
            name = dotted(node.value) if isinstance(node, ast.Subscript) else None
            if isinstance(node, ast.Subscript) and name is not None:
                first = (index_list(node.slice) or [node.slice])[0]
                if isinstance(first, ast.Name) and first.id == scope.index:
                    yield name, node.ctx


def in_place(scope: Scope, text: str, condition: str) -> str:
    """The text of a comprehension, with what its condition chooses where that is read."""
    places = f"{{cupy}}.flatnonzero({condition})"
    if text.count(CHOSEN) == 1:
        return text.replace(CHOSEN, places)
    name = scope.free("chosen")
    return text.replace(CHOSEN, f"({name} := {places})", 1).replace(CHOSEN, name)
