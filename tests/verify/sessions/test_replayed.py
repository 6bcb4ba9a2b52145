"""A recording is data: what it would have run is named, and drawn inputs take its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.recording.calls import PLACE, Call, write
from gpuport.recording.describe import describe
from gpuport.verify.records import VerifyOptions, VerifyReport
from gpuport.verify.sessions.replayed import importable
from gpuport.verify.sessions.session import verify_paths

ORIGINAL = """
import os


def saved(name, x):
    if isinstance(name, str) and "/" in name:
        np.save(name, x)
    return x * 2.0


def applied(f, x):
    if callable(f):
        f(f"touch {HIT}")
    return x * 3.0
"""


@pytest.fixture
def called(tmp_path: Path, run_verify: Callable[..., VerifyReport]) -> Callable[..., VerifyReport]:
    """What is said where a stranger recorded these calls."""

    def report(calls: list[Call], trusted: bool = False) -> VerifyReport:
        write(tmp_path / PLACE, calls)
        text = ORIGINAL.replace("{HIT}", str(tmp_path / "hit"))
        port = text.replace("x * 2.0", "2.0 * x").replace("x * 3.0", "3.0 * x")
        options = VerifyOptions(
            root=tmp_path, examples=8, function_seconds=4.0, trust_recording=trusted
        )
        return run_verify(tmp_path, text, port, options)

    return report


def hostile(folder: Path) -> list[Call]:
    x = describe(np.ones(4), ())
    system = {"callable": "os:system"}
    command = [{"text": f"touch {folder / 'hit'}"}]
    none: dict[str, Any] = {"state": {"none": True}, "items": [], "pairs": []}
    nodes = [
        {"reduced": {"call": "os:system", "arguments": command, **none}},
        {"made": {"call": "builtins:exec", "arguments": {"source": command[0]}}},
        system,
        {"object": {"class": "subprocess:Popen", "attributes": {"args": command[0]}}},
    ]
    calls = [Call("new/module.py", "applied", {"f": node, "x": x}) for node in nodes]
    named = {"text": str(folder / "saved.npy")}
    return [*calls, Call("new/module.py", "saved", {"name": named, "x": x})]


def test_a_hostile_recording_runs_and_writes_nothing(
    tmp_path: Path, called: Callable[..., VerifyReport]
) -> None:
    report = called(hostile(tmp_path))
    verdicts = {function.name: function for function in report.functions()}
    assert not (tmp_path / "hit").exists()
    assert not (tmp_path / "saved.npy").exists()
    applied = verdicts["applied"]
    ((told, count),) = [note for note in applied.evidence.notes if "left out" in note[0]]
    assert count == 4
    assert "`os:system`, `builtins:exec`, `subprocess:Popen`" in told
    assert "--trust-recording" in told
    assert applied.evidence.inputs != "recorded"
    assert applied.evidence.accepted > 0
    saved = verdicts["saved"]
    assert any("texts that the program's files do not hold" in n for n, _ in saved.evidence.notes)
    assert not saved.verdict.failing


def test_a_trusted_recording_is_replayed_and_told(
    tmp_path: Path, called: Callable[..., VerifyReport]
) -> None:
    calls = [call for call in hostile(tmp_path) if call.function == "applied"][2:3]
    report = called(calls, trusted=True)
    (applied,) = [function for function in report.functions() if function.name == "applied"]
    assert (tmp_path / "hit").exists()
    assert any("`os:system` (--trust-recording)" in text for text, _ in applied.evidence.notes)


def test_modules_that_others_import_may_be_imported(tmp_path: Path) -> None:
    texts = {"run": "import models\nfrom shapes import Square\n", "deploy": "import run\n",
             "models": "", "shapes": "", "package/__init__": "from .parts import one\n",
             "package/parts": "import deploy_more", "deploy_more": ""}  # fmt: skip
    (tmp_path / "package").mkdir()
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    found = importable([tmp_path / f"{name}.py" for name in texts if name != "deploy_more"])
    assert set(found) == {"models", "shapes", "run", "package.parts"}


def test_broken_lines_are_warned_of(tmp_path: Path) -> None:
    write(tmp_path / PLACE, [])
    (tmp_path / PLACE).write_text((tmp_path / PLACE).read_text() + "broken\n")
    (tmp_path / "module.py").write_text("")
    report = verify_paths([tmp_path], str(tmp_path), VerifyOptions(root=tmp_path))
    (problem,) = report.warnings
    assert problem.startswith(".gpuport/calls.jsonl:2: no recorded call: not valid JSON")
