"""What must hold for every file of every package, whatever the rules say about it."""

from __future__ import annotations

import ast
import shutil
import subprocess
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.everything


def files(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {Path(f["path"]).as_posix(): f for f in report["files"]}


def test_every_file_is_handled(ported):
    assert ported.first.status in (0, 1), ported.first.errors
    assert "Traceback" not in ported.first.errors
    assert "SyntaxWarning" not in ported.first.errors, "the user's own warnings are not ours"
    assert set(files(ported.first.report)) == set(ported.before)


def test_files_without_numpy_stay_byte_identical(ported):
    without = [name for name, data in ported.before.items() if b"numpy" not in data]
    assert without
    assert [n for n in without if ported.after_first[n] != ported.before[n]] == []


def test_reported_changes_are_the_changes_made(ported):
    reported = {name for name, f in files(ported.first.report).items() if f["changed"]}
    changed = {n for n in ported.before if ported.after_first[n] != ported.before[n]}
    assert reported == changed
    assert set(ported.after_first) == set(ported.before), "no file appears or goes"


def test_every_output_parses(ported):
    broken = []
    for name, data in ported.after_first.items():
        if data == ported.before[name]:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(data, name, "exec", ast.PyCF_ONLY_AST)
        except (SyntaxError, ValueError) as error:
            broken.append(f"{name}: {error}")
    assert broken == []


def test_a_second_pass_changes_nothing(ported):
    assert ported.second.status in (0, 1), ported.second.errors
    differing = [n for n, data in ported.after_first.items() if ported.after_second[n] != data]
    assert differing == []
    assert ported.second.diff.strip() == b""


def test_taking_back_the_diff_gives_the_original_bytes(ported, tmp_path):
    if not ported.first.diff.strip():
        assert ported.after_first == ported.before
        return
    copy = tmp_path / "copy"
    for name, data in ported.after_first.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes(data)
    git = shutil.which("git")
    assert git, "git takes the diff back"
    subprocess.run([git, "init", "--quiet"], cwd=copy, check=True)
    done = subprocess.run(
        [git, "apply", "--reverse", "--whitespace=nowarn", "-"],
        cwd=copy,
        input=ported.first.diff,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    differing = [n for n, data in ported.before.items() if (copy / n).read_bytes() != data]
    assert differing == []


def test_calls_add_up(ported):
    report = ported.first.report
    total = Counter()
    for name, file in files(report).items():
        calls = file["calls"]
        assert calls["seen"] == calls["ported"] + calls["host"], name
        total.update(calls)
    summary = report["summary"]["calls"]
    assert {key: total[key] for key in ("seen", "ported", "host")} == summary
    assert summary["seen"] > 0


def test_every_call_left_on_the_host_has_a_reason(ported):
    unexplained = []
    for name, file in files(ported.first.report).items():
        with_reason = [f for f in file["findings"] if f.get("reason")]
        if len(with_reason) < file["calls"]["host"]:
            unexplained.append((name, file["calls"]["host"], len(with_reason)))
        assert all(f["message"].strip() and f["code"].startswith("GP") for f in file["findings"])
    assert unexplained == []


def test_functions_that_are_refused_or_partial_say_why(ported):
    silent = []
    for name, file in files(ported.first.report).items():
        codes = {f["code"] for f in file["findings"]}
        for function in file["functions"]:
            if function["status"] not in ("refused", "partial"):
                continue
            if not function["reasons"] or not set(function["reasons"]) <= codes:
                silent.append(f"{name}: {function['name']} {function['reasons']}")
    assert silent == []
