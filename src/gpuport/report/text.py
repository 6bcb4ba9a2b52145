"""The report for people: diffs, findings, and what was ported, what not, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gpuport.config import Config
from gpuport.records import (
    FileReport,
    Finding,
    FunctionReport,
    RunReport,
    Severity,
    Span,
    Status,
)
from gpuport.report.diff import unified_diff
from gpuport.report.transfers import table

_SEVERITY_COLOR = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}


TO_PORT = "GP109"
"""There is something to port: the exit status of a run that writes nothing."""
_WITH_DIFFS = ("text", "concise", "markdown", "html")
"""Formats that have the diffs where these are asked for."""
_MOST_NAMES = 3
"""Functions that a finding names."""
_MOST_FILES = 3
"""Files of which the summary says what to annotate first."""


def render(report: RunReport, config: Config, *, color: bool = False) -> str:
    """Diffs (where asked for), findings and summary of a run, as text."""
    blocks = [unified_diff(file, color=color) for file in report.files] if config.diff else []
    blocks.append("".join(_findings(report, config, color)))
    if not config.quiet:
        blocks.append("".join(line + "\n" for line in table(report)))
        blocks.append("".join(line + "\n" for line in summary(report, config)))
    return "\n".join(block for block in blocks if block) if config.diff else "".join(blocks)


def error_lines(report: RunReport) -> Iterator[str]:
    """Everything that could not be handled, one line each (more with a traceback)."""
    for message in report.errors:
        yield f"error: {message}"
    for file in report.files:
        if file.error is not None:
            yield f"error: {place(file)}: {file.error.message}"


def place(file: FileReport) -> str:
    """Path of a failed file, with the line and column of its error where they are known."""
    error = file.error
    if error is None or error.line is None:
        return file.path
    return f"{file.path}:{error.line}:{error.column or 1}"


def shown_findings(file: FileReport, config: Config) -> list[Finding]:
    """Findings that people see, from top to bottom; what went well only on request."""
    seen = config.diff and config.output_format in _WITH_DIFFS
    told = file.findings if seen else every_finding(file, config)
    kept = (f for f in told if config.verbose or f.severity is not Severity.INFO)
    return sorted(kept, key=lambda f: (f.span.line, f.span.column, f.code))


def every_finding(file: FileReport, config: Config) -> list[Finding]:
    """The findings of a file, and that it would be changed, where that is the exit status.

    What is selected and ignored chooses among the findings, not what the exit status says.
    """
    if not config.dry_run or not file.changed or file.error is not None:
        return [*file.findings]
    made = [f for f in file.functions if f.status in (Status.PORTED, Status.PARTIAL)]
    names = [f"`{f.name}`" for f in made[:_MOST_NAMES]] or ["this file"]
    if len(made) > _MOST_NAMES:
        names.append(f"{len(made) - _MOST_NAMES} more")
    head, last = ", ".join(names[:-1]), names[-1]
    message = f"{head} and {last}" if head else last
    line = made[0].line if made else 1
    return [
        Finding(
            TO_PORT, Severity.WARNING, Span(line, 1, line, 1), f"{message} would be ported",
            made[0].name if made else "<module>", help=f"run `gpuport rewrite {file.path}`",
        ),
        *file.findings,
    ]  # fmt: skip


def finding_line(path: str, finding: Finding, *, color: bool = False) -> str:
    """``path:line:column: CODE message`` on one line."""
    code = finding.code
    if color:
        code = f"\x1b[{_SEVERITY_COLOR[finding.severity]}m{code}\x1b[0m"
    message = " ".join(finding.message.split())
    return f"{path}:{finding.span.line}:{finding.span.column}: {code} {message}"


def _findings(report: RunReport, config: Config, color: bool) -> Iterator[str]:
    for file in report.files:
        for finding in shown_findings(file, config):
            yield finding_line(file.path, finding, color=color) + "\n"
            if finding.help:
                yield f"    help: {' '.join(finding.help.split())}\n"


def summary(report: RunReport, config: Config) -> Iterator[str]:
    """Lines that count files, functions, calls and reasons; the counts add up."""
    changed = sum(file.changed and file.error is None for file in report.files)
    failed = sum(file.error is not None for file in report.files) + len(report.errors)
    verb = "would be ported" if config.dry_run else "ported"
    rest = len(report.files) - changed - (failed - len(report.errors))
    files = [f"{changed} {verb}", f"{rest} unchanged"]
    if failed:
        files.append(f"{failed} failed (see above)")
    yield f"Files: {', '.join(files)}."
    functions = list(report.functions())
    if functions:
        by_status = Counter(function.status for function in functions)
        counts = ", ".join(f"{by_status[status]} {status.value}" for status in Status)
        yield f"Functions: {counts}."
    yield from _verified(functions)
    runtimes = sorted({file.runtime for file in report.files if file.runtime is not None})
    if runtimes:
        verb = "would be copied" if config.dry_run else "copied"
        yield f"Runtime: {verb} to {', '.join(runtimes)}."
    calls = report.calls
    if calls.seen:
        yield f"NumPy calls: {calls.seen} seen = {calls.ported} ported + {calls.host} on the host."
    yield from _reasons(report)
    yield from _settled(report)


def _verified(functions: list[FunctionReport]) -> Iterator[str]:
    """What was run beside its original; nothing without ``--verify``."""
    counts = Counter(function.verdict for function in functions if function.verdict)
    if counts:
        held, unknown = counts["EQUIVALENT"], counts["UNTESTED"]
        yield (
            f"Verified: {held} equivalent, {unknown} untested (kept), "
            f"{counts.total() - held - unknown} taken back."
        )


def _reasons(report: RunReport) -> Iterator[str]:
    findings = [f for file in report.files for f in file.findings if f.reason is not None]
    if not findings:
        return
    counted = Counter((f.reason or "", f.code) for f in findings)
    parts = [f"{reason} ({code}) {n}" for (reason, code), n in sorted(counted.items())]
    yield f"Not ported because: {', '.join(parts)}."
    yield f"'gpuport explain {min(f.code for f in findings)}' says more about a code."


def _settled(report: RunReport) -> Iterator[str]:
    """What to annotate first, in the files where that would settle something."""
    found = [
        (file.path, f) for file in report.files for f in file.findings if f.code == "GP912"
    ]  # fmt: skip
    for path, finding in found[:_MOST_FILES]:
        yield f"{path}:{finding.span.line}: {finding.message.partition(': ')[2]}."
