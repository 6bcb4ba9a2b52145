"""Verdicts in the forms that other programs show."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.documents import github, html, markdown, sarif
from gpuport.documents.notices import Level, Notice, Topic
from gpuport.documents.pages import Page, Table, code
from gpuport.verify.records import FunctionVerdict, Verdict, VerifyReport
from gpuport.verify.verdicts.junit import as_junit
from gpuport.verify.verdicts.render import as_json, concise, shown, summary, text
from gpuport.verify.verdicts.suitereport import TOPICS, SuiteReport

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


def render(
    report: VerifyReport | None, form: str, verbose: bool, suite: SuiteReport | None = None
) -> str:
    """The report in a format of the command line.

    Parameters
    ----------
    report : VerifyReport or None
        What is known of functions, where any were verified.
    form : str
    verbose : bool
        As for `text`.
    suite : SuiteReport, optional
        What is known of the project's own tests.
    """
    functions = report or VerifyReport()
    if form in ("text", "concise"):
        return _lines(report, form == "text", verbose, suite)
    if form == "json":
        if suite is None:
            return as_json(functions)
        status = exit_status(report, suite)
        return as_json(functions, suite=suite.plain(), exit_status=status)
    if form == "junit":
        return as_junit(functions, None if suite is None else suite.add_to)
    told = [*notices(functions), *(suite.notices() if suite is not None else ())]
    if form == "sarif":
        return sarif.render(told, (*_TOPICS, *TOPICS), _errors(functions))
    if form == "github":
        return github.render(told, _errors(functions))
    shown = page(report, verbose, suite)
    return markdown.render(shown) if form == "markdown" else html.render(shown)


def exit_status(report: VerifyReport | None, suite: SuiteReport | None) -> int:
    """The worst of both."""
    return max(r.exit_status for r in (report, suite) if r is not None)


def _lines(
    report: VerifyReport | None, whole: bool, verbose: bool, suite: SuiteReport | None
) -> str:
    lines = "" if report is None else (text if whole else concise)(report, verbose)
    if suite is not None:
        lines += suite.text() if whole else suite.concise()
    return lines


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


def page(report: VerifyReport | None, verbose: bool, suite: SuiteReport | None = None) -> Page:
    """The verdicts as a page."""
    tables, sentences = [], []
    if report is not None:
        tables.append(_table(report, verbose))
        sentences += [*_errors(report), summary(report)]
    if suite is not None:
        tables.append(suite.table())
        sentences.append(suite.summary())
    return Page("gpuport verify", tuple(sentences), tuple(tables))


def _table(report: VerifyReport, verbose: bool) -> Table:
    rows = tuple(
        (
            code(function.name), code(f"{file.path}:{function.line}"), function.verdict.value,
            function.reason, str(function.evidence.accepted or ""), _replay(function) or "",
        )
        for file in report.files for function in file.functions
        if verbose or function.verdict is not Verdict.UNCHANGED
    )  # fmt: skip
    return Table("Functions", ("function", "place", "verdict", "why", "inputs", "again"), rows)


def _errors(report: VerifyReport) -> list[str]:
    return [*report.errors, *(file.error for file in report.files if file.error is not None)]
