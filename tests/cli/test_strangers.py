"""What a stranger's project may make ``check`` and ``rewrite`` do: be read, and no more."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpuport
from gpuport.cli.app import run
from gpuport.config import ConfigError, load
from gpuport.verify.signatures.declarations import declarations_of
from gpuport.verify.signatures.declared import DeclarationError

PROGRAM = """\
import numpy as np


def smooth(signal: np.ndarray) -> np.ndarray:
    return np.fft.irfft(np.fft.rfft(signal, 16) * np.hanning(9))
"""
ESCAPE = (
    "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
    ".__init__.__globals__['system']('touch hit')"
)
INDEX = """\
import numpy as np


def grid(x: np.ndarray, n: int) -> np.ndarray:
    a = np.{maker}[0:3, {entry}]
    return np.sin(a) * x
"""
IMPORTED = (
    "numpy", "scipy", "yaml", "click", "libcst", "networkx", "pathspec", "islpy",
    "sitecustomize", "usercustomize", "conftest", "typing_extensions",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("gpuport.cli.porting._one_thread", lambda: None)
    yield
    gc.enable()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(folder)
    return folder


def in_a_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    path = str(Path(gpuport.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-m", "gpuport", *arguments],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_modules_of_the_project_are_not_imported(project: Path):
    for name in IMPORTED:
        (project / f"{name}.py").write_text(f"open('hit', 'w').write({name!r})\n{PROGRAM}")
    done = in_a_process("rewrite", "program.py", "conftest.py", "numpy.py")
    assert done.returncode == 0, done.stderr
    assert "import cupy" in (project / "program.py").read_text()
    assert not (project / "hit").exists()


@pytest.mark.parametrize(
    ("maker", "entry"),
    [
        ("mgrid", "(1, {})[0]"),
        ("mgrid", "1 if {} else 2"),
        ("ogrid", "not {}"),
        ("ogrid", "(1, {})[0]:3"),
        ("mgrid", "0:3:int(bool({}))"),
    ],
)
def test_no_expression_of_a_program_is_evaluated(project: Path, maker: str, entry: str):
    source = INDEX.format(maker=maker, entry=entry.format(ESCAPE))
    (project / "program.py").write_text(source)
    assert run(["check", "--quiet", "program.py"]) in (0, 1)
    assert not (project / "hit").exists()


def configured(project: Path, line: str) -> Path:
    file = project / "pyproject.toml"
    file.write_text(f"[tool.gpuport]\n{line}\n")
    return file


def elsewhere(project: Path) -> Path:
    outside = project.parent / "home"
    outside.mkdir()
    (outside / ".bashrc").write_text("mine")
    (project / "link").symlink_to(outside)
    (project / "file").symlink_to(outside / ".bashrc")
    (project / "gone").symlink_to(outside / "new")
    return outside


OUTSIDE = ["../home/.bashrc", "{}/.bashrc", "link/.bashrc", "file", "gone", "src/../../home/new",
           "link/deep/er", "/dev/null"]  # fmt: skip


@pytest.mark.parametrize("place", OUTSIDE)
@pytest.mark.parametrize("key", ["output-file", "out-dir", "rules"])
@pytest.mark.parametrize("command", ["check", "rewrite"])
def test_no_path_of_a_configuration_leads_out_of_its_project(
    project: Path, capsys: pytest.CaptureFixture[str], command: str, key: str, place: str
):
    outside = elsewhere(project)
    value = place.replace("{}", str(outside))
    configured(project, f'{key} = ["{value}"]' if key == "rules" else f'{key} = "{value}"')
    assert run([command, "program.py"]) == 2
    told = capsys.readouterr().err
    assert "pyproject.toml" in told
    assert f"{key}: " in told
    assert "only the command line may name a place elsewhere" in told
    assert os.listdir(outside) == [".bashrc"]
    assert (outside / ".bashrc").read_text() == "mine"
    assert (project / "program.py").read_text() == PROGRAM


@pytest.mark.parametrize("place", [".git/hooks/pre-commit", "sub/.git/config", ".hg/hgrc"])
def test_a_configuration_writes_nothing_into_version_control(project: Path, place: str):
    configured(project, f'output-file = "{place}"')
    with pytest.raises(ConfigError, match="version control"):
        load("program.py", {})


def test_paths_of_a_configuration_are_those_of_its_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch
):
    configured(project, 'output-file = "reports/found.txt"')
    home = project.parent / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    assert run(["rewrite", "../project/program.py"]) == 0
    assert "1 ported" in (project / "reports/found.txt").read_text()
    assert os.listdir(home) == []


@pytest.mark.parametrize("command", [["check"], ["rewrite", "--dry-run"]])
def test_what_writes_nothing_writes_no_report_that_a_configuration_names(
    project: Path, capsys: pytest.CaptureFixture[str], command: list[str]
):
    configured(project, 'output-file = "found.txt"\nout-dir = "ported"')
    before = sorted(os.listdir(project))
    assert run([*command, "program.py"]) == 1
    told = capsys.readouterr()
    assert "`output-file` of pyproject.toml is not used" in told.err
    assert "1 would be ported" in told.out
    assert sorted(os.listdir(project)) == before
    assert run([*command, "program.py", "--output-file", "../named.txt"]) == 1
    assert "1 would be ported" in (project.parent / "named.txt").read_text()


def test_inputs_are_made_by_files_of_the_project_alone(project: Path):
    (project.parent / "other.py").write_text("def f(rng):\n    return {}\n")
    for line in ('strategies = "../other.py"', 'f = { x = { from = "../other.py:f" } }'):
        file = project / "pyproject.toml"
        file.write_text(f"[tool.gpuport.inputs]\n{line}\n")
        with pytest.raises(DeclarationError, match=r"pyproject\.toml:2: .*leads out of"):
            declarations_of(file)


def test_no_link_leads_a_copy_out_of_its_folder(project: Path, capsys: pytest.CaptureFixture[str]):
    outside = elsewhere(project)
    (project / "src/sub").mkdir(parents=True)
    (project / "src/sub/program.py").write_text(PROGRAM)
    (project / "ported").mkdir()
    (project / "ported/sub").symlink_to(outside)
    assert run(["rewrite", "src", "--out-dir", "ported"]) == 2
    assert "a link leads from the place of its copy" in capsys.readouterr().err
    assert os.listdir(outside) == [".bashrc"]


def test_a_link_among_the_files_of_a_folder_leads_to_no_other_project(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    outside = elsewhere(project)
    (outside / "mine.py").write_text(PROGRAM)
    (project / "theirs.py").symlink_to(outside / "mine.py")
    assert run(["rewrite", "."]) == 0
    assert "theirs.py: a link to " in capsys.readouterr().err
    assert (outside / "mine.py").read_text() == PROGRAM
    assert "import cupy" in (project / "program.py").read_text()


def test_what_a_killed_run_left_is_deleted_by_the_next(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    from gpuport.source import temporary

    left = project / f".a.py.{temporary._host()}-{process.pid}-abcdefgh.gpuport-tmp"
    left.touch()
    assert run(["check", "."]) == 1
    assert left.exists()
    assert run(["rewrite", "."]) == 0
    assert "left over from a run" in capsys.readouterr().err
    assert not left.exists()


def test_broken_hard_links_are_told(project: Path, capsys: pytest.CaptureFixture[str]):
    os.link("program.py", "../other.py")
    assert run(["rewrite", "."]) == 0
    assert "program.py: 1 other name of this file (hard links)" in capsys.readouterr().err
