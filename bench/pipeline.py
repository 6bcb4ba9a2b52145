"""The whole pipeline over a corpus, against bare ``libcst.parse_module`` of its NumPy files.

    python bench/pipeline.py [--corpus FOLDER] [--rounds 3] [--jobs 1 2] [--save]

Without ``--corpus`` the packages of tests/corpus/requirements.txt are downloaded into
``build/corpus``. Measured are:

ratio
    CPU time (user + system, children included) of ``gpuport rewrite --dry-run --jobs 1`` from
    start to end, start-up, re-parse of the output and diff included, over the CPU time of a
    process that parses with LibCST each file that mentions NumPy. Target: at most 1.0.
stages
    Where that CPU time goes: a timer interrupts the run each millisecond of CPU time and counts
    the innermost module of gpuport (and, apart, ``ast`` and LibCST below it).
floors
    The same samples by what they are for: ``loops`` (loops to kernels and their proofs) and
    ``analysis`` (values, effects and placement) with all that runs below them, and ``rewriting``,
    which is everything else, as ratios to the same yardstick. Target of the analysis: at most 1.5.
slowest
    The ten files that cost most, by the same samples.
jobs
    Wall-clock time by number of worker processes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType

from record import Recorder

ROOT = Path(__file__).resolve().parents[1]
SAMPLE_SECONDS = 0.001
FLOORS = ("loops", "analysis")
"""Floors of the package that are counted with all that runs below them, the narrower first."""


def default_corpus() -> Path:
    """The packages that the corpus tests read."""
    folder = ROOT / "build" / "corpus"
    script = ROOT / "tests" / "corpus" / "download.py"
    subprocess.run([sys.executable, str(script), str(folder)], check=True, stdout=sys.stderr)
    return folder


def rewrite(corpus: Path, jobs: int) -> list[str]:
    """Command line of the pipeline that writes nothing."""
    command = ["rewrite", str(corpus), "--dry-run", "--exit-zero", "--no-cache"]
    return [*command, "--jobs", str(jobs)]


def cost(command: list[str]) -> tuple[float, float]:
    """CPU and wall-clock seconds of a process and its children.

    Raises
    ------
    SystemExit
        If the command fails: a pipeline that gives up early is not fast.
    """
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    errors = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{errors[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def mentions_numpy(corpus: Path) -> list[Path]:
    return [p for p in sorted(corpus.rglob("*.py")) if b"numpy" in p.read_bytes()]


def parse_with_libcst(corpus: Path) -> None:
    """The yardstick (runs in a process of its own)."""
    import libcst

    for path in mentions_numpy(corpus):
        libcst.parse_module(path.read_bytes())


class Sampler:
    """Counts where a run is each time its CPU timer fires."""

    def __init__(self) -> None:
        self.stages: Counter[str] = Counter()
        self.floors: Counter[str] = Counter()
        self.files: Counter[str] = Counter()

    def __call__(self, _signal: int, frame: FrameType | None) -> None:
        stage, library, file = "", "", None
        floors = set()
        while frame is not None:
            name = frame.f_globals.get("__name__", "")
            package = name.partition(".")[0]
            if package in ("ast", "difflib", "libcst"):
                library = library or f" > {package}"
            if name.startswith("gpuport."):
                stage = stage or name.removeprefix("gpuport.") + library
                floors.add(name.split(".")[1])
                file = file or file_of(frame)
            frame = frame.f_back
        self.stages[stage or "start and imports"] += 1
        self.floors[next((one for one in FLOORS if one in floors), "rewriting")] += 1
        if file is not None:
            self.files[file] += 1


def file_of(frame: FrameType) -> str | None:
    """Path of the source that a frame works on, where it has one as an argument."""
    for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]:
        value = frame.f_locals.get(name)
        path = value if isinstance(value, (str, Path)) else getattr(value, "path", None)
        if path is not None and "\n" not in str(path) and str(path).endswith(".py"):
            return str(path)
    return None


def sample(corpus: Path) -> None:
    """Run the pipeline under the timer; prints stages and files as JSON (in its own process)."""
    from gpuport.cli.main import main as gpuport

    sampler = Sampler()
    signal.signal(signal.SIGPROF, sampler)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)
    sys.argv = ["gpuport", *rewrite(corpus, jobs=1)]
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.suppress(SystemExit),
    ):
        gpuport()
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps(vars(sampler)))


def child(mode: str, corpus: Path) -> list[str]:
    return [sys.executable, __file__, "--child", mode, "--corpus", str(corpus)]


def measure_ratio(recorder: Recorder, corpus: Path, rounds: int) -> float:
    pipeline = [sys.executable, "-m", "gpuport", *rewrite(corpus, jobs=1)]
    yardstick = child("libcst", corpus)
    runs = [(cost(pipeline)[0], cost(yardstick)[0]) for _ in range(rounds)]
    ours, theirs = (min(column) for column in zip(*runs, strict=True))
    files = mentions_numpy(corpus)
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    recorder.emit(
        "ratio",
        ratio=round(ours / theirs, 3),
        pipeline_cpu_s=round(ours, 2),
        libcst_parse_cpu_s=round(theirs, 2),
        rounds=rounds,
        files=sum(1 for _ in corpus.rglob("*.py")),
        numpy_files=len(files),
        numpy_lines=lines,
    )
    return ours / theirs


def measure_stages(recorder: Recorder, corpus: Path, slowest: int, ratio: float) -> None:
    done = subprocess.run(child("sample", corpus), check=True, capture_output=True, text=True)
    samples = json.loads(done.stdout.splitlines()[-1])
    total = sum(samples["stages"].values())
    for floor, count in Counter(samples["floors"]).most_common():
        recorder.emit("floor", floor=floor, ratio=round(ratio * count / total, 3))
    for stage, count in Counter(samples["stages"]).most_common():
        if count >= 0.005 * total:
            recorder.emit("stage", stage=stage, share=round(count / total, 3))
    for path, count in Counter(samples["files"]).most_common(slowest):
        file = Path(path)
        recorder.emit(
            "slowest",
            file=str(file.relative_to(corpus) if file.is_relative_to(corpus) else file),
            share=round(count / total, 4),
        )


def measure_jobs(recorder: Recorder, corpus: Path, jobs: list[int]) -> None:
    wall = {n: cost([sys.executable, "-m", "gpuport", *rewrite(corpus, n)])[1] for n in jobs}
    first = wall[jobs[0]]
    for n, seconds in wall.items():
        recorder.emit("jobs", jobs=n, wall_s=round(seconds, 2), speedup=round(first / seconds, 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, help="folder with Python files")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--slowest", type=int, default=10)
    parser.add_argument("--save", action="store_true", help="write bench/results/pipeline.json")
    parser.add_argument("--child", choices=("libcst", "sample"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    corpus = (options.corpus or default_corpus()).resolve()
    if options.child:
        {"libcst": parse_with_libcst, "sample": sample}[options.child](corpus)
        return

    recorder = Recorder("pipeline", options.save)
    ratio = measure_ratio(recorder, corpus, options.rounds)
    measure_stages(recorder, corpus, options.slowest, ratio)
    measure_jobs(recorder, corpus, options.jobs)
    recorder.close()


if __name__ == "__main__":
    main()
