"""Loops over matrices: what is known where they stand, kept for the pass that stacks items."""

from __future__ import annotations

import ast
from collections.abc import Mapping as Names
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from gpuport.analysis.batches.gains import names_read
from gpuport.analysis.batches.source import Region, Source
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.modulelevel import global_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.facts import likely
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import (
    EMPTY,
    Array,
    Either,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Value,
    elements,
)
from gpuport.analysis.values.shapesshown import ranks_shown
from gpuport.source.syntax import dotted, inside, walk

if TYPE_CHECKING:
    from gpuport.batch.records import Known


@dataclass(frozen=True, slots=True)
class Noted:
    """A loop that may become stacked calls, with what its names held before it.

    Attributes
    ----------
    node : Region
    values : dict of str to Value
    arguments : frozenset of str
        Names whose memory may be a caller's.
    origins : dict of str to Node
        Where the arrays among them come from.
    """

    node: Region
    values: dict[str, Value]
    arguments: frozenset[str]
    origins: dict[str, Node]


def noted(unit: Unit, node: Region) -> bool:
    """Keep what is known before a loop that may become stacked calls.

    Returns
    -------
    bool
        Whether there is stacked code for it, where its work is on the device.
    """
    names = names_read(unit, node)
    if not names or unit.guarded is not None or unit.stacked_already:
        return False
    flows = {name: _flow(unit, name) for name in names}
    values = {name: flow.value for name, flow in flows.items() if flow is not None}
    held = _attributes(unit, node, values)
    values |= held
    if unit.trial is not None:
        unit.trial[id(node)] = values
        return False
    arguments = frozenset(held) | frozenset(
        name for name, flow in flows.items()
        if flow is not None and (name not in unit.env or (
            flow.origin is not None and flow.origin.root().parameters
        ))
    )  # fmt: skip
    origins = {
        name: flow.origin for name, flow in flows.items()
        if flow is not None and flow.origin is not None and isinstance(flow.value, Array)
    }  # fmt: skip
    found = unit.forms.batches[id(node)] = Noted(node, values, arguments, origins)
    in_line = isinstance(unit.scope.node, ast.Lambda)  # no place for the lines of a batch
    return not in_line and _straight(unit, node) and _has_form(unit, found)


def _attributes(unit: Unit, node: Region, values: Names[str, Value]) -> dict[str, Value]:
    """Attributes of instances that a loop reads and nothing in it binds: as good as names."""
    parts = unit.module.nodes.inside(node, ast.Name, ast.Attribute)
    bound = {
        getattr(part, "id", None) or f".{getattr(part, 'attr', '')}"
        for part in parts if not isinstance(part.ctx, ast.Load)
    }  # fmt: skip
    found: dict[str, Value] = {}
    for part in parts:
        path = dotted(part) if isinstance(part, ast.Attribute) else None
        if path is None:
            continue
        first, *names = path.split(".")
        value = None if first in bound else values.get(first)
        for name in names:
            lasting = isinstance(value, Object) and unit.objects and f".{name}" not in bound
            value = unit.objects.data(value, name) if lasting else None  # type: ignore
        if value is not None:
            found[path] = value
    return found


def by_range(unit: Unit, node: Region) -> ast.For | None:
    """Of a loop that counts by hand, the loop over a range that does the same."""
    from gpuport.batch.counting import counted

    memory = unit.project.remembered.counted
    if not isinstance(node, ast.While):
        return None
    if id(node) not in memory:
        memory[id(node)] = counted(unit.node, node)
    return memory[id(node)]


def taken_apart(unit: Unit, node: Region) -> bool:
    """Whether a comprehension stands in ``zip(*(...))``."""
    return any(
        isinstance(call, ast.Call)
        and unit.scope.resolve(call.func) == "builtins.zip"
        and any(isinstance(one, ast.Starred) and one.value is node for one in call.args)
        for call in walk(unit.node if isinstance(node, ast.expr) else node)
    )


def _straight(unit: Unit, node: Region) -> bool:
    """Whether a loop has the shape of one that can be stacked: most have not."""
    if isinstance(node, ast.For):
        return not node.orelse and all(map(_is_straight, node.body))
    if isinstance(node, ast.While):
        loop = by_range(unit, node)
        return loop is not None and all(map(_is_straight, loop.body))
    if isinstance(node, ast.Call):
        return True
    return len(node.generators) == 1


def _is_straight(node: ast.stmt) -> bool:
    if isinstance(node, (ast.If, ast.For)):
        return all(map(_is_straight, (*node.body, *node.orelse)))
    return isinstance(node, _STRAIGHT)


_STRAIGHT = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Continue, ast.Expr, ast.Pass)


def _has_form(unit: Unit, found: Noted) -> bool:
    from gpuport.batch.plan import plan
    from gpuport.batch.records import Batch
    from gpuport.batch.scope import Region as Asked

    facts = known(unit, found)
    key = id(found.node), repr(sorted(facts.items()))
    memory = unit.project.remembered.stackable
    if key not in memory:
        memory[key] = isinstance(
            plan(
                Asked(
                    found.node, Source(unit), facts, counted=by_range(unit, found.node),
                    taken_apart=taken_apart(unit, found.node),
                )
            ),
            Batch,
        )  # fmt: skip
    return memory[key]


def _flow(unit: Unit, name: str) -> Flow | None:
    if name in unit.env or unit.scope.binds(name):
        return unit.load(name)
    if unit.scope.owner(name) is None or unit.scope.resolve(ast.Name(name, ast.Load())) is not None:
        return None
    return global_value(unit, name)


def known(unit: Unit, found: Noted) -> dict[str, Known]:
    """The names of a loop as the batching room wants them, call sites believed."""
    seen = {
        **unit.project.trial(unit).get(id(found.node), {}),
        **{
            name: value for name, value in unit.project.calls.of(unit.node).items()
            if isinstance(value, (Array, Sequence)) and unit.scope.bound.get(name) == 1
        },
    }  # fmt: skip
    shown = ranks_shown(unit.node)
    return {
        name: _made_of_results(unit, name)
        or replace(
            _known(value, seen.get(name), name in found.arguments),
            shown=shown.get(name) if isinstance(value, (Array, Either)) else None,
        )
        for name, value in found.values.items()
    }


def _made_of_results(unit: Unit, name: str) -> Known | None:
    """A list bound once, to what a function of linear algebra gives for each of many matrices."""
    from gpuport.batch.records import Known
    from gpuport.rules.stacking import results_of

    if unit.scope.bound.get(name) != 1:
        return None
    made = _list_comprehensions(unit.node).get(name)
    call = made.elt if made is not None else None
    if not isinstance(call, ast.Call):
        return None
    ranks = results_of(unit.scope.resolve(call.func) or "", call)
    if not ranks:
        return None
    if len(ranks) == 1:
        return Known("list", ranks[0])
    return Known("list", items=tuple(Known("array", rank) for rank in ranks))


def _known(value: Value, seen: Value | None, argument: bool) -> Known:
    from gpuport.batch.records import Known

    rank = value.rank if isinstance(value, Array) else None
    proven = rank is not None and not (isinstance(value, Array) and value.sources)
    probable = likely(value, seen)
    if isinstance(value, (Array, Either)):
        if rank is None and isinstance(seen, Array):
            rank = seen.rank
        if isinstance(value, Either) and isinstance(probable, (Number, Scalar)):
            return Known("unknown", 0, argument=argument)
        return Known("array", rank, argument=argument, proven=proven)
    if isinstance(value, Scalar) and value.type == "assumed":
        return Known(argument=argument)
    if isinstance(value, (Number, Scalar)):
        return Known("number", 0, argument=argument, proven=True)
    if isinstance(value, Mapping):
        if isinstance(value.of, Tuple):
            return replace(_known_list(value.of, argument), kind="dict")
        rank = value.of.rank if isinstance(value.of, Array) else None
        held = isinstance(value.of, (Array, Either)) or value.of == EMPTY
        return Known("dict" if held else "unknown", rank, argument=argument)
    if isinstance(value, (Sequence, Tuple)):
        made = replace(_known_list(elements(value), argument), places=_places(value))
        of = seen.of if isinstance(seen, Sequence) else None
        if made.rank is None and not made.items and isinstance(of, Array):
            return replace(made, rank=of.rank)
        return made
    return Known(argument=argument)


def _places(value: Value) -> int:
    """How many vectors of whole numbers a tuple consists of; 0 where it holds anything else."""
    items = value.items if isinstance(value, Tuple) else ()
    vectors = all(
        isinstance(one, Array) and one.rank == 1 and not one.sources
        and (one.dtype or "").startswith(("int", "uint"))
        for one in items
    )  # fmt: skip
    return len(items) if vectors else 0


def _known_list(of: Value | None, argument: bool) -> Known:
    from gpuport.batch.records import Known

    if isinstance(of, Tuple):
        items = tuple(_known(item, None, argument) for item in of.items)
        return Known("list", items=items, argument=argument)
    return Known("list", of.rank if isinstance(of, Array) else None, argument=argument)


@lru_cache(maxsize=4)
def _list_comprehensions(node: ast.AST) -> dict[str, ast.ListComp]:
    """What stands for names in a function or module, inner functions left out."""
    found: dict[str, ast.ListComp] = {}
    for statement in getattr(node, "body", []):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for part in inside(statement):
            if isinstance(part, ast.Assign) and isinstance(part.value, ast.ListComp):
                names = (t.id for t in part.targets if isinstance(t, ast.Name))
                found |= dict.fromkeys(names, part.value)
    return found


def stands_for_loop(unit: Unit, test: ast.expr) -> bool:
    """Whether a condition asks if items can be stacked: the other branch is the loop."""
    return isinstance(test, ast.Call) and (
        unit.scope.resolve(test.func) == "gpuport.runtime.batched.stackable"
    )
