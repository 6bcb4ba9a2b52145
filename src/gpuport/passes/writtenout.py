"""Loops in the place of calls that are loops in disguise.

Such a loop stands above the statement of its call, in an ``if`` with the call itself as the other
branch: for what ``np.array`` would make something else of.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from typing import Protocol

from gpuport.analysis.interpretation.unit import Unit
from gpuport.emit.lines import INDENT, indented, step
from gpuport.passes.listtexts import Names, starts_line
from gpuport.source.edits import Edit
from gpuport.source.syntax import walk

_LATER = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.IfExp,
    ast.BoolOp, ast.Await, ast.Yield, ast.YieldFrom,
)  # fmt: skip
"""What evaluates its parts later, only sometimes, or does something between them."""


def may_come_first(unit: Unit, value: ast.expr, parts: Collection[ast.expr]) -> bool:
    """Whether parts of an expression can stand above it: the others do nothing but make values.

    Parameters
    ----------
    unit : Unit
    value : ast.expr
        The expression, all of which is evaluated once.
    parts : collection of ast.expr
        None of them within another one.
    """
    within = {id(node) for part in parts for node in walk(part)}
    around = (node for node in walk(value) if id(node) not in within)
    return all(_only_makes(unit, node, parts) for node in around)


def _only_makes(unit: Unit, node: ast.AST, parts: Collection[ast.expr]) -> bool:
    if isinstance(node, _LATER):
        return False
    if not isinstance(node, ast.Call) or any(inner in parts for inner in walk(node)):
        return True
    operation = unit.work.operations.get(id(node))
    path = operation.path if operation is not None else None
    if path is None or path.startswith("numpy.random"):
        return False
    effect = unit.knowledge.rules.effect(path)
    changed = set() if effect is None else set(effect.mutates)
    return changed <= {"out"} and not any(one.arg in ("out", None) for one in node.keywords)


ITEMS = "_items"
"""What the names of lists end with that such loops fill."""
_HOLDING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)


class WrittenOut(Protocol):
    """A call as a loop: its text, and the name of what comes of it."""

    @property
    def call(self) -> ast.Call: ...

    @property
    def result(self) -> str: ...

    def lines(self) -> Iterator[str]: ...


Writer = Callable[[Unit, ast.stmt, ast.Call, str, Names], WrittenOut | None]
"""Makes the loop of a call in a statement, given NumPy's name in the module."""


def written_out(
    unit: Unit, node: ast.FunctionDef, known: Container[int], writer: Writer
) -> Iterator[Edit]:
    """The edits that make loops of the calls in a function whose ids are known."""
    if not known:
        return
    root = unit.project.root
    numpy = next((name for name, paths in root.imports.items() if paths == {"numpy"}), None)
    if numpy is None or unit.scope.owner(numpy) is not root:
        return
    names = Names(unit)
    for statement in unit.module.nodes.inside(node, *_HOLDING):
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.expr):
            continue
        calls = _outermost(value, known)
        if not calls or "#" in unit.module.segment(statement):
            continue
        if not (unit.module.stands_alone(statement) and starts_line(unit, statement)):
            continue
        loops = [writer(unit, statement, call, numpy, names) for call in calls]
        possible = [one for one in loops if one is not None]
        if possible and may_come_first(unit, value, [one.call for one in possible]):
            yield from _edits(unit, statement, possible, step(unit.module, node) or INDENT)


def _outermost(value: ast.expr, known: Container[int]) -> list[ast.Call]:
    """The known calls in an expression that are in no other one."""
    calls = [n for n in walk(value) if isinstance(n, ast.Call) and id(n) in known]
    within = {id(part) for call in calls for part in walk(call) if part is not call}
    return [call for call in calls if id(call) not in within]


def _edits(
    unit: Unit, statement: ast.stmt, loops: Sequence[WrittenOut], deeper: str
) -> Iterator[Edit]:
    module = unit.module
    indent = module.line_text(statement.lineno)[: statement.col_offset]
    lines = [f"{indent}{indented(line, deeper)}" for one in loops for line in one.lines()]
    start = module.line_starts[statement.lineno - 1]
    if len(loops) == 1 and loops[0].call is getattr(statement, "value", None) and named(statement):
        yield Edit(start, module.extent(statement)[1], (module.newline.join(lines),))
        return
    yield Edit(start, start, ("".join(line + module.newline for line in lines),))
    for one in loops:
        yield Edit(*module.extent(one.call), (one.result,))


def named(statement: ast.stmt) -> str | None:
    """The name that a statement gives to what it makes, if that is all it does."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else None


__all__ = ["ITEMS", "WrittenOut", "may_come_first", "named", "written_out"]
