"""Findings, function statuses and call counts: everything seen is ported or has a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gpuport.analysis.chains import Chain
from gpuport.analysis.flows import Operation
from gpuport.analysis.graph import Place, Reason
from gpuport.analysis.project import Project
from gpuport.analysis.summaries import Analysed
from gpuport.analysis.trips import Often, Trips, loops_around
from gpuport.passes.advice import advice
from gpuport.passes.batching import Batches
from gpuport.passes.boundary import Boundary
from gpuport.passes.kernels import launches
from gpuport.passes.transfers import Transfer
from gpuport.passes.unsettled import Unsettled, unsettled
from gpuport.records import CallCounts, Finding, FunctionReport, Severity, Span, Status, Transfers
from gpuport.rules.libraries import library_of
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.syntax import walk

_QUIET = frozenset(
    {"GP101", "GP105", "GP106", "GP207", "GP210", "GP211", "GP310",
     "GP401", "GP402", "GP403", "GP404", "GP405", "GP406", "GP407",
     "GP910"}
)  # fmt: skip
_RESTORED = frozenset({"GP505"})
"""Differences that the runtime's boundary takes away: it makes CuPy raise LinAlgError."""

_ONCE = frozenset({"GP519"})
"""What one finding says for all of a function."""

_HARMLESS = frozenset({"GP402", "GP404", "GP405", "GP407", "GP105"})
"""Reasons for staying on the host that are no shortcoming of the port."""


@dataclass(slots=True)
class Ledger:
    """What the report of a file is made of."""

    findings: list[Finding] = field(default_factory=list)
    functions: list[FunctionReport] = field(default_factory=list)
    calls: CallCounts = field(default_factory=CallCounts)
    transfers: Transfers = field(default_factory=Transfers)
    unsettled: list[Unsettled] = field(default_factory=list)

    def leave(self, analysed: Analysed, calls: list[tuple[ast.Call, str]], why: str) -> None:
        """Add a function that is not touched."""
        unit = analysed.unit
        for node, _ in calls:
            text = _call_text(analysed, node)
            self.findings.append(_info(analysed, "GP407", f"`{text}` is left alone: {why}", node))
        self.calls += CallCounts(len(calls), 0, len(calls))
        line = unit.module.line(unit.node)
        self.functions.append(FunctionReport(unit.name, line, Status.UNCHANGED))


def numpy_calls(project: Project) -> dict[int, list[tuple[ast.Call, str]]]:
    """Every call that resolves to NumPy or SciPy, by the id of the function it stands in."""
    found: dict[int, list[tuple[ast.Call, str]]] = {}
    owners: dict[int, int] = {}
    for scope in walk_scopes(project.root):
        owner = _owner(scope, owners)
        calls = found.setdefault(owner, [])
        for node in scope.calls:
            path = scope.resolve(node.func)
            if path is not None and library_of(path) is not None:
                calls.append((node, path))
    return found


def _owner(scope: Scope, owners: dict[int, int]) -> int:
    """Functions own their calls; lambdas and class bodies belong to what they stand in."""
    node = scope.node
    if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)) or not scope.parent:
        owners[id(scope)] = id(node)
    else:
        owners[id(scope)] = owners[id(scope.parent)]
    return owners[id(scope)]


def account(
    analysed: Analysed,
    calls: list[tuple[ast.Call, str]],
    crossings: list[Transfer],
    found: Boundary | None,
    batches: Batches,
    chains: tuple[Chain, ...],
    ledger: Ledger,
) -> None:
    """Add one function to the ledger."""
    unit = analysed.unit
    reasons: dict[str, None] = {}
    if unit.refusal is not None and (calls or _has_array_syntax(analysed)):
        ledger.findings.append(finding(analysed, unit.refusal))
        reasons[unit.refusal.code] = None
    swapped = 0
    waiting: list[ast.Call] = []
    for node, path in calls:
        if _is_ported(analysed, node):
            swapped += 1
            ledger.findings.append(
                _info(analysed, "GP101", f"`{_call_text(analysed, node)}` runs on the device", node)
            )
        else:
            why = _host_call(analysed, node, path)
            ledger.findings.append(why)
            if why.reason == "unknown-type":
                waiting.append(node)
    if waiting:
        ledger.unsettled += unsettled(unit, waiting)
    ledger.calls += CallCounts(len(calls), swapped, len(calls) - swapped)
    made = list(launches(analysed))
    for launch in made:
        message = f"this loop runs as the kernel `{launch.kernel.name}`"
        ledger.findings.append(_info(analysed, "GP210", message, launch.plan.region))
    for chain in chains:
        message = f"{chain.launches} operations run as the kernel `{chain.name}`"
        ledger.findings.append(_info(analysed, "GP211", message, chain.first))
    fused = frozenset[int]().union(*(chain.covered for chain in chains))
    for reason in _operation_reasons(analysed, fused):
        ledger.findings.append(finding(analysed, reason))
        reasons[reason.code] = None
    if unit.refusal is None:
        reasons.update((r.code, None) for r in unit.host_calls.values() if r.code == "GP203")
    _add_batches(analysed, batches, ledger)
    for code, message, where in advice(unit, calls):
        ledger.findings.append(_info(analysed, code, message, where))
    _add_notes(analysed, crossings, found, batches, ledger)
    status = _status(analysed, calls, reasons)
    if status is Status.UNCHANGED and crossings:
        status = Status.PORTED  # it hands arrays of the device on
    if status is Status.UNCHANGED and waiting:
        status, reasons["GP901"] = Status.REFUSED, None
    if status is Status.REFUSED:
        reasons.update(dict.fromkeys(r.code for r in unit.loop_refusals.values()))
    if status is Status.REFUSED and tuple(reasons) == ("GP407",):
        ledger.findings.append(
            _info(analysed, "GP407", "stays on the host: moving its arrays would cost more than "
                  "the device saves", unit.node)
        )  # fmt: skip
    ledger.functions.append(
        FunctionReport(
            unit.name,
            unit.module.line(unit.node),
            status,
            tuple(reasons) if status in (Status.REFUSED, Status.PARTIAL) else (),
            kernels=len(made) + len(chains),
            batched=len(batches.made),
            swapped=swapped,
        )
    )


def _is_ported(analysed: Analysed, node: ast.Call) -> bool:
    operation = analysed.unit.operations.get(id(node))
    return operation is not None and _on_device(analysed, operation)


def _on_device(analysed: Analysed, operation: Operation) -> bool:
    return analysed.placement.of(operation.graph_node) is Place.DEVICE


def _call_text(analysed: Analysed, node: ast.Call) -> str:
    return analysed.unit.module.segment(node.func).splitlines()[-1].strip()


def _host_call(analysed: Analysed, node: ast.Call, path: str) -> Finding:
    """Why a call of NumPy or SciPy stays on the host."""
    unit = analysed.unit
    text = _call_text(analysed, node)
    operation = unit.operations.get(id(node))
    reason = unit.host_calls.get(id(node))
    if unit.refusal is not None:
        line = unit.module.line(unit.refusal.node)
        message = f"`{text}` stays on the host: {unit.refusal.message} (line {line})"
        return _info(analysed, "GP407", message, node, unit.refusal.slug)
    if reason is None and operation is not None:
        reason = operation.graph_node.root().pinned
    if reason is None:
        reason = (
            unit.nodes["operation", id(node)].root().pinned
            if (("operation", id(node)) in unit.nodes)
            else None
        )
    if reason is None:
        return _info(
            analysed, "GP407",
            f"`{text}` stays on the host: nothing would be gained by moving it", node,
        )  # fmt: skip
    if reason.node is not node:
        line = unit.module.line(reason.node)
        return _info(
            analysed, "GP407", f"`{text}` stays on the host: {reason.message} (line {line})",
            node, reason.slug,
        )  # fmt: skip
    return finding(analysed, reason)


def _operation_reasons(analysed: Analysed, fused: frozenset[int]) -> Iterator[Reason]:
    """Distinct reasons that kept array work of a function on the host, kernels' work apart."""
    unit = analysed.unit
    if unit.refusal is not None:
        return
    seen: set[int] = set()
    for operation in unit.operations.values():
        if _on_device(analysed, operation) or operation.only_numbers:
            continue
        if id(operation.node) in fused:
            continue
        reason = operation.graph_node.root().pinned
        if reason is None or id(reason) in seen or reason.code in _HARMLESS:
            continue
        seen.add(id(reason))
        is_reported = isinstance(reason.node, ast.Call) and id(reason.node) in unit.operations
        path = unit.operations[id(reason.node)].path if is_reported else None
        if path is not None and not path.startswith("numpy.ndarray."):
            yield reason  # also said of the call itself; kept for the status
            continue
        yield reason


def _status(
    analysed: Analysed, calls: list[tuple[ast.Call, str]], reasons: dict[str, None]
) -> Status:
    unit = analysed.unit
    if unit.refusal is not None:
        return Status.REFUSED if calls or _has_array_syntax(analysed) else Status.UNCHANGED
    work = list(unit.operations.values())
    on_device = any(_on_device(analysed, o) for o in work) or any(
        kind == "project" and analysed.placement.of(node) is Place.DEVICE
        for (kind, _), node in unit.nodes.items()
    )
    if on_device:
        return Status.PARTIAL if reasons else Status.PORTED
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
    objects = [r.code for r in unit.host_calls.values() if r.code == "GP905"]
    return dict.fromkeys((*objects, *(r.code for r in unit.loop_refusals.values())))


def _has_array_syntax(analysed: Analysed) -> bool:
    """Whether a refused function has loops over, or parts of, something that may be an array."""
    node = analysed.unit.node
    if isinstance(node, ast.Module):
        return False
    loops = [n for n in walk(node) if isinstance(n, (ast.For, ast.While))]
    return any(isinstance(n, ast.Subscript) for loop in loops for n in walk(loop))


def _add_batches(analysed: Analysed, batches: Batches, ledger: Ledger) -> None:
    for batch in batches.made:
        message = "this loop runs as calls on the whole stack of its items"
        ledger.findings.append(_info(analysed, "GP310", message, batch.node))
    for refusal in batches.refused:
        where = analysed.unit.module.line(refusal.node)
        own = analysed.unit.module.line(refusal.loop)
        place = "" if where == own else f" (line {where})"
        message = f"one call for each matrix: {refusal.message}{place}"
        span = analysed.unit.module.span(refusal.loop)
        ledger.findings.append(
            Finding(refusal.code, Severity.WARNING, span, message, analysed.unit.name,
                    _SLUGS.get(refusal.code))
        )  # fmt: skip


def _add_notes(
    analysed: Analysed,
    crossings: list[Transfer],
    found: Boundary | None,
    batches: Batches,
    ledger: Ledger,
) -> None:
    unit = analysed.unit
    answered = {id(one.node) for one in batches.made} | {id(one.loop) for one in batches.refused}
    said: set[str] = set()
    for (code, node), (noted, on) in unit.notes.items():
        if code.startswith("GP2") and node in answered:
            continue  # the loop needs no kernel
        if found is not None and noted.code in _RESTORED:
            continue
        if noted.code in _ONCE and noted.code in said:
            continue
        if on is None or analysed.placement.of(on) is Place.DEVICE:
            reason = noted.reason or _SLUGS.get(noted.code)
            severity = Severity.INFO if noted.code in _ONCE else noted.severity
            ledger.findings.append(replace(noted, reason=reason, severity=severity))
            said.add(noted.code)
    waits = [
        waiting for waiting, origin in unit.syncs.values()
        if analysed.placement.of(origin) is Place.DEVICE and unit.refusal is None
    ]  # fmt: skip
    loops = loops_around(unit.node, unit.module) if crossings or waits else {}
    for crossing in crossings:
        moved = crossing.use.expression
        text = unit.module.segment(moved).splitlines()[0][:60]
        where = _in_loops(loops.get(id(crossing.place), ()))
        if crossing.direction == "h2d":
            message = f"`{text}` is moved to the device{where}"
            ledger.findings.append(_info(analysed, "GP401", message, moved))
        else:
            message = f"`{text}` is brought back to the host{where}"
            ledger.findings.append(_info(analysed, "GP402", message, moved))
    for waiting in waits:
        text = " ".join(unit.module.segment(waiting).split())[:60]
        where = _in_loops(loops.get(id(waiting), ()))
        message = f"the host waits for a value of the device, `{text}`{where}"
        ledger.findings.append(_info(analysed, "GP403", message, waiting))
    if found is not None:
        names = ", ".join(f"`{n}`" for n in found.arrays) or "what it makes"
        gives = "gives back what it was given: NumPy for NumPy, CuPy for CuPy"
        if found.policy == "device":
            gives = "gives back CuPy, whatever it was given"
        ledger.findings.append(
            _info(analysed, "GP406", f"takes {names} to the device and {gives}", unit.node)
        )  # fmt: skip


def _in_loops(loops: tuple[Trips, ...]) -> str:
    """Loop depth and, where it can be told, how often."""
    if not loops:
        return ""
    deep = f"{len(loops)} loops deep" if len(loops) > 1 else "in a loop"
    return f", {deep} (line {loops[-1].line}): {Often.of(loops)} times"


_SLUGS = {
    "GP102": "missing-in-cupy",
    "GP103": "unsupported-parameter",
    "GP105": "host-only",
    "GP107": "unknown-call",
    "GP201": "unsupported-syntax",
    "GP202": "carried-dependence",
    "GP203": "unknown-call",
    "GP204": "data-dependent-exit",
    "GP205": "unknown-type",
    "GP206": "side-effect",
    "GP207": "unsupported-syntax",
    "GP301": "unsupported-syntax",
    "GP302": "carried-dependence",
    "GP303": "unknown-call",
    "GP304": "unknown-type",
    "GP305": "side-effect",
    "GP518": "semantic-difference",
    "GP402": "host-sink",
    "GP404": "random-on-host",
    "GP405": "module-constant",
    "GP407": "nothing-gained",
    "GP901": "unknown-type",
    "GP902": "unknown-call",
    "GP910": "suppressed",
}
"""Reasons of findings that say so by their code alone."""


def finding(analysed: Analysed, reason: Reason) -> Finding:
    """A reason as a finding."""
    severity = Severity.INFO if reason.code in _QUIET else Severity.WARNING
    return Finding(
        reason.code, severity, analysed.unit.module.span(reason.node)
        if hasattr(reason.node, "lineno") else _whole(),
        reason.message, analysed.unit.name, reason.slug or _SLUGS.get(reason.code), reason.rule,
        reason.help,
    )  # fmt: skip


def _whole() -> Span:
    return Span(1, 1, 1, 1)


def _info(
    analysed: Analysed, code: str, message: str, node: ast.AST, slug: str | None = None
) -> Finding:
    span = analysed.unit.module.span(node) if hasattr(node, "lineno") else _whole()
    reason = slug or (_SLUGS.get(code) if code not in ("GP401", "GP402") else None)
    return Finding(code, Severity.INFO, span, message, analysed.unit.name, reason)
