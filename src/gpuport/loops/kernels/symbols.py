"""What the names of a plan's body are: arrays, numbers from outside, the grid's variables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gpuport.loops.context.breadth import Breadth, broadened
from gpuport.loops.context.whole_uses import counting_names, index_arrays, whole_numbers
from gpuport.loops.cuda.symbols import Array, Magnitudes, Symbols, array_of, is_length, scalar_value
from gpuport.loops.facts import ArrayFact, Fact, ModuleFact, ScalarFact
from gpuport.loops.forms.entries import entries_named
from gpuport.loops.names import constant_int, dotted, function_path, stored, subscript_indices, walk
from gpuport.loops.records import Axis, LoopPlan
from gpuport.parallel.ranges import Value, of_type
from gpuport.parallel.typing import PYTHON


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


def outside(
    plan: LoopPlan, body: Sequence[ast.stmt], magnitudes: Magnitudes, breadth: Breadth
) -> Outside:
    """Find out what each name is.

    Parameters
    ----------
    plan : LoopPlan
    body : sequence of ast.stmt
        The plan's.
    magnitudes : Magnitudes
        How large whole numbers from outside are.
    breadth : Breadth
    """
    facts = plan.nest.facts
    arrays = _arrays(plan, body)
    grid = {axis.variable for axis in plan.grid}
    texts = [text for axis in plan.grid for text in (axis.start, axis.stop, axis.step)]
    bounds = [entries_named(ast.parse(text, mode="eval").body, facts) for text in texts]
    whole = whole_numbers(plan, body) | {n.id for n in walk(bounds) if isinstance(n, ast.Name)}
    counts = counting_names(plan, body, bounds)
    local = stored(body) | grid
    numbers: dict[str, Value] = {}
    for node in [*body, *bounds]:
        for name, where in _free(node, set(arrays), facts):
            if name in local or name in numbers:
                continue
            assumed = PYTHON["int" if name in whole else "float"]
            value = scalar_value(facts.get(name), assumed, magnitudes, where)
            if name in counts and value.constant is None and value.whole:
                most = magnitudes.counted
                value = replace(value, low=_least(name, plan, -most), high=most)
            value = _limited(value, name, plan)
            numbers[name] = broadened(value, breadth)
    for node in walk(body):
        if isinstance(node, ast.expr) and is_length(node):
            owner = node.args[0] if isinstance(node, ast.Call) else node
            while isinstance(owner, ast.Subscript) or (
                isinstance(owner, ast.Attribute) and owner.attr in ("shape", "size")
            ):
                owner = owner.value
            known = facts.get(dotted(owner) or "")
            if dotted(owner) not in arrays and isinstance(known, ArrayFact):
                numbers[ast.unparse(node)] = of_type(PYTHON["int"], 0, magnitudes.counted)
    scalars = dict(numbers)
    for axis in plan.grid:
        scalars[axis.variable] = _counter(axis, magnitudes)
    symbols = Symbols(arrays, scalars, facts, magnitudes)
    order = {name: k for k, name in enumerate(_parameters(plan))}
    listed = sorted(numbers, key=lambda name: order.get(name, len(order)))
    return Outside(symbols, tuple(listed))


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
    index = index_arrays(plan, body)
    facts = plan.nest.facts
    used = [n for n in ranks if n in plan.reads | plan.writes or n in nodes]
    order = {name: k for k, name in enumerate([*_parameters(plan), *nodes])}
    used.sort(key=lambda name: (order.get(name, len(order)), name))
    return {
        n: array_of(facts.get(n), ranks[n], n in index, nodes.get(n, plan.region)) for n in used
    }


def _parameters(plan: LoopPlan) -> list[str]:
    listed = getattr(plan.nest.function, "args", None)
    return [] if listed is None else [a.arg for a in (*listed.posonlyargs, *listed.args)]


def _least(name: str, plan: LoopPlan, least: int) -> int:
    """The lower bound that a guard gives a number."""
    for guard in plan.guards:
        match = re.fullmatch(rf"{re.escape(name)} (>=?) (\d+)", guard)
        if match:
            return int(match[2]) + (match[1] == ">")
    return least


def _limited(value: Value, name: str, plan: LoopPlan) -> Value:
    """A number within the bounds that a guard gives it."""
    for guard in plan.guards:
        match = re.fullmatch(rf"(-?\d+) <= {re.escape(name)} <= (\d+)", guard)
        if match and value.whole and value.constant is None:
            value = replace(value, low=int(match[1]), high=int(match[2]))
    return value


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
        if dotted(node.func) == "len":  # of an array, whether the kernel reads it or not
            children = [a for a in children if dotted(a) is None]
    elif isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "ndim"):
        children = [] if dotted(node.value) is not None else [node.value]
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
