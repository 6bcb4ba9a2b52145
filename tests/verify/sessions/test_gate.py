"""Functions that do not hold are taken back, and what is left is a consistent program."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gpuport.config import Config
from gpuport.porter import port_text
from gpuport.records import FileReport, RunReport
from gpuport.report.text import summary
from gpuport.source.reading import read_source
from gpuport.verify.sessions.gate import NOT_EQUIVALENT, NOT_VERIFIED, take_back

ORIGINAL = '''"""Two functions."""
import numpy as np


def spread(x: np.ndarray):
    """Sample variance."""
    return np.var(x, ddof=1)


def shifted(x: np.ndarray):
    return np.sqrt(np.abs(x)) + 1  # kept
'''


def gated(folder: Path, fault: tuple[str, str], text: str = ORIGINAL) -> tuple[FileReport, Path]:
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    source = read_source(file)
    config = Config(root=folder)
    report = port_text("program.py", source, config)
    assert report.after is not None
    assert fault[0] in report.after
    faulty = replace(report, after=report.after.replace(*fault))
    return take_back(file, source, faulty, config), file


def test_a_port_that_holds_is_left_as_it_is(tmp_path: Path) -> None:
    report, _ = gated(tmp_path, ("cp.var", "cp.var"))
    assert {f.name: f.verdict for f in report.functions if f.verdict} == {
        "spread": "EQUIVALENT",
        "shifted": "EQUIVALENT",
    }
    assert not [f for f in report.findings if f.code == NOT_EQUIVALENT]


def test_one_function_is_taken_back_and_the_other_stays(tmp_path: Path) -> None:
    report, _ = gated(tmp_path, ("cp.var(x, ddof=1)", "cp.var(x)"))
    assert report.after is not None
    assert "np.var(x, ddof=1)" in report.after
    assert "cp.sqrt" in report.after
    assert "taken back" not in report.after
    assert "# kept" in report.after
    (finding,) = [f for f in report.findings if f.code == NOT_EQUIVALENT]
    assert finding.function == "spread"
    assert finding.span.line == 5
    assert not [f for f in report.findings if f.code == "GP910"]


def test_nothing_is_written_where_nothing_is_left(tmp_path: Path) -> None:
    text = ORIGINAL.partition("\n\ndef shifted")[0] + "\n"
    report, file = gated(tmp_path, ("cp.var(x, ddof=1)", "cp.var(x)"), text)
    assert not report.changed
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_header_of_several_lines_is_taken_back_too(tmp_path: Path, ending: str) -> None:
    text = ORIGINAL.replace("def spread(x: np.ndarray):", "def spread(\n    x: np.ndarray,\n):")
    (tmp_path / "program.py").write_bytes(text.replace("\n", ending).encode())
    source = read_source(tmp_path / "program.py")
    report = port_text("program.py", source, Config(root=tmp_path))
    assert report.after is not None
    faulty = replace(report, after=report.after.replace("cp.var(x, ddof=1)", "cp.var(x)"))
    left = take_back(tmp_path / "program.py", source, faulty, Config(root=tmp_path))
    assert left.after is not None
    assert "np.var(x, ddof=1)" in left.after
    assert left.after.count(ending) == left.after.count("\n")


def test_the_replay_outlives_the_rewrite(tmp_path: Path) -> None:
    gated(tmp_path, ("cp.var(x, ddof=1)", "cp.var(x)"))
    (tmp_path / "program.py").unlink()
    (test,) = (tmp_path / ".gpuport" / "counterexamples").glob("test_*.py")
    replay = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(replay, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "Not equal to tolerance" in done.stdout or "became" in done.stdout, done.stdout


def test_what_could_not_be_compared_is_kept_and_said(tmp_path: Path) -> None:
    text = ORIGINAL + (
        "\n\ndef loaded(x: np.ndarray, path):\n"
        "    return np.sqrt(np.abs(x)) + len(path.read_text())\n"
    )
    report, _ = gated(tmp_path, ("cp.var", "cp.var"), text)
    (finding,) = [f for f in report.findings if f.code == NOT_VERIFIED]
    assert (finding.function, finding.span.line) == ("loaded", 14)
    assert "not verified: the original accepts too few" in finding.message
    shown = "\n".join(summary(RunReport((report,)), Config()))
    assert "Verified: 2 equivalent, 1 untested (kept), 0 taken back." in shown


def test_module_level_code_that_fails_takes_the_whole_file_back(tmp_path: Path) -> None:
    text = ORIGINAL + "\n\ntotal = spread(np.arange(4.0))\n"
    report, _ = gated(tmp_path, ("\n\ntotal = ", "\n\nimport no_such_module\ntotal = "), text)
    assert not report.changed
    said = [f.message for f in report.findings if f.code == NOT_EQUIVALENT]
    assert any(text.startswith("left as it was: ") and "no_such_module" in text for text in said)


WAVE = '''"""Buffers of one object."""
import numpy as np


class Wave:
    def __init__(self, n):
        self.now = np.exp(-np.linspace(-5, 5, n) ** 2)
        self.old = np.empty_like(self.now)

    def step(self):
        self.old[:] = self.now
        self.now = np.sin(self.old) + np.roll(self.old, 1)

    def energy(self):
        return float(np.sum(self.now**2))


class Total:
    def __init__(self, wave, power):
        self.value = np.sum(wave.now**power)


def main():
    w = Wave(4000)
    for _ in range(9):
        w.step()
    print(w.energy(), Total(w, 2.0).value)


if __name__ == "__main__":
    main()
'''


def test_objects_whose_attributes_are_on_the_device_are_no_failure(tmp_path: Path) -> None:
    """Memory that was never set differs anyway; made-up objects are none that the file makes."""
    report, _ = gated(tmp_path, ("cp.roll", "cp.roll"), WAVE)
    assert not [f for f in report.findings if f.code == NOT_EQUIVALENT]
    assert report.after is not None
    assert "cp.roll" in report.after


def test_a_fault_in_a_method_is_found_all_the_same(tmp_path: Path) -> None:
    report, _ = gated(tmp_path, ("cp.roll(self.old, 1)", "cp.roll(self.old, 2)"), WAVE)
    assert [f for f in report.findings if f.code == NOT_EQUIVALENT]
