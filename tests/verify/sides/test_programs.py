"""Ports of programs of several files: their functions may hold device arrays, and are judged so."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

import pytest

from gpuport import engine
from gpuport.config import Config
from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.sessions.session import verify_paths
from gpuport.verify.sides.changes import Version, facts_of, unchanged
from gpuport.verify.sides.originals import Located
from gpuport.verify.sides.programs import is_of_program

PROJECTS = Path(__file__).parents[2] / "property" / "projects"


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
    # what its callers are given in the program shows it as well
    assert failing(ported) == {"Decay.rate", "main", "run"}


def test_files_that_others_may_import_are_of_no_program(tmp_path):
    for name, text in (("a.py", "import b\nprint(b.f())\n"), ("b.py", "def f():\n    return 1\n")):
        (tmp_path / name).write_text(text)
    assert is_of_program(tmp_path / "b.py", tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("def f():\n    return 1\n")
    assert not is_of_program(other / "b.py", other)


def test_files_of_a_whole_program_are_of_it_wherever_its_tests_lie(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "tests").mkdir()
    module = tmp_path / "src" / "b.py"
    module.write_text("def f():\n    return 1\n")
    (tmp_path / "tests" / "test_b.py").write_text("import b\n\n\ndef test():\n    b.f()\n")
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[project]\nname = "b"\n')
    assert not is_of_program(module, tmp_path / "src")
    settings.write_text('[project]\nname = "b"\n\n[tool.gpuport]\nwhole-program = true\n')
    kept = tmp_path / ".gpuport" / "counterexamples" / "b.py"  # no file of the program
    kept.parent.mkdir(parents=True)
    kept.write_text(module.read_text())
    assert is_of_program(module, tmp_path / "src")


HANDED_ON = """
import numpy as np


def watch(k, y):
    if k % 10 == 0:
        print(k, "%.6f" % float(np.abs(y).max()))


def run(hook, y, n):
    for k in range(n):
        y = np.sin(y) + 0.1 * np.cos(y)
        hook(k, y)
    return y


if __name__ == "__main__":
    print(run(watch, np.linspace(0.0, 1.0, 100), 20).sum())
"""


def test_how_a_function_is_called_is_not_told_by_calls_that_do_nothing(tmp_path, monkeypatch):
    """Most numbers are no multiples of ten: what is done with `y` then is nothing."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "program.py").write_text(HANDED_ON)
    monkeypatch.chdir(tmp_path / "new")
    report = engine.run(["."], Config())
    assert {f.name: f.status.value for f in report.files[0].functions}["watch"] == "ported"
    assert failing(tmp_path) == set()


def test_a_parameter_is_not_what_its_module_has_by_the_same_name() -> None:
    text = """
    import numpy as np
    def f(table, *more):
        found = table[0]
        table[0] = 5.0
        return found
    def g(x):
        return x @ weights
    table = found = np.ones(3)
    weights = np.ones(3)
    print(f(table))
    """
    old = textwrap.dedent(text)
    place = Located(Path("."), "module", Path("module.py"))
    sides = Version(old, place), Version(old.replace("np.ones", "cp.ones"), place)
    assert unchanged(*sides, "f")
    assert not unchanged(*sides, "g")
    assert not facts_of(sides[1], "f").device_code
    assert facts_of(sides[1], "g").device_code
