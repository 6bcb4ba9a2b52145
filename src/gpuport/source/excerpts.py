"""Statements as the body of a function of their own, with something else for parts of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from gpuport.source.edits import parenthesised
from gpuport.source.module import Module

Body = list[str | object]
"""Text, and what takes the place of names in it."""

Cut = tuple[int, int, Body]
"""Offsets in the module, and what stands there instead."""

PLACE = "parameter_"
"""A name for what is no text yet."""

_ROOM = 72
"""Characters of what several expressions return, up to which they stand on one line."""

COLUMN, ALIGNED = "\1", "\2"
"""Marks of a column, and of what begins there in the lines below."""


def body_of(
    module: Module,
    statements: Sequence[ast.stmt],
    tails: Sequence[ast.expr],
    cuts: Iterable[Cut],
    results: Sequence[object],
) -> Body:
    """A function's body, as if it stood at the left margin.

    Parameters
    ----------
    module : Module
    statements : sequence of ast.stmt
        Consecutive ones of a block; the last may be a ``return``.
    tails : sequence of ast.expr
        Expressions behind them that are returned, too.
    cuts : iterable of Cut
        What stands in the place of parts of them.
    results : sequence of object
        What is returned beside them: names, or what stands for one.
    """
    cuts = sorted(cuts, key=lambda cut: cut[0])
    found: Body = []
    at = module.extent(statements[0])[0] if statements else 0
    for statement in statements:
        begin, end = module.extent(statement)
        found += _between(module, at, begin, cuts)
        value, at = _value_start(module, statement), end
        if not tails and statement is statements[-1] and _is_result(statement, results):
            found.append("return ")
            results = []
        else:
            found += _between(module, begin, value, cuts)
        found += _aligned(module, value, end, cuts)
    if statements:
        comment = module.text[at : line_end(module, statements[-1])].strip()
        found += [f"  {comment}\n" if comment and not tails else "\n"]
    indent = _indentation(module, statements[0] if statements else tails[0])
    if tails:
        given = [list(_returned(module, tail, cuts)) for tail in tails] + [[one] for one in results]
        found = [*_dedented(found, indent), *_listed([_dedented(one, indent) for one in given])]
    else:
        for number, one in enumerate(results):
            found += [", " if number else "return ", one]
        found = _dedented(found, indent)
    if isinstance(found[-1], str):
        found[-1] = found[-1].rstrip("\n")
    return [part for part in found if part != ""]


def hugged(module: Module, node: ast.BinOp) -> Iterator[Cut]:
    """The spaces around the operator of a power, the left side of which becomes a short name.

    Formatters take them away where both sides are short: ``h**3``.
    """
    if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Name | ast.Constant):
        start = parenthesised(module.text, *module.extent(node.left))[1]
        end = module.extent(node.right)[0]
        if module.text[start:end].strip() == "**":
            yield start, end, ["**"]


def _dedented(parts: Body, indent: str) -> Body:
    return [one.replace("\n" + indent, "\n") if isinstance(one, str) else one for one in parts]


def _listed(given: Sequence[Body]) -> Iterator[str | object]:
    """What is returned, each on a line of its own where they would be long together."""
    length = sum(len(one) if isinstance(one, str) else 4 for parts in given for one in parts)
    long = len(given) > 1 and length > _ROOM
    yield "return (\n    " if long else "return "
    for number, parts in enumerate(given):
        yield (",\n    " if long else ", ") if number else ""
        yield from parts
    yield ",\n)" if long else ""


def _returned(module: Module, tail: ast.expr, cuts: Iterable[Cut]) -> Iterator[str | object]:
    """An expression behind ``return``, in brackets where it takes several lines by others."""
    start, end = module.extent(tail)
    bare = _stands_without_brackets(_lines(module.text[start:end]))
    yield from ["" if bare else "(", *_aligned(module, start, end, cuts), "" if bare else ")"]


def _aligned(module: Module, start: int, end: int, cuts: Iterable[Cut]) -> Iterator[str | object]:
    """A value, the lines below its first marked where they are laid out by it."""
    text = _lines(module.text[start:end])
    column = len(_lines(module.text[:start]).rpartition("\n")[2])
    rest = [line for line in text.split("\n")[1:] if line.strip()]
    if not rest or any(len(line) - len(line.lstrip()) < column for line in rest):
        yield from _between(module, start, end, cuts)
        return
    yield COLUMN
    for part in _between(module, start, end, cuts):
        marked = "\n" + ALIGNED
        yield part.replace("\n" + " " * column, marked) if isinstance(part, str) else part


def laid_out(text: str) -> str:
    """The text with its marks gone."""
    lines, column = [], 0
    for line in text.split("\n"):
        line = line.replace(ALIGNED, " " * column)
        if COLUMN in line:
            column = line.index(COLUMN)
        lines.append(line.replace(COLUMN, ""))
    return "\n".join(lines)


def _stands_without_brackets(text: str) -> bool:
    try:
        return len(ast.parse(f"return {text}").body) == 1
    except SyntaxError:
        return False


def _between(module: Module, start: int, end: int, cuts: Iterable[Cut]) -> Iterator[str | object]:
    for begin, stop, instead in cuts:
        if start <= begin and stop <= end:
            yield _lines(module.text[start:begin])
            yield from instead
            start = stop
    yield _lines(module.text[start:end])


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _value_start(module: Module, statement: ast.stmt) -> int:
    """Where the value of a statement begins."""
    text, (start, _) = module.text, module.extent(statement)
    if isinstance(statement, ast.Assign):
        start = text.index("=", module.extent(statement.targets[0])[1]) + 1
    elif isinstance(statement, ast.AugAssign):
        start = text.index("=", module.extent(statement.target)[1]) + 1
    elif isinstance(statement, ast.Return):
        start += len("return")
    return start + len(text[start:]) - len(text[start:].lstrip(" \t"))


def _is_result(last: ast.stmt, made: Sequence[object]) -> bool:
    """Whether the value of a last statement is all that is made."""
    if not isinstance(last, ast.Assign) or len(made) != 1:
        return False
    target = last.targets[0]
    return isinstance(target, ast.Name) and target.id == made[0]


def line_end(module: Module, statement: ast.stmt) -> int:
    """Where the line of the end of a statement ends, a comment included."""
    end = module.extent(statement)[1]
    return end + len(_lines(module.text[end:]).partition("\n")[0])


def _indentation(module: Module, node: ast.stmt | ast.expr | None) -> str:
    assert node is not None
    line = module.line_text(node.lineno)
    return line[: len(line) - len(line.lstrip(" \t"))]


def _names(body: Body) -> list[ast.Name]:
    placed = "".join(part if isinstance(part, str) else PLACE for part in body)
    return [node for node in ast.walk(ast.parse(laid_out(placed))) if isinstance(node, ast.Name)]


def names_read(body: Body) -> frozenset[str]:
    """The names that a function reads, parameters apart."""
    return frozenset(node.id for node in _names(body)) - {PLACE}


def binds(body: Body, name: str) -> bool:
    """Whether a function binds a name."""
    return any(node.id == name and isinstance(node.ctx, ast.Store) for node in _names(body))


def meaning(body: Iterable[str | int]) -> str:
    """What a body with numbers for its parameters says, however it is laid out."""
    text = "".join(f"{PLACE}{part}" if isinstance(part, int) else part for part in body)
    return ast.dump(ast.parse(laid_out(text)))


__all__ = [
    "Body",
    "Cut",
    "binds",
    "body_of",
    "hugged",
    "laid_out",
    "line_end",
    "meaning",
    "names_read",
]
