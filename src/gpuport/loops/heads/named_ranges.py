"""Loops over a name that stands for a ``range``: told of as that, not as arrays.

What a refusal says of rows that a loop goes through: by the names that the user gave them.

In plain form ``for row in x`` reads ``x[i_, j]`` in the place of ``row[j]``, with a counter that
nobody wrote.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from gpuport.loops.facts import Fact
from gpuport.loops.heads.heads import Row
from gpuport.loops.names import function_path
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.source.syntax import walk


def rows_in_own_names(refused: Refused, rows: Mapping[str, Row], loop: ast.stmt) -> Refused:
    """A refusal in the user's own names.

    Parameters
    ----------
    refused : Refused
    rows : mapping of str to Row
        By the names of rows, the arrays and their places in these.
    loop : ast.stmt
        The loop as the user wrote it.
    """
    text = ast.unparse(loop)
    for name, (array, places) in rows.items():
        row = f"{ast.unparse(array)}[{', '.join(map(ast.unparse, places))}"
        if row in text:
            continue
        part = rf"`{re.escape(row)}\]` has \d+ of \d+ indices: it is a part of the array"
        message = re.sub(part, f"`{name}` is a part of the array", refused.message)
        refused.message = message.replace(f"{row}]", name).replace(f"{row}, ", f"{name}[")
    return refused


def over_named_range(
    loop: ast.stmt, function: ast.AST, facts: Mapping[str, Fact]
) -> Refused | None:
    """The refusal of a loop over a name, or with one in it, that is nothing but ranges."""
    for node in walk(loop):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name):
            told = named_range(node.iter.id, node, function, facts)
            if told is not None:
                return told
    return None


def named_range(
    name: str, node: ast.AST, text: ast.AST, facts: Mapping[str, Fact]
) -> Refused | None:
    """The refusal of a loop over a name that is bound to nothing but ranges in a text."""
    ranges = _ranges(text, name, facts)
    if not ranges:
        return None
    message = f"`{name}` is `{ranges[0]}`: write the range in the head of the loop"
    if len(ranges) > 1:
        which = " or ".join(f"`{one}`" for one in ranges)
        message = (
            f"`{name}` is {which}, and which of them is known only where the loop begins: write a "
            "loop for each, with its range in its head"
        )
    return Refused(UNSUPPORTED, node, message)


def _ranges(text: ast.AST, name: str, facts: Mapping[str, Fact]) -> list[str]:
    """The ranges that a name is bound to; none where it may be something else."""
    if any(isinstance(node, ast.arg) and node.arg == name for node in walk(text)):
        return []
    bound = [
        node for node in walk(text)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]  # fmt: skip
    given = {
        id(node.targets[0]): node.value for node in walk(text)
        if isinstance(node, ast.Assign) and len(node.targets) == 1
    }  # fmt: skip
    found: list[str] = []
    for node in bound:
        for value in _alternatives(given.get(id(node))):
            called = isinstance(value, ast.Call) and not value.keywords
            if not called or function_path(value.func, facts) != "builtins.range":  # type: ignore[union-attr]
                return []
            found.append(ast.unparse(value))  # type: ignore[arg-type]
    return list(dict.fromkeys(found))


def _alternatives(value: ast.expr | None) -> Iterator[ast.expr | None]:
    if isinstance(value, ast.IfExp):
        yield from _alternatives(value.body)
        yield from _alternatives(value.orelse)
    else:
        yield value


__all__ = ["named_range", "over_named_range", "rows_in_own_names"]
