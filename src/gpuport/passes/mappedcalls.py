"""Calls of ``map`` and ``starmap`` as the comprehensions that do the same.

``list(map(align, shapes))`` is ``[align(x) for x in shapes]``, ``sum(starmap(rmsd, zip(a, b)))`` is
``sum(rmsd(p, q) for p, q in zip(a, b))``: what is known of comprehensions holds for them then. A
port has them only where stacked code came of it: the module is ported both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gpuport.analysis.batches.gains import called_gains, own_function
from gpuport.analysis.interpretation.unit import Unit
from gpuport.source.edits import Edit

_GONE_THROUGH = frozenset(
    f"builtins.{name}" for name in ("list", "tuple", "sum", "max", "min", "any", "all", "sorted")
)
"""What goes through all that ``map`` gives, at once."""

_LATER = (ast.Lambda, ast.GeneratorExp, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
"""What a lambda's body may not hold, as it may ask for the item later or bind a name."""

_OF_NUMPY = ("a", "b")
"""Names for the items that go to a function of NumPy: its own names for its matrices."""


@dataclass(frozen=True, slots=True)
class _Each:
    """What is called for each item: its text, and the names of the items in it."""

    text: str
    names: tuple[str, ...]


def mapped_calls(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that make comprehensions of the calls in a function that could be such."""
    if not any(unit.scope.resolve(call.func) in _GONE_THROUGH for call in unit.scope.calls):
        return
    rewritten: set[int] = set()  # the edits of one within another would overlap
    for part in unit.module.nodes.inside(node, ast.Call):
        if unit.scope.resolve(part.func) not in _GONE_THROUGH:
            continue
        mapped = part.args[0] if part.args else None
        if not isinstance(mapped, ast.Call) or mapped.keywords or id(part) in rewritten:
            continue
        edit = _edit(unit, part, mapped)
        if edit is not None:
            rewritten |= {id(one) for one in ast.walk(part)}
            yield edit


def _edit(unit: Unit, call: ast.Call, mapped: ast.Call) -> Edit | None:
    over = _gone_over(unit, mapped)
    each = None if over is None else _each(unit, mapped.args[0], over[1])
    if over is None or each is None or "#" in unit.module.segment(call):
        return None
    head = ", ".join(each.names)
    text = f"{each.text} for {head} in {over[0]}"
    module = unit.module
    alone = len(call.args) == 1 and not call.keywords
    if alone and unit.scope.resolve(call.func) == "builtins.list":
        return Edit(*module.extent(call), (f"[{text}]",))
    return Edit(*module.extent(mapped), (text if alone else f"({text})",))


def _gone_over(unit: Unit, node: ast.Call) -> tuple[str, int] | None:
    """The text of what the items are taken from, and how many each call takes."""
    path, lists = unit.scope.resolve(node.func), node.args[1:]
    if not lists or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    segment = unit.module.segment
    has_zip = unit.scope.resolve(ast.Name("zip", ast.Load())) == "builtins.zip"
    if path == "builtins.map" and len(lists) == 1:
        loose = isinstance(lists[0], (ast.IfExp, ast.Lambda, ast.NamedExpr))
        return f"({segment(lists[0])})" if loose else segment(lists[0]), 1
    if path == "builtins.map" and has_zip:
        return f"zip({', '.join(map(segment, lists))})", len(lists)
    pairs = lists[0]
    if path != "itertools.starmap" or not isinstance(pairs, ast.Call) or pairs.keywords:
        return None
    if any(isinstance(one, ast.Starred) for one in pairs.args) or len(lists) != 1:
        return None
    if unit.scope.resolve(pairs.func) == "builtins.zip" and len(pairs.args) > 1:
        return segment(pairs), len(pairs.args)
    return None


def _each(unit: Unit, function: ast.expr, count: int) -> _Each | None:
    """The call of a function of the module, or the body of a lambda, with names for its items."""
    if isinstance(function, ast.Lambda):
        return _of_lambda(unit, function, count)
    fixed: list[ast.keyword] = []
    if isinstance(function, ast.Call):
        if unit.scope.resolve(function.func) != "functools.partial" or len(function.args) != 1:
            return None
        fixed = function.keywords
        function = function.args[0]
    if not isinstance(function, (ast.Name, ast.Attribute)) or not called_gains(unit, function):
        return None
    if any(one.arg is None or not isinstance(one.value, (ast.Name, ast.Constant)) for one in fixed):
        return None
    segment = unit.module.segment
    found = own_function(unit, ast.Call(function, [], []))
    if found is None and not fixed and count <= len(_OF_NUMPY):
        names = tuple(
            _free(name, {n.id for n in ast.walk(function) if isinstance(n, ast.Name)})
            for name in _OF_NUMPY[:count]
        )
        return _Each(f"{segment(function)}({', '.join(names)})", names)
    if (
        found is None
        or not isinstance(function, ast.Name)
        or count > len(found.args.posonlyargs) + len(found.args.args)
    ):
        return None
    parameters = [one.arg for one in (*found.args.posonlyargs, *found.args.args)][:count]
    taken = {function.id, *(one.value.id for one in fixed if isinstance(one.value, ast.Name))}
    names = tuple(_free(name, taken) for name in parameters)
    given = [*names, *(f"{one.arg}={segment(one.value)}" for one in fixed)]
    return _Each(f"{function.id}({', '.join(given)})", names)


def _of_lambda(unit: Unit, node: ast.Lambda, count: int) -> _Each | None:
    args = node.args
    plain = not (args.vararg or args.kwarg or args.kwonlyargs or args.defaults)
    names = tuple(one.arg for one in (*args.posonlyargs, *args.args))
    if not plain or len(names) != count or not called_gains(unit, node):
        return None
    if any(isinstance(part, _LATER) for part in ast.walk(node.body)):
        return None
    text = unit.module.segment(node.body)
    return None if "\n" in text else _Each(text, names)


def _free(name: str, taken: set[str]) -> str:
    """A name for an item: that of the parameter, where nothing else in the call has it."""
    while name in taken:
        name += "_"
    return name


__all__ = ["mapped_calls"]
