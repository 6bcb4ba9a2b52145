"""JUnit reports, files in parallel, the budget of time, states that methods start from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from gpuport.cli.verify import command
from gpuport.verify.records import FileVerdict, Verdict, VerifyOptions, VerifyReport
from gpuport.verify.sessions.progress import Step
from gpuport.verify.sessions.session import verify_paths
from gpuport.verify.verdicts import documents, render
from gpuport.verify.verdicts.junit import as_junit

ORIGINAL = """
def right(x: np.ndarray):
    return x * 2.0

def wrong(x: np.ndarray):
    return np.sum(x)

def raising(x: np.ndarray):
    return x + 1.0

def unknown(path):
    return path.read_text() + "a"

def same(x: np.ndarray):
    return x
"""
PORT = (
    ORIGINAL.replace("x * 2.0", "2.0 * x")
    .replace("np.sum(x)", "np.sum(x) + 1")
    .replace("x + 1.0", "x.no_such_thing")
    .replace('"a"', '"b"')
)


def test_junit_says_what_the_verdicts_say(
    run_verify: Callable[..., VerifyReport], tmp_path: Path
) -> None:
    report = run_verify(tmp_path, ORIGINAL, PORT)
    (suite,) = ElementTree.fromstring(as_junit(report)).iter("testsuite")
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    kinds = {case.get("name"): [part.tag for part in case] for case in suite}
    assert kinds == {
        "right": [],
        "wrong": ["failure"],
        "raising": ["error"],
        "unknown": ["skipped"],
    }
    (failure,) = suite.iter("failure")
    verdicts = {function.name: function for function in report.functions()}
    assert failure.get("message") == verdicts["wrong"].reason
    assert "replay: pytest" in (failure.text or "")


def test_junit_holds_errors_of_the_run_and_any_text() -> None:
    report = VerifyReport((FileVerdict("a.py", error="bad \x00 <text> & 'more'"),), ("none",))
    cases = list(ElementTree.fromstring(as_junit(report)).iter("error"))
    assert [case.get("message") for case in cases] == ["none", "bad ? <text> & 'more'"]


def test_files_at_a_time_change_no_result(
    run_verify: Callable[..., VerifyReport], tmp_path: Path
) -> None:
    run_verify(tmp_path, ORIGINAL, PORT)
    for side in ("old", "new"):
        text = (tmp_path / side / "module.py").read_text()
        for name in ("other", "third"):
            (tmp_path / side / f"{name}.py").write_text(text)
    options = VerifyOptions(root=tmp_path, examples=12)
    reports = [
        verify_paths([tmp_path / "new"], str(tmp_path / "old"), replace(options, jobs=jobs))
        for jobs in (1, 3)
    ]
    assert [len(report.files) for report in reports] == [3, 3]
    assert render.as_json(reports[0]) == render.as_json(reports[1])


def test_progress_counts_every_function(
    run_verify: Callable[..., VerifyReport], tmp_path: Path
) -> None:
    run_verify(tmp_path, ORIGINAL, PORT)
    told: list[Step] = []
    options = VerifyOptions(root=tmp_path, examples=12)
    verify_paths([tmp_path / "new"], str(tmp_path / "old"), options, told.append)
    ends = [step for step in told if step.verdict is not None]
    assert [(step.done, step.total) for step in ends] == [(k, 5) for k in range(1, 6)]
    begun = {name for step in told for name in step.running}
    assert begun == {step.place for step in ends}


def test_the_budget_ends_a_function(verify: Any, tmp_path: Path) -> None:
    original = "import time\ndef f(x: np.ndarray):\n    time.sleep(0.05)\n    return x * 2.0\n"
    options = VerifyOptions(root=tmp_path, examples=100_000, function_seconds=1.0)
    verdict = verify(original, original.replace("x * 2.0", "2.0 * x"), options)["f"]
    assert 0 < verdict.evidence.drawn < 100


@pytest.mark.parametrize("given", ["0s", "soon", "-3", "5 h"])
def test_a_budget_that_is_no_time_is_refused(given: str) -> None:
    result = CliRunner().invoke(command, ["a.py", "--budget", given])
    assert result.exit_code == 2
    assert "30s or 2m" in result.output


def test_the_report_can_go_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, text in (("old", "x + x"), ("new", "x * 2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text(
            f"import numpy as np\ndef f(x: np.ndarray):\n    return {text}\n"
        )
    monkeypatch.chdir(tmp_path)
    words = ["new", "--against", "old", "--output-format", "junit", "--output-file", "out.xml"]
    result = CliRunner().invoke(command, words, standalone_mode=False)
    assert (result.return_value, result.output) == (0, "")
    (case,) = ElementTree.parse(tmp_path / "out.xml").getroot().iter("testcase")
    assert case.get("name") == "f"


def test_a_method_is_tried_after_others_have_changed_its_instance(verify: Any) -> None:
    original = """
    class Mean:
        def __init__(self, size: int):
            self.count = 0
            self.total = np.zeros(3)

        def push(self, x: float):
            self.count += 1
            self.total = self.total + x

        def mean(self, weights: np.ndarray):
            return weights * 2.0 / max(self.count, 1)
    """
    port = original.replace("max(self.count, 1)", "min(max(self.count, 1), 1)")
    verdict = verify(original, port)["Mean.mean"]
    assert verdict.verdict is Verdict.DIFFERS, verdict


def test_every_form_says_what_differs(
    run_verify: Callable[..., VerifyReport], tmp_path: Path
) -> None:
    report = replace(run_verify(tmp_path, ORIGINAL, PORT), errors=("no such folder",))
    for form in ("concise", "sarif", "github", "markdown", "html"):
        shown = documents.render(report, form, verbose=False)
        assert "no such folder" in shown, form
        assert "DIFFERS" in shown, form
        assert ("EQUIVALENT" in shown) is (form in ("concise", "markdown", "html")), form
    places = [(notice.level.value, notice.code) for notice in documents.notices(report)]
    assert places == [("error", "DIFFERS"), ("error", "ERROR"), ("warning", "UNTESTED")]
