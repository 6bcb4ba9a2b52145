"""Findings of a function, made of the reasons that its analysis gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.origins import to_be_told
from gpuport.records import Finding, Severity, Span
from gpuport.source.trips import loops_around

_QUIET = frozenset(
    {"GP101", "GP105", "GP106", "GP210", "GP211", "GP310",
     "GP401", "GP402", "GP403", "GP404", "GP405", "GP406", "GP407",
     "GP910"}
)  # fmt: skip
"""Codes of findings that ask for nothing."""

SLUGS = {
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

_WHOLE = Span(1, 1, 1, 1)
"""Where what has no place of its own is reported."""


def finding(analysed: Analysed, reason: Reason) -> Finding:
    """A reason as a finding; of what another file of the program says, at the function itself."""
    place, message = reason.node, reason.message
    project, help = analysed.unit.project, reason.help
    if not project.program.holds(project, place):
        message = f"{message} ({project.program.where(project, place)})"
        place = analysed.unit.node
    elif reason.unknown is not None:
        help = to_be_told(analysed.unit, reason.unknown)
    return Finding(
        code=reason.code,
        severity=Severity.INFO if reason.code in _QUIET else Severity.WARNING,
        span=_span(analysed, place),
        message=message,
        function=analysed.unit.name,
        reason=reason.slug or SLUGS.get(reason.code),
        rule=reason.rule,
        help=help,
    )


def info(
    analysed: Analysed, code: str, message: str, node: ast.AST, slug: str | None = None
) -> Finding:
    """A finding that asks for nothing."""
    reason = slug or (SLUGS.get(code) if code not in ("GP401", "GP402") else None)
    return Finding(code, Severity.INFO, _span(analysed, node), message, analysed.unit.name, reason)


def _span(analysed: Analysed, node: ast.AST) -> Span:
    return analysed.unit.module.span(node) if hasattr(node, "lineno") else _WHOLE


def weighed(analysed: Analysed, findings: list[Finding]) -> Iterator[Finding]:
    """Findings of a function, those that are a loop or in one with how often that runs."""
    if not findings:
        return
    bodies = loops_around(analysed.unit.node, analysed.unit.module).bodies
    loops = {span for span, _ in bodies}
    for one in findings:
        place, is_loop = one.span, one.span in loops
        inside = [
            often for span, often in bodies
            if _holds(span, place) or (is_loop and _holds(place, span))
        ]  # fmt: skip
        most = max(inside, key=lambda often: often.weight, default=None)
        yield one if most is None else replace(one, often=str(most), weight=most.weight)


def _holds(outer: Span, inner: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


__all__ = ["SLUGS", "finding", "info", "weighed"]
