"""The Python of a chain's kernel: the user's own statements, with parameters for what they read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.chains.records import Parts
from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.analysis.interpretation.unit import Unit
from gpuport.source.edits import parenthesised
from gpuport.source.module import Module

Body = list[str | Leaf]
_Cut = tuple[int, int, Body]
"""Offsets in the module, and what stands there in the kernel's Python."""

_PLACE = "parameter_"
COLUMN, ALIGNED = "\1", "\2"
"""Marks of a column, and of what begins there in the lines below."""


def python_of(
    unit: Unit, run: Run, tail: ast.expr | None, made: Sequence[str], *, returns: bool
) -> Body:
    """The body of the function, as if it stood at the left margin.

    Raises
    ------
    Unfit
        Where it would read a name that the module does not have.
    """
    module = unit.module
    cuts = sorted(_cuts(module, run), key=lambda cut: cut[0])
    found: Body = []
    results: Body = [*made] if tail is None else [*made[1:]]
    at = module.extent(run.statements[0])[0] if run.statements else 0
    for statement in run.statements:
        begin, end = module.extent(statement)
        found += _between(module, at, begin, cuts)
        value, at = _value_start(module, statement), end
        if tail is None and statement is run.statements[-1] and _is_result(statement, made):
            found.append("return ")
            results = []
        else:
            found += _between(module, begin, value, cuts)
        found += _aligned(module, value, end, cuts)
    if run.statements:
        comment = module.text[at : line_end(module, run.statements[-1])].strip()
        found += [f"  {comment}\n" if comment and tail is None else "\n"]
    if tail is not None:
        start, end = module.extent(tail)
        bare = _stands_without_brackets(_lines(module.text[start:end]))
        found += ["return " if bare else "return (", *_aligned(module, start, end, cuts)]
        found += ["" if bare else ")", *(f", {name}" for name in results)]
    elif not returns:
        results += dict.fromkeys(one.leaf for one in run.targets if one.given_back)
        for number, one in enumerate(results):
            found += [", " if number else "return ", one]
    indent = _indentation(module, run.statements[0] if run.statements else tail)
    body = [one.replace("\n" + indent, "\n") if isinstance(one, str) else one for one in found]
    if isinstance(body[-1], str):
        body[-1] = body[-1].rstrip("\n")
    _refuse_unknown(unit, run, body)
    return [part for part in body if part != ""]


def _aligned(module: Module, start: int, end: int, cuts: Iterable[_Cut]) -> Iterator[str | Leaf]:
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


def _cuts(module: Module, run: Run) -> Iterator[_Cut]:
    """What the statements read and store, in their text."""
    leaves = {id(node): leaf for leaf in (*run.leaves.values(), *run.written.values())
              for node in leaf.nodes if not leaf.constant}  # fmt: skip
    for statement in (*run.body, *run.mentioned):
        for node in ast.walk(statement):
            leaf = leaves.get(id(node))
            if leaf is not None and isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                extent = module.extent(node)
                start, end = extent if leaf.owner else parenthesised(module.text, *extent)
                yield start, end, [leaf]
    for target in run.targets:
        yield *module.extent(target.node), [target.leaf, target.suffix]


def _between(module: Module, start: int, end: int, cuts: Iterable[_Cut]) -> Iterator[str | Leaf]:
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


def _is_result(last: ast.stmt, made: Sequence[str]) -> bool:
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


def _refuse_unknown(unit: Unit, run: Run, body: Body) -> None:
    """Refuse names of the function's own: the module has no such ones."""
    for node in _names(body):
        if node.id not in run.bound and node.id != _PLACE:
            owner = unit.scope.owner(node.id)
            if owner is not None and owner is not unit.project.root:
                raise Unfit


def _names(body: Body) -> list[ast.Name]:
    placed = "".join(_PLACE if isinstance(part, Leaf) else part for part in body)
    return [node for node in ast.walk(ast.parse(laid_out(placed))) if isinstance(node, ast.Name)]


def names_read(body: Body) -> frozenset[str]:
    """The names that a function reads, parameters apart."""
    return frozenset(node.id for node in _names(body)) - {_PLACE}


def binds(body: Body, name: str) -> bool:
    """Whether a function binds a name."""
    return any(node.id == name and isinstance(node.ctx, ast.Store) for node in _names(body))


def where_of(same: tuple[Sequence[str], Sequence[str]], numbers: Mapping[str, int]) -> Parts:
    """The condition that outputs have one shape, with numbers for the parameters."""
    strict, loose = same
    found: list[str | int] = []
    for name in strict if len(strict) > 1 else ():
        found += [" == " if found else "", numbers[name], ".shape"]
    if loose:
        found += [" and {" if found else "{"]
        for number, name in enumerate(loose):
            found += [", " if number else "", numbers[name], ".shape"]
        found += ["} <= {(), ", numbers[strict[0]], ".shape}"]
    return tuple(part for part in found if part != "")


def key_of(
    body: Parts, asked: tuple[Parts, Parts], types: Sequence[str], results: Sequence[str]
) -> str:
    """What equal kernels have in common: their statements, whatever they are applied to."""
    text = "".join(f"{_PLACE}{part}" if isinstance(part, int) else part for part in body)
    tree = ast.dump(ast.parse(laid_out(text)))
    return repr((tree, asked, tuple(types), tuple(results)))


__all__ = ["Body", "binds", "key_of", "laid_out", "line_end", "names_read", "python_of", "where_of"]
