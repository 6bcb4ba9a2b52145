"""Fetch the corpus: ``python tests/corpus/download.py FOLDER``.

One folder per package of requirements.txt, holding its Python files and nothing else. The wheels
are those of one fixed platform and Python version, so that everyone reads the same files.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import IO

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")


def packages() -> list[str]:
    """The pinned requirements, such as ``emcee==3.1.6``."""
    lines = (line.strip() for line in REQUIREMENTS.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def fetch(folder: Path) -> Path:
    """Fill ``folder`` where something is missing, and return it.

    Each package appears at once and whole. Of several processes one fetches and the others wait.

    Raises
    ------
    RuntimeError
        If pip cannot download; the message holds what pip said.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        _wait_for(lock)
        missing = [name for name in packages() if not (folder / name).is_dir()]
        if missing:
            _fill(folder, missing)
    return folder


def _wait_for(lock: IO[str]) -> None:
    """Hold a lock until its file is closed; where there are none, both may fetch."""
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)


def _fill(folder: Path, missing: list[str]) -> None:
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as scratch:
        wheels = _download(missing, Path(scratch))
        for name in missing:
            unpacked = Path(scratch) / "unpacked" / name
            _unpack(wheels[name.split("==")[0].replace("-", "_")], unpacked)
            try:
                unpacked.rename(folder / name)
            except OSError:
                if not (folder / name).is_dir():  # else another process was faster
                    raise


def _download(requirements: list[str], folder: Path) -> dict[str, Path]:
    """Wheels by the normalised name of their package."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--dest", str(folder)]
    command += ["--only-binary", ":all:", "--python-version", "3.11"]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    done = subprocess.run([*command, *requirements], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"pip download failed: {done.stderr.strip()[-2000:]}")
    return {wheel.name.split("-")[0].lower(): wheel for wheel in folder.glob("*.whl")}


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".py")]
        archive.extractall(folder, names)


if __name__ == "__main__":
    target = fetch(Path(sys.argv[1]))
    print(f"{len(packages())} packages, {sum(1 for _ in target.rglob('*.py'))} files in {target}")
