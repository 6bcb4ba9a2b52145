"""Ports of programs of several files: their functions may hold device arrays, and are judged so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gpuport import engine
from gpuport.config import Config
from gpuport.verify.programs import is_of_program
from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.session import verify_paths

PROJECTS = Path(__file__).parents[1] / "property" / "projects"


@pytest.fixture
def ported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program of three files in ``old``, and its port in ``new``."""
    for name in ("old", "new"):
        shutil.copytree(PROJECTS / "plates", tmp_path / name)
    monkeypatch.chdir(tmp_path / "new")
    report = engine.run(["."], Config())
    assert sum(file.changed for file in report.files) == 3
    return tmp_path


def failing(folder: Path) -> set[str]:
    options = VerifyOptions(root=folder, examples=25)
    report = verify_paths([folder / "new"], str(folder / "old"), options)
    assert not report.failed, report
    bad = (Verdict.DIFFERS, Verdict.ERROR)
    return {function.name for function in report.functions() if function.verdict in bad}


def test_functions_of_a_program_may_hold_device_arrays(ported):
    assert failing(ported) == set()


def test_a_fault_in_such_a_function_is_found(ported):
    file = ported / "new" / "fields.py"
    text = file.read_text()
    assert "-self.u / self.tau" in text
    file.write_text(text.replace("-self.u / self.tau", "-self.u * self.tau"))
    assert failing(ported) == {"Decay.rate"}


def test_files_that_others_may_import_are_of_no_program(tmp_path):
    for name, text in (("a.py", "import b\nprint(b.f())\n"), ("b.py", "def f():\n    return 1\n")):
        (tmp_path / name).write_text(text)
    assert is_of_program(tmp_path / "b.py", tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("def f():\n    return 1\n")
    assert not is_of_program(other / "b.py", other)
