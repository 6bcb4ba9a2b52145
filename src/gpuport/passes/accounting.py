"""Findings, function statuses and call counts: everything seen is ported or has a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gpuport.analysis.chains.elementwise import Unfit, elementwise_operator
from gpuport.analysis.chains.reading import Reader
from gpuport.analysis.chains.records import Chain, least_launches
from gpuport.analysis.chains.runs import Run
from gpuport.analysis.chains.search import SIMPLE
from gpuport.analysis.chains.tails import evaluated_first
from gpuport.analysis.chains.types import Types
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.project.callgraph import Project
from gpuport.emit.kernels import apart_from, kept_on_host, launches
from gpuport.passes.advice import advice
from gpuport.passes.atsizes import at_sizes
from gpuport.passes.batching import Batches
from gpuport.passes.fewelements import FEW_ELEMENTS, is_little, of_few_elements
from gpuport.passes.findings import finding, info, weighed
from gpuport.passes.leftalone import ON_CUPY
from gpuport.passes.notes import batch_notes, notes
from gpuport.passes.outcomes import (
    Calls,
    Outcome,
    call_text,
    has_array_syntax,
    hindrances,
    is_ported,
    reasons_of_operations,
    status_of,
    why_on_host,
)
from gpuport.passes.unsettled import Unsettled, open_operands, unsettled
from gpuport.records import CallCounts, Finding, FunctionReport, Severity, Status, Transfers
from gpuport.source.names import Scope
from gpuport.source.syntax import LOOPS, walk


def unfused(analysed: Analysed, made: Iterable[Chain]) -> Iterator[tuple[ast.stmt, int, str]]:
    """Statements with as many operators as are worth a kernel, of which none was made.

    Parameters
    ----------
    analysed : Analysed
    made : iterable of Chain
        The chains of the function.

    Yields
    ------
    tuple of ast.stmt, int and str
        The statement, how many operations are launched one by one, and why.
    """
    unit, nodes = analysed.unit, analysed.unit.module.nodes
    if unit.refusal is not None or not analysed.placement.device:
        return
    kernels = [chain.covered for chain in made]
    kernels += [frozenset(map(id, walk(one.plan.region))) for one in unit.forms.launches.values()]
    done = frozenset[int]().union(*kernels)
    left = {
        key for key, one in unit.work.operations.items()
        if key not in done and not one.only_numbers
        and analysed.placement.of(one.graph_node) is Place.DEVICE
    }  # fmt: skip
    loops = nodes.inside(unit.node, *LOOPS)
    repeated = {id(one) for loop in loops for one in nodes.inside(loop, *SIMPLE)}
    for statement in nodes.inside(unit.node, *SIMPLE) if left else ():
        count = sum(
            id(one) in left and isinstance(one, ast.expr) and elementwise_operator(one)
            for one in walk(statement)
        )
        if count >= least_launches(unit, repeated=id(statement) in repeated):
            yield statement, count, _why(analysed, statement)


def _why(analysed: Analysed, statement: ast.stmt) -> str:
    """Why no kernel is made of a statement."""
    value = getattr(statement, "value", None)
    rehearsal, run = Rehearsal(analysed), Run()
    try:
        for node in evaluated_first(rehearsal, value) if value is not None else ():
            Reader(rehearsal, run).computed(node)
            Types(rehearsal, run)
            break
    except Unfit as why:
        if str(why):
            return str(why)
    return "it is in a form that kernels are not made of"


@dataclass(slots=True)
class Ledger:
    """What the report of a file is made of."""

    findings: list[Finding] = field(default_factory=list)
    functions: list[FunctionReport] = field(default_factory=list)
    calls: CallCounts = field(default_factory=CallCounts)
    transfers: Transfers = field(default_factory=Transfers)
    unsettled: list[Unsettled] = field(default_factory=list)

    def leave(self, analysed: Analysed, calls: Calls, why: str) -> None:
        """Add a function that is not touched."""
        unit = analysed.unit
        for node, _ in calls:
            text = call_text(analysed, node)
            code = "GP409" if why == ON_CUPY else "GP407"
            self.findings.append(info(analysed, code, f"`{text}` is left alone: {why}", node))
        self.calls += CallCounts(len(calls), 0, len(calls))
        line = unit.module.line(unit.node)
        self.functions.append(FunctionReport(unit.name, line, Status.UNCHANGED))

    def pass_by(self, project: Project, scope: Scope) -> None:
        """Add a function that was not looked into, where it may work with arrays."""
        reasons = self._add_open_operands(project, scope)
        if reasons:
            line = project.module.line(scope.node)
            self.functions.append(FunctionReport(scope.name, line, Status.REFUSED, reasons))

    def _add_open_operands(self, project: Project, scope: Scope) -> tuple[str, ...]:
        """What may be arrays, for all that is known; gives the codes where it is worked with so."""
        found = list(open_operands(project, scope))
        self.findings += found
        telling = (one for one in found if one.severity is Severity.WARNING or one.code == "GP407")
        return tuple(one.code for one in telling)

    def add(self, outcome: Outcome) -> None:
        """Add a function that a pass handled."""
        unit, before = outcome.analysed.unit, len(self.findings)
        reasons: dict[str, None] = {}
        if unit.refusal is not None and (outcome.calls or has_array_syntax(outcome.analysed)):
            self.findings.append(finding(outcome.analysed, unit.refusal))
            reasons[unit.refusal.code] = None
        waiting, swapped = self._add_calls(outcome)
        kernels = self._add_kernels(outcome)
        reasons |= self._add_reasons(outcome)
        self.findings += batch_notes(outcome.analysed, outcome.batches)
        for code, message, where in advice(unit, outcome.calls):
            self.findings.append(info(outcome.analysed, code, message, where))
        self.findings += notes(outcome)
        self.findings += at_sizes(outcome)
        status = self._settle_status(outcome, reasons, waiting=bool(waiting))
        if status is Status.UNCHANGED and len(self.findings) == before:
            for code in self._add_open_operands(unit.project, unit.scope):
                status, reasons[code] = Status.REFUSED, None
        told = of_few_elements(outcome.analysed, self.findings[before:])
        if told != self.findings[before:]:
            codes = {one.code for one in told if one.severity is not Severity.INFO}
            reasons = {code: None for code in reasons if code in codes} | {"GP407": None}
        self.findings[before:] = weighed(outcome.analysed, told)
        reasons = _as_told(reasons, self.findings[before:], outcome.batches)
        self.functions.append(
            FunctionReport(
                unit.name,
                unit.module.line(unit.node),
                status,
                tuple(reasons) if status in (Status.REFUSED, Status.PARTIAL) else (),
                kernels=kernels,
                batched=len(outcome.batches.made),
                swapped=swapped,
                boundary=outcome.boundary is not None,
            )
        )

    def _add_calls(self, outcome: Outcome) -> tuple[list[ast.Call], int]:
        """Where each call runs; those that wait for a type, and how many are on the device."""
        analysed, swapped = outcome.analysed, 0
        waiting: list[ast.Call] = []
        for node, _ in outcome.calls:
            if is_ported(analysed, node):
                swapped += 1
                message = f"`{call_text(analysed, node)}` runs on the device"
                self.findings.append(info(analysed, "GP101", message, node))
                continue
            why = why_on_host(analysed, node)
            self.findings.append(why)
            if why.reason == "unknown-type":
                waiting.append(node)
        if waiting:
            self.unsettled += unsettled(analysed.unit, waiting)
        seen = len(outcome.calls)
        self.calls += CallCounts(seen, swapped, seen - swapped)
        return waiting, swapped

    def _add_kernels(self, outcome: Outcome) -> int:
        """The loops and chains of operations that run as kernels; gives their number."""
        analysed = outcome.analysed
        taken = [batch.node for batch in outcome.batches.made]
        made = list(apart_from(taken, launches(analysed)))
        for launch in made:
            runs = f"this loop runs as the kernel `{launch.kernel.name}`"
            message = "; ".join([runs, *launch.kernel.remarks])
            self.findings.append(info(analysed, "GP210", message, launch.plan.region))
        if analysed.unit.refusal is None:
            for kept, code, why in kept_on_host(analysed):
                message = f"this loop could run as a kernel, but stays on the host: {why}"
                self.findings.append(info(analysed, code, message, kept.plan.region))
        for chain in outcome.chains:
            message = f"{chain.launches} operations run as the kernel `{chain.name}`"
            self.findings.append(info(analysed, "GP211", message, chain.first))
        for statement, count, why in unfused(analysed, outcome.chains) if outcome.fuses else ():
            message = f"{count} operations on the device are launched one by one: {why}"
            self.findings.append(info(analysed, "GP212", message, statement))
        return len(made) + len(outcome.chains)

    def _add_reasons(self, outcome: Outcome) -> dict[str, None]:
        """Why array work stays on the host; gives the codes that bear on the status."""
        analysed, unit = outcome.analysed, outcome.analysed.unit
        codes: dict[str, None] = {}
        fused = frozenset[int]().union(*(chain.covered for chain in outcome.chains))
        for reason in reasons_of_operations(analysed, fused):
            self.findings.append(finding(analysed, reason))
            codes[reason.code] = None
        if unit.refusal is None:
            codes.update((r.code, None) for r in unit.work.host_calls.values() if r.code == "GP203")
        return codes

    def _settle_status(
        self, outcome: Outcome, reasons: dict[str, None], *, waiting: bool
    ) -> Status:
        analysed = outcome.analysed
        status = status_of(analysed, outcome.calls, reasons)
        if status is Status.UNCHANGED and outcome.crossings:
            return Status.PORTED  # it hands arrays of the device on
        if status is Status.UNCHANGED and waiting:
            status, reasons["GP901"] = Status.REFUSED, None
        if status is not Status.REFUSED:
            return status
        reasons.update(dict.fromkeys(r.code for r in analysed.unit.forms.refusals.values()))
        if tuple(reasons) == ("GP407",):
            for reason in hindrances(analysed):
                self.findings.append(finding(analysed, reason))
                reasons.pop("GP407", None)  # moving them would pay, but for this
                reasons[reason.code] = None
        if tuple(reasons) == ("GP407",):
            why = "moving its arrays would cost more than the device saves"
            if is_little(analysed, analysed.unit.node):
                why = FEW_ELEMENTS
            message = f"stays on the host: {why}"
            self.findings.append(info(analysed, "GP407", message, analysed.unit.node))
        return status


def _as_told(
    reasons: Iterable[str], findings: Iterable[Finding], batches: Batches
) -> dict[str, None]:
    """The reasons in the codes of the findings: of loops over matrices it is told why no stack."""
    told = {one.code for one in findings}
    found: dict[str, None] = {}
    for code in reasons:
        instead = [one.code for one in batches.refused] if code.startswith("GP2") else []
        found |= dict.fromkeys([code] if code in told or not instead else instead)
    return found


__all__ = ["Ledger"]
