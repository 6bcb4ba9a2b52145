"""What is in the wheel, and what it says about itself."""

from __future__ import annotations

import email
import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="session")
def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(path))


def test_every_module_and_every_rule_is_in_the_wheel(names):
    modules = {p.relative_to(ROOT / "src").as_posix() for p in (ROOT / "src").rglob("*.py")}
    rules = {
        "gpuport/_rules/" + p.relative_to(ROOT / "rules").as_posix()
        for p in (ROOT / "rules").rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }
    assert rules
    assert modules | rules <= names
    assert "gpuport/py.typed" in names


def test_nothing_else_is_in_the_wheel(names):
    assert {n.split("/")[0] for n in names if ".dist-info/" not in n} == {"gpuport"}
    assert not [n for n in names if "tests" in n.split("/") or n.endswith(".pyc")]


def test_version_and_licence_are_in_the_metadata(metadata):
    import gpuport

    assert metadata["Version"] == gpuport.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"


def test_extras_and_their_requirements_are_well_formed(metadata):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert set(metadata.get_all("Provides-Extra")) == set(extras)
    assert {"cuda12", "cuda13", "host", "loops"} <= set(extras)
    for requirement in chain(project["dependencies"], *extras.values()):
        assert Requirement(requirement).name


def test_the_package_runs_as_a_module():
    import gpuport

    command = [sys.executable, "-m", "gpuport", "--version"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert gpuport.__version__ in done.stdout


@pytest.mark.everything  # asks the registry
@pytest.mark.parametrize("extra", ["cuda12", "cuda13", "host", "loops"])
def test_an_extra_can_be_resolved(extra, tmp_path):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps"]
    command += ["--ignore-installed", "--only-binary", ":all:", "--target", str(tmp_path)]
    done = subprocess.run([*command, *extras[extra]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
