"""Loops that stay in Python beside kernels on the same arrays: they read copies of these.

A loop over elements that is no kernel runs on the host, and so its arrays would have to stay there,
with all that other loops could do with them on the device. Where it takes nothing but single
elements of an array, and nothing in it writes to that array, it may as well read a copy, which is
made right before it.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from gpuport.analysis.differences.interleaving import changes_by_calls
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.functions.outsidecalls import stays_outside
from gpuport.analysis.functions.uses import ARRAY_ATTRIBUTES
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.placement.graph import Node, Place
from gpuport.analysis.values.lattice import (
    Array,
    Instance,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
)
from gpuport.source.stores import places_of
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
_OF_LIBRARIES = (Instance, Sequence, Mapping, Array, Number, Scalar)


@dataclass(frozen=True, slots=True)
class Apart:
    """A loop that reads a copy of an array, under the name of the array.

    ``rows``: whether what it takes may be rows, since nothing says how many axes the array has.
    """

    loop: Loop
    array: Node
    copy: Node
    rows: bool


def in_the_way(results: Iterable[Analysed]) -> frozenset[int]:
    """What keeps arrays on the host that kernels work on: loops and functions, by their ids.

    Where an array is a parameter, it is the function that has no boundary for that reason.
    """
    found: set[int] = set()
    for done in results:
        launches = done.unit.forms.launches.values()
        kernels = {
            id(one.graph_node.root()) for one in launches
            if done.placement.of(one.graph_node) is Place.HOST
        }  # fmt: skip
        for use in done.unit.graph.uses.values() if kernels else ():
            reason = use.producer.root().pinned
            if reason is not None and not use.movable and id(use.consumer.root()) in kernels:
                found.add(id(reason.node))
    return frozenset(found)


def wanted(analysed: Analysed, obstacles: frozenset[int]) -> dict[int, frozenset[str]]:
    """The loops that would have to read copies, by their ids, with the names of the arrays.

    None where nothing is in the way of a kernel, no element is brought back by itself, and no array
    crosses in a loop because such a loop keeps here what it is stored in.

    Parameters
    ----------
    analysed : Analysed
    obstacles : frozenset of int
        What `in_the_way` gives for all of the program.
    """
    unit = analysed.unit
    fed = _fed_from_device(analysed)
    if not unit.forms.launches and not obstacles and not fed:
        return {}
    loops = list(_python_loops(unit, unit.node))
    around = {id(unit.node), *(id(one) for loop in loops for one in (loop, *inside(loop)))}
    blocks = not around.isdisjoint(obstacles) or not around.isdisjoint(fed)
    if not loops or not (blocks or _brings_back(analysed, loops)):
        return {}
    found = {id(loop): frozenset(elements_read(unit, loop)) for loop in loops}
    return {loop: names for loop, names in found.items() if names}


def _fed_from_device(analysed: Analysed) -> frozenset[int]:
    """What keeps arrays on the host into which others are stored from the device, loop by loop."""
    if not analysed.placement.device:
        return frozenset()
    place = analysed.placement.of
    return frozenset(
        id(reason.node) for use in analysed.unit.graph.uses.values()
        if use.weight > 1.0 and isinstance(use.value, Array)
        and (reason := use.consumer.root().pinned) is not None
        and place(use.producer) is Place.DEVICE and place(use.consumer) is Place.HOST
    )  # fmt: skip


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


def elements_read(unit: Unit, loop: Loop) -> dict[str, list[ast.expr]]:
    """Arrays of which a loop reads nothing but elements and sizes; where it reads elements.

    ``x[i, j]``, ``for v in x`` and ``for v, w in zip(x, y)``, ``len(x)``, ``x.shape[0]``; for
    ``x`` a name or an attribute of one, ``self.x``.
    """
    seen: Counter[str] = Counter()
    fits: Counter[str] = Counter()
    readers: dict[str, list[ast.expr]] = defaultdict(list)
    for node in walk(loop):
        if isinstance(node, _ELSEWHERE):
            return {}
        text = _text(node)
        if text is not None:
            seen[text] += 1
        if isinstance(node, (ast.Attribute, ast.Call)):
            fits.update(_sizes(unit, node))
        for read, name in _elements(unit, node):
            fits[name] += 1
            readers[name].append(read)
    return {name: found for name, found in readers.items() if seen[name] == fits[name]}


def _text(node: ast.AST) -> str | None:
    """The text of what may stand for an array: ``x``, ``self.x``."""
    if isinstance(node, ast.Name):
        return node.id
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    return None if node.attr in ARRAY_ATTRIBUTES else f"{node.value.id}.{node.attr}"


def _sizes(unit: Unit, node: ast.Attribute | ast.Call) -> Iterator[str]:
    asked: list[ast.expr] = []
    if isinstance(node, ast.Attribute):
        asked = [node.value] if node.attr in ARRAY_ATTRIBUTES - {"T"} else []
    elif unit.scope.resolve(node.func) == "builtins.len":
        asked = node.args
    yield from filter(None, map(_text, asked))


def _elements(unit: Unit, node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """What stands for an array of which a node takes elements, if it has as many axes as that."""
    over: list[ast.expr] = []
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        over = [node.value] if all(map(_is_place, places_of(node))) else []
    elif isinstance(node, ast.For):
        over = [node.iter]
        if isinstance(node.iter, ast.Call) and unit.scope.resolve(node.iter.func) in _PAIRING:
            over = node.iter.args
    for one in over:
        text = _text(one)
        if text is not None:
            yield one, text


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
        flow = _array(unit, loop, name, readers[name][0])
        if flow is None or flow.origin is None or not _takes_elements(loop, name, flow):
            continue
        copy = unit.node_for(f"copy of {name}", loop, name)
        for reader in readers[name]:
            unit.graph.use(reader, flow.origin, copy, flow.value, unit.weight, apart=loop)
        rows = getattr(flow.value, "rank", None) is None
        unit.forms.apart[id(loop), name] = Apart(loop, flow.origin, copy, rows)
        copied = Flow(flow.value, copy, ordered=flow.ordered)
        if "." in name:
            unit.forms.copied |= {id(reader): copied for reader in readers[name]}
            continue
        unit.env[name] = copied
        before[name] = flow
    try:
        yield
    finally:
        unit.env.update({name: flow for name, flow in before.items() if name in unit.env})


def _array(unit: Unit, loop: Loop, name: str, reader: ast.expr) -> Flow | None:
    """What a name stands for; an attribute, where it is the same all the way through a loop."""
    if not isinstance(reader, ast.Attribute):
        return unit.env.get(name)
    held = unit.env.get(name.partition(".")[0])
    if held is None or not isinstance(held.value, Object) or held.value.optional:
        return None
    return evaluate(unit, reader) if _stays_bound(unit, loop, reader) else None


def _stays_bound(unit: Unit, loop: Loop, reader: ast.Attribute) -> bool:
    """Whether nothing that happens in a loop can give an attribute another value."""
    if _text(reader.value) in unit.project.bound_in(loop) or unit.objects is None:
        return False
    for node in inside(loop):
        if isinstance(node, ast.Attribute):
            families = unit.objects.classes.values()
            if not isinstance(node.ctx, ast.Load) and node.attr == reader.attr:
                return False
            if any(one.is_property(node.attr) for one in families):
                return False
        elif isinstance(node, ast.Call) and not _stays_outside(unit, node.func):
            return False
    return True


def _stays_outside(unit: Unit, function: ast.expr) -> bool:
    """Whether a function is none of the program, and none that calls some."""
    path = unit.scope.resolve(function)
    if path is not None:
        return stays_outside(unit.knowledge.words, path)
    owner = function.value if isinstance(function, ast.Attribute) else None
    flow = unit.env.get(owner.id) if isinstance(owner, ast.Name) else None
    return flow is not None and isinstance(flow.value, _OF_LIBRARIES)


def _takes_elements(loop: Loop, name: str, flow: Flow) -> bool:
    """Whether all that a loop takes of an array are numbers, not rows, as far as is known."""
    value = flow.value
    if not isinstance(value, Array) or value.optional:
        return False
    if value.rank is None:
        return True
    for node in inside(loop):
        if isinstance(node, ast.Subscript) and _text(node.value) == name:
            if len(places_of(node)) != value.rank:
                return False
        elif isinstance(node, ast.For) and value.rank != 1:
            over = node.iter.args if isinstance(node.iter, ast.Call) else [node.iter]
            if any(_text(one) == name for one in over):
                return False
    return True


def not_the_same(analysed: Analysed) -> set[tuple[int, str]]:
    """Loops, and names, whose copies would not stay equal to the arrays while the loops run, or
    would go back to the device."""
    unit = analysed.unit
    written = [(node, line) for node, line in (*unit.memory.written, *unit.calls.given)]
    for call, nodes in changes_by_calls(unit):
        written += [(node, getattr(call, "lineno", 0)) for node in nodes]
    return {
        key for key, one in unit.forms.apart.items()
        if (array := one.array.root()) is one.copy.root()
        or array.let_go
        or _goes_back(analysed, one.copy)
        or one.copy.root().mutated
        or (one.rows and (array.mutated or _keeps_rows(unit, one.copy.root())))
        or any(
            node.root() is array and one.loop.lineno <= line <= (one.loop.end_lineno or 0)
            for node, line in written
        )
    }  # fmt: skip


def _goes_back(analysed: Analysed, copy: Node) -> bool:
    """Whether the device works with what is taken of a copy on the host: ``x[index[0]]``, an index
    of which nothing says that it is a number."""
    place = analysed.placement.of
    return place(copy) is Place.HOST and any(
        use.producer.root() is copy.root() and place(use.consumer) is Place.DEVICE
        for use in analysed.unit.graph.uses.values()
    )


def _keeps_rows(unit: Unit, copy: Node) -> bool:
    """Whether what is taken of a copy may be found elsewhere: a row would be one of the array."""
    shared = sum(node.root() is copy for node in unit.graph.nodes) > 1
    back = unit.return_node.root()
    return shared or any(
        use.producer.root() is copy and (use.stored or use.consumer.root() is back)
        for use in unit.graph.uses.values()
    )


__all__ = ["Apart", "elements_read", "in_the_way", "not_the_same", "reading_copies", "wanted"]
