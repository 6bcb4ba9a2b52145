"""Loops over matrices that become stacked calls: the axis that was looped over moves inside.

The loop stays beside the stacked code wherever a number of axes is only known at run time, and
for whatever is not on the device.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gpuport.analysis.batches.gains import takes_items
from gpuport.analysis.batches.loops import Noted, by_range, known, taken_apart
from gpuport.analysis.batches.source import Source, own_function
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Mapping as Dict
from gpuport.analysis.values.lattice import Unknown
from gpuport.batch.helpers import hosted_call
from gpuport.batch.plan import plan
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Batch, Known, Loop, Refusal
from gpuport.batch.scope import Region
from gpuport.emit.batchtext import within
from gpuport.emit.joinedlists import only_arrays
from gpuport.emit.kernels import launches
from gpuport.emit.transfers import Transfer
from gpuport.passes.batchends import ends_of, leaves
from gpuport.passes.batchsources import (
    DeviceSource,
    HostedSource,
    call_of_each,
    gives_device_arrays,
    of_numbers_alone,
)
from gpuport.passes.smallstates import with_size
from gpuport.rules.libraries import library_of
from gpuport.source.workspaces import workspaces


@dataclass(frozen=True, slots=True)
class Batches:
    """What became of the loops over matrices of one function."""

    made: tuple[Batch, ...] = ()
    refused: tuple[Refusal, ...] = ()


def batches(analysed: Analysed, crossings: Iterable[Transfer]) -> Batches:
    """Stacked code for the loops over matrices of a function, or why there is none.

    Parameters
    ----------
    analysed : Analysed
    crossings : iterable of Transfer
        What the function moves: nothing may be moved within a loop that is stacked.
    """
    unit = analysed.unit
    if not unit.forms.batches or unit.refusal is not None:
        return Batches()
    made: list[Batch] = []
    refused: list[Refusal] = []
    crossings = list(crossings)
    fixed = [unit.module.extent(one.plan.region) for one in launches(analysed)]
    found = sorted(unit.forms.batches.values(), key=lambda one: unit.module.extent(one.node))
    for one in found:
        extent = unit.module.extent(one.node)
        if any(within(extent, unit.module.extent(batch.node)) for batch in made):
            continue
        result = _stacked(analysed, one, crossings, fixed)
        if isinstance(result, Batch):
            made.append(result)
        elif result is not None:
            refused.append(result)
    return Batches(tuple(made), tuple(refused))


def _stacked(
    analysed: Analysed, one: Noted, crossings: list[Transfer], fixed: list[tuple[int, int]]
) -> Batch | Refusal | None:
    """Stacked code for a loop, or why there is none; None where that is not worth saying.

    Parameters
    ----------
    analysed : Analysed
    one : Noted
    crossings : list of Transfer
    fixed : list of (int, int)
        Extents of the loops that are launched.
    """
    unit, node = analysed.unit, one.node
    asked, extent = takes_items(unit, node), unit.module.extent(node)
    inside = [c for c in crossings if within(unit.module.extent(c.use.expression), extent)]
    moved = [crossing for crossing in inside if not _made_of_numbers(unit, node, crossing)]
    hosted = hosted_call(node, unit.scope.resolve)
    if hosted is not None and _crosses_alone(hosted, moved):
        result = plan(Region(node, HostedSource(analysed), known(unit, one)))
        if isinstance(result, Batch):
            return result
    ends = ends_of(
        node, unit.scope.resolve, [n for n, v in one.values.items() if isinstance(v, Dict)]
    )
    leaving = {id(c.use.expression): leaves(node, ends, c) for c in moved}
    if not all(leaving.values()):
        return _held_back(unit, node, moved, leaving) if asked else None
    gone = frozenset(part for parts in leaving.values() for part in parts)
    on_device = _on_device(analysed, one, gone)
    if isinstance(on_device, ast.Call) and asked:
        return _written_otherwise(unit, node, on_device)
    if not (on_device or moved) and asked:
        return next(iter(_without_form(unit, one)), None)
    if on_device is not True or extent in fixed:
        return None
    lists = only_arrays(analysed, node) if not moved else (frozenset[str](), False)
    result = _of_device(analysed, one, lists, gone)
    if isinstance(result, Batch):
        decorated = not all(twin.of_device for twin in result.twins)
        return None if decorated and unit.knowledge.boundary == "none" else result
    if not asked or any(within(part, extent) for part in fixed):
        return None
    return with_size(unit, result)


def _of_device(
    analysed: Analysed, one: Noted, lists: tuple[frozenset[str], bool], gone: frozenset[int]
) -> Batch | Refusal:
    """Stacked code for a loop whose array work is on the device, or why there is none.

    ``lists`` are what `gpuport.emit.joinedlists.only_arrays` gives, ``gone`` the ids of what
    leaves the loop.
    """
    unit, node = analysed.unit, one.node
    region = Region(
        node, DeviceSource(analysed), _placed(analysed, one), _live(analysed, node), *lists,
        gone, by_range(unit, node), taken_apart(unit, node),
        workspaces(
            unit.node, node, lambda call: _makes_new(unit, unit.scope.resolve(call.func) or "")
        ),
    )  # fmt: skip
    result = plan(region)
    if isinstance(result, Batch) and isinstance(unit.scope.node, ast.Lambda):
        return Refusal("GP301", node, "a lambda has no place for it", node)
    return result


def _makes_new(unit: Unit, path: str) -> bool:
    """Whether a function of a library keeps nothing of its arguments, and gives no view of them."""
    effect = unit.knowledge.rules.effect(path)
    known = effect is None or not (effect.view or set(effect.mutates) - {"out"})
    return library_of(path) is not None and known


def _made_of_numbers(unit: Unit, loop: Loop, crossing: Transfer) -> bool:
    """Whether what crosses is what a function makes of numbers, which it makes of all at once."""
    found: ast.expr = crossing.use.expression
    if crossing.direction != "h2d":
        return False
    if isinstance(found, ast.Name):
        bound = [
            part.value for part in ast.walk(loop)
            if isinstance(part, ast.Assign) and any(
                isinstance(n, ast.Name) and n.id == found.id
                for target in part.targets for n in ast.walk(target)
            )
        ]  # fmt: skip
        found = bound[0] if len(bound) == 1 else found
    function = own_function(unit, found) if isinstance(found, ast.Call) else None
    return function is not None and of_numbers_alone(unit, function)


def _placed(analysed: Analysed, one: Noted) -> dict[str, Known]:
    """The names of a loop, and which of its arrays lie on the host."""
    found = known(analysed.unit, one)
    for name, value in one.values.items():
        if isinstance(value, Unknown) and found[name].kind == "unknown":
            found[name] = replace(found[name], hosted=True)
    for name, origin in one.origins.items():
        if analysed.placement.of(origin) is Place.HOST and found[name].kind == "array":
            found[name] = replace(found[name], hosted=True)
    return found


def _crosses_alone(call: ast.Call, moved: list[Transfer]) -> bool:
    """Whether nothing crosses for each item but what a call takes, and what it gives."""
    ways = {(id(one.use.expression), one.direction) for one in moved}
    return len(call.args) == 1 and ways == {(id(call.args[0]), "d2h"), (id(call), "h2d")}


def _held_back(
    unit: Unit, node: Loop, moved: Iterable[Transfer], leaving: Mapping[int, object]
) -> Refusal:
    """Why a loop is not stacked in which something crosses for each item."""
    crossing = next(c for c in moved if not leaving[id(c.use.expression)])
    where = crossing.use.expression
    text = " ".join(unit.module.segment(where).split())[:60]
    way = "brought back to the host" if crossing.direction == "d2h" else "moved to the device"
    remedy = _to_annotate(unit, node, where) if crossing.direction == "d2h" else ""
    remedy = remedy or _to_collect(unit, node, where)
    return Refusal(FORM, where, f"`{text}` is {way} for each item{remedy}", node)


def _to_annotate(unit: Unit, node: Loop, given: ast.expr) -> str:
    """That the parameter which takes a value may be a number, for all that its function says."""
    for call in ast.walk(node):
        function = own_function(unit, call) if isinstance(call, ast.Call) else None
        if function is None or not isinstance(call, ast.Call) or given not in call.args:
            continue
        parameters = [*function.args.posonlyargs, *function.args.args]
        place = call.args.index(given)
        if place < len(parameters) and parameters[place].annotation is None:
            name = parameters[place].arg
            return (f": `{name}` of `{function.name}` may be a number as well, unless its "
                    f"annotation says np.ndarray")  # fmt: skip
    return ""


def _to_collect(unit: Unit, node: Loop, given: ast.expr) -> str:
    """That a function of the host takes the matrices of all items at once, in a loop of its own."""
    from gpuport.rules.stacking import stacking

    for call in ast.walk(node):
        if not isinstance(call, ast.Call) or given not in (call, *call.args):
            continue
        path = unit.scope.resolve(call.func) or ""
        if path in stacking().hosted:
            name = path.rpartition(".")[2]
            return (
                f": collect the matrices in a list, and `batched.{name}` takes all of them at once"
            )
    return ""


def left_on_host(analysed: Analysed) -> Batches:
    """Why the loops over matrices of a function that stays on the host have no stacked form."""
    unit = analysed.unit
    asked = [one for one in unit.forms.batches.values() if takes_items(unit, one.node)]
    return Batches(refused=tuple(why for one in asked for why in _without_form(unit, one)))


def _without_form(unit: Unit, one: Noted) -> list[Refusal]:
    """Why a loop whose work is on the host has no stacked form: with one it might be moved.

    Nothing where it has one, and where types are not known, which is told of each call.
    """
    region = Region(
        one.node, Source(unit), known(unit, one), counted=by_range(unit, one.node),
        taken_apart=taken_apart(unit, one.node),
    )  # fmt: skip
    result = plan(region)
    told = isinstance(result, Refusal) and result.code != UNKNOWN_SHAPE
    return [result] if told else []  # type: ignore[list-item]


def _written_otherwise(unit: Unit, node: Loop, call: ast.Call) -> Refusal:
    text = " ".join(unit.module.segment(call).split())[:60]
    return Refusal(FORM, call, f"what stands for `{text}` in CuPy has no stacked form here", node)


def _on_device(analysed: Analysed, one: Noted, leaving: frozenset[int]) -> bool | ast.Call:
    """Whether all array work of a loop runs on the device, in a form that stacks are known of.

    What adds values to a number on the host is none, where the values leave the device as a whole.
    A call on the device that the rules write in another way, of which no stacks are known, is
    what is given back.
    """
    unit, seen = analysed.unit, False
    otherwise: ast.Call | None = None
    for node in ast.walk(call_of_each(unit, one.node)):
        if isinstance(node, ast.AugAssign) and id(node.value) in leaving:
            continue
        operation = unit.work.operations.get(id(node))
        function = own_function(unit, node) if isinstance(node, ast.Call) else None
        if operation is not None and analysed.placement.of(operation.graph_node) is Place.DEVICE:
            seen = True
        elif isinstance(node, ast.Call) and function is not None:
            seen = seen or gives_device_arrays(analysed, node, function)
        elif operation is not None and not operation.only_numbers:
            return False
        if ("instead", id(node)) in unit.work.rewrites:
            return False
        if id(node) in unit.work.replacements and not _has_counterpart(unit, node):
            otherwise = otherwise or (node if isinstance(node, ast.Call) else None)
            seen = seen and otherwise is not None
    return otherwise if seen and otherwise is not None else seen


def _has_counterpart(unit: Unit, node: ast.AST) -> bool:
    """Whether a call is of a function that has another one's stacked form."""
    from gpuport.rules.stacking import stacking

    path = unit.scope.resolve(node.func) or "" if isinstance(node, ast.Call) else ""
    function = stacking().matrices.get(path)
    if function is not None:
        return function.target != path
    return path.startswith("scipy.") and path in stacking().forms


def _live(analysed: Analysed, node: Loop) -> frozenset[str]:
    """Names of a loop that are read after it."""
    from gpuport.loops.context.scalars import live_after

    function = analysed.unit.node
    if not isinstance(node, (ast.For, ast.While)):
        return frozenset()
    if isinstance(function, ast.FunctionDef):
        return frozenset(live_after(function, node))
    inner = {id(part) for part in ast.walk(node)}
    return frozenset(
        part.id for part in ast.walk(function)
        if isinstance(part, ast.Name) and id(part) not in inner and isinstance(part.ctx, ast.Load)
    )  # fmt: skip


__all__ = ["Batches", "batches", "left_on_host"]
