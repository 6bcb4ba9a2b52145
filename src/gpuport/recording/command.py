"""Run a command with recording switched on in it and in the Python processes that it starts."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuport.recording.calls import PLACE, loaded, read, write

_SITE = Path(__file__).with_name("site")
_SECONDS_TO_END = 30.0
"""How long an interrupted command may take to end by itself."""
INTERRUPTED = 130
"""Exit status of what was interrupted, as shells give it."""


class RecordingFailed(Exception):
    """The command could not be started."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recording brought."""

    status: int
    calls: int
    functions: int
    path: Path
    put_aside: Path | None = None
    """Where what was in the place of the recording is, since not all of it could be read."""


def record(words: Sequence[str], root: Path, output: Path | None, data: bool) -> Recorded:
    """Run a command and merge what its processes recorded with what was recorded before.

    Parameters
    ----------
    words : sequence of str
        The command and its arguments.
    root : pathlib.Path
        Files below it are the project's.
    output : pathlib.Path or None
        None for ``.gpuport/calls.jsonl`` below `root`.
    data : bool
        Whether the contents of small arrays are kept.

    Raises
    ------
    RecordingFailed
        Where there is no such command, or its calls have no place.
    """
    path = output or root / PLACE
    if output is None and not path.resolve().is_relative_to(root.resolve()):
        raise RecordingFailed(f"{path}: a link leads out of the project: name a file by --output")
    with tempfile.TemporaryDirectory(prefix="gpuport-record-") as folder:
        order = {"root": str(root.resolve()), "out": folder, "data": data}
        package = str(Path(__file__).resolve().parents[2])
        inherited = os.environ.get("PYTHONPATH")
        places = [str(_SITE), package, *([inherited] if inherited else [])]
        environment = {
            **os.environ,
            "GPUPORT_RECORD": json.dumps(order),
            "PYTHONPATH": os.pathsep.join(places),
        }
        try:
            status = _run(_with_script(list(words)), environment)
        except OSError as error:
            raise RecordingFailed(f"{words[0]}: cannot be started: {error.strerror}") from None
        calls, problems = loaded(path)
        for file in sorted(Path(folder).glob("*.jsonl")):
            calls += read(file)
    try:
        aside = _put_aside(path) if problems else None
        count = write(path, calls)
    except OSError as error:
        raise RecordingFailed(f"{path}: cannot be written: {error.strerror}") from None
    functions = {(call.file, call.function) for call in calls}
    return Recorded(status, count, len(functions), path, aside)


def _put_aside(path: Path) -> Path:
    """Give a file that cannot be read as a whole another name, under which nothing is."""
    names = (path.with_name(f"{path.name}.{number}.old") for number in itertools.count(1))
    free = next(name for name in names if not name.exists() and not name.is_symlink())
    return path.rename(free)


def _run(words: list[str], environment: dict[str, str]) -> int:
    """The status of a command; of one that is interrupted, with it, once it has ended."""
    with subprocess.Popen(words, env=environment) as process:
        try:
            return process.wait()
        except KeyboardInterrupt as reason:
            if reason.args:  # SIGTERM for this process alone; a terminal interrupts both
                process.send_signal(signal.SIGINT)
            try:
                process.wait(_SECONDS_TO_END)
            except (KeyboardInterrupt, subprocess.TimeoutExpired):
                process.kill()
            return INTERRUPTED


def _with_script(words: list[str]) -> list[str]:
    """``FILE`` and ``python FILE`` become a module that runs the file with recorders in it."""
    program = Path(words[0]).name
    if words[0].endswith((".py", ".ipynb")) and not shutil.which(words[0]):
        words, program = [sys.executable, *words], "python"
    if program.startswith("python") and len(words) > 1 and words[1].endswith((".py", ".ipynb")):
        return [words[0], "-m", "gpuport.recording.script", *words[1:]]
    return words
