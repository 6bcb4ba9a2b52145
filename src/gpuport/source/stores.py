"""What the text of ``x[places] = values`` and of other assignments says, and in which order."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeGuard

from gpuport.source.syntax import children, walk

_REPEATABLE = (
    ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.Slice, ast.Subscript, ast.BinOp,
    ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip
"""What may be evaluated twice where it stood once."""


LOCAL = (
    ast.Name, ast.Constant, ast.Tuple, ast.Slice, ast.BinOp, ast.UnaryOp, ast.operator,
    ast.unaryop, ast.expr_context, ast.Subscript,
)  # fmt: skip
"""What no other code can change while a statement is carried out, where the names are local."""

ASIDE = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""What does something beside giving a value."""


def changes_in_place(statement: ast.AST | None) -> bool:
    """Whether a statement is ``x += y`` or the like."""
    return isinstance(statement, ast.AugAssign)


def assigns_alone(statement: ast.AST | None, target: ast.AST) -> bool:
    """Whether a statement is ``target = value``, without any other target."""
    return isinstance(statement, ast.Assign) and statement.targets == [target]


def are_alike(first: ast.AST, second: ast.AST) -> bool:
    """Whether two expressions are written alike."""
    return ast.dump(first) == ast.dump(second)


def whole_if_it_is(array: ast.expr, stored: ast.expr) -> bool:
    """Whether an array of integers would get what it can hold: sums and products of its own."""
    own = ast.dump(array)
    if isinstance(stored, ast.BinOp):
        parts = [stored.left, stored.right]
        return isinstance(stored.op, _WHOLE) and all(whole_if_it_is(array, p) for p in parts)
    if isinstance(stored, ast.Constant):
        return isinstance(stored.value, int)
    return ast.dump(stored.value if isinstance(stored, ast.Subscript) else stored) == own


_WHOLE = (ast.Add, ast.Sub, ast.Mult)


def is_sum(node: ast.AST | None) -> TypeGuard[ast.AugAssign]:
    """Whether a statement is ``x[i, j] += values`` or ``-=``, all of whose places are expressions.

    These are also added at once for all items of a loop, which constants and slices are not.
    """
    return adds(node) and not any(
        isinstance(part, (ast.Slice, ast.Starred, ast.Constant)) for part in places_of(node.target)
    )


def adds(node: ast.AST | None) -> TypeGuard[ast.AugAssign]:
    """Whether a statement is ``x += y`` or ``x -= y``."""
    return isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub))


def places_of(target: ast.expr) -> list[ast.expr]:
    """The entries of a target's index."""
    index = target.slice if isinstance(target, ast.Subscript) else ast.Starred(target)
    return index.elts if isinstance(index, ast.Tuple) else [index]


def is_repeatable(target: ast.expr) -> bool:
    """Whether a target may be evaluated twice where it stood once."""
    return all(isinstance(part, _REPEATABLE) for part in walk(target))


def operands(node: ast.AST) -> tuple[ast.expr, ast.expr]:
    """The two operands of an operator or a call; of a store, its target and what is stored."""
    if isinstance(node, ast.Assign):
        return node.targets[0], node.value
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.AugAssign):
        return node.target, node.value
    assert isinstance(node, ast.Call)
    first, second = node.args
    return first, second


def read_before(above: ast.AST, node: ast.AST) -> list[ast.AST]:
    """The parts of an expression or a statement that are read before one of them."""
    if isinstance(above, ast.Dict):
        pairs = zip(above.keys, above.values, strict=True)
        parts: list[ast.AST] = [one for pair in pairs for one in pair if one is not None]
    elif isinstance(above, (ast.Assign, ast.AnnAssign)):
        targets = above.targets if isinstance(above, ast.Assign) else [above.target]
        parts = [*([above.value] if above.value is not None else []), *targets]
    elif isinstance(above, ast.stmt) and not isinstance(above, (ast.AugAssign, ast.Return)):
        return []
    else:
        parts = children(above)
    return parts[: next((k for k, one in enumerate(parts) if one is node), 0)]


def is_part(node: ast.AST) -> bool:
    """Whether something is a part of an array that is stored in, or deleted."""
    return isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)


def worked_on(
    node: ast.AST, given: Callable[[ast.Call], list[ast.expr]]
) -> tuple[ast.expr | None, list[ast.expr]]:
    """What an operation gives, where it is an expression, and what it is given but for literals.

    Parameters
    ----------
    node : ast.AST
    given : callable
        What a call is given, the array whose method it is among it.
    """
    parts: list[ast.expr] = []
    if isinstance(node, ast.Call):
        parts = given(node)
    elif isinstance(node, ast.Assign | ast.AugAssign):
        parts = [one for one in children(node) if isinstance(one, ast.expr)]
    known = [one for one in parts if not isinstance(one, ast.Constant)]
    return (node if isinstance(node, ast.expr) else None), known
