"""The project's own tests, run against the port on the chosen backend.

The command is run twice, as it is and with the backend in its place; each test's outcome is read
from the JUnit file that pytest writes. A test that passes with the original and not with the port
is a regression; one that fails both times is named and does not count. Modules are looked for in
each run's own folder (and its ``src``) first, so that a package installed in place is not taken
from the other one. ``.gpuport/expected-failures.toml`` may name tests whose failure is known::

    [[test]]
    name = "tests.test_a::test_b"
    reason = "prints an array's memory address"
    condition = "host"          # optional: the backend for which it holds
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from gpuport.verify.records import VerifyError

LEDGER = Path(".gpuport") / "expected-failures.toml"
_SITE = Path(__file__).with_name("site")
_LEAST_SECONDS, _TIMES_LONGER = 120.0, 20.0


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """Tests by what became of them under the port."""

    passed: int = 0
    regressions: tuple[tuple[str, str], ...] = ()
    expected: tuple[tuple[str, str], ...] = ()
    unexpected: tuple[str, ...] = ()
    before: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    backend: str = "host"

    @property
    def exit_status(self) -> int:
        """1 for a regression, or for an expected failure that passes; 2 where nothing passed."""
        if self.regressions or self.unexpected:
            return 1
        return 0 if self.passed else 2

    def text(self) -> str:
        """The outcome for people."""
        lines = [f"regression: {name}: {why}" for name, why in self.regressions]
        lines += [f"expected failure: {name}: {why}" for name, why in self.expected]
        lines += [
            f"unexpected pass: {name}: take it out of {LEDGER.as_posix()}"
            for name in self.unexpected
        ]
        lines += [f"fails without the port too: {name}: {why}" for name, why in self.before]
        lines += [f"not run, though in {LEDGER.as_posix()}: {name}" for name in self.unknown]
        lines.append(
            f"{self.passed} passed, {len(self.regressions)} regressions, "
            f"{len(self.expected)} expected failures, {len(self.unexpected)} unexpected passes, "
            f"{len(self.before)} fail without the port too (backend: {self.backend})"
        )
        return "\n".join(lines) + "\n"


def run_suite(
    command: str, root: Path, backend: str, originals: Path | None, scratch: Path
) -> SuiteReport:
    """Run a pytest command with originals and with ports, and compare test by test.

    Parameters
    ----------
    command : str
        Such as ``pytest tests/``; the working folder is `root`, which holds the ports.
    root : pathlib.Path
    backend : str
        ``host`` puts CuPy over NumPy in the place of CuPy; ``cuda`` uses the real one.
    originals : pathlib.Path or None
        A folder laid out as `root` with the originals; None for no comparison: every failure then
        counts as a regression.
    scratch : pathlib.Path

    Raises
    ------
    VerifyError
        Where the command is not pytest's, cannot be started or reports no test.
    """
    words = _words(command)
    ledger = _ledger(root, backend)
    started = time.monotonic()
    before = {} if originals is None else _outcomes(words, originals, scratch / "old.xml", None)
    limit = _LEAST_SECONDS + _TIMES_LONGER * (time.monotonic() - started)
    after = _outcomes(words, root, scratch / "new.xml", backend, limit)
    if not before and not after:
        raise VerifyError(f"{command}: reported no test; it must be a pytest command")
    regressions, expected, unexpected, failing = [], [], [], []
    passed = 0
    for name in sorted(set(before) | set(after)):
        why = after.get(name, "it was not run")
        if before.get(name):
            failing.append((name, before[name]))
        elif not why:
            passed += name not in ledger
            if name in ledger:
                unexpected.append(name)
        elif name in ledger:
            expected.append((name, ledger[name]))
        else:
            regressions.append((name, why))
    unknown = tuple(sorted(set(ledger) - set(before) - set(after)))
    return SuiteReport(
        passed, tuple(regressions), tuple(expected), tuple(unexpected), tuple(failing), unknown,
        backend,
    )  # fmt: skip


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise VerifyError(f"{command}: {error}") from None
    if not words:
        raise VerifyError("the suite's command is empty: give one such as 'pytest tests/'")
    if words[0] in ("pytest", "py.test"):
        words[:1] = [sys.executable, "-m", "pytest"]
    return words


def _outcomes(
    words: list[str], folder: Path, report: Path, backend: str | None, limit: float | None = None
) -> dict[str, str]:
    """Tests that ran, with the reason of each failure; empty text for those that passed."""
    command = [*words, f"--junitxml={report}", "-p", "no:cacheprovider"]
    try:
        subprocess.run(
            command, cwd=folder, env=_environment(folder, backend), stdin=subprocess.DEVNULL,
            capture_output=True, check=False, timeout=limit,
        )  # fmt: skip
    except OSError as error:
        raise VerifyError(f"{words[0]}: cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise VerifyError(
            f"{shlex.join(words)}: with the port it did not end within {limit:.0f} s: "
            "a test hangs, or is much slower than before"
        ) from None
    if not report.exists():
        return {}
    return dict(_read(report))


def _environment(folder: Path, backend: str | None) -> dict[str, str]:
    """The user's own, with this folder's modules first and, for the host backend, CuPy over NumPy.

    Nothing is written beside the sources: no bytecode and, by `_outcomes`, no cache of pytest's.
    """
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "GPUPORT_FALLBACK": "error"}
    places = [str(place) for place in (folder / "src", folder) if place.is_dir()]
    places += os.environ.get("PYTHONPATH", "").split(os.pathsep)
    places.append(str(Path(__file__).resolve().parents[3]))
    if backend == "host":
        places.insert(0, str(_SITE))
        environment["GPUPORT_HOST"] = "1"
    environment["PYTHONPATH"] = os.pathsep.join(place for place in places if place)
    return environment


def _read(report: Path) -> Iterator[tuple[str, str]]:
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if case.find("skipped") is not None:
            continue
        name = f"{case.get('classname', '')}::{case.get('name', '')}".removeprefix("::")
        bad = case.find("failure") if case.find("failure") is not None else case.find("error")
        yield name, "" if bad is None else _first_line(bad)


def _first_line(failure: ElementTree.Element) -> str:
    lines = (failure.get("message") or failure.text or "").strip().splitlines()
    return lines[0][:300] if lines else "failed"


def _ledger(root: Path, backend: str) -> dict[str, str]:
    file = root / LEDGER
    if not file.is_file():
        return {}
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise VerifyError(f"{file}: not valid TOML: {error}") from None
    found = {}
    for row in table.get("test", []):
        if not isinstance(row, dict) or not row.get("name") or not row.get("reason"):
            raise VerifyError(f"{file}: each [[test]] needs a name and a reason")
        if row.get("condition") in (None, backend):
            found[str(row["name"])] = str(row["reason"])
    return found
