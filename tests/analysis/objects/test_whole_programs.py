"""Classes of a distributed package, where its user says that these files are all that use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport import engine
from gpuport.config import Config
from gpuport.records import RunReport

FIELD = """\
import numpy as np


class Field:
    def __init__(self, n):
        self.u = np.exp(-np.linspace(0.0, 1.0, n) ** 2)

    def step(self, dt):
        v = self.u
        self.u = v - dt * np.sin(v)
"""

TEST = """\
from waves.field import Field


def test_steps():
    field = Field(64)
    for _ in range(5):
        field.step(0.1)
    assert field.u.shape == (64,)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src" / "waves").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "src" / "waves" / "__init__.py").touch()
    (tmp_path / "src" / "waves" / "field.py").write_text(FIELD)
    (tmp_path / "tests" / "test_field.py").write_text(TEST)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "waves"\nversion = "1"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def findings(report: RunReport, code: str) -> list[str]:
    return [
        f"{one.message}; {one.help}"
        for file in report.files for one in file.findings if one.code == code
    ]  # fmt: skip


def test_a_distributed_package_keeps_its_attributes_and_says_what_would_move_them(package):
    report = engine.run(["."], Config(dry_run=True))
    assert not any(file.changed for file in report.files)
    (told,) = findings(report, "GP913")
    assert "`pyproject.toml` distributes the modules" in told
    assert "`whole-program = true`" in told
    unknown = findings(report, "GP901")
    assert unknown
    assert all("GP913 on line 4" in one and "`self.u`" in one for one in unknown)


def test_a_whole_program_moves_them(package):
    report = engine.run(["."], Config(dry_run=True, whole_program=True))
    (changed,) = (file for file in report.files if file.changed)
    assert changed.after is not None
    assert "self.u = cp.exp(-cp.linspace(0.0, 1.0, n) ** 2)" in changed.after
    assert not findings(report, "GP913")


def test_a_file_in_sight_that_uses_them_too_speaks_against_it(package):
    report = engine.run(["src"], Config(dry_run=True, whole_program=True))
    assert not any(file.changed for file in report.files)
    (told,) = findings(report, "GP913")
    assert "`test_field.py`" in told
    assert "name all files that use it" in told


def test_so_it_is_of_one_module(package):
    (package / "tests" / "test_field.py").unlink()
    field = package / "src" / "waves" / "field.py"
    field.write_text(FIELD + "\n\nfield = Field(8)\nfield.step(0.1)\n")
    path = "src/waves/field.py"
    assert len(findings(engine.run([path], Config(dry_run=True)), "GP913")) == 1
    report = engine.run([path], Config(dry_run=True, whole_program=True))
    assert not findings(report, "GP913")
    assert report.files[0].changed
