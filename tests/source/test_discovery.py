import errno
import os
from pathlib import Path

import pytest

from gpuport.config import Config
from gpuport.source import discovery
from gpuport.source.discovery import discover


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def found(*paths: str, **settings: object) -> list[str]:
    return [file.shown for file in discover(paths, Config(**settings)).files]  # type: ignore[arg-type]


def test_folders_are_searched_in_a_stable_order_without_the_usual_excludes(tree: Path):
    make(tree, "b.py", "a/z.py", "a/b/c.pyw", "a.py", "notes.txt", "a/x.pyi")
    make(tree, ".git/h.py", ".venv/v.py", "node_modules/n.py", "build/b.py", "__pycache__/p.py")
    make(tree, "environment/pyvenv.cfg", "environment/lib/e.py")
    assert found(".") == ["a/b/c.pyw", "a/z.py", "a.py", "b.py"]


def test_each_file_once(tree: Path):
    make(tree, "a/x.py", "a/y.py")
    assert found("a/x.py", "a", "./a/../a/y.py") == ["a/x.py", "a/y.py"]


def test_links_to_folders_are_not_followed_and_files_are_shown_by_their_own_name(tree: Path):
    (tree / ".git").mkdir()
    make(tree, "p/real.py", "outside.py")
    (tree / "p/around").symlink_to(tree / "p")
    (tree / "p/alias.py").symlink_to("real.py")
    (tree / "p/other.py").symlink_to(tree / "outside.py")
    (tree / "p/loop.py").symlink_to("loop.py")
    result = discover(["p"], Config())
    assert [file.shown for file in result.files] == ["p/other.py", "p/real.py"]
    assert any("p/loop.py" in message for message in result.warnings)


def test_a_link_out_of_the_project_is_left_out_and_named(tree: Path):
    make(tree, "p/real.py", "elsewhere.py")
    (tree / "p/other.py").symlink_to(tree / "elsewhere.py")
    result = discover(["p"], Config())
    assert [file.shown for file in result.files] == ["p/real.py"]
    (message,) = result.warnings
    assert message.startswith("p/other.py: a link to ")
    assert found("p/other.py") == ["p/other.py"]
    assert [f.shown for f in discover(["p"], Config(root=tree)).files] == [
        "p/other.py", "p/real.py",
    ]  # fmt: skip


def test_gitignore_nested_negated_and_above(tree: Path):
    (tree / ".git").mkdir()
    make(tree, "p/gen.py", "p/keep.py", "p/q/gen.py", "p/q/local.py", "p/out/x.py")
    (tree / ".gitignore").write_text("gen.py\nout/\n")
    (tree / "p/q/.gitignore").write_text("local.py\n!gen.py\n")
    assert found("p") == ["p/keep.py", "p/q/gen.py"]
    assert found("p/gen.py") == ["p/gen.py"]
    assert found("p/out") == ["p/out/x.py"]


def test_exclude_patterns_hold_below_folders_only(tree: Path):
    make(tree, "p/a.py", "p/tests/t.py", "p/a_test.py")
    assert found("p", exclude=("tests/", "*_test.py")) == ["p/a.py"]
    assert found("p", exclude=("p/a.py",)) == ["p/a_test.py", "p/tests/t.py"]
    assert found("p/a_test.py", exclude=("*_test.py",)) == ["p/a_test.py"]


def test_the_out_dir_is_not_searched(tree: Path):
    make(tree, "a.py", "ported/a.py")
    assert found(".", out_dir="ported") == ["a.py"]


def test_what_is_not_there_is_an_error_and_the_rest_is_found(tree: Path):
    make(tree, "a.py")
    result = discover(["absent", "a.py"], Config())
    assert [file.shown for file in result.files] == ["a.py"]
    assert result.errors == ["absent: no such file or folder"]


def test_an_unreadable_folder_is_an_error_and_the_rest_is_found(
    tree: Path, monkeypatch: pytest.MonkeyPatch
):
    make(tree, "p/a.py", "p/closed/b.py")
    scandir = os.scandir

    def guarded(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(discovery.os, "scandir", guarded)
    result = discover(["p"], Config())
    assert [file.shown for file in result.files] == ["p/a.py"]
    assert result.errors == ["p/closed: cannot be read: Permission denied"]


def test_empty_folders_and_notebooks_are_told(tree: Path):
    (tree / "empty").mkdir()
    make(tree, "n/a.py", "n/b.ipynb")
    assert "no Python files" in discover(["empty"], Config()).warnings[0]
    assert "1 notebook" in discover(["n"], Config()).warnings[0]


def test_relative_is_below_the_argument(tree: Path):
    make(tree, "a/b/c.py")
    assert discover(["a"], Config()).files[0].relative == "b/c.py"
    assert discover(["a/b/c.py"], Config()).files[0].relative == "c.py"
