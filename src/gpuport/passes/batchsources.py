"""The file as the batching room reads it, with what is on the device, and functions it may stack.

A loop over matrices calls functions of the module: one of them has a stacked form where its array
work is on the device as NumPy has it written, or where it does arithmetic with numbers alone.
"""

from __future__ import annotations

import ast

from gpuport.analysis.batches.source import Inside, Source
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place, Reason


class _Followed(Source):
    """What follows calls of functions of the module that have a stacked form."""

    analysed: Analysed

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        found = super().definition(node)
        return found if found is not None and _has_stack(self.analysed, node, found) else None

    def made_here(self, node: ast.Call) -> bool:
        found = super().definition(node)
        return found is not None and gives_device_arrays(self.analysed, node, found)

    def inside(self, function: ast.FunctionDef) -> Inside:
        return InsideSource(self.unit, function)


class DeviceSource(_Followed):
    """The file as the batching room reads it, with what is on the device."""

    def __init__(self, analysed: Analysed) -> None:
        super().__init__(analysed.unit)
        self.analysed = analysed

    def on_device(self, node: ast.Call) -> bool:
        operation = self.unit.work.operations.get(id(call_of_each(self.unit, node)))
        return operation is not None and (
            self.analysed.placement.of(operation.graph_node) is Place.DEVICE
        )

    def of_numbers(self, node: ast.Call) -> bool:
        operation = self.unit.work.operations.get(id(call_of_each(self.unit, node)))
        return operation is not None and operation.only_numbers

    def function(self, node: ast.Call) -> str:
        operation = self.unit.work.operations.get(id(node))
        target = None if operation is None else operation.target
        if self.on_device(node) and target is not None and target.startswith("cupy."):
            return "{cupy}." + target.removeprefix("cupy.")
        return self.segment(node.func)


class HostedSource(DeviceSource):
    """The file, where a function of the host takes all items and gives all results."""

    def on_device(self, node: ast.Call) -> bool:
        return True


class InsideSource(_Followed, Inside):
    """A function of the module that is read in place of its call, and what it calls in turn."""

    def __init__(self, unit: Unit, function: ast.FunctionDef) -> None:
        super().__init__(unit, function)
        self.analysed = unit.project.results[id(function)]

    def function(self, node: ast.Call) -> str:
        on_host = id(node) in self.analysed.unit.work.host_calls
        return self.segment(node.func) if on_host else super().function(node)


def gives_device_arrays(analysed: Analysed, node: ast.Call, function: ast.FunctionDef) -> bool:
    """Whether what a call gives is on the device: one of a member has no place of its own."""
    unit = analysed.unit
    placed = unit.nodes.get(("operation", id(node)))
    if placed is None and unit.objects is not None:
        placed = unit.objects.nodes.get((id(function), ""))
    return placed is not None and analysed.placement.of(placed) is Place.DEVICE


def _has_stack(analysed: Analysed, node: ast.Call, function: ast.FunctionDef) -> bool:
    """Whether a function of the module may be vectorised: it works on the device, or on numbers."""
    unit = analysed.unit
    if of_numbers_alone(unit, function):
        return True
    return _wholly(unit, function) and gives_device_arrays(analysed, node, function)


def of_numbers_alone(unit: Unit, function: ast.FunctionDef) -> bool:
    """Whether a function does arithmetic, and makes an array of its results: ``skew(v)``."""
    from gpuport.rules.stacking import stacking

    analysed = unit.project.results.get(id(function))
    if analysed is None or analysed.unit.refusal is not None:
        return False
    work, scope, table = analysed.unit.work, unit.project.scope_of(function), stacking()
    calls = (one for one in ast.walk(function) if isinstance(one, ast.Call))
    paths = {scope.resolve(one.func) or "" for one in calls}
    arrays = {path for path in paths if table.forms.get(path) == "array_of"}
    changed = work.replacements or work.syncs or analysed.unit.forms.launches
    rewritten = any(one.kind not in ("elements", "displayed") for one in work.rewrites.values())
    return bool(arrays) and paths <= table.elementwise | arrays and not (changed or rewritten)


def _wholly(unit: Unit, function: ast.FunctionDef) -> bool:
    """Whether a function's array work runs on the device as NumPy has it written."""
    analysed = unit.project.results.get(id(function))
    if analysed is None or analysed.unit.refusal is not None:
        return False
    own, place = analysed.unit, analysed.placement.of
    asked = {id(part) for node in ast.walk(function) if isinstance(node, ast.If)
             for part in ast.walk(node.test)}  # fmt: skip
    work = own.work
    on_host = any(not _of_numbers(own, why) for why in work.host_calls.values())
    changed = (work.replacements or on_host or own.forms.launches
               or work.syncs.keys() - asked)  # fmt: skip
    displayed = _displayed(function)
    rewritten = any(
        place(one.graph_node) is Place.DEVICE for one in own.work.rewrites.values()
        if one.kind not in ("elements", "displayed", "shared") and id(one.node) not in displayed
    )  # fmt: skip
    return not changed and not rewritten and all(
        place(one.graph_node) is Place.DEVICE or one.only_numbers
        for one in own.work.operations.values()
    )  # fmt: skip


def _of_numbers(unit: Unit, why: Reason) -> bool:
    """Whether a call on the host gives a number of numbers: ``np.log(2 * np.pi)``."""
    return why.code == "GP407" and ("operation", id(why.node)) not in unit.nodes


def _displayed(function: ast.FunctionDef) -> set[int]:
    """Ids of what stands in a list that a call is given: the array made of it holds copies."""
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    lists = (one for call in calls for one in call.args if isinstance(one, (ast.List, ast.Tuple)))
    return {id(part) for one in lists for part in ast.walk(one)}


def call_of_each(unit: Unit, node: ast.AST) -> ast.AST:
    """The call that ``map`` makes of each item; of anything else, that itself."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return node
    is_map = unit.scope.resolve(node.func) == "builtins.map"
    return unit.project.equivalents.call_of_each(node) if is_map else node


__all__ = [
    "DeviceSource",
    "HostedSource",
    "InsideSource",
    "call_of_each",
    "gives_device_arrays",
    "of_numbers_alone",
]
