"""The hooks, tried with the real pre-commit on a repository of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

PROGRAM = "import numpy as np\n\nx = np.linspace(0.0, 1.0, 11)\nprint(np.sum(np.sin(x)))\n"


@pytest.fixture(scope="module")
def git(tmp_path_factory):
    """Run git with an author and without the user's own settings."""
    home = tmp_path_factory.mktemp("home")
    author = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(home)}
    settings = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]

    def run(folder, *arguments):
        environment = {**os.environ, **author}
        subprocess.run(
            ["git", *settings, *arguments],
            cwd=folder,
            env=environment,
            check=True,
            capture_output=True,
        )

    return run


@pytest.fixture(scope="module")
def hooks(project, git):
    """The project as a repository that pre-commit can install from."""
    git(project, "init", "--quiet")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "all")
    return project


@pytest.fixture(scope="module")
def pre_commit(tmp_path_factory, hooks):
    if find_spec("pre_commit") is None:
        assert not os.environ.get("CI"), "pre-commit must be there where CI runs"
        pytest.skip("pre-commit is not installed")
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit"))}

    def run(repository, hook):
        command = [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), hook]
        return subprocess.run(
            [*command, "--all-files", "--color", "never"],
            cwd=repository,
            env=environment,
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture
def repository(tmp_path, git):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "notes.py").write_text("print('no arrays here')\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    return tmp_path


@pytest.mark.everything  # two environments with the package in them
def test_the_hooks_port_once_and_then_pass(pre_commit, repository):
    program = repository / "program.py"

    checked = pre_commit(repository, "gpuport-check")
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert "Failed" in checked.stdout
    assert program.read_text() == PROGRAM, "a check changes nothing"

    first = pre_commit(repository, "gpuport")
    assert first.returncode == 1, first.stdout + first.stderr
    assert "files were modified by this hook" in first.stdout
    assert "import cupy as cp" in program.read_text()

    second = pre_commit(repository, "gpuport")
    assert second.returncode == 0, second.stdout + second.stderr
    assert (repository / "notes.py").read_text() == "print('no arrays here')\n"
