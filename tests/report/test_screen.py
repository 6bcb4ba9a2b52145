"""The text of a run fits a screen, and leaves out nothing that cannot be found."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.config import Config
from gpuport.porter import port_text
from gpuport.records import (
    Crossing,
    FileError,
    FileReport,
    Finding,
    FunctionReport,
    RunReport,
    Severity,
    Span,
    Status,
    Transfers,
)
from gpuport.report.text import render
from gpuport.source.reading import decode

DRY = Config(dry_run=True)


def warning(code: str, line: int, message: str, function: str = "f", **more: object) -> Finding:
    place = Span(line, 1, line, 9)
    return Finding(code, Severity.WARNING, place, message, function, **more)  # type: ignore[arg-type]


def said(*findings: Finding, functions: tuple[FunctionReport, ...] = (), **more: object) -> str:
    file = FileReport("a.py", findings, functions, **more)  # type: ignore[arg-type]
    return render(RunReport((file,)), DRY)


def ported(text: str, config: Config = DRY, path: str = "a.py") -> RunReport:
    return RunReport((port_text(path, decode(text.encode()), config),))


# ---------------------------------------------------------------------- equal findings


def test_equal_findings_are_told_once_with_their_lines():
    found = [warning("GP501", line, "an index wraps around") for line in (4, 9, 12)]
    assert "  GP501 3 times, lines 4, 9, 12: an index wraps around\n" in said(*found)


def test_what_differs_in_names_alone_is_told_once():
    found = [warning("GP901", k, f"it is not known whether `{name}` is an array", help="annotate")
             for k, name in enumerate("xyzuv", 1)]  # fmt: skip
    assert "whether `x` or `y` is an array. Help: annotate" in said(*found[:2])
    assert "whether `x`, `y`, `z` or 2 more is an array" in " ".join(said(*found).split())


def test_findings_of_several_files_are_told_with_these():
    found = [FileReport(f"src/{name}.py", (warning("GP501", 3, "it wraps around"),))
             for name in "ab"]  # fmt: skip
    output = render(RunReport(tuple(found)), DRY)
    assert "  GP501 2 times, a.py:3; b.py:3: it wraps around\n" in output


def test_where_there_is_too_much_a_line_a_code_says_how_many_more_there_are():
    found = [warning("GP205", k, f"reason {'abcdefghijklm'[k % 13]}") for k in range(1, 40)]
    output = said(*found, warning("GP102", 50, "CuPy has no such function"))
    assert "GP205 39 times, lines 1, 2, 3, 4 and 35 more: reason b; 36 for other reasons" in output
    assert "GP102 line 50: CuPy has no such function" in output


def test_errors_are_told_one_by_one():
    errors = [replace(warning("GP914", k, f"`{'abcdefghijklm'[k]}` differs in {k} ways"),
                      severity=Severity.ERROR) for k in range(12)]  # fmt: skip
    output = said(*errors, *(warning("GP205", k, f"reason {k}") for k in range(30)))
    assert "Errors:\n" in output
    assert all(error.message.split()[0] in output for error in errors[:3])
    assert "Next: `gpuport explain GP914`" in output


FINDINGS = st.builds(
    warning, st.sampled_from(("GP102", "GP202", "GP205", "GP501", "GP901")), st.integers(1, 99),
    st.sampled_from(("`x` is it", "`y` is it", "no form", "`np.f` of 3 things", "a list")),
    st.sampled_from("fg"),
)  # fmt: skip
FUNCTIONS = (
    FunctionReport("f", 1, Status.PARTIAL, ("GP202", "GP102")),
    FunctionReport("g", 50, Status.PORTED),
)


@given(st.lists(FINDINGS, max_size=40, unique_by=lambda f: (f.code, f.span, f.message)))
def test_no_finding_is_lost(found: list[Finding]):
    """Each one is in the line of its function, or counted beside its code."""
    output = said(*found, functions=FUNCTIONS)
    heads = re.findall(r"^  (GP\d+)(?: (\d+) times)?,? line", output, re.MULTILINE)
    counted = Counter[str]()
    for code, times in heads:
        counted[code] += int(times or 1)
    missing = Counter(one.code for one in found) - counted
    (row,) = re.findall(r"  partly  f (?:.|\n {10})*", output)
    assert all(f"({code}" in row.replace("\n" + " " * 10, " ") for code in missing)
    assert len(missing) <= 1


# ---------------------------------------------------------------------- functions

LOOPS = """\
import numpy as np


def smoothed(x: np.ndarray):
    out = np.zeros_like(x)
    for i in range(1, len(x)):
        out[i] = 0.5 * x[i] + 0.5 * out[i - 1]
    return out


def relaxed(u: np.ndarray, rounds: int):
    for _ in range(rounds):
        for i in range(1, len(u)):
            for j in range(1, 4):
                u[i, j] = 0.5 * (u[i - 1, j] + u[i, j - 1])
    return u


def sine(x: np.ndarray):
    return np.sin(x)
"""


def test_the_heaviest_loop_that_stays_comes_first():
    report = ported(LOOPS)
    lines = render(report, DRY).splitlines()
    assert lines[0] == "a.py:"
    heads = [line.split(":")[0] for line in lines if re.match(r"  (left|partly|ported) ", line)]
    assert heads == [
        "  left    relaxed (line 11)", "  left    smoothed (line 4)", "  ported  sine (line 19)",
    ]  # fmt: skip
    text = " ".join(" ".join(lines).split())
    assert "3 x len(range(1, len(u))) x rounds times)" in text
    assert "`gpuport explain a.py:14` shows what keeps the heaviest loop in Python" in text


def test_a_function_says_with_what_it_was_ported():
    one = FunctionReport("f", 3, Status.PORTED, kernels=2, swapped=1, boundary=True)
    assert "  ported  f (line 3): 2 kernels, 1 CuPy call, boundary\n" in said(functions=(one,))
    one = FunctionReport("<module>", 1, Status.PORTED, batched=1, verdict="EQUIVALENT")
    output = said(functions=(one,))
    assert "  ported  top of the file (line 1): 1 stacked loop, equivalent\n" in output


def test_many_functions_that_were_ported_are_told_together():
    made = tuple(FunctionReport(f"f{k}", k, Status.PORTED, kernels=k % 2) for k in range(1, 31))
    output = said(functions=made)
    assert "  ported  15 with kernels: f1, f3, f5, f7, f9, f11 and 9 more\n" in output
    assert "  ported  15 with CuPy calls alone: f2," in output
    every = render(RunReport((FileReport("a.py", functions=made),)), Config(verbose=True))
    assert all(f"  ported  f{k} (line {k}): " in every for k in range(1, 31))


def test_many_functions_that_stay_are_counted():
    made = tuple(FunctionReport(f"f{k}", k, Status.REFUSED, ("GP205",)) for k in range(1, 31))
    found = [warning("GP205", k, f"reason {'x' * k}", f"f{k}") for k in range(1, 31)]
    output = " ".join(said(*found, functions=made).split())
    assert "left f1 (line 1): reason x (GP205)" in output
    assert "left 20 more in part or not at all (--verbose): f11, f12, f13 and 17 more" in output
    assert "GP205 20 times, lines 11, 12, 13, 14 and 16 more" in output


def test_a_loop_around_work_on_the_device_is_told_apart():
    found = warning("GP206", 7, "the loop stays in Python: it prints", "g")
    output = said(found, functions=FUNCTIONS)
    assert "Loops that stay in Python in functions that are ported:\n  GP206 line 7: " in output


# ---------------------------------------------------------------------- transfers


def crossing(direction: str, line: int, depth: int, *, boundary: bool = False) -> Crossing:
    often = " x ".join(["steps"] * depth) or "1"
    return Crossing(
        direction, f"x{line}", Span(line, 1, line, 3), "f", boundary, depth, often, None
    )


CALLED = """\
import numpy as np


class Run:
    def __init__(self, n):
        self.x = np.linspace(0.0, 1.0, n)
        self.path = 0.0

    def step(self):
        self.x = np.cos(self.x) + 0.1 * np.roll(self.x, 1)
        self.path += self.x.sum()


run = Run(50000)
for s in range(200):
    run.step()
print(run.path)
"""


def test_what_crosses_at_each_call_in_a_loop_is_told():
    short = render(ported(CALLED), DRY)
    assert "line 11: `self.x.sum()` to the host, each call of Run.step in a loop" in short


def test_what_crosses_once_is_left_to_the_verbose_report():
    rows = (crossing("h2d", 3, 0), crossing("d2h", 5, 1), crossing("sync", 6, 2),
            crossing("h2d", 2, 0, boundary=True))  # fmt: skip
    file = FileReport("a.py", functions=FUNCTIONS, transfers=Transfers(rows))
    short = render(RunReport((file,)), DRY)
    assert "x3" not in short
    assert short[short.index("Transfers") :].startswith(
        "Transfers in loops and at each call:\n"
        "  line 6: the host waits for `x6`, steps x steps times\n"
        "  line 5: `x5` to the host, steps times\n"
        "  each call of f: the NumPy arrays that it is given, there and back\n"
    )
    every = render(RunReport((file,)), replace(DRY, verbose=True))
    assert "  a.py:3  to the device   x3  1" in every
    assert not re.search(r"h2d|d2h|sync", short + every)


# ---------------------------------------------------------------------- what to do next

CHANGED = "import numpy as np\n\n\ndef wave(x: np.ndarray):\n    return np.sin(x)\n"
SCRIPT = CHANGED + "\n\nif __name__ == '__main__':\n    print(wave(np.ones(3)))\n"


def last(report: RunReport, config: Config) -> str:
    return " ".join(render(report, config).partition("Next: ")[2].split())


def test_next_is_to_port(monkeypatch: pytest.MonkeyPatch):
    command = "`gpuport rewrite --verify a.py` ports, compares, and takes back what differs."
    assert last(ported(CHANGED), DRY) == command
    four = RunReport(tuple(ported(CHANGED, path=f"src/{k}/a.py").files[0] for k in range(4)))
    assert "`gpuport rewrite --verify src` ports" in last(four, DRY)


def test_next_is_to_compare_or_to_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    written, copied = Config(), Config(out_dir="out")
    (tmp_path / ".git").mkdir()
    assert last(ported(SCRIPT, written), written).startswith("`gpuport verify a.py` runs")
    assert "`gpuport verify out --against DIR`" in last(ported(SCRIPT, copied), copied)
    (tmp_path / ".git").rmdir()
    run = "`python -m gpuport.host a.py` runs the port without a GPU."
    assert last(ported(SCRIPT, written), written) == run
    (file,) = ported(SCRIPT, written).files
    verified = tuple(replace(one, verdict="EQUIVALENT") for one in file.functions)
    assert last(RunReport((replace(file, functions=verified),)), written) == run


def test_next_is_the_annotation_that_would_settle_the_most():
    head = "import numpy as np\nfrom other import clean\n\n\n"
    body = "def f(x):\n    if x.ok:\n        y = np.sin(x[0])\n    return {}np.cumsum(y)\n"
    one = ported(head + body.format(""), path="one.py").files
    two = ported(head + body.format("np.sin(y) + "), path="two.py").files
    step = last(RunReport((*one, *two)), DRY)
    assert step.startswith("to annotate `x` would settle the most, 3 calls of `f` (two.py:5;")


def test_next_is_to_mend_what_failed_and_nothing_where_nothing_is_to_do():
    bad = FileReport("bad.py", error=FileError("syntax error", 1, 1))
    assert last(RunReport((*ported(CHANGED).files, bad)), DRY).startswith("mend what the errors")
    assert "Next" not in render(ported("x = 1\n"), DRY)


def test_next_is_the_page_of_what_keeps_the_most_where_nothing_is_ported():
    found = warning("GP908", 3, "unknown decorator `@njit`", "g")
    kept = FunctionReport("g", 3, Status.REFUSED, ("GP908",))
    assert "Next: `gpuport explain GP908` says more" in said(found, functions=(kept,))


# ---------------------------------------------------------------------- widths


@pytest.mark.parametrize("width", [80, 100])
def test_lines_are_no_wider_than_the_terminal(width: int):
    report = ported(LOOPS)
    assert max(map(len, render(report, DRY, width=width).splitlines())) <= width
    assert render(report, DRY, width=width).split() == render(report, DRY).split()
