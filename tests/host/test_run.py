"""The runner behaves as the interpreter does, and always leaves its counters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import gpuport
from gpuport import host

SOURCE = str(Path(gpuport.__file__).resolve().parents[1])
KEYS = {"launches", "h2d", "h2d_bytes", "d2h", "d2h_bytes", "syncs", "kernels"} | {
    "allocations",
    "peak_bytes",
}


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpuport.host", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_arguments_name_and_path(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "helper.py").write_text("value = 7\n")
    (folder / "program.py").write_text(
        "import sys, helper\nprint(sys.argv, __name__, helper.value)\n"
    )
    found = run("project/program.py", "--counters", "-x", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout == "['project/program.py', '--counters', '-x'] __main__ 7\n"


def test_counters_also_of_a_failing_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import cupy as cp\nx = cp.ones(3) + 1\nprint(float(x.sum()))\nraise ValueError('no')\n"
    )
    found = run("--counters", "counts.json", "program.py", cwd=tmp_path)
    assert found.returncode == 1
    assert found.stdout == "6.0\n"
    assert found.stderr.startswith("Traceback (most recent call last):\n")
    assert "gpuport" not in found.stderr
    assert 'File "program.py", line 4' in found.stderr
    counts = json.loads((tmp_path / "counts.json").read_text())
    assert set(counts) == KEYS
    assert (counts["launches"], counts["d2h"], counts["syncs"], counts["h2d"]) == (3, 1, 1, 0)
    assert sum(counts["kernels"].values()) == 3


def test_exit_status_is_the_programs(tmp_path: Path) -> None:
    (tmp_path / "status.py").write_text("import sys; sys.exit(5)\n")
    (tmp_path / "text.py").write_text("raise SystemExit('stopped')\n")
    assert run("status.py", cwd=tmp_path).returncode == 5
    stopped = run("text.py", cwd=tmp_path)
    assert (stopped.returncode, stopped.stderr) == (1, "stopped\n")


def test_a_module(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text("import sys, cupy\nprint(sys.argv[1:], cupy.arange(2))\n")
    found = run("-m", "package", "a", cwd=tmp_path)
    assert (found.returncode, found.stdout) == (0, "['a'] [0 1]\n"), found.stderr


def test_bad_command_lines(tmp_path: Path) -> None:
    for arguments in ((), ("--nope",), ("missing.py",), ("--counters",), ("-m",)):
        found = run(*arguments, cwd=tmp_path)
        assert found.returncode == 2, arguments
        assert "error: " in found.stderr
        assert "Traceback" not in found.stderr


def test_a_cupy_that_was_imported_before_is_the_same_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host.uninstall()
    before = types.ModuleType("cupy")
    monkeypatch.setitem(sys.modules, "cupy", before)
    for _ in range(2):
        host.install(version=14)
        assert sys.modules["cupy"] is not before
    host.uninstall()
    assert sys.modules["cupy"] is before
