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
    if run.statements:
        start, last = module.extent(run.statements[0])[0], run.statements[-1]
        begin, end = module.extent(last)
        value = None if tail is not None else _value_of(module, last, made)
        if value is not None:
            found += [*_between(module, start, begin, cuts), "return "]
            start, results = value, []
        comment = module.text[end : line_end(module, last)].strip()
        behind = f"  {comment}" if comment and tail is None else ""
        found += [*_between(module, start, end, cuts), f"{behind}\n"]
    if tail is not None:
        found += _returned(module, tail, cuts)
        found += [f", {name}" for name in results]
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


def _returned(module: Module, tail: ast.expr, cuts: Iterable[_Cut]) -> Iterator[str | Leaf]:
    """An expression behind ``return``; its lines keep their places below the first."""
    start, end = module.extent(tail)
    text = _lines(module.text[start:end])
    head = "return " if _stands_without_brackets(text) else "return ("
    before = start - module.line_starts[tail.lineno - 1]
    rest = [line for line in text.split("\n")[1:] if line.strip()]
    aligned = all(len(line) - len(line.lstrip()) >= before for line in rest)
    shift = len(head) + len(_indentation(module, tail)) - before if aligned else 0
    yield head
    for part in _between(module, start, end, cuts):
        yield _shifted(part, shift) if isinstance(part, str) else part
    if head.endswith("("):
        yield ")"


def _stands_without_brackets(text: str) -> bool:
    try:
        return len(ast.parse(f"return {text}").body) == 1
    except SyntaxError:
        return False


def _shifted(text: str, by: int) -> str:
    """Lines after the first moved sideways, as far as there are blanks."""
    first, *rest = text.split("\n")
    moved = [
        " " * by + line if by >= 0 else line[min(-by, len(line) - len(line.lstrip(" "))) :]
        for line in rest
    ]
    return "\n".join([first, *moved])


def _cuts(module: Module, run: Run) -> Iterator[_Cut]:
    """What the statements read and store, in their text."""
    leaves = {id(node): leaf for leaf in (*run.leaves.values(), *run.written.values())
              for node in leaf.nodes if not leaf.constant}  # fmt: skip
    for statement in run.body:
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


def _value_of(module: Module, last: ast.stmt, made: Sequence[str]) -> int | None:
    """Where the value begins of a last statement that is the whole result."""
    if not isinstance(last, ast.Assign) or len(made) != 1:
        return None
    target = last.targets[0]
    if not isinstance(target, ast.Name) or target.id != made[0]:
        return None
    text, at = module.text, module.extent(target)[1]
    behind = text.index("=", at) + 1
    return behind + len(text[behind:]) - len(text[behind:].lstrip(" \t"))


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
    return [node for node in ast.walk(ast.parse(placed)) if isinstance(node, ast.Name)]


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


def key_of(body: Parts, where: Parts, types: Sequence[str], results: Sequence[str]) -> str:
    """What equal kernels have in common: their statements, whatever they are applied to."""
    text = "".join(f"{_PLACE}{part}" if isinstance(part, int) else part for part in body)
    tree = ast.dump(ast.parse(text))
    return repr((tree, where, tuple(types), tuple(results)))


__all__ = ["Body", "binds", "key_of", "line_end", "python_of", "where_of"]
