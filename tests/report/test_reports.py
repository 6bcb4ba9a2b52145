import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.config import Config
from gpuport.records import (
    CallCounts,
    FileError,
    FileReport,
    Finding,
    FunctionReport,
    RunReport,
    Severity,
    Span,
    Status,
)
from gpuport.report import concise, jsonformat, text
from gpuport.report.diff import unified_diff
from gpuport.report.formats import render
from gpuport.report.shown import error_lines

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "json.schema.json").read_text("utf-8"))
INFO = Finding("GP101", Severity.INFO, Span(2, 5, 2, 11), "np.sin became cp.sin", "f")
REFUSAL = Finding(
    "GP102", Severity.WARNING, Span(9, 1, 9, 4), "CuPy has\nno np.foo", "g", "missing-in-cupy",
    help="leave it",
)  # fmt: skip
REPORT = RunReport(
    (
        FileReport(
            "a.py",
            (REFUSAL, INFO),
            (
                FunctionReport("f", 1, Status.PORTED, swapped=1),
                FunctionReport("g", 8, Status.REFUSED, ("GP102",)),
            ),
            CallCounts(3, 2, 1),
            "y = np.sin(1)\n",
            "y = cp.sin(1)\n",
        ),
        FileReport("bad.py", error=FileError("syntax error: invalid syntax", 3, 7)),
        FileReport("plain.py"),
    ),
    errors=("absent: no such file or folder",),
)


def test_text_says_what_was_ported_what_not_and_why():
    output = text.render(REPORT, Config(dry_run=True))
    assert output.splitlines() == [
        "In these files:",
        "  left    g (a.py:8): CuPy has no np.foo. Help: leave it (GP102, a.py:9)",
        "  ported  f (a.py:1): 1 CuPy call",
        "Files: 1 would be ported (GP109), 1 unchanged, 2 failed (see above).",
        "Functions: 1 ported, 0 partly, 1 left, 0 without array work.",
        "NumPy calls: 3 seen = 2 ported + 1 on the host.",
        "Next: mend what the errors name, and run this again; all other files were handled.",
    ]


def test_the_verbose_report_has_every_finding_by_itself():
    lines = text.render(REPORT, Config(dry_run=True, verbose=True)).splitlines()
    assert lines[:5] == [
        "a.py:1:1: GP109 `f` would be ported",
        "    help: run `gpuport rewrite a.py`",
        "a.py:2:5: GP101 np.sin became cp.sin",
        "a.py:9:1: GP102 CuPy has no np.foo",
        "    help: leave it",
    ]
    assert lines[8:10] == [
        "Not ported because: missing-in-cupy (GP102) 1.",
        "'gpuport explain GP102' says more about a code.",
    ]


def test_what_went_well_is_shown_on_request_and_the_summary_left_out():
    assert "GP101" not in text.render(REPORT, Config())
    quiet = text.render(REPORT, Config(quiet=True))
    assert quiet == "a.py:9:1: GP102 CuPy has no np.foo\n    help: leave it\n"


def test_diff_comes_first_and_only_when_asked_for():
    output = text.render(REPORT, Config(diff=True))
    assert output.startswith("--- a/a.py\n+++ b/a.py\n@@")
    assert "---" not in text.render(REPORT, Config())
    assert "--- a/a.py" in concise.render(REPORT, Config(diff=True))


def test_colour_is_only_added():
    import re

    coloured = text.render(REPORT, Config(diff=True), color=True)
    assert coloured != text.render(REPORT, Config(diff=True))
    assert re.sub(r"\x1b\[\d*m", "", coloured) == text.render(REPORT, Config(diff=True))


def test_concise_is_one_line_a_finding():
    assert concise.render(REPORT, Config()) == "a.py:9:1: GP102 CuPy has no np.foo\n"


def test_errors_have_their_place():
    assert list(error_lines(REPORT)) == [
        "error: absent: no such file or folder",
        "error: bad.py:3:7: syntax error: invalid syntax",
    ]


@pytest.mark.parametrize("diff", [False, True])
def test_json_follows_its_schema(diff: bool):
    document = json.loads(render(REPORT, Config(output_format="json", diff=diff)))
    jsonschema.validate(document, SCHEMA)
    assert document["summary"] == {
        "files": 3,
        "changed": 1,
        "functions": {"ported": 1, "partial": 0, "refused": 1, "unchanged": 0},
        "calls": {"seen": 3, "ported": 2, "host": 1},
    }
    assert [f["code"] for f in document["files"][0]["findings"]] == ["GP102", "GP101"]
    assert document["files"][1]["error"]["line"] == 3
    assert ("diff" in document["files"][0]) is diff


def test_the_example_of_the_documentation_follows_the_schema():
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
    jsonschema.validate(json.loads(page.split("```json")[1].split("```")[0]), SCHEMA)


def test_a_file_that_fails_is_never_reported_as_changed():
    file = FileReport("a.py", before="a", after="b", error=FileError("is read-only"))
    document = jsonformat.document(RunReport((file,)), Config())
    assert document["files"][0]["changed"] is False


def applied(before: str, patch: str) -> str:
    """A unified diff applied by its definition, lines ending at a line feed alone."""
    source, result, position = before.split("\n"), [], 0
    lines = patch.split("\n")[2:-1]
    for index, line in enumerate(lines):
        unended = index + 1 < len(lines) and lines[index + 1].startswith("\\")
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            begin = int(start) - (count != "0")
            result += [text + "\n" for text in source[position:begin]]
            position = begin
        elif line[:1] in " -":
            assert source[position] == line[1:]
            position += 1
        if line[:1] in " +":
            result.append(line[1:] + ("" if unended else "\n"))
    rest = source[position:]
    return "".join(result) + "\n".join(rest)


TEXTS = st.text(st.sampled_from("ab \r\n\n\n\f\u2028+-@\\"), max_size=40)


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_one_text_to_the_other(before: str, after: str):
    patch = unified_diff(FileReport("a.py", before=before, after=after))
    assert (patch == "") == (before == after)
    if patch:
        assert applied(before, patch) == after


@pytest.mark.parametrize("form", ["sarif", "github", "markdown", "html"])
def test_forms_for_other_programs_have_the_findings_and_the_errors(form):
    output = render(REPORT, Config(output_format=form, diff=True))
    assert "GP102" in output
    assert "CuPy has no np.foo" in output
    assert "leave it" in output
    assert "GP101" not in output
    assert "absent: no such file or folder" in output
    assert ("cp.sin" in output) is (form in ("markdown", "html"))


def test_sarif_knows_every_code():
    from gpuport.report.documents import topics
    from gpuport.rules.findings import registry

    assert [topic.code for topic in topics()] == list(registry())


def test_a_diff_of_a_long_file_keeps_the_lines_that_repeat():
    """Two blank lines stand before each of many functions; none of them changes."""
    before = "".join(f"def f{k}(x):\n    return np.sin(x)\n\n\n" for k in range(100))
    after = before.replace("def f7", "@device\ndef f7").replace("np.sin", "cp.sin")
    patch = unified_diff(FileReport("a.py", before=before, after=after))
    assert "\n-\n" not in patch
    assert "\n+\n" not in patch
    assert applied(before, patch) == after
