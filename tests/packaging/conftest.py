"""The package as a user gets it: built from a copy of what belongs into it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    ".pre-commit-hooks.yaml",
    "src",
    "rules",
)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project's sources, without what work in the checkout left behind."""
    target = tmp_path_factory.mktemp("project")
    leftovers = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*_cache")
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=leftovers)
        else:
            shutil.copyfile(source, target / name)
    return target


@pytest.fixture(scope="session")
def wheel(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(project)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (built,) = folder.glob("*.whl")
    return built
