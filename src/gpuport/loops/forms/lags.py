"""Names that hold what the iteration before set, as expressions of the loop's variable.

``j = i`` at the end of an iteration makes ``j`` the variable's value before this one, and
``last = x[i]`` makes ``last`` the element before: in the first iteration alone they are what they
were before the loop. What takes over such a name in its turn (``x2 = x1; x1 = x[i]``, the state of
a filter) is one iteration further behind.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.loops.context.given import given_once, worked_in
from gpuport.loops.context.scalars import exposed, surely_assigned
from gpuport.loops.heads.counting import leaves, nonempty
from gpuport.loops.names import (
    Fresh,
    constant_int,
    dotted,
    loaded,
    mentions,
    range_text,
    stored,
    walk,
)
from gpuport.source import syntax

_PARTS = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Tuple, ast.Attribute)
_TEST = (ast.IfExp, ast.Compare)
"""Of what values of earlier iterations are made besides: whether there was such an iteration."""


def lags(loop: ast.For, fresh: Fresh, live: frozenset[str]) -> list[tuple[str, str]]:
    """Replace names that an iteration takes over from the one before it, in place.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    fresh : Fresh
    live : frozenset of str
        Names that something reads after it.

    Returns
    -------
    list of (str, str)
        The names with the values that they have after the loop, as Python expressions.
    """
    found: list[tuple[str, str]] = []
    own = surely_assigned(loop.body) - exposed(loop.body)
    given = {name: value for name, value in given_once(loop).items() if name in own}
    loop.body = [one for node in loop.body for one in _apart(node, live | exposed(loop.body))]
    handed: dict[str, ast.expr] = {}
    while (one := _next(loop, live, given | handed)) is not None:
        name, node, before = one
        local = fresh.name(name)
        loop.body.remove(node)
        for child in walk(loop.body):
            if isinstance(child, ast.Name) and child.id == name:
                child.id = local
        start = loop.iter.args[0]  # type: ignore[attr-defined]
        variable = ast.Name(loop.target.id, ast.Load())  # type: ignore[attr-defined]
        test = ast.Compare(variable, [ast.NotEq()], [syntax.copied(start)])
        value = ast.IfExp(test, before, ast.Name(name, ast.Load()))
        head = ast.Assign([ast.Name(local, ast.Store())], value)
        for part in ast.walk(head):
            ast.copy_location(part, node)
        loop.body.insert(0, head)
        handed[local] = value
        last = f"{range_text(loop.iter)}[-1] if {nonempty(loop)} else {name}"
        found.append((name, last))
    return found


def _next(
    loop: ast.For, live: frozenset[str], given: Mapping[str, ast.expr]
) -> tuple[str, ast.Assign, ast.expr] | None:
    """A name that the next iteration takes over, what sets it, and its value one before."""
    for node in loop.body:
        name = _lag(loop, node, live)
        if name is None or not isinstance(node, ast.Assign):
            continue
        before = _before(loop, worked_in(node.value, given))
        if before is not None:
            return name, node, before
    return None


def _apart(node: ast.stmt, names: set[str] | frozenset[str]) -> list[ast.stmt]:
    """``a, b = x[i], y[i]`` as two assignments, where that sets names of these alone."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return [node]
    targets = getattr(node.targets[0], "elts", [])
    if not {t.id if isinstance(t, ast.Name) else "" for t in targets} <= names:
        return [node]
    if len(targets) != len(node.value.elts):
        return [node]
    pairs = list(zip(targets, node.value.elts, strict=True))
    made: list[ast.stmt] = []
    while pairs:  # a name is set when no other value reads it any more
        unread = [p for p in pairs if not any(p[0].id in loaded([v]) for _, v in pairs)]
        if not unread:
            return [node]
        made.append(ast.copy_location(ast.Assign([unread[0][0]], unread[0][1]), node))
        pairs.remove(unread[0])
    return made


def _lag(loop: ast.For, node: ast.stmt, live: frozenset[str]) -> str | None:
    """The name that a statement sets for the next iteration alone."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
        return None
    name, position = target.id, loop.body.index(node)
    others = [one for one in loop.body if one is not node]
    if name in stored([*others, loop.target]) or not mentions(others, name):
        return None
    if leaves(loop.body) or name in loaded(loop.body[position:]):
        return None
    is_variable = isinstance(node.value, ast.Name) and node.value.id in stored([loop.target])
    return name if is_variable or name not in live else None


def _before(loop: ast.For, value: ast.expr) -> ast.expr | None:
    """What an expression of the loop's variable was in the iteration before."""
    arguments = getattr(loop.iter, "args", [])
    step = constant_int(arguments[2]) if len(arguments) == 3 else None
    if not isinstance(loop.target, ast.Name) or not step:
        return None
    variable = loop.target.id
    if loaded(arguments) & stored([loop]) or variable not in loaded([value]):
        return None
    if loaded([value]) & stored(loop.body):
        return None
    lengths = {ast.dump(one) for one in walk(arguments) if isinstance(one, ast.Call)}
    if not all(isinstance(n, _PARTS + _TEST) or ast.dump(n) in lengths for n in walk([value])):
        return None
    subscripts = [one for one in walk(loop.body) if isinstance(one, ast.Subscript)]
    written = {dotted(one.value) for one in subscripts if isinstance(one.ctx, ast.Store)}
    read = {dotted(one.value) for one in walk([value]) if isinstance(one, ast.Subscript)}
    if read & written:
        return None
    return _Shifted(variable, step).visit(syntax.copied(value))  # type: ignore[no-any-return]


class _Shifted(ast.NodeTransformer):
    """Puts the variable's value before this one in its place."""

    def __init__(self, variable: str, step: int) -> None:
        self.variable, self.step = variable, step

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._behind(node, 0) if node.id == self.variable else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        amount = constant_int(node.right)
        named = isinstance(node.left, ast.Name) and node.left.id == self.variable
        if named and amount is not None and isinstance(node.op, ast.Add | ast.Sub):
            return self._behind(node.left, amount if isinstance(node.op, ast.Add) else -amount)
        return self.generic_visit(node)

    def _behind(self, variable: ast.expr, shift: int) -> ast.expr:
        shift -= self.step
        if not shift:
            return variable
        operator = ast.Sub() if shift < 0 else ast.Add()
        return ast.BinOp(variable, operator, ast.Constant(abs(shift)))
