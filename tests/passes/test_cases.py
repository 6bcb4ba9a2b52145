"""Every small program: its port, what is reported of it, and what holds for every port."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable
from typing import Any

import pytest

from gpuport.records import FileReport, Status

Port = Callable[..., FileReport]


def after(report: FileReport, before: str) -> str:
    return before if report.after is None else report.after


def lines(report: FileReport) -> list[str]:
    return [f"{finding.span.line} {finding.code}" for finding in report.findings]


def test_the_port_is_what_a_reviewer_accepted(case: Any, report: FileReport):
    assert after(report, case.before) == case.after


def test_the_report_names_statuses_and_findings(case: Any, report: FileReport):
    assert {f.name: f.status.value for f in report.functions} == case.functions
    assert lines(report) == case.findings


def test_porting_a_port_changes_nothing(case: Any, port: Port):
    again = port(case.after, case.path, **case.config)
    assert after(again, case.after) == case.after


def test_counts_add_up(report: FileReport):
    calls = report.calls
    assert calls.seen == calls.ported + calls.host
    assert calls.ported == sum(f.swapped for f in report.functions)


def test_every_call_has_a_finding(report: FileReport):
    if report.calls.seen == 0:
        return
    swapped = [f for f in report.findings if f.code == "GP101"]
    assert len(swapped) == report.calls.ported
    assert len(report.findings) - len(swapped) >= report.calls.host


def test_a_function_that_keeps_array_work_says_why(report: FileReport):
    for function in report.functions:
        assert bool(function.reasons) == (function.status in (Status.REFUSED, Status.PARTIAL))


def test_comments_and_docstrings_stay(case: Any):
    assert comments(case.after) == comments(case.before)
    assert ast.get_docstring(ast.parse(case.after)) == ast.get_docstring(ast.parse(case.before))


def comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_endings_are_the_files_own(case: Any, port: Port, newline: str):
    before = case.before.replace("\n", newline)
    report = port(before, case.path, **case.config)
    assert after(report, before) == case.after.replace("\n", newline)


@pytest.mark.sampled(8)
def test_a_missing_last_newline_stays_missing(case: Any, port: Port):
    before = case.before.rstrip("\n")
    report = port(before, case.path, **case.config)
    assert after(report, before) == case.after.rstrip("\n")


@pytest.mark.sampled(8)
def test_indentation_by_tabs_is_kept(case: Any, port: Port):
    before = tabs(case.before)
    report = port(before, case.path, **case.config)
    assert after(report, before) == tabs(case.after)


def tabs(text: str) -> str:
    found = []
    for line in text.splitlines(keepends=True):
        body = line.lstrip(" ")
        depth, rest = divmod(len(line) - len(body), 4)
        found.append("\t" * depth + " " * rest + body)
    return "".join(found)
