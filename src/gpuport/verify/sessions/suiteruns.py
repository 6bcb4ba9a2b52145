"""One run of the project's tests, test by test; what hangs, crashes or takes all memory is named.

A plugin of pytest writes down which test begins and how it ends. Where the process is lost, the
test that was running is what lost it, and the tests that are left are run in another process.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuport.verify.records import VerifyError
from gpuport.verify.sessions.site.gpuport_suite import CUT, DONE, JOURNAL, MEMORY, lines_of

_SITE = Path(__file__).with_name("site")
_LOST_PROCESSES = 5
_OUTSIDE = "outside of the tests"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may take: seconds, and bytes of address space of each of its processes."""

    seconds: float | None = None
    memory: int = 0


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What became of each test: the reason of its failure, empty for those that passed.

    ``seconds`` and ``memory`` (bytes, of its largest process) are what the run took.
    """

    outcomes: Mapping[str, str]
    seconds: float
    memory: int


def words_of(command: str) -> list[str]:
    """The words of a pytest command, to be run by this Python.

    Raises
    ------
    VerifyError
        Where there are none, or a quotation does not end.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise VerifyError(f"{command}: {error}") from None
    if not words:
        raise VerifyError("the suite's command is empty: give one such as 'pytest tests/'")
    if words[0] in ("pytest", "py.test"):
        words[:1] = [sys.executable, "-m", "pytest"]
    return words


def run_tests(
    words: Sequence[str], folder: Path, scratch: Path, backend: str | None, limits: Limits
) -> SuiteRun:
    """Run a pytest command in a folder, with a backend in the place of CuPy or without.

    Parameters
    ----------
    words : sequence of str
        As `words_of` gives them.
    folder : pathlib.Path
    scratch : pathlib.Path
        Where the plugin writes.
    backend : str or None
    limits : Limits
        Of each process that is needed.

    Raises
    ------
    VerifyError
        Where the command cannot be started.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    journal, done = scratch / "journal", scratch / "done"
    outcomes: dict[str, str] = {}
    seconds, memory = 0.0, 0
    for _ in range(_LOST_PROCESSES):
        journal.write_text("", encoding="utf-8")
        done.write_text("\n".join(outcomes), encoding="utf-8")
        environment = _environment(folder, backend, limits)
        environment |= {JOURNAL: str(journal), DONE: str(done)}
        started = time.monotonic()
        lost, taken = _run(words, folder, environment, limits.seconds)
        seconds, memory = seconds + time.monotonic() - started, max(memory, taken)
        ended, running = _read(journal)
        outcomes |= ended
        if lost is None:
            break
        for name in running or (_OUTSIDE,):
            outcomes[name] = lost
        if not running:
            break
    return SuiteRun(outcomes, seconds, memory)


def _run(
    words: Sequence[str], folder: Path, environment: dict[str, str], limit: float | None
) -> tuple[str | None, int]:
    """How the process was lost, None where it ended by itself, and the memory that it took."""
    try:
        process = subprocess.Popen(
            words, cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise VerifyError(f"{words[0]}: cannot be started: {error.strerror}") from None
    ends = None if limit is None else time.monotonic() + limit
    try:
        while True:
            number, status, used = os.wait4(process.pid, os.WNOHANG)
            if number:
                break
            if ends is not None and time.monotonic() > ends:
                return f"it did not end within {limit:.0f} s: it hangs, or is much slower", 0
            time.sleep(0.02)
    finally:
        # those that the tests have started as well; nothing of it goes on without this process
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            process.wait()
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return f"the process was killed by {name}", used.ru_maxrss * 1024
    return None, used.ru_maxrss * 1024


def _environment(folder: Path, backend: str | None, limits: Limits) -> dict[str, str]:
    """The user's own, with this folder's modules first and, for the host backend, CuPy over NumPy.

    Nothing is written beside the sources: no bytecode, and no cache of pytest's.
    """
    ours = {"PYTHONDONTWRITEBYTECODE": "1", "GPUPORT_FALLBACK": "loops", "GPUPORT_FROM_SIZE": "0"}
    environment = {**os.environ, **ours}
    # a worker of pytest-xdist that runs this is none to the plugin
    environment = {k: v for k, v in environment.items() if not k.startswith("PYTEST_XDIST_")}
    places = [str(_SITE), *(str(place) for place in (folder / "src", folder) if place.is_dir())]
    places += os.environ.get("PYTHONPATH", "").split(os.pathsep)
    places.append(str(Path(__file__).resolve().parents[3]))
    if backend == "host":
        environment["GPUPORT_HOST"] = "1"
        environment[MEMORY] = str(limits.memory)
    environment["PYTHONPATH"] = os.pathsep.join(place for place in places if place)
    options = environment.get("PYTEST_ADDOPTS", "")
    environment["PYTEST_ADDOPTS"] = f"{options} -p no:cacheprovider".strip()
    plugins = environment.get("PYTEST_PLUGINS", "")
    environment["PYTEST_PLUGINS"] = ",".join(p for p in (plugins, "gpuport_suite") if p)
    return environment


def _read(journal: Path) -> tuple[dict[str, str], tuple[str, ...]]:
    """Tests that ended, with the reason of each failure, and those that had only begun."""
    ended: dict[str, str] = {}
    running: dict[str, None] = {}
    for event, name, text in lines_of(journal.read_text(encoding="utf-8", errors="replace")):
        if event == "begins":
            running[name] = None
        elif event == "ends":
            running.pop(name, None)
        elif event == "passed":
            ended.setdefault(name, "")
        elif event == "failed":
            # of a test and what is taken down after it, the first that fails is told
            ended[name] = ended.get(name) or text[:CUT]
    return ended, tuple(running)
