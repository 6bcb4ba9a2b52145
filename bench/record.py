"""What every measurement here shares: the machine it ran on, and how its result is written."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RESULTS = Path(__file__).with_name("results")


def machine() -> dict[str, object]:
    """Processor, cores, versions and, where there is one, the CUDA device: what numbers need."""
    return _device() | {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in ("gpuport", "libcst", "numpy")},
        "date": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
    }


class Recorder:
    """Prints each result as one line of JSON, and keeps them for a file in ``results/``.

    Parameters
    ----------
    name : str
        Name of the measurement, and of its file.
    save : bool
        Whether `close` writes the file.
    """

    def __init__(self, name: str, save: bool) -> None:
        self._name = name
        self._save = save
        self._rows: list[dict[str, object]] = []

    def emit(self, measure: str, **values: object) -> None:
        """One result: what was measured, and its numbers."""
        row = {"bench": self._name, "measure": measure, **values}
        self._rows.append(row)
        print(json.dumps(row), flush=True)

    def close(self) -> None:
        """Print the machine, and write everything down where asked to."""
        self.emit("machine", **machine())
        if self._save:
            RESULTS.mkdir(exist_ok=True)
            path = RESULTS / f"{self._name}.json"
            path.write_text(json.dumps(self._rows, indent=1) + "\n")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The revision that was measured, where there is a repository."""
    words = ["git", "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(words, cwd=RESULTS.parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _device() -> dict[str, object]:
    try:
        import cupy

        runtime = cupy.cuda.runtime
        number = runtime.driverGetVersion()
        return {
            "device": runtime.getDeviceProperties(0)["name"].decode(),
            "driver": _driver(),
            "cuda": f"{number // 1000}.{number % 1000 // 10}",
            "cupy": _version("cupy-cuda13x") or _version("cupy-cuda12x") or cupy.__version__,
        }
    except Exception:  # no CuPy, the host backend's, no driver, no device
        return {}


def _driver() -> str | None:
    """Version of the driver, as its own tool tells it."""
    words = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.split()[0] if done.stdout else None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
