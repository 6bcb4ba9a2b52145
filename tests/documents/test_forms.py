"""Each form says what it is given, and nothing that it is given becomes markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.documents import github, html, markdown, sarif
from gpuport.documents.notices import Level, Notice, Topic
from gpuport.documents.pages import Listing, Page, Table

REFUSED = Notice(
    "src/a b.py", 3, Level.WARNING, "GP203", "call of `f` is 100 % unknown:\nsee there", 4, 5, 9,
    help="annotate, or inline it",
)  # fmt: skip
WHOLE = Notice("/abs/b.py", 0, Level.ERROR, "GP904", "no generator")
INFO = Notice("c.py", 7, Level.NOTE, "GP101", "ported", 7, 2, 6)
TOPICS = [Topic("GP203", "unknown-call", "A call", "Why. What."), Topic("GP101", "swap", "s", "e")]


def run(notices=(REFUSED, WHOLE, INFO), errors=("x.py: no such file",)):
    (one,) = json.loads(sarif.render(list(notices), TOPICS, list(errors)))["runs"]
    return one


def test_sarif_has_a_result_for_each_notice():
    results = run()["results"]
    assert [r["ruleId"] for r in results] == ["GP203", "GP904", "GP101"]
    assert [r["level"] for r in results] == ["warning", "error", "note"]
    places = [r["locations"][0]["physicalLocation"] for r in results]
    assert places[0] == {
        "artifactLocation": {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3, "endLine": 4, "startColumn": 5, "endColumn": 9},
    }
    assert places[1] == {"artifactLocation": {"uri": "file:///abs/b.py"}}
    assert "annotate, or inline it" in results[0]["message"]["text"]


def test_sarif_explains_the_codes_that_are_met():
    one = run()
    rules = one["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["GP203", "GP101"]
    for result in one["results"]:
        if "ruleIndex" in result:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert run((INFO,))["tool"]["driver"]["rules"][0]["id"] == "GP101"


def test_sarif_says_whether_the_run_succeeded():
    (failed,) = run()["invocations"]
    assert failed["executionSuccessful"] is False
    assert failed["toolExecutionNotifications"][0]["message"]["text"] == "x.py: no such file"
    assert run(errors=())["invocations"][0]["executionSuccessful"] is True


def test_github_has_a_command_for_each_notice():
    lines = github.render([REFUSED, WHOLE, INFO], ["50% of\nx"]).splitlines()
    assert lines[0] == "::error title=gpuport::50%25 of%0Ax"
    assert lines[1] == (
        "::warning title=gpuport GP203,file=src/a b.py,line=3,endLine=4::src/a b.py:3: "
        "call of `f` is 100 %25 unknown: see there%0Ahelp: annotate, or inline it"
    )
    assert lines[2] == "::error title=gpuport GP904,file=/abs/b.py::/abs/b.py: no generator"
    assert "line=7,endLine=7,col=2,endColumn=6::" in lines[3]
    assert lines[3].startswith("::notice ")


@given(st.text())
def test_a_command_of_github_is_one_line(text):
    notice = Notice(text, 1, Level.NOTE, "GP101", text, 1, 1, 2, text)
    (line,) = github.render([notice], []).removesuffix("\n").split("\n")
    assert "\r" not in line
    properties, _, _ = line.removeprefix("::notice ").partition("::")
    assert [p.partition("=")[0] for p in properties.split(",")] == [
        "title", "file", "line", "endLine", "col", "endColumn"
    ]  # fmt: skip


PAGE = Page(
    "2 of 3 <done>",
    ("All `a|b` of *x*.",),
    (
        Table("Rows", ("what", "why"), (("`f|g`", "1 < 2 | 3"), ("`<module>`", ""))),
        Table("None", ("a",), ()),
    ),
    (Listing("a<b>.py", "diff", "--- a\n+++ b\n-x ``` y\n+z & <w>\n"),),
)


def test_markdown():
    assert markdown.render(PAGE).splitlines() == [
        r"## 2 of 3 \<done\>",
        "",
        r"All `a|b` of \*x\*.",
        "",
        "### Rows",
        "",
        "| what | why |",
        "| --- | --- |",
        r"| `f\|g` | 1 \< 2 \| 3 |",
        "| `<module>` |  |",
        "",
        "<details><summary>a&lt;b&gt;.py</summary>",
        "",
        "````diff",
        "--- a",
        "+++ b",
        "-x ``` y",
        "+z & <w>",
        "````",
        "",
        "</details>",
    ]


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return "".join(reader.text)


def test_html_is_whole_and_says_it_all():
    shown = read(html.render(PAGE))
    for words in ("2 of 3 <done>", "All a|b of *x*.", "f|g", "1 < 2 | 3", "<module>", "+z & <w>"):
        assert words in shown
    assert "None" not in shown
    assert '<span class="new">+z &amp; &lt;w&gt;</span>' in html.render(PAGE)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_no_text_becomes_markup(text):
    page = Page(text, (text,), (Table(text, (text,), ((text,),)),), (Listing(text, "diff", text),))
    shown = read(html.render(page))
    wanted = " ".join(text.split())
    if "`" not in text:
        assert shown.count(wanted) >= 5
    rows = [line for line in markdown.render(page).split("\n") if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 2 for row in rows)


@pytest.mark.parametrize("form", [markdown, html])
def test_an_empty_page_is_its_title(form):
    assert "nothing" in form.render(Page("nothing"))
