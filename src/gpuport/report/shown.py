"""What people are told of a run, in every form: the findings that they see, and the errors."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.config import Config
from gpuport.records import FileReport, Finding, RunReport, Severity, Span, Status

SEVERITY_COLOR = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
TO_PORT = "GP109"
"""There is something to port: the exit status of a run that writes nothing."""
_WITH_DIFFS = ("text", "concise", "markdown", "html")
"""Formats that have the diffs where these are asked for."""
_MOST_NAMES = 3
"""Functions that a finding names."""


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
        code = f"\x1b[{SEVERITY_COLOR[finding.severity]}m{code}\x1b[0m"
    message = " ".join(finding.message.split())
    return f"{path}:{finding.span.line}:{finding.span.column}: {code} {message}"
