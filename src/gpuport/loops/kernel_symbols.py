"""What the names of a plan's body are: arrays, numbers from outside, the grid's variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .cuda_symbols import Array, Magnitudes, Symbols, array_of, scalar_value
from .cuda_values import Value, of_type
from .names import constant_int, dotted, function_path, stored, subscript_indices, walk
from .records import Axis, Fact, LoopPlan, ModuleFact, ScalarFact
from .typing import PYTHON


@dataclass(frozen=True, slots=True)
class Outside:
    """Names of a plan that are bound before the launch.

    Attributes
    ----------
    symbols : Symbols
    numbers : tuple of str
        Numbers that the body or the grid reads, in the order in which they are met.
    """

    symbols: Symbols
    numbers: tuple[str, ...]


def outside(plan: LoopPlan, body: Sequence[ast.stmt], magnitudes: Magnitudes) -> Outside:
    """Find out what each name is.

    Parameters
    ----------
    plan : LoopPlan
    body : sequence of ast.stmt
        The plan's, the prologue before it.
    magnitudes : Magnitudes
        How large whole numbers from outside are.
    """
    facts = plan.nest.facts
    arrays = _arrays(plan, body)
    grid = {axis.variable for axis in plan.grid}
    bounds = [ast.parse(text, mode="eval").body for axis in plan.grid for text in _texts(axis)]
    whole = _whole_numbers(plan, body) | {n.id for n in walk(bounds) if isinstance(n, ast.Name)}
    local = stored(body) | grid
    numbers: dict[str, Value] = {}
    for node in [*body, *bounds]:
        for name, where in _free(node, set(arrays), facts):
            if name in local or name in numbers:
                continue
            assumed = PYTHON["int" if name in whole else "float"]
            numbers[name] = scalar_value(facts.get(name), assumed, magnitudes, where)
    scalars = dict(numbers)
    for axis in plan.grid:
        scalars[axis.variable] = _counter(axis, magnitudes)
    symbols = Symbols(arrays, scalars, facts, magnitudes)
    return Outside(symbols, tuple(numbers))


def _texts(axis: Axis) -> tuple[str, str, str]:
    return axis.start, axis.stop, axis.step


def _arrays(plan: LoopPlan, body: Sequence[ast.stmt]) -> dict[str, Array]:
    ranks = dict(plan.ranks)
    nodes: dict[str, ast.AST] = {}
    for node in walk(body):
        if isinstance(node, ast.Subscript):
            name = dotted(node.value)
            if name is not None:
                nodes.setdefault(name, node)
                if name in plan.reads | plan.writes:
                    ranks.setdefault(name, len(subscript_indices(node)))
    index = _index_arrays(body)
    facts = plan.nest.facts
    used = plan.reads | plan.writes
    return {
        name: array_of(facts.get(name), rank, name in index, nodes.get(name, plan.region))
        for name, rank in ranks.items()
        if name in used or name in nodes
    }


def _index_arrays(body: Sequence[ast.stmt]) -> set[str]:
    """Arrays whose elements are used as indices, directly or through a name."""
    inside = [i for n in walk(body) if isinstance(n, ast.Subscript) for i in subscript_indices(n)]
    named = {n.id for n in walk(inside) if isinstance(n, ast.Name)}
    found = {dotted(n.value) for n in inside if isinstance(n, ast.Subscript)}
    for node in walk(body):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Subscript):
            continue
        if any(isinstance(t, ast.Name) and t.id in named for t in node.targets):
            found.add(dotted(node.value.value))
    return {name for name in found if name is not None}


def _whole_numbers(plan: LoopPlan, body: Sequence[ast.stmt]) -> set[str]:
    """Names that count or index: they are taken for integers where nothing is known."""
    places: list[ast.AST] = []
    for node in walk(body):
        if isinstance(node, ast.Subscript):
            places += subscript_indices(node)
        elif isinstance(node, ast.Call) and dotted(node.func) == "range":
            places += node.args
    direct: set[str] = set()
    for place in places:
        calls = [c for c in ast.walk(place) if isinstance(c, ast.Call | ast.Subscript)]
        hidden = {id(n) for call in calls for n in ast.walk(call)}
        direct |= {n.id for n in ast.walk(place) if isinstance(n, ast.Name) and id(n) not in hidden}
    return direct | {axis.variable for axis in plan.grid}


def _free(node: ast.AST, arrays: set[str], facts: object) -> Iterator[tuple[str, ast.AST]]:
    """Names of numbers that a node reads: plain, or dotted where a fact tells of them."""
    assert hasattr(facts, "get")
    if isinstance(node, ast.Attribute | ast.Name):
        name = dotted(node)
        if name is not None and isinstance(facts.get(name), ScalarFact):
            yield name, node
            return
        if name in arrays:
            return
        if isinstance(node, ast.Name):
            fact: Fact | None = facts.get(node.id)
            plain = fact is None or not isinstance(fact, ModuleFact)
            if plain and isinstance(node.ctx, ast.Load) and not _callable(node, facts):
                yield node.id, node
            return
        owner = node
        while isinstance(owner, ast.Attribute):
            owner = owner.value  # type: ignore[assignment]
        if isinstance(facts.get(dotted(owner) or ""), ModuleFact):
            return
    if isinstance(node, ast.Call):
        children: list[ast.AST] = [*node.args, *node.keywords]
    elif isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "ndim"):
        children = [] if dotted(node.value) in arrays else [node.value]
    else:
        children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _free(child, arrays, facts)


def _callable(node: ast.Name, facts: object) -> bool:
    return type(facts.get(node.id)).__name__ == "FunctionFact" or (  # type: ignore[attr-defined]
        facts.get(node.id) is None  # type: ignore[attr-defined]
        and (function_path(node, facts) or "").startswith("builtins.")  # type: ignore[arg-type]
    )


def _counter(axis: Axis, magnitudes: Magnitudes) -> Value:
    start = constant_int(ast.parse(axis.start, mode="eval").body)
    step = constant_int(ast.parse(axis.step, mode="eval").body)
    most = magnitudes.counted
    low, high = -most, most
    stop = ast.parse(axis.stop, mode="eval").body
    if step is None or step > 0:
        if start is not None:
            low = start
        if constant_int(stop) is not None:
            high = max(low, constant_int(stop) - 1)  # type: ignore[operator]
    elif constant_int(stop) is not None:
        low = constant_int(stop) + 1  # type: ignore[operator]
    return of_type(PYTHON["int"], low, high)
