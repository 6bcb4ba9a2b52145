"""The corpus: real packages, each ported in place once and a second time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PACKAGES = [
    line.strip()
    for line in (HERE / "requirements.txt").read_text().splitlines()
    if line.strip() and not line.startswith("#")
]


@dataclass(frozen=True, repr=False)
class Rewrite:
    """One run of ``gpuport rewrite`` over a whole package."""

    status: int
    diff: bytes
    errors: str
    report: dict[str, Any]


@dataclass(frozen=True, repr=False)  # a repr with megabytes of source helps nobody
class Ported:
    """A package before, after the first and after the second pass."""

    before: dict[str, bytes]
    first: Rewrite
    after_first: dict[str, bytes]
    second: Rewrite
    after_second: dict[str, bytes]


def sources(folder: Path) -> dict[str, bytes]:
    """Contents of the Python files below a folder, by their path relative to it."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*.py"))}


def rewrite(folder: Path, report: Path) -> Rewrite:
    command = [sys.executable, "-m", "gpuport", "rewrite", ".", "--diff"]
    command += ["--output-format", "json", "--output-file", str(report), "--no-cache"]
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    done = subprocess.run(command, cwd=folder, capture_output=True, env=environment)
    if not report.is_file():  # a process that was killed is told as that, once
        pytest.fail(f"no report; status {done.returncode}: {done.stderr[-4000:].decode()}")
    document = json.loads(report.read_text())
    # With a JSON report the diff is part of it, file by file.
    diff = "".join(file.get("diff") or "" for file in document["files"])
    errors = done.stderr.decode(errors="replace")
    return Rewrite(done.returncode, diff.encode(), errors, document)


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Path:
    """Folder with one folder per package, downloaded once and kept in pytest's cache."""
    folder = request.config.cache.mkdir("gpuport-corpus")
    done = subprocess.run(
        [sys.executable, str(HERE / "download.py"), str(folder)], capture_output=True, text=True
    )
    if done.returncode:
        reason = f"the corpus cannot be downloaded: {done.stderr.strip().splitlines()[-1:]}"
        # Where tests decide whether a change lands, "could not look" must not read as "fine".
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return Path(folder)


_DONE: dict[str, Ported] = {}


@pytest.fixture(scope="session", params=PACKAGES)
def ported(
    request: pytest.FixtureRequest, corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> Ported:
    if request.param in _DONE:  # a session's fixture is made anew when its parameter comes again
        return _DONE[request.param]
    original = corpus / request.param
    base = tmp_path_factory.mktemp("corpus")
    work = base / "work"
    shutil.copytree(original, work)
    first = rewrite(work, base / "first.json")
    after_first = sources(work)
    second = rewrite(work, base / "second.json")
    done = Ported(sources(original), first, after_first, second, sources(work))
    return _DONE.setdefault(request.param, done)
