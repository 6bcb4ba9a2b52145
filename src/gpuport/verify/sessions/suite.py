"""The project's own tests, run against the port on the chosen backend.

The command is run twice, as it is and with the backend in its place. A test that passes with the
original and not with the port is a regression; one that fails both times is named and does not
count. Modules are looked for in each run's own folder (and its ``src``) first, so that a package
installed in place is not taken from the other one. ``.gpuport/expected-failures.toml`` may name
tests whose failure is known::

    [[test]]
    name = "tests.test_a::test_b"
    reason = "prints an array's memory address"
    condition = "host"          # optional: the backend for which it holds
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from gpuport.verify.records import VerifyError
from gpuport.verify.sessions.suiteruns import Limits, SuiteRun, run_tests, words_of
from gpuport.verify.verdicts.suitereport import LEDGER, SuiteReport

_LEAST_SECONDS, _TIMES_LONGER = 120.0, 20.0
_LEAST_MEMORY, _TIMES_MORE = 8 << 30, 4


def run_suite(
    command: str, root: Path, backend: str, originals: Path, scratch: Path
) -> SuiteReport:
    """Run a pytest command with originals and with ports, and compare test by test.

    Parameters
    ----------
    command : str
        Such as ``pytest tests/``; the working folder is `root`, which holds the ports.
    root : pathlib.Path
    backend : str
        ``host`` puts CuPy over NumPy in the place of CuPy; ``cuda`` uses the real one, and
        ``auto`` does where there is a device.
    originals : pathlib.Path
        A folder laid out as `root` with the originals.
    scratch : pathlib.Path

    Raises
    ------
    VerifyError
        Where the command is not pytest's, cannot be started or reports no test.
    """
    words = words_of(command)
    backend = _chosen(backend)
    ledger = _ledger(root, backend)
    old = run_tests(words, originals, scratch / "old", None, Limits())
    new = run_tests(words, root, scratch / "new", backend, _limits(old))
    before, after = old.outcomes, new.outcomes
    if not before and not after:
        raise VerifyError(f"{command}: reported no test; it must be a pytest command")
    regressions, expected, failing = [], [], []
    passed: list[str] = []
    unexpected: list[str] = []
    for name in sorted(set(before) | set(after)):
        why = after.get(name, "it was not run")
        if before.get(name):
            failing.append((name, before[name]))
        elif not why:
            (unexpected if name in ledger else passed).append(name)
        elif name in ledger:
            expected.append((name, ledger[name]))
        else:
            regressions.append((name, why))
    unknown = tuple(sorted(set(ledger) - set(before) - set(after)))
    return SuiteReport(
        passed=tuple(passed),
        regressions=tuple(regressions),
        expected=tuple(expected),
        unexpected=tuple(unexpected),
        before=tuple(failing),
        unknown=unknown,
        backend=backend,
        command=command,
    )


def _chosen(backend: str) -> str:
    if backend != "auto":
        return backend
    ask = "import cupy; raise SystemExit(cupy.cuda.runtime.getDeviceCount() == 0)"
    # in a process of its own: what initialises a device keeps hold of it
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, check=False)
    return "cuda" if done.returncode == 0 else "host"


def _limits(old: SuiteRun) -> Limits:
    """Of the run with the ports: many times what the originals took."""
    seconds = _LEAST_SECONDS + _TIMES_LONGER * old.seconds
    return Limits(seconds, max(_LEAST_MEMORY, _TIMES_MORE * old.memory))


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
