"""Loops over matrices that run once for all their items: which are made, and why others are not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from gpuport.analysis.batches.gains import own_function, takes_items
from gpuport.analysis.batches.loops import Noted, helped_by, item_loop
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Array
from gpuport.emit.itemloops import Made, within
from gpuport.emit.kernels import launches
from gpuport.emit.transfers import Transfer
from gpuport.parallel.items.helpers import call_of_each
from gpuport.parallel.items.records import (
    FORM,
    UNKNOWN_SHAPE,
    Helped,
    ItemLoop,
    Loop,
    Refusal,
)
from gpuport.passes.smallstates import with_size
from gpuport.rules.stacking import stacking
from gpuport.source.syntax import children, walk

_KEEPS = (ast.UnaryOp, ast.BinOp, ast.Tuple, ast.List)
"""What takes a number of the host or of the device alike."""


def hosted_ends(plan: ItemLoop, crossing: Transfer) -> list[str] | None:
    """Where what is brought back leaves the loop to; None where it is read elsewhere too.

    Nothing that is moved to the device matters: the runtime takes all items there at once.
    """
    if crossing.direction == "h2d":
        return []
    if crossing.copy is not None or not crossing.before.endswith(".asnumpy("):
        return None
    ends = [(name, part) for name, value in plan.ends for part in _kept(value)]
    found, use = crossing.use.expression, crossing.use
    if use.after is None and use.before is None:
        return [name for name, part in ends if part is found] or None
    if use.before is not None or not isinstance(found, ast.Name):
        return None
    reads = [
        part for part in walk(plan.node)
        if isinstance(part, ast.Name) and part.id == found.id and isinstance(part.ctx, ast.Load)
    ]  # fmt: skip
    left = [name for name, part in ends if any(part is one for one in reads)]
    everywhere = len([part for _, part in ends if any(part is one for one in reads)]) == len(reads)
    return left if left and everywhere else None


def _kept(value: ast.expr) -> Iterator[ast.AST]:
    """An expression and its parts, as far as they are nothing but computed with."""
    yield value
    for one in children(value) if isinstance(value, _KEEPS) else ():
        if isinstance(one, ast.expr):
            yield from _kept(one)


@dataclass(frozen=True, slots=True)
class Batches:
    """What became of the loops over matrices of one function."""

    made: tuple[Made, ...] = ()
    refused: tuple[Refusal, ...] = ()

    @property
    def parts(self) -> frozenset[int]:
        """Ids of what is in the loops that run once."""
        return frozenset(id(part) for one in self.made for part in walk(one.node))


def batches(analysed: Analysed, crossings: Iterable[Transfer]) -> Batches:
    """The loops over matrices of a function that run once, or why they do not.

    Parameters
    ----------
    analysed : Analysed
    crossings : iterable of Transfer
        What the function moves: nothing may be brought back within a loop but what leaves it.
    """
    unit = analysed.unit
    if not unit.forms.batches or unit.refusal is not None:
        return Batches()
    made: list[Made] = []
    refused: list[Refusal] = []
    crossings = list(crossings)
    fixed = [one.plan.region for one in launches(analysed)]
    found = sorted(unit.forms.batches.values(), key=lambda one: unit.module.extent(one.node))
    for one in found:
        extent = unit.module.extent(one.node)
        if one.node in fixed or any(within(extent, unit.module.extent(o.node)) for o in made):
            continue
        result = _made(analysed, one, crossings)
        if isinstance(result, Refusal):
            refused.append(result)
        elif result is not None:
            made.append(result)
    return Batches(tuple(made), tuple(refused))


def _made(analysed: Analysed, one: Noted, crossings: list[Transfer]) -> Made | Refusal | None:
    """What a loop becomes, or why nothing; None where that is not worth saying.

    Parameters
    ----------
    analysed : Analysed
    one : Noted
    crossings : list of Transfer
    """
    unit, node = analysed.unit, one.node
    asked, extent = takes_items(unit, node), unit.module.extent(node)
    inside = [c for c in crossings if within(unit.module.extent(c.use.expression), extent)]
    helped = _helped(analysed, one, inside)
    if helped is not None:
        return helped
    result = item_loop(unit, one)
    if isinstance(result, Refusal):
        return _told(analysed, result, inside) if asked else None
    ends = [(crossing, hosted_ends(result, crossing)) for crossing in inside]
    held = next((crossing for crossing, left in ends if left is None), None)
    if held is not None:
        return _held_back(unit, node, held) if asked else None
    moved = _moved(analysed, one, result, inside)
    if moved is None or not _on_device(analysed, node):
        return None
    if isinstance(node, ast.For) and not unit.module.stands_alone(node):
        return Refusal(FORM, node, "unsupported syntax: other statements on its lines", node)
    left = [name or "return" for _, names in ends for name in names or ()]
    hosted = tuple(dict.fromkeys(filter(_is_no_array(one), left)))
    return replace(result, hosted=hosted, moved=moved)


def _is_no_array(one: Noted) -> Callable[[str], bool]:
    return lambda name: not isinstance(one.values.get(name), Array)


def _helped(analysed: Analysed, one: Noted, inside: list[Transfer]) -> Helped | None:
    """The runtime's call for all items, where the loop is nothing but one for each."""
    found = helped_by(analysed.unit, one)
    if found is None:
        return None
    unit = analysed.unit
    call = call_of_each(one.node)
    if isinstance(one.node, ast.Call):
        call = unit.project.equivalents.call_of_each(one.node)
    path = unit.scope.resolve(call.func) if call is not None else None
    if path in stacking().hosted:
        ways = {(id(each.use.expression), each.direction) for each in inside}
        given = call.args if call is not None else []
        crosses = ways == {(id(given[0]), "d2h"), (id(call), "h2d")}
        return found if crosses else None
    operation = unit.work.operations.get(id(call))
    placed = operation is not None and analysed.placement.of(operation.graph_node) is Place.DEVICE
    return found if placed and not inside else None


def _told(analysed: Analysed, why: Refusal, inside: list[Transfer]) -> Refusal | None:
    """Why a loop stays, where its work is on the device or would be with another form."""
    held = next((one for one in inside if one.direction == "d2h"), None)
    worked = any(True for _ in _operations(analysed, why.loop, Place.DEVICE)) or held is not None
    return with_size(analysed.unit, why) if worked or why.code != UNKNOWN_SHAPE else None


def _operations(analysed: Analysed, node: ast.AST, place: Place) -> Iterator[Operation]:
    for part in walk(node):
        operation = analysed.unit.work.operations.get(id(part))
        if operation is not None and analysed.placement.of(operation.graph_node) is place:
            yield operation


def _moved(
    analysed: Analysed, one: Noted, plan: ItemLoop, inside: list[Transfer]
) -> tuple[str, ...] | None:
    """What is moved for a loop, which knows by its arguments that it is to run on the device.

    None where nothing of them is there, and nothing can be moved.
    """
    if not any(crossing.direction == "h2d" for crossing in inside):
        return ()
    given = [name for name in plan.parameters if name not in (*plan.writes, *plan.sums)]
    origins = {name: one.origins.get(name) for name in given}
    there = [found for found in origins.values() if found is not None]
    if any(analysed.placement.of(found) is Place.DEVICE for found in there):
        return ()
    arrays = [name for name in given if isinstance(one.values.get(name), Array)]
    return tuple(arrays) or None


def _held_back(unit: Unit, node: Loop, crossing: Transfer) -> Refusal:
    """Why a loop is not taken in which something is brought back for each item."""
    where = crossing.use.expression
    text = " ".join(unit.module.segment(where).split())[:60]
    remedy = _to_annotate(unit, node, where)
    return Refusal(FORM, where, f"`{text}` is brought back to the host for each item{remedy}", node)


def _to_annotate(unit: Unit, node: Loop, given: ast.expr) -> str:
    """That the parameter which takes a value may be a number, for all that its function says."""
    for call in walk(node):
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


def left_on_host(analysed: Analysed) -> Batches:
    """Why the loops over matrices of a function that stays on the host cannot run once."""
    unit = analysed.unit
    asked = [one for one in unit.forms.batches.values() if takes_items(unit, one.node)]
    results = [item_loop(unit, one) for one in asked if helped_by(unit, one) is None]
    return Batches(refused=tuple(one for one in results if isinstance(one, Refusal)))


def _on_device(analysed: Analysed, node: Loop) -> bool:
    """Whether all array work of a loop is on the device."""
    unit, seen = analysed.unit, False
    for part in walk(node):
        operation = unit.work.operations.get(id(part))
        function = own_function(unit, part) if isinstance(part, ast.Call) else None
        if operation is not None and analysed.placement.of(operation.graph_node) is Place.DEVICE:
            seen = True
        elif isinstance(part, ast.Call) and function is not None:
            seen = seen or gives_device_arrays(analysed, part, function)
        elif operation is not None and not operation.only_numbers:
            sums = isinstance(part, ast.AugAssign)  # of what is brought back
            if not sums:
                return False
    return seen


def gives_device_arrays(analysed: Analysed, node: ast.Call, function: ast.FunctionDef) -> bool:
    """Whether what a call gives is on the device: one of a member has no place of its own."""
    unit = analysed.unit
    placed = unit.nodes.get(("operation", id(node)))
    if placed is None and unit.objects is not None:
        placed = unit.objects.nodes.get((id(function), ""))
    return placed is not None and analysed.placement.of(placed) is Place.DEVICE


__all__ = ["Batches", "batches", "left_on_host"]
