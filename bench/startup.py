"""Start-up: ``gpuport --version`` against ``python -c pass``, as a ratio in one run.

    python bench/startup.py [--rounds 30] [--save]

The two are started in turns, so that a busy machine slows both; the ratio is of the medians.
The target is at most 3.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

from record import Recorder


def elapsed(command: list[str]) -> float:
    """Wall-clock seconds of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def console_script() -> str | None:
    """The ``gpuport`` that belongs to this interpreter."""
    return shutil.which("gpuport", path=str(Path(sysconfig.get_path("scripts"))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--save", action="store_true", help="also write bench/results/startup.json")
    options = parser.parse_args()

    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -m gpuport --version": [sys.executable, "-m", "gpuport", "--version"],
    }
    if script := console_script():
        commands["gpuport --version"] = [script, "--version"]
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        elapsed(command)  # byte code and disk cache
    for _ in range(options.rounds):
        for name, command in commands.items():
            seconds[name].append(elapsed(command))

    recorder = Recorder("startup", options.save)
    bare = statistics.median(seconds["python -c pass"])
    for name, runs in seconds.items():
        median = statistics.median(runs)
        recorder.emit(
            name,
            median_ms=round(1e3 * median, 1),
            fastest_ms=round(1e3 * min(runs), 1),
            ratio=round(median / bare, 2),
            rounds=options.rounds,
        )
    recorder.close()


if __name__ == "__main__":
    main()
