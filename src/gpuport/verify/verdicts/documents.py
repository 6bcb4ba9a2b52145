"""Verdicts in the forms that other programs show."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.documents import github, html, markdown, sarif
from gpuport.documents.notices import Level, Notice, Topic
from gpuport.documents.pages import Page, Table, code
from gpuport.verify.records import FunctionVerdict, Verdict, VerifyReport
from gpuport.verify.verdicts.junit import as_junit
from gpuport.verify.verdicts.render import as_json, concise, shown, summary, text

_LEVELS = {
    Verdict.DIFFERS: Level.ERROR, Verdict.ERROR: Level.ERROR, Verdict.UNTESTED: Level.WARNING
}  # fmt: skip

_TOPICS = (
    Topic(
        Verdict.DIFFERS, "port-differs", "The port gives something else than the original",
        "Both were given the same input; the counterexample is saved beside a test that fails with "
        "the port and passes with the original.", Level.ERROR,
    ),
    Topic(
        Verdict.ERROR, "port-fails", "The port could not be run beside the original",
        "The reason says what stood in the way: a crash, a hang, memory.", Level.ERROR,
    ),
    Topic(
        Verdict.UNTESTED, "port-untested", "Nothing that matters was compared",
        "No input was accepted, or what the function does was not reached: declare inputs, or "
        "record real calls.", Level.WARNING,
    ),
)  # fmt: skip


def render(report: VerifyReport, form: str, verbose: bool) -> str:
    """The report in a format of the command line; ``verbose`` as for `text`."""
    if form == "sarif":
        return sarif.render(list(notices(report)), _TOPICS, _errors(report))
    if form == "github":
        return github.render(notices(report), _errors(report))
    if form in ("text", "concise"):
        return (text if form == "text" else concise)(report, verbose)
    if form == "markdown":
        return markdown.render(page(report, verbose))
    if form == "html":
        return html.render(page(report, verbose))
    return (as_json if form == "json" else as_junit)(report)


def notices(report: VerifyReport) -> Iterator[Notice]:
    """What a reviewer has to look at: everything but what is equivalent."""
    for file in report.files:
        for function in file.functions:
            level = _LEVELS.get(function.verdict)
            if level is not None:
                message = f"`{function.name}` {function.verdict.value}: {function.reason}"
                yield Notice(
                    file.path, function.line, level, function.verdict.value, message,
                    help=_replay(function),
                )  # fmt: skip


def _replay(function: FunctionVerdict) -> str | None:
    example = function.counterexample
    return None if example is None else f"`pytest {shown(example.test)}` shows it"


def page(report: VerifyReport, verbose: bool) -> Page:
    """The verdicts as a page."""
    rows = tuple(
        (
            code(function.name), code(f"{file.path}:{function.line}"), function.verdict.value,
            function.reason, str(function.evidence.accepted or ""), _replay(function) or "",
        )
        for file in report.files for function in file.functions
        if verbose or function.verdict is not Verdict.UNCHANGED
    )  # fmt: skip
    columns = ("function", "place", "verdict", "why", "inputs", "again")
    sentences = (*_errors(report), summary(report))
    return Page("gpuport verify", sentences, (Table("Functions", columns, rows),))


def _errors(report: VerifyReport) -> list[str]:
    return [*report.errors, *(file.error for file in report.files if file.error is not None)]
