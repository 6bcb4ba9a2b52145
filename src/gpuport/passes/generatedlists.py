"""Matrices that a generator makes, as lists of them.

``for m in parts(xs)`` is ``for m in m_list`` with ``m_list = list(parts(xs))`` before it, and so is
a loop over a generator expression, where nothing that runs between two items can tell: the
generator does nothing but make values, comes to an end, and the loop changes nothing of what it
reads. What is known of lists of matrices holds for it then. A port has them only where stacked code
came of it: the module is ported both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gpuport.analysis.batches.gains import own_function
from gpuport.analysis.interpretation.unit import Unit
from gpuport.emit.lines import line_above
from gpuport.passes.listtexts import LOCAL, LOOPING, Names, is_new, loop_of, starts_line
from gpuport.source.edits import Edit
from gpuport.source.syntax import bound_in, walk

_IN_STEP = frozenset({"builtins.zip", "builtins.enumerate"})
_HEADS = frozenset({"builtins.range", "builtins.len", *_IN_STEP})


def generated_lists(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that make lists of what the loops of a function take from generators."""
    if any(part is not node for part in unit.module.nodes.below(node, *LOCAL)):
        return
    names = Names(unit)
    for part in unit.module.nodes.inside(node, *LOOPING):
        loop = loop_of(part)
        if loop is None or not starts_line(unit, part):
            continue
        head = loop if isinstance(loop, ast.For) else loop.generators[0]
        for target, made in _made_one_by_one(unit, head.target, head.iter):
            if _is_still(unit, node, loop, made):
                name = names.free(f"{target.id}_list" if isinstance(target, ast.Name) else "items")
                yield line_above(unit.module, part, f"{name} = {_listed(unit, made)}")
                yield Edit(*unit.module.extent(made), (name,))


def _listed(unit: Unit, made: ast.expr) -> str:
    text = unit.module.segment(made)
    if not isinstance(made, ast.GeneratorExp):
        return f"list({text})"
    return f"[{text[1:-1]}]" if text.startswith("(") else f"[{text}]"


def _made_one_by_one(
    unit: Unit, target: ast.expr, iterable: ast.expr
) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The generators that a loop goes over, with what it calls their items."""
    if "\n" in unit.module.segment(iterable):
        return
    called = isinstance(iterable, ast.Call) and unit.scope.resolve(iterable.func)
    if isinstance(iterable, ast.Call) and called in _IN_STEP and not iterable.keywords:
        targets = target.elts if isinstance(target, ast.Tuple) else []
        if called == "builtins.enumerate":
            targets = targets[1:]
        for one, inner in zip(targets, iterable.args, strict=False):
            yield from _made_one_by_one(unit, one, inner)
    elif isinstance(iterable, ast.GeneratorExp):
        plain = len(iterable.generators) == 1 and not iterable.generators[0].is_async
        if plain and _makes_values(unit, [iterable]):
            yield target, iterable
    elif isinstance(iterable, ast.Call):
        function = own_function(unit, iterable)
        if function is not None and _generates(unit, function) and _plain_arguments(iterable):
            yield target, iterable


def _plain_arguments(call: ast.Call) -> bool:
    simple = (ast.Name, ast.Constant, ast.Attribute)
    return all(isinstance(one, simple) for one in (*call.args, *(k.value for k in call.keywords)))


def _generates(unit: Unit, function: ast.FunctionDef) -> bool:
    """Whether a generator does nothing but make values, and comes to an end."""
    yields = [part for part in walk(function) if isinstance(part, ast.Yield)]
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    body = function.body[1:] if documented else function.body
    return bool(yields) and all(map(_only_makes, body)) and _makes_values(unit, body)


def _only_makes(node: ast.stmt) -> bool:
    if isinstance(node, (ast.For, ast.If)):
        return all(map(_only_makes, (*node.body, *node.orelse)))
    if isinstance(node, ast.Assign):
        names = [part for target in node.targets for part in walk(target)]
        return all(isinstance(one, (ast.Name, ast.Tuple, ast.expr_context)) for one in names)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Yield) and node.value.value is not None
    return False


def _makes_values(unit: Unit, nodes: Iterable[ast.AST]) -> bool:
    """Whether all calls give values and do nothing else."""
    pure = unit.knowledge.words.pure_methods
    for part in (one for node in nodes for one in walk(node)):
        if isinstance(part, (ast.Await, ast.NamedExpr, ast.YieldFrom, ast.Lambda)):
            return False
        if not isinstance(part, ast.Call):
            continue
        path = unit.scope.resolve(part.func)
        method = part.func.attr if isinstance(part.func, ast.Attribute) else ""
        if path is None and method not in pure:
            return False
        if path is not None and not (path.startswith("numpy.") or path in _HEADS):
            return False
        if path is not None and path.startswith("numpy.random"):
            return False
        if any(keyword.arg in ("out", None) for keyword in part.keywords):
            return False
    return True


def _is_still(unit: Unit, function: ast.FunctionDef, loop: ast.AST, made: ast.expr) -> bool:
    """Whether a loop changes nothing of what a generator reads, nor leaves before its end."""
    head = {id(part) for part in walk(made)}
    read = {part.id for part in walk(made) if isinstance(part, ast.Name)}
    body = [part for part in walk(loop) if id(part) not in head]
    if isinstance(loop, ast.For) and bound_in(loop) & read:
        return False
    appended = [
        part for part in body
        if isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr == "append"
        and isinstance(part.func.value, ast.Name)
        and part.func.value.id not in read
    ]  # fmt: skip
    others = [part for part in body if isinstance(part, ast.Call) and part not in appended]
    for part in body:
        if isinstance(part, (ast.Break, ast.Return, ast.Yield, ast.Raise, ast.Try, ast.With)):
            return False
        if isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(part.ctx, ast.Load):
            owner = part.value if isinstance(part, ast.Subscript) else None
            if not isinstance(owner, ast.Name) or not is_new(unit, function, owner.id):
                return False
        grows = part.target if isinstance(part, ast.AugAssign) else None
        if isinstance(grows, ast.Name) and not _is_number(function, grows.id):
            return False
    return all(_changes_nothing(unit, call) for call in others)


def _changes_nothing(unit: Unit, call: ast.Call) -> bool:
    """Whether a call of the loop's gives a value and does nothing else."""
    shallow = ast.Call(call.func, [], call.keywords)
    if _makes_values(unit, [shallow]) or unit.scope.resolve(call.func) in _CONVERTERS:
        return True
    own = own_function(unit, call)
    return own is not None and all(map(_only_makes_or_returns, own.body)) and (
        _makes_values(unit, own.body)
    )  # fmt: skip


_CONVERTERS = frozenset({"builtins.float", "builtins.int", "builtins.abs", "builtins.sum"})


def _only_makes_or_returns(node: ast.stmt) -> bool:
    if isinstance(node, ast.Return):
        return True
    documented = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return documented or (not isinstance(node, ast.Expr) and _only_makes(node))


def _is_number(function: ast.FunctionDef, name: str) -> bool:
    """Whether a name begins as a number that is written out: growing, it changes no array."""
    return any(
        isinstance(part, ast.Assign)
        and len(part.targets) == 1
        and isinstance(part.targets[0], ast.Name)
        and part.targets[0].id == name
        and isinstance(part.value, ast.Constant)
        for part in walk(function)
    )


__all__ = ["generated_lists"]
