"""The report of a run in the forms that other programs show."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.config import Config
from gpuport.documents import github, html, markdown, sarif
from gpuport.documents.notices import Level, Notice, Topic, one_line
from gpuport.documents.pages import Listing, Page, Table, code
from gpuport.records import FileReport, FunctionReport, RunReport, Severity, Status
from gpuport.report.diff import unified_diff
from gpuport.report.functions import STATUS
from gpuport.report.nextstep import next_step
from gpuport.report.shown import error_lines, shown_findings
from gpuport.report.text import reasons, summary
from gpuport.report.transfers import table
from gpuport.rules.findings import registry

_LEVELS = {
    Severity.ERROR: Level.ERROR, Severity.WARNING: Level.WARNING, Severity.INFO: Level.NOTE
}  # fmt: skip


def render(report: RunReport, config: Config, *, color: bool = False) -> str:
    """The report in ``config.output_format``; `color` has no meaning here."""
    if config.output_format == "sarif":
        return sarif.render(notices(report, config), topics(), _errors(report))
    if config.output_format == "github":
        return github.render(notices(report, config), _errors(report))
    render_page = html.render if config.output_format == "html" else markdown.render
    return render_page(page(report, config))


def notices(report: RunReport, config: Config) -> list[Notice]:
    """The findings that people see."""
    return [
        Notice(
            path=file.path,
            line=f.span.line,
            level=_LEVELS[f.severity],
            code=f.code,
            message=f.message,
            end_line=f.span.end_line,
            column=f.span.column,
            end_column=f.span.end_column,
            help=f.help,
        )
        for file in report.files
        for f in shown_findings(file, config)
    ]


def topics() -> Iterator[Topic]:
    """What the codes of findings mean."""
    for entry in registry().values():
        explanation = one_line(f"{entry.why} {entry.do}")
        yield Topic(entry.code, entry.name, entry.summary, explanation, _LEVELS[entry.severity])


def page(report: RunReport, config: Config) -> Page:
    """The report as a page: the summary, the functions, the findings, what crosses, the diffs."""
    functions = list(report.functions())
    worked = [f for f in functions if f.status is not Status.UNCHANGED]
    ported = sum(f.status is Status.PORTED for f in worked)
    title = f"gpuport: {ported} of {len(worked)} functions with array work ported"
    sentences = [line.removeprefix("error: ") for line in error_lines(report)]
    if not config.quiet:
        sentences += [*summary(report, config), *reasons(report)]
        sentences += [f"Next: {text}" for text in next_step(report, config, None)]
    findings = [(file.path, f) for file in report.files for f in shown_findings(file, config)]
    tables = [
        Table(
            "Functions",
            ("function", "place", "status", "kernels", "stacked", "calls", "why not"),
            tuple(_function(file, f) for file in report.files for f in file.functions
                  if f.status is not Status.UNCHANGED),
        ),
        Table(
            "Findings",
            ("place", "code", "what", "what to do"),
            tuple((code(f"{path}:{f.span.line}"), code(f.code), f.message, f.help or "")
                  for path, f in findings),
        ),
    ]  # fmt: skip
    listings = [
        Listing(file.path, "diff", unified_diff(file, raw=False)) for file in report.files
        if config.diff and file.changed
    ]  # fmt: skip
    crossing = "\n".join(table(report))
    if crossing and not config.quiet:
        listings.insert(0, Listing("Transfers", "text", crossing))
    return Page(title, tuple(sentences), tuple(tables), tuple(listings))


def _function(file: FileReport, function: FunctionReport) -> tuple[str, ...]:
    counts = (function.kernels, function.batched, function.swapped)
    return (
        code(function.name),
        code(f"{file.path}:{function.line}"),
        STATUS[function.status] + (f" ({function.verdict})" if function.verdict else ""),
        *(str(count or "") for count in counts),
        ", ".join(map(code, dict.fromkeys(function.reasons))),
    )


def _errors(report: RunReport) -> list[str]:
    return [line.removeprefix("error: ") for line in error_lines(report)]
