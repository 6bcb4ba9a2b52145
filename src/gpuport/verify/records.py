"""What verification takes and gives: options, evidence, verdicts, the report of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Verdict(StrEnum):
    """What is known about a function after the differential run (see docs/verification.md)."""

    EQUIVALENT = "EQUIVALENT"
    DIFFERS = "DIFFERS"
    UNTESTED = "UNTESTED"
    ERROR = "ERROR"
    UNCHANGED = "unchanged"

    @property
    def failing(self) -> bool:
        """Whether this verdict alone makes the exit status 1."""
        return self in (Verdict.DIFFERS, Verdict.ERROR)


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """How much to try, and within which limits.

    Attributes
    ----------
    backend : str
        ``host`` (CuPy over NumPy), ``cuda`` (the real CuPy) or ``auto`` (cuda where usable).
    examples : int
        Accepted examples aimed at, per function.
    seed : int
        The seed of every random draw; the same seed gives the same run.
    example_seconds, function_seconds : float
        Time limits of one call and of one function, in seconds; other work on the machine counts
        for neither.
    memory_bytes : int
        Address space of the worker (host backend only: CUDA reserves far more than it uses).
    functions : tuple of str
        Qualified names to verify; empty for all.
    root : pathlib.Path or None
        The folder that ``.gpuport/`` and relative paths belong to; None for the working folder.
    host_module : str
        The module with ``install``, ``uninstall`` and ``counting`` for the host backend.
    keep_versions : bool
        Keep copies of both versions beside a counterexample, because neither will stay in place.
    recorded_as : str
        The path under which the file's calls were recorded, where it is run from another place.
    trust_recording : bool
        Whether recorded calls may name anything to be called.
    modules : tuple of str
        Names of modules that the run verifies and that others of these import: recorded calls may
        have instances of these.
    jobs : int
        Functions verified at a time: of several files, or of one.
    scheduler : str
        Address of a Dask scheduler that the functions are spread over; empty for here.
    """

    backend: str = "host"
    examples: int = 200
    seed: int = 0
    example_seconds: float = 10.0
    function_seconds: float = 10.0
    memory_bytes: int = 4 << 30
    functions: tuple[str, ...] = ()
    root: Path | None = None
    host_module: str = "gpuport.host"
    keep_versions: bool = False
    recorded_as: str = ""
    trust_recording: bool = False
    modules: tuple[str, ...] = ()
    jobs: int = 1
    scheduler: str = ""


@dataclass(frozen=True, slots=True)
class Errors:
    """Largest deviations of the port from the original over everything compared."""

    absolute: float = 0.0
    relative: float = 0.0
    ulp: float = 0.0

    def join(self, other: Errors) -> Errors:
        """The larger of each measure."""
        return Errors(
            max(self.absolute, other.absolute),
            max(self.relative, other.relative),
            max(self.ulp, other.ulp),
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a verdict rests on.

    ``drawn`` inputs were made, the original ``accepted`` some of them, ``finite`` of these gave a
    finite value, and there were ``distinct`` different finite outputs. ``coverage`` is the share
    of the original's lines that ran, ``branches`` of its conditions' outcomes; ``missed`` lists the
    other lines (of the original). ``exact`` comparisons were of arithmetic that rounded nothing.
    ``looseness`` counts, by reason, what was accepted without being bit-equal; ``notes`` counts
    differences of their own class (signed zeros, memory order, ...) that do not fail.
    ``counters`` are the port's launches and transfers, summed over the accepted examples.
    """

    drawn: int = 0
    accepted: int = 0
    compared: int = 0
    finite: int = 0
    distinct: int = 0
    coverage: float = 0.0
    branches: float = 1.0
    missed: tuple[int, ...] = ()
    exact: int = 0
    inputs: str = ""
    families: tuple[str, ...] = ()
    errors: Errors = field(default_factory=Errors)
    looseness: tuple[tuple[str, int], ...] = ()
    notes: tuple[tuple[str, int], ...] = ()
    counters: tuple[tuple[str, int], ...] = ()
    rejections: tuple[tuple[str, int], ...] = ()
    backend: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A failing input, saved for replay."""

    description: str
    data: Path
    test: Path


@dataclass(frozen=True, slots=True)
class FunctionVerdict:
    """The verdict on one function of one file, and why."""

    name: str
    line: int
    verdict: Verdict
    reason: str
    evidence: Evidence = field(default_factory=Evidence)
    counterexample: Counterexample | None = None


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """All functions of one file; ``error`` where there was nothing to compare with."""

    path: str
    functions: tuple[FunctionVerdict, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The result of one run of ``gpuport verify``; ``warnings`` stand in no file's way."""

    files: tuple[FileVerdict, ...] = ()
    errors: tuple[str, ...] = ()
    seed: int = 0
    warnings: tuple[str, ...] = ()

    def functions(self) -> Iterable[FunctionVerdict]:
        """Every function of every file."""
        return (function for file in self.files for function in file.functions)

    @property
    def failed(self) -> bool:
        """Whether the run itself failed (exit status 2)."""
        return bool(self.errors) or any(file.error is not None for file in self.files)

    @property
    def exit_status(self) -> int:
        """0 when nothing differs, 1 when something DIFFERS or ERRORs, 2 when the run failed."""
        if self.failed:
            return 2
        return int(any(function.verdict.failing for function in self.functions()))


class VerifyError(Exception):
    """The run cannot go on; the message says what is missing and what to do."""
