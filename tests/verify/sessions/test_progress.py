"""Functions beside each other give the verdicts that they give one after the other, and tell."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from gpuport.cli.verifying import Told
from gpuport.verify.records import FunctionVerdict, Verdict, VerifyOptions
from gpuport.verify.sessions.progress import Step
from gpuport.verify.sessions.session import verify_paths

TEXT = """
import numpy as np

def add(x: np.ndarray):
    return x + 1

def same(x: np.ndarray):
    return x

def double(x: np.ndarray):
    return x * 2
"""


def test_verdicts_come_in_order_and_each_step_is_told(tmp_path: Path) -> None:
    other = TEXT.replace("x + 1", "1 + x").replace("x * 2", "x * 3")
    for folder, text in (("old", TEXT), ("new", other)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text(text, encoding="utf-8")
    steps: list[Step] = []
    options = VerifyOptions(root=tmp_path, examples=12, jobs=2)
    report = verify_paths([tmp_path / "new"], str(tmp_path / "old"), options, steps.append)
    found = [(f.name, f.verdict) for f in report.functions()]
    assert found == [
        ("add", Verdict.EQUIVALENT),
        ("same", Verdict.UNCHANGED),
        ("double", Verdict.DIFFERS),
    ]
    assert (steps[-1].done, steps[-1].total) == (3, 3)
    assert sorted(s.place for s in steps if s.verdict) == [
        "new/a.py: add", "new/a.py: double", "new/a.py: same",
    ]  # fmt: skip
    assert any("new/a.py: add" in s.running for s in steps)


def told(monkeypatch: pytest.MonkeyPatch, terminal: bool, lines: bool) -> str:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    shown = Told(lines=lines)
    shown(Step(0, 2, ("a.py: f",)))
    verdict = FunctionVerdict("f", 1, Verdict.EQUIVALENT, "")
    shown(Step(1, 2, ("a.py: g",), "a.py: f", verdict))
    shown.close()
    return stream.getvalue()


def test_progress_is_for_terminals_and_for_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, terminal=False, lines=False) == ""
    assert told(monkeypatch, terminal=False, lines=True) == "[1/2] a.py: f: EQUIVALENT\n"
    drawn = told(monkeypatch, terminal=True, lines=False)
    assert "[0/2] a.py: f" in drawn
    assert drawn.endswith("\r\x1b[K")
