"""Arrays made of a comprehension over elements, as the loop that fills a list for them.

``a = np.array([f(v) for v in x])`` is a list that a loop appends ``f(v)`` to, and an array of that
list: what is known of such loops holds for it then. A port has them only where a kernel came of
it: the module is ported both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.emit.lines import INDENT, line_above, step
from gpuport.loops.context.purity import known_functions
from gpuport.passes.listtexts import Names
from gpuport.passes.writtenout import may_come_first, named
from gpuport.source.edits import Edit
from gpuport.source.making import Standing
from gpuport.source.syntax import bound_in, copied, walk

_MAKING = ("numpy.array", "numpy.asarray")
_COUNTING = frozenset(
    f"builtins.{name}" for name in ("range", "len", "enumerate", "zip", "reversed")
)
_LATER = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr,
    ast.Await, ast.Yield, ast.YieldFrom,
)  # fmt: skip
"""What a comprehension may not hold, as it asks for the items later or binds a name."""


def array_comprehensions(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that make loops of the comprehensions of a function that could be such."""
    if not any(unit.scope.resolve(call.func) in _MAKING for call in unit.scope.calls):
        return
    names = Names(unit)
    for statement in unit.module.nodes.inside(node, ast.Assign, ast.Return):
        if statement.value is None:
            continue
        call = _made_of_items(unit, statement.value)
        if call is None or not unit.module.stands_alone(statement):
            continue
        made = call.args[0]
        assert isinstance(made, ast.ListComp)
        if "#" not in unit.module.segment(made) and _takes_elements(unit, made):
            yield from _edits(unit, node, statement, made, names)


def _made_of_items(unit: Unit, value: ast.expr) -> ast.Call | None:
    """The one call of ``np.array([...])`` in an expression that does nothing before it."""
    found = [
        part
        for part in walk(value)
        if isinstance(part, ast.Call)
        and unit.scope.resolve(part.func) in _MAKING
        and len(part.args) == 1
        and isinstance(part.args[0], ast.ListComp)
    ]
    if len(found) != 1:
        return None
    (call,) = found
    return call if may_come_first(unit, value, [call]) else None


def _takes_elements(unit: Unit, made: ast.ListComp) -> bool:
    """Whether each item is made of one element of something, by what threads may call."""
    (first, *more) = made.generators
    if more or first.ifs or first.is_async:
        return False
    over = [part for part in walk(first.iter) if isinstance(part, ast.Call)]
    if not {unit.scope.resolve(one.func) for one in over} <= _COUNTING:
        return False
    parts = [*walk(made.elt), *walk(first.iter)]
    calls = (part.func for part in walk(made.elt) if isinstance(part, ast.Call))
    return not any(isinstance(part, _LATER) for part in parts) and all(
        _for_numbers(unit, one) for one in calls
    )


def _for_numbers(unit: Unit, function: ast.expr) -> bool:
    """Whether a thread may call a function, as far as its name tells."""
    own = isinstance(function, ast.Name) and function.id in unit.project.root.functions
    return own or unit.scope.resolve(function) in known_functions()


def _elsewhere(node: ast.FunctionDef, made: ast.ListComp) -> set[str]:
    """Names of a comprehension's items that mean something else around it."""
    within = {id(part) for part in walk(made)}
    bound = set(bound_in(made.generators[0].target))
    arguments = {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in within}
    return bound & (used | arguments)


def _edits(
    unit: Unit, node: ast.FunctionDef, statement: ast.stmt, made: ast.ListComp, names: Names
) -> Iterator[Edit]:
    module, head = unit.module, made.generators[0]
    of = named(statement)  # the name that gets the array
    listed = names.free("items" if of is None else f"{of}_items")
    target, item = module.segment(head.target), module.segment(made.elt)
    other = {name: names.free(f"{name}_") for name in sorted(_elsewhere(node, made))}
    if other:
        target, item = _renamed(head.target, other), _renamed(made.elt, other)
    yield line_above(
        unit.module,
        statement,
        f"{listed} = []",
        f"for {target} in {_one_line(module.segment(head.iter))}:",
        f"{step(module, node) or INDENT}{listed}.append({_one_line(item)})",
    )
    yield Edit(*module.extent(made), (listed,))


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


def _renamed(node: ast.expr, names: dict[str, str]) -> str:
    given = {name: ast.Name(now, ast.Load()) for name, now in names.items()}
    return ast.unparse(Standing(given).visit(copied(node)))


__all__ = ["array_comprehensions"]
