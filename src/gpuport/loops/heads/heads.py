"""What the head of a ``for`` comes to: index ranges, and what each iteration sets first."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.source import syntax

Row = tuple[ast.expr, tuple[ast.expr, ...]]


@dataclass
class Head:
    """A loop's head in plain form.

    Attributes
    ----------
    ranges : list of (str, list of expr)
        The index names with ``range``'s arguments, outermost first.
    bindings : list of stmt
        What each iteration sets first.
    rows : dict
        Names that stand for a row of an array.
    guards : list of str
        Conditions on shapes that unpacking needs.
    replaced : dict of str to int
        Names of which the body reads nothing any more, with how often it did.
    """

    ranges: list[tuple[str, list[ast.expr]]] = field(default_factory=list)
    bindings: list[ast.stmt] = field(default_factory=list)
    rows: dict[str, Row] = field(default_factory=dict)
    guards: list[str] = field(default_factory=list)
    replaced: dict[str, int] = field(default_factory=dict)


def parse(text: str, where: ast.AST) -> ast.expr:
    """An expression with the position of another node.

    Raises
    ------
    Refused
        If the text is none by itself, such as ``*sizes``.
    """
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        message = f"`{text}` in the head of a loop is not turned into a kernel"
        raise Refused(UNSUPPORTED, where, message) from None
    for child in syntax.walk(node):
        ast.copy_location(child, where)
    return node


def range_arguments(call: ast.Call) -> list[ast.expr]:
    """``range``'s start, stop and step, the ones left out included."""
    zero, one = parse("0", call), parse("1", call)
    if len(call.args) == 1:
        return [zero, call.args[0], one]
    if len(call.args) == 2:
        return [*call.args, one]
    return list(call.args)


def assignment(target: ast.expr, value: ast.expr, where: ast.For) -> ast.stmt:
    """``target = value`` at the place of a loop's head."""
    name = syntax.copied(target)
    if isinstance(name, ast.Name):
        name.ctx = ast.Store()
    made = ast.Assign([name], value)
    for child in ast.walk(made):
        if not hasattr(child, "lineno"):
            ast.copy_location(child, where.iter)
    return ast.fix_missing_locations(ast.copy_location(made, where.iter))


def element(array: ast.expr, indices: list[ast.expr], where: ast.For) -> ast.expr:
    """``array[indices]`` at the place of a loop's head."""
    index = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
    made = ast.Subscript(syntax.copied(array), index, ast.Load())
    return ast.fix_missing_locations(ast.copy_location(made, where.iter))


def not_understood(node: ast.expr) -> Refused:
    """The refusal of something that a loop goes over."""
    message = f"iteration over `{ast.unparse(node)}` is not turned into a kernel"
    return Refused(UNSUPPORTED, node, message)
