"""Run CuPy's own tests against the host backend and hold the outcome to the ledger.

    python tests/conformance/run.py [--all | FILE ...] [--jobs N] [--timeout S]
                                    [--keep FOLDER [--reuse]] [--write] [--unlisted FILE]

The source distribution of CuPy comes from the package registry through pip, once, into a cache
folder (``GPUPORT_CONFORMANCE_CACHE``, by default under the user's cache); it is unpacked, never
built. Each file of tests runs in a process of its own. ``xfail.yaml`` says which tests are expected
to fail and why: one that fails without being listed, and one that is listed and passes, both fail
the run.
``--write`` puts the rates of a run over everything into ``docs/conformance.md``.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
LEDGER = HERE / "xfail.yaml"
DOCUMENT = REPOSITORY / "docs" / "conformance.md"
VERSION = "14.2.0"
FOLDERS = (
    "creation", "indexing", "manipulation", "math", "logic", "sorting", "statistics", "linalg",
    "fft", "core", "binary", "misc", "functional", "padding", "lib",
)  # fmt: skip
MEMORY = 8 << 30
"""Address space of one process of tests, in bytes."""
SAMPLE = (
    "binary_tests/test_elementwise.py",
    "binary_tests/test_packing.py",
    "creation_tests/test_from_data.py",
    "creation_tests/test_ranges.py",
    "core_tests/test_array_function.py",
    "core_tests/test_ndarray_math.py",
    "core_tests/test_userkernel.py",
    "indexing_tests/test_insert.py",
    "linalg_tests/test_solve.py",
    "logic_tests/test_comparison.py",
    "manipulation_tests/test_join.py",
    "manipulation_tests/test_shape.py",
    "math_tests/test_rounding.py",
    "sorting_tests/test_search.py",
    "statistics_tests/test_order.py",
)
"""Fixed files for every change: all folders, under three minutes."""


class Unavailable(Exception):
    """The source distribution cannot be had here."""


def cache_folder() -> Path:
    """Where the source distribution is kept between runs."""
    named = os.environ.get("GPUPORT_CONFORMANCE_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(home) / "gpuport" / "conformance"


def fetch() -> Path:
    """Folder of CuPy's source distribution, downloaded and unpacked where it is not there yet.

    Raises
    ------
    Unavailable
        Where pip does not get it, with its last line.
    """
    folder = cache_folder()
    unpacked = folder / f"cupy-{VERSION}"
    if (unpacked / "tests" / "conftest.py").is_file():
        return unpacked
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"cupy-{VERSION}.tar.gz"
    if not archive.is_file():
        _download(folder)
    partial = folder / f"unpacking-{os.getpid()}"
    with tarfile.open(archive) as packed:
        packed.extractall(partial, filter="data")
    try:
        (partial / f"cupy-{VERSION}").rename(unpacked)
    except OSError:
        if not unpacked.is_dir():  # else another run was faster
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return unpacked


def _download(folder: Path) -> None:
    # pip asks every source distribution for its metadata; with this variable CuPy answers without
    # a CUDA toolkit, and nothing is compiled.
    environment = {**os.environ, "CUPY_INSTALL_USE_STUB": "1"}
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--no-binary", "cupy", "--dest", str(folder), f"cupy=={VERSION}"]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=600, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unavailable("pip download came to no end in 600 s") from None
    if done.returncode:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise Unavailable(f"pip could not download cupy=={VERSION}: {last}")


@dataclass(frozen=True)
class Outcome:
    """What became of one test."""

    name: str
    """``folder/file.py::Class::function[parameters]``."""
    outcome: str
    """passed, failed, error, skipped or xfailed (CuPy's own mark)."""
    reason: str = ""

    @property
    def failed(self) -> bool:
        return self.outcome in ("failed", "error")


def _limit_memory() -> None:
    """Some tests ask for more than a machine has: they get MemoryError, the machine lives on."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run_file(source: Path, name: str, results: Path, timeout: float) -> list[Outcome]:
    """Run one file of tests in its own process.

    A process that ends early leaves the outcome ``error`` for the file as a whole.
    """
    results.mkdir(parents=True, exist_ok=True)
    record = results / (name.replace("/", "-") + ".jsonl")
    record.unlink(missing_ok=True)
    path = [str(HERE), str(REPOSITORY / "src"), str(source / "tests")]
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "CUPY_"))},
        "CUPY_TEST_GPU_LIMIT": "1",
        "CONFORMANCE_SOURCE": str(source),
        "CONFORMANCE_RESULTS": str(record),
        "GPUPORT_CUPY": VERSION.split(".")[0],
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "--rootdir=.", "-q"]
    command += ["-p", "plugin", "-p", "no:cacheprovider", "--tb=short", f"tests/cupy_tests/{name}"]
    ended = ""
    try:
        with (results / (name.replace("/", "-") + ".txt")).open("w") as output:
            subprocess.run(
                command, cwd=source, env=environment, stdout=output, stderr=output,
                stdin=subprocess.DEVNULL, timeout=timeout, check=False, preexec_fn=_limit_memory,
            )  # fmt: skip
    except subprocess.TimeoutExpired:
        ended = f"no end within {timeout:g} s"
    return read_outcomes(record, name, ended)


def read_outcomes(record: Path, name: str, ended: str = "") -> list[Outcome]:
    """The outcomes that the plugin wrote down, each test once."""
    found: dict[str, Outcome] = {}
    finished = False
    lines = record.read_text(encoding="utf-8").splitlines() if record.is_file() else []
    for line in lines:
        try:
            test, outcome, reason = json.loads(line)
        except ValueError:
            continue  # the process was ended while it wrote
        if outcome == "end":
            finished = True
            continue
        test = test.removeprefix("tests/cupy_tests/")
        if test not in found or not found[test].failed:
            found[test] = Outcome(test, outcome, reason)
    if ended or not finished:
        found[name] = Outcome(name, "error", ended or "the process ended early")
    return list(found.values())


@dataclass
class Group:
    """Tests that are expected to fail for one reason."""

    name: str
    kind: str
    """``internals``, ``hardware``: not the business of a host backend; ``gap``: ours."""
    reason: str
    condition: str | None
    flaky: bool
    tests: list[str] = field(default_factory=list)

    @property
    def applies(self) -> bool:
        """Whether the condition (``numpy>=2.4``) holds here."""
        return self.condition is None or all(map(_holds, self.condition.split(",")))


KINDS = ("internals", "hardware", "gap", "numpy")


def _holds(condition: str) -> bool:
    from packaging.requirements import Requirement

    wanted = Requirement(condition.strip())
    if wanted.name == "python":
        return wanted.specifier.contains(".".join(map(str, sys.version_info[:3])))
    try:
        return wanted.specifier.contains(importlib.metadata.version(wanted.name), prereleases=True)
    except importlib.metadata.PackageNotFoundError:
        return False


def read_ledger(path: Path = LEDGER) -> list[Group]:
    """The groups of the ledger.

    Raises
    ------
    ValueError
        For a group without a reason, of an unknown kind or without tests.
    """
    import yaml

    groups = []
    for row in yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]:
        group = Group(
            row["name"], row["kind"], row.get("reason", "").strip(), row.get("condition"),
            bool(row.get("flaky", False)), list(row["tests"]),
        )  # fmt: skip
        if group.kind not in KINDS or not group.reason or not group.tests:
            raise ValueError(f"{path.name}: group {group.name} needs a kind, a reason and tests")
        groups.append(group)
    return groups


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """``*`` is anything; a pattern takes all parameters, and all tests of a class or file."""
    inner = ".*".join(re.escape(part) for part in text.split("*"))
    return re.compile(inner + r"(\[.*\]|::.*)?", re.DOTALL)


def matches(pattern: str, test: str) -> bool:
    """Whether a pattern of the ledger names a test."""
    return _pattern(pattern).fullmatch(test) is not None


@dataclass
class Verdict:
    """Outcomes against the ledger."""

    regressions: list[Outcome] = field(default_factory=list)
    unexpected_passes: list[tuple[str, str]] = field(default_factory=list)
    unused: list[tuple[str, str]] = field(default_factory=list)
    kind: dict[str, str] = field(default_factory=dict)
    """Kind of each expected failure."""

    @property
    def holds(self) -> bool:
        return not (self.regressions or self.unexpected_passes or self.unused)


def judge(outcomes: Iterable[Outcome], groups: list[Group], files: set[str]) -> Verdict:
    """Hold outcomes of `files` to the ledger.

    A pattern is used by the tests that it names; one of a file that ran and that names none is
    reported as well, so that the ledger cannot grow stale.
    """
    by_file: dict[str, list[tuple[Group, str]]] = defaultdict(list)
    for group in groups:
        if group.applies:
            for pattern in group.tests:
                by_file[pattern.split("::")[0]].append((group, pattern))
    used: set[tuple[str, str]] = set()
    verdict = Verdict()
    for found in outcomes:
        file = found.name.split("::")[0]
        rows = [row for row in by_file.get(file, ()) if matches(row[1], found.name)]
        used.update((group.name, pattern) for group, pattern in rows)
        if found.failed:
            if rows:
                verdict.kind[found.name] = rows[0][0].kind
            else:
                verdict.regressions.append(found)
        elif found.outcome == "passed" and rows and not any(group.flaky for group, _ in rows):
            verdict.unexpected_passes.append((found.name, rows[0][0].name))
    for file, listed in by_file.items():
        if file in files:
            verdict.unused += [
                (pattern, group.name)
                for group, pattern in listed
                if (group.name, pattern) not in used
            ]
    return verdict


def listed_files(source: Path) -> list[str]:
    """The files of tests of all the folders."""
    root = source / "tests" / "cupy_tests"
    return [
        path.relative_to(root).as_posix()
        for name in FOLDERS
        for path in sorted((root / f"{name}_tests").rglob("test_*.py"))
    ]


def run_files(
    source: Path, files: list[str], results: Path, jobs: int, timeout: float
) -> Iterator[tuple[str, list[Outcome]]]:
    """Run files, `jobs` at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(run_file, source, name, results, timeout) for name in files]
        for name, run in zip(files, runs, strict=True):
            yield name, run.result()


PARTS_OF_CORE = {
    "ufunc": (
        "test_ndarray_ufunc", "test_ufunc_methods", "test_ndarray_elementwise_op",
        "test_ndarray_unary_op", "test_ndarray_math", "test_nep50_examples",
    ),
    "user kernels": ("test_userkernel", "test_raw", "test_reduction", "test_elementwise"),
    "fusion": ("fusion_tests",),
}  # fmt: skip
"""Rows of the table that are parts of the folder ``core_tests``: the beginnings of file names."""


def module_of(test: str) -> str:
    """The row of the table that a test belongs to."""
    folder, _, file = test.partition("/")
    if folder == "core_tests":
        for part, files in PARTS_OF_CORE.items():
            if file.split("::")[0].removesuffix(".py").startswith(files):
                return part
    return folder.removesuffix("_tests")


def rates(outcomes: list[Outcome], kinds: dict[str, str]) -> dict[str, Counter[str]]:
    """Counts by module: passed, skipped, and failures by kind."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for found in outcomes:
        row = table[module_of(found.name)]
        if found.failed:
            row[kinds.get(found.name, "unlisted")] += 1
        else:
            row["passed" if found.outcome == "passed" else "skipped"] += 1
    return dict(table)


def document(table: dict[str, Counter[str]], groups: list[Group]) -> str:
    """The page of the rates."""
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy")
    )
    python = ".".join(map(str, sys.version_info[:3]))
    lines = [
        "# Conformance of the host backend",
        "",
        f"CuPy {VERSION}'s own tests, from its source distribution, run against `gpuport.host`",
        f"with Python {python}, {versions}; no GPU is involved. Written by",
        "`python tests/conformance/run.py --all --write`, files that were repaired since with "
        "`--reuse`; do",
        "not edit. Each failure is listed with",
        "its reason in [xfail.yaml](../tests/conformance/xfail.yaml), and a test that begins or",
        "ceases to fail fails the run. Most of these tests compare CuPy with NumPy: passing them",
        "proves that names, types, shapes and errors are wired as CuPy's, not that a GPU gives the",
        "same last bits.",
        "",
        "| module | tests | passed | skipped | hardware | internals | gaps | rate |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    total: Counter[str] = Counter()
    for name in (*sorted(table), "all"):
        row = total if name == "all" else table[name]
        if name != "all":
            total.update(row)
        ours = row["gap"] + row["numpy"] + row["unlisted"]
        judged = row["passed"] + ours
        share = f"{100 * row['passed'] / judged:.1f} %" if judged else ""
        lines.append(
            f"| {name} | {sum(row.values())} | {row['passed']} | {row['skipped']} "
            f"| {row['hardware']} | {row['internals']} | {ours} | {share} |"
        )
    lines += [
        "",
        "*skipped*: by the tests themselves, or expected by CuPy to fail. *hardware*: needs a",
        "device's memory, streams, compiler or libraries. *internals*: calls private names of",
        "CuPy. *rate*: passed of passed and gaps. *ufunc*, *user kernels* and *fusion* are parts",
        "of CuPy's folder *core*. A file that cannot be collected counts as one test.",
        "",
        "## What is expected to fail",
        "",
    ]
    for group in groups:
        condition = f" (where {group.condition})" if group.condition else ""
        lines.append(
            f"- **{group.name}**, {group.kind}{condition}: {' '.join(group.reason.split())}"
        )
    return "\n".join(lines) + "\n"


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("files", nargs="*", help="as creation_tests/test_basic.py; else the sample")
    parser.add_argument("--all", action="store_true", help="every file of the folders named")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one file")
    parser.add_argument("--keep", type=Path, help="folder for what the tests print")
    parser.add_argument("--reuse", action="store_true", help="judge what --keep holds already")
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md")
    parser.add_argument("--unlisted", type=Path, help="write unlisted failures to this file")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """0 where the outcome is the ledger's, 1 where not, 3 where nothing could be run."""
    import tempfile

    options = _arguments(given)
    try:
        source = fetch()
    except Unavailable as reason:
        print(f"not run: {reason}", file=sys.stderr)
        return 3
    every = listed_files(source)
    files = every if options.all else list(options.files or SAMPLE)
    if unknown := [name for name in files if not fnmatch.filter(every, name)]:
        print(f"no such file of tests: {', '.join(unknown)}", file=sys.stderr)
        return 2
    groups = read_ledger()
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder: Path = (options.keep or Path(scratch)).resolve()
        if options.reuse:
            runs: Any = [
                (f, read_outcomes(folder / (f.replace("/", "-") + ".jsonl"), f)) for f in files
            ]
        else:
            runs = run_files(source, files, folder, options.jobs, options.timeout)
        for name, found in runs:
            counts = Counter(row.outcome for row in found)
            print(f"{name}: {', '.join(f'{n} {k}' for k, n in sorted(counts.items()))}", flush=True)
            outcomes += found
    verdict = judge(outcomes, groups, set(files))
    for regression in verdict.regressions:
        reason = regression.reason.splitlines()[0][:160] if regression.reason else ""
        print(f"FAILS, not in the ledger: {regression.name}: {reason}")
    for test, group in verdict.unexpected_passes:
        print(f"PASSES, but the ledger expects it to fail ({group}): {test}")
    for pattern, group in verdict.unused:
        print(f"NAMES NO TEST in the ledger ({group}): {pattern}")
    if options.unlisted:
        rows = [[r.name, r.outcome, r.reason] for r in verdict.regressions]
        options.unlisted.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if options.write and options.all:
        text = document(rates(outcomes, verdict.kind), groups)
        DOCUMENT.write_text(text, encoding="utf-8")
    passed = sum(row.outcome == "passed" for row in outcomes)
    print(
        f"{passed} passed, {len(verdict.kind)} fail as expected, {len(verdict.regressions)} "
        f"regressions, {len(verdict.unexpected_passes)} unexpected passes, "
        f"{len(verdict.unused)} stale"
    )
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
