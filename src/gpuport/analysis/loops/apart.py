"""Loops that stay in Python beside kernels on the same arrays: they read copies of these.

A loop over elements that is no kernel runs on the host, and so its arrays would have to stay there,
with all that other loops could do with them on the device. Where it takes nothing but single
elements of an array, and nothing in it writes to that array, it may as well read a copy, which is
made right before it.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from gpuport.analysis.differences.interleaving import changes_by_calls
from gpuport.analysis.functions.uses import ARRAY_ATTRIBUTES
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.placement.graph import Node, Place
from gpuport.analysis.values.lattice import Array, Number
from gpuport.source.syntax import children, inside, walk

if TYPE_CHECKING:
    from gpuport.analysis.functions.summaries import Analysed
    from gpuport.analysis.interpretation.unit import Unit

Loop: TypeAlias = ast.For | ast.While
_LOOPS = (ast.For, ast.While)
_ELSEWHERE = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Yield, ast.YieldFrom,
    ast.Await,
)  # fmt: skip
"""Where other code runs in the midst of a loop, or code of the loop later."""
_PAIRING = frozenset({"builtins.enumerate", "builtins.zip"})


@dataclass(frozen=True, slots=True)
class Apart:
    """A loop that reads a copy of an array, under the name of the array.

    ``rows``: whether what it takes may be rows, since nothing says how many axes the array has.
    """

    loop: Loop
    name: str
    array: Node
    copy: Node
    rows: bool


def wanted(analysed: Analysed) -> dict[int, frozenset[str]]:
    """The loops that would have to read copies, by their ids, with the names of the arrays.

    None where nothing is in the way of a kernel, and no element is brought back by itself.
    """
    unit = analysed.unit
    if not unit.forms.launches:
        return {}
    loops = list(_python_loops(unit, unit.node))
    if not loops or not (_is_in_the_way(analysed) or _brings_back(analysed, loops)):
        return {}
    found = {id(loop): frozenset(elements_read(unit, loop)) for loop in loops}
    return {loop: names for loop, names in found.items() if names}


def _python_loops(unit: Unit, node: ast.AST) -> Iterator[Loop]:
    """The outermost loops in which no kernel is launched."""
    launches = unit.forms.launches
    for child in children(node):
        if isinstance(child, _LOOPS) and id(child) in launches:
            continue
        if isinstance(child, _LOOPS) and not any(id(one) in launches for one in inside(child)):
            yield child
        elif not isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _python_loops(unit, child)


def _is_in_the_way(analysed: Analysed) -> bool:
    """Whether a loop keeps an array on the host that a kernel works on.

    Where it is a parameter, it has no boundary for that reason.
    """
    unit = analysed.unit
    kernels = {id(one.graph_node.root()) for one in unit.forms.launches.values()}
    return any(
        not use.movable
        and id(use.consumer.root()) in kernels
        and analysed.placement.of(use.consumer) is Place.HOST
        and (reason := use.producer.root().pinned) is not None
        and (isinstance(reason.node, _LOOPS) or reason.node is unit.node)
        for use in unit.graph.uses.values()
    )


def _brings_back(analysed: Analysed, loops: list[Loop]) -> bool:
    """Whether elements are brought back one by one in some loops."""
    within = {id(one) for loop in loops for one in inside(loop)}
    return any(
        isinstance(use.value, Number)
        and isinstance(use.expression, ast.Subscript)
        and id(use.expression) in within
        and analysed.placement.of(use.producer) is Place.DEVICE
        and analysed.placement.of(use.consumer) is Place.HOST
        for use in analysed.unit.graph.uses.values()
    )


def elements_read(unit: Unit, loop: Loop) -> dict[str, list[ast.Name]]:
    """Names of which a loop reads nothing but elements and sizes; where it reads elements.

    ``x[i, j]``, ``for v in x`` and ``for v, w in zip(x, y)``, ``len(x)``, ``x.shape[0]``.
    """
    seen: Counter[str] = Counter()
    fits: Counter[str] = Counter()
    readers: dict[str, list[ast.Name]] = defaultdict(list)
    for node in walk(loop):
        if isinstance(node, _ELSEWHERE):
            return {}
        if isinstance(node, ast.Name):
            seen[node.id] += 1
        elif isinstance(node, (ast.Attribute, ast.Call)):
            fits.update(_sizes(unit, node))
        for name in _elements(unit, node):
            fits[name.id] += 1
            readers[name.id].append(name)
    return {name: found for name, found in readers.items() if seen[name] == fits[name]}


def _sizes(unit: Unit, node: ast.Attribute | ast.Call) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.attr in ARRAY_ATTRIBUTES - {"T"}:
            yield node.value.id
    elif unit.scope.resolve(node.func) == "builtins.len":
        yield from (one.id for one in node.args if isinstance(one, ast.Name))


def _elements(unit: Unit, node: ast.AST) -> Iterator[ast.Name]:
    """Names of arrays of which a node takes elements, if they have as many axes as it asks for."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        if isinstance(node.value, ast.Name) and all(map(_is_place, _entries(node))):
            yield node.value
    elif isinstance(node, ast.For):
        over = [node.iter]
        if isinstance(node.iter, ast.Call) and unit.scope.resolve(node.iter.func) in _PAIRING:
            over = node.iter.args
        yield from (one for one in over if isinstance(one, ast.Name))


def _entries(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _is_place(entry: ast.expr) -> bool:
    """Whether an entry of an index may be a number."""
    return not isinstance(entry, (ast.Slice, ast.Starred, ast.List)) and not (
        isinstance(entry, ast.Constant) and not isinstance(entry.value, int)
    )


@contextmanager
def reading_copies(unit: Unit, loop: Loop) -> Iterator[None]:
    """While a loop is interpreted, names of arrays stand for the copies that it is to read."""
    names = unit.project.apart.get(id(loop), frozenset()) if unit.trial is None else frozenset()
    before: dict[str, Flow] = {}
    readers = elements_read(unit, loop) if names else {}
    for name in sorted(names):
        flow = unit.env.get(name)
        if flow is None or flow.origin is None or not _takes_elements(loop, name, flow):
            continue
        copy = unit.node_for(f"copy of {name}", loop, name)
        for reader in readers[name]:
            unit.graph.use(reader, flow.origin, copy, flow.value, unit.weight, apart=loop)
        rows = getattr(flow.value, "rank", None) is None
        unit.forms.apart[id(loop), name] = Apart(loop, name, flow.origin, copy, rows)
        unit.env[name] = Flow(flow.value, copy, ordered=flow.ordered)
        before[name] = flow
    try:
        yield
    finally:
        unit.env.update({name: flow for name, flow in before.items() if name in unit.env})


def _takes_elements(loop: Loop, name: str, flow: Flow) -> bool:
    """Whether all that a loop takes of an array are numbers, not rows, as far as is known."""
    value = flow.value
    if not isinstance(value, Array) or value.optional:
        return False
    if value.rank is None:
        return True
    for node in inside(loop):
        if isinstance(node, ast.Subscript) and getattr(node.value, "id", None) == name:
            if len(_entries(node)) != value.rank:
                return False
        elif isinstance(node, ast.For) and value.rank != 1:
            over = node.iter.args if isinstance(node.iter, ast.Call) else [node.iter]
            if any(getattr(one, "id", None) == name for one in over):
                return False
    return True


def not_the_same(unit: Unit) -> set[tuple[int, str]]:
    """Loops, and names, whose copies would not stay equal to the arrays while the loops run."""
    written = [(node, line) for node, line in (*unit.memory.written, *unit.calls.given)]
    for call, nodes in changes_by_calls(unit):
        written += [(node, getattr(call, "lineno", 0)) for node in nodes]
    return {
        key for key, one in unit.forms.apart.items()
        if (array := one.array.root()) is one.copy.root()
        or array.let_go
        or one.copy.root().mutated
        or (one.rows and (array.mutated or _keeps_rows(unit, one.copy.root())))
        or any(
            node.root() is array and one.loop.lineno <= line <= (one.loop.end_lineno or 0)
            for node, line in written
        )
    }  # fmt: skip


def _keeps_rows(unit: Unit, copy: Node) -> bool:
    """Whether what is taken of a copy may be found elsewhere: a row would be one of the array."""
    shared = sum(node.root() is copy for node in unit.graph.nodes) > 1
    back = unit.return_node.root()
    return shared or any(
        use.producer.root() is copy and (use.stored or use.consumer.root() is back)
        for use in unit.graph.uses.values()
    )


__all__ = ["Apart", "elements_read", "not_the_same", "reading_copies", "wanted"]
