"""Loops over matrices: what is known where they stand, kept for the pass that stacks items."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.analysis.batches.gains import Region, Source, names_read
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.modulelevel import global_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Array, Either, Mapping, Sequence, Tuple, Value
from gpuport.loops.context.scalars import live_after
from gpuport.parallel.items.helpers import helped
from gpuport.parallel.items.plan import Around, planned
from gpuport.parallel.items.records import Helped, ItemLoop, Refusal
from gpuport.source.standing import (
    bound_before,
    is_caught,
    read_outside,
    shared_names,
    wanted_after,
)


@dataclass(frozen=True, slots=True)
class Noted:
    """A loop that may become stacked calls, with what its names held before it.

    Attributes
    ----------
    node : Region
    values : dict of str to Value
    origins : dict of str to Node
        Where those come from that are on the device or on the host.
    """

    node: Region
    values: dict[str, Value]
    origins: dict[str, Node]


def noted(unit: Unit, node: Region) -> bool:
    """Keep what is known before a loop that may become stacked calls.

    Returns
    -------
    bool
        Whether there is stacked code for it, where its work is on the device.
    """
    names = names_read(unit, node)
    if not names or unit.guarded is not None:
        return False
    flows = {name: _flow(unit, name) for name in names}
    values = {name: flow.value for name, flow in flows.items() if flow is not None}
    if unit.trial is not None:
        unit.trial[id(node)] = values
        return False
    origins = {
        name: flow.origin for name, flow in flows.items()
        if flow is not None and flow.origin is not None
    }  # fmt: skip
    found = unit.forms.batches[id(node)] = Noted(node, values, origins)
    in_line = isinstance(unit.scope.node, ast.Lambda)  # no place for the lines of a batch
    return not in_line and (
        helped_by(unit, found) is not None or isinstance(item_loop(unit, found), ItemLoop)
    )


def helped_by(unit: Unit, one: Noted) -> Helped | None:
    """The call of the runtime's that a loop is, if it is one."""
    kinds = {name: kind for name, value in one.values.items() if (kind := _kind(value))}
    return helped(Source(unit), one.node, kinds)


def item_loop(unit: Unit, one: Noted) -> ItemLoop | Refusal:
    """The function that a loop becomes, or why it becomes none."""
    memory, key = unit.project.remembered.stackable, id(one.node)
    if key not in memory:
        memory[key] = planned(Source(unit), one.node, _around(unit, one.node))
    return memory[key]


def _around(unit: Unit, node: Region) -> Around:
    function = unit.node
    shared = shared_names(function)
    if not isinstance(node, ast.For) or isinstance(function, (ast.Lambda, ast.ClassDef)):
        return Around(shared=shared)
    return Around(
        live_after(function, node) & read_outside(function, node),
        bound_before(function, node), wanted_after(function, node),
        shared, is_caught(function, node),
    )  # fmt: skip


def _kind(value: Value) -> str:
    """What a helper of the runtime may go over: an array, a list, a dict of arrays."""
    if isinstance(value, Mapping):
        return "dict" if isinstance(value.of, (Array, Either)) else ""
    if isinstance(value, (Sequence, Tuple)):
        return "list"
    return "array" if isinstance(value, (Array, Either)) else ""


def _flow(unit: Unit, name: str) -> Flow | None:
    if name in unit.env or unit.scope.binds(name):
        return unit.load(name)
    if unit.scope.owner(name) is None or unit.scope.resolve(ast.Name(name, ast.Load())) is not None:
        return None
    return global_value(unit, name)


__all__ = ["Noted", "helped_by", "item_loop", "noted"]
