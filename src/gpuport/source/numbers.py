"""Arithmetic of numbers in source text: what is exact, what may raise, and how to call it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from keyword import iskeyword

from gpuport.source.syntax import dotted, walk

_RAISING = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_EXACT = (ast.Add, ast.Sub, ast.Mult, ast.USub)
_BITS = 24
"""Of the whole numbers that a kernel takes for floats."""
_EXACT_BITS = 53
"""Of those that are exact as floats."""


def is_exact(node: ast.expr, read_elsewhere: Callable[[ast.expr], bool]) -> bool:
    """Whether arithmetic gives the same of floats, should whole numbers be meant.

    Sums, differences and products of few, and quotients by numbers that are written out, unless
    what is divided is read elsewhere, and may be whole there.
    """
    return _stays(node, read_elsewhere) and _bits(node, read_elsewhere) <= _EXACT_BITS


def _stays(node: ast.expr, read_elsewhere: Callable[[ast.expr], bool]) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        literal = isinstance(node.right, ast.Constant) and bool(node.right.value)
        return literal and not read_elsewhere(node)
    return isinstance(node, (ast.BinOp, ast.UnaryOp)) and isinstance(node.op, _EXACT)


def _bits(node: ast.expr, read_elsewhere: Callable[[ast.expr], bool]) -> int:
    """How large whole numbers may become; what does not stay is computed before."""
    if isinstance(node, ast.Constant):
        return abs(node.value).bit_length() if isinstance(node.value, int) else 0
    if not isinstance(node, (ast.BinOp, ast.UnaryOp)) or not _stays(node, read_elsewhere):
        return _BITS
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
    bits = [_bits(part, read_elsewhere) for part in parts]
    if isinstance(node.op, ast.Mult):
        return sum(bits)
    return max(bits) + isinstance(node.op, ast.Add | ast.Sub)


def may_raise(node: ast.AST) -> bool:
    """Whether an operation or a call may raise."""
    return isinstance(node, ast.Call | ast.Subscript) or isinstance(
        getattr(node, "op", None), _RAISING
    )


def spoken(node: ast.expr, atoms: list[ast.expr]) -> str:
    """A name for a number: its own, or one that tells what it is computed from."""
    words = list(dict.fromkeys(_word(atom) for atom in atoms))
    if not words:
        return "number"
    if len(words) > 1 or atoms == [node] or not isinstance(node, ast.BinOp):
        return "_".join(words)
    (word,) = words
    power = node.right.value if isinstance(node.right, ast.Constant) else None
    if isinstance(node.op, ast.Pow) and node.left is atoms[0] and type(power) is int:
        return f"{word}{power}"
    if isinstance(node.op, ast.Div) and isinstance(node.left, ast.Constant):
        return f"per_{word}"
    if isinstance(node.op, ast.Add | ast.Sub):
        return f"shifted_{word}"
    return f"scaled_{word}"


def _word(node: ast.expr) -> str:
    """``u`` for ``self.u``, ``shaft`` for ``lines["shaft"]``, ``x_size`` for ``x.size``."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        key = node.slice.value
        if isinstance(key, str) and key.isidentifier() and not iskeyword(key):
            return key
        return f"{_word(node.value)}_{key}" if isinstance(key, int) else _word(node.value)
    if isinstance(node, ast.Attribute):
        return (
            node.attr if node.attr not in ("size", "shape") else f"{_word(node.value)}_{node.attr}"
        )
    if isinstance(node, ast.Call):
        return f"{_word(node.args[0])}_length"
    return node.id if isinstance(node, ast.Name) else "number"


def spoken_call(node: ast.expr, of_module: Callable[[ast.expr], bool]) -> str:
    """A name for what calls and products give: ``mean_x`` for ``np.mean(x)`` and ``x.mean()``,
    ``A_u`` for ``A @ u``.

    Parameters
    ----------
    node : ast.expr
    of_module : callable
        Whether what is called is a function of a module, and no method.
    """
    parts = walk(node)
    heads = [part.func for part in parts if isinstance(part, ast.Call)]
    aside = {id(part) for head in heads for part in _said_apart(head, of_module)}
    words = [_word(head) for head in heads[:1] if isinstance(head, ast.Name | ast.Attribute)]
    for part in parts:
        if isinstance(part, ast.Name | ast.Attribute) and id(part) not in aside:
            view = isinstance(part, ast.Attribute) and part.attr == "T"
            if not view and dotted(part) is not None:
                words.append(_word(part))
                aside |= {id(inner) for inner in walk(part)}
    return "_".join(dict.fromkeys(words[:2])) or "operand"


def _said_apart(head: ast.expr, of_module: Callable[[ast.expr], bool]) -> Iterator[ast.AST]:
    """What of the head of a call is none of its operands."""
    method = isinstance(head, ast.Attribute) and not of_module(head)
    yield from [head] if method else walk(head)


def is_element(node: ast.expr) -> bool:
    """``parameters["gain"]``."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and dotted(node.value) is not None
    )


def owner_of(node: ast.expr) -> str | None:
    """The array behind a view: ``mass`` for ``mass[None, :].T``, ``self.u`` for ``self.u[1:]``."""
    if isinstance(node, ast.Subscript):
        called = any(isinstance(n, ast.Call | ast.NamedExpr) for n in walk(node.slice))
        return None if called else owner_of(node.value)
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return owner_of(node.value)
    return dotted(node)


def likely_whole(
    statements: Iterable[ast.stmt], chooses: Callable[[ast.expr], bool]
) -> frozenset[str | None]:
    """Arrays that are compared for being equal, taken bit by bit, or chosen by, by their names.

    Parameters
    ----------
    statements : iterable of ast.stmt
    chooses : callable
        Whether a function takes truth values first.
    """
    parts = (part for statement in statements for part in walk(statement))
    return frozenset(owner_of(one) for part in parts for one in _likely_whole(part, chooses))


def _likely_whole(node: ast.AST, chooses: Callable[[ast.expr], bool]) -> Iterator[ast.expr]:
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, _BITWISE):
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        yield node.operand
    elif isinstance(node, ast.Call) and node.args and chooses(node.func):
        yield node.args[0]


def likely_complex(
    function: ast.AST, conjugates: Callable[[ast.expr], bool]
) -> frozenset[str | None]:
    """Arrays that a function hands to what nobody needs for real numbers, by their names.

    Parameters
    ----------
    function : ast.AST
    conjugates : callable
        Whether a function is for complex numbers.
    """
    calls = (one for one in walk(function) if isinstance(one, ast.Call) and one.args)
    return frozenset(owner_of(one.args[0]) for one in calls if conjugates(one.func))


__all__ = [
    "is_element",
    "is_exact",
    "likely_complex",
    "likely_whole",
    "may_raise",
    "owner_of",
    "spoken",
]
