"""What became of the array work of a function: where each call runs, and why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gpuport.analysis.chains.search import Chain
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.placement.graph import Place, Reason
from gpuport.analysis.project.callgraph import Project
from gpuport.emit.boundary import Boundary
from gpuport.emit.transfers import Transfer
from gpuport.passes.batching import Batches
from gpuport.passes.findings import finding, info
from gpuport.records import Finding, Status
from gpuport.rules.libraries import library_of
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.syntax import walk

Calls = list[tuple[ast.Call, str]]
"""Calls of NumPy and SciPy, with the resolved names of what is called."""

_HARMLESS = frozenset({"GP402", "GP404", "GP405", "GP407", "GP105"})
"""Reasons for staying on the host that are no shortcoming of the port."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A function as one pass leaves it."""

    analysed: Analysed
    calls: Calls
    crossings: tuple[Transfer, ...]
    boundary: Boundary | None
    batches: Batches
    chains: tuple[Chain, ...]
    fuses: bool


def numpy_calls(project: Project) -> dict[int, Calls]:
    """Every call that resolves to NumPy or SciPy, by the id of the function it stands in.

    Lambdas and class bodies belong to what they stand in, unless a lambda was looked into.
    """
    found: dict[int, Calls] = {}
    owners: dict[int, int] = {}
    for scope in walk_scopes(project.root):
        owner = _owner(project, scope, owners)
        calls = found.setdefault(owner, [])
        for node in scope.calls:
            path = scope.resolve(node.func)
            if path is not None and library_of(path) is not None:
                calls.append((node, path))
    return found


def _owner(project: Project, scope: Scope, owners: dict[int, int]) -> int:
    node = scope.code
    known = id(node) in project.results or not isinstance(scope.node, (ast.Lambda, ast.ClassDef))
    if known or not scope.parent:
        owners[id(scope)] = id(node)
    else:
        owners[id(scope)] = owners[id(scope.parent)]
    return owners[id(scope)]


def is_ported(analysed: Analysed, node: ast.Call) -> bool:
    """Whether a call runs on the device."""
    operation = analysed.unit.work.operations.get(id(node))
    return operation is not None and _on_device(analysed, operation)


def _on_device(analysed: Analysed, operation: Operation) -> bool:
    return analysed.placement.of(operation.graph_node) is Place.DEVICE


def call_text(analysed: Analysed, node: ast.Call) -> str:
    """What is called, as it is written."""
    return analysed.unit.module.segment(node.func).splitlines()[-1].strip()


def why_on_host(analysed: Analysed, node: ast.Call) -> Finding:
    """Why a call of NumPy or SciPy stays on the host."""
    unit = analysed.unit
    text = call_text(analysed, node)
    operation = unit.work.operations.get(id(node))
    reason = unit.work.host_calls.get(id(node))
    if unit.refusal is not None:
        line = unit.module.line(unit.refusal.node)
        message = f"`{text}` stays on the host: {unit.refusal.message} (line {line})"
        return info(analysed, "GP407", message, node, unit.refusal.slug)
    if reason is None and operation is not None:
        reason = operation.graph_node.root().pinned
    made = unit.nodes.get(("operation", id(node)))
    if reason is None and made is not None:
        reason = made.root().pinned
    if reason is None:
        return info(
            analysed, "GP407",
            f"`{text}` stays on the host: nothing would be gained by moving it", node,
        )  # fmt: skip
    if reason.node is not node:
        where = unit.project.program.where(unit.project, reason.node)
        return info(
            analysed, "GP407", f"`{text}` stays on the host: {reason.message} ({where})",
            node, reason.slug,
        )  # fmt: skip
    return finding(analysed, reason)


def reasons_of_operations(analysed: Analysed, fused: frozenset[int]) -> Iterator[Reason]:
    """Distinct reasons that kept array work of a function on the host, kernels' work apart."""
    unit = analysed.unit
    if unit.refusal is not None:
        return
    seen: set[int] = set()
    for operation in unit.work.operations.values():
        if _on_device(analysed, operation) or operation.only_numbers:
            continue
        if id(operation.node) in fused:
            continue
        reason = operation.graph_node.root().pinned
        if reason is None or id(reason) in seen or reason.code in _HARMLESS:
            continue
        seen.add(id(reason))
        is_reported = isinstance(reason.node, ast.Call) and id(reason.node) in unit.work.operations
        path = unit.work.operations[id(reason.node)].path if is_reported else None
        if path is not None and not path.startswith("numpy.ndarray."):
            yield reason  # also said of the call itself; kept for the status
            continue
        yield reason


def hindrances(analysed: Analysed) -> Iterator[Reason]:
    """Distinct reasons that keep what array work gives on the host, where that decides for all."""
    unit = analysed.unit
    work = {id(o.graph_node.root()) for o in unit.work.operations.values() if not o.only_numbers}
    seen: set[int] = set()
    for use in unit.graph.uses.values():
        reason = use.consumer.root().pinned
        if reason is None or id(use.producer.root()) not in work or reason.code in _HARMLESS:
            continue
        if id(reason) not in seen:
            seen.add(id(reason))
            yield reason


def works_on_device(analysed: Analysed) -> bool:
    """Whether anything that a function does runs on the device."""
    unit = analysed.unit
    return any(_on_device(analysed, o) for o in unit.work.operations.values()) or any(
        kind == "project" and analysed.placement.of(node) is Place.DEVICE
        for (kind, _), node in unit.nodes.items()
    )


def status_of(analysed: Analysed, calls: Calls, reasons: dict[str, None]) -> Status:
    """The status of a function by its work alone; codes of further reasons are added."""
    unit = analysed.unit
    if unit.refusal is not None:
        return Status.REFUSED if calls or has_array_syntax(analysed) else Status.UNCHANGED
    if works_on_device(analysed):
        return Status.PARTIAL if reasons else Status.PORTED
    work = unit.work.operations
    if not work:
        reasons.update(_kept(analysed))
    if not work and not reasons:
        return Status.UNCHANGED
    if not reasons:
        reasons["GP407"] = None
    return Status.REFUSED


def _kept(analysed: Analysed) -> dict[str, None]:
    """Codes of what a function works on that the device has no form for: objects, loops."""
    unit = analysed.unit
    objects = [r.code for r in unit.work.host_calls.values() if r.code == "GP905"]
    return dict.fromkeys((*objects, *(r.code for r in unit.forms.refusals.values())))


def has_array_syntax(analysed: Analysed) -> bool:
    """Whether a refused function has loops over, or parts of, something that may be an array."""
    node = analysed.unit.node
    if isinstance(node, ast.Module):
        return False
    loops = [n for n in walk(node) if isinstance(n, (ast.For, ast.While))]
    return any(isinstance(n, ast.Subscript) for loop in loops for n in walk(loop))


__all__ = [
    "Calls",
    "Outcome",
    "call_text",
    "has_array_syntax",
    "is_ported",
    "numpy_calls",
    "reasons_of_operations",
    "status_of",
    "why_on_host",
    "works_on_device",
]
