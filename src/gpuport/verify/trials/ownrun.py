"""A program's own run: with what kinds of arguments its functions are called inside it.

All callers of the functions of a program that nobody imports are in it. What is drawn beside their
arguments may be more than the port is for. The program is run once, with the name of an output
file as its argument, in a process and a folder of its own; where it does not come to its end,
nothing is known.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gpuport.recording.calls import Call
from gpuport.verify.aftermath.processstate import limit_memory, limit_seconds
from gpuport.verify.sides.loading import OUTPUT
from gpuport.verify.sides.orphans import end_with
from gpuport.verify.signatures.kinds import Given, watched
from gpuport.verify.trials.isolation import environment
from gpuport.verify.trials.seencalls import SeenCalls

_SECONDS = 10  # of the processor: what else runs beside it changes no verdict
_PATIENCE = 6  # times as long by the clock


@dataclass(frozen=True, slots=True)
class OwnRun:
    """What the functions of a file were given; nothing where the program did not come to its end.

    ``calls`` are some of the calls, described as recorded ones are; ``unseen`` is why nothing is
    known.
    """

    given: Mapping[str, Given] = field(default_factory=dict)
    calls: Mapping[str, list[Call]] = field(default_factory=dict)
    unseen: str = ""


def own_run(
    file: Path,
    root: Path,
    work: Path,
    memory: int,
    seconds: int = _SECONDS,
    module: str = "",
    refused: Iterable[str] = (),
) -> OwnRun:
    """Run a program once and tell what its functions are given.

    Parameters
    ----------
    file : pathlib.Path
    root : pathlib.Path
        Where its imports are looked for.
    work : pathlib.Path
        An empty folder to run it in.
    memory : int
        Bytes that it may use.
    seconds : int
        Of the processor's time that it may take.
    module : str
        What the program is called where it is not run but loaded, as its classes are found there.
    refused : iterable of str
        Libraries that it does not get.
    """
    folder, told = work / "run", work / "run.json"
    folder.mkdir(parents=True, exist_ok=True)
    order = json.dumps([str(file), str(root), str(told), memory, seconds, os.getpid(), [*refused]])
    process = subprocess.Popen(
        [sys.executable, "-c", "from gpuport.verify.trials.ownrun import main; main()", order],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment(),
        start_new_session=True,
    )
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=_PATIENCE * seconds)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    try:
        text = told.read_text(encoding="utf-8")
        found = json.loads(text.replace('"__main__:', f'"{module or file.stem}:'))
        given = {name: Given(kinds) for name, kinds in found["kinds"].items()}
        calls = {name: [Call(**call) for call in rows] for name, rows in found["calls"].items()}
    except (OSError, ValueError, KeyError, TypeError):
        return OwnRun(unseen=f"it does not end well within {seconds} seconds")
    return OwnRun(given, calls)


def main() -> None:
    """Run the program that the command line names, and write what was seen at its end."""
    file, root, told, memory, seconds, parent, refused = json.loads(sys.argv[1])
    end_with(parent)
    limit_memory(memory)
    limit_seconds(seconds)
    sys.argv = [file, OUTPUT]
    sys.path.insert(0, root)
    sys.modules.update(dict.fromkeys(refused))  # what is None there cannot be imported
    space = sys.modules["__main__"].__dict__
    space.update(__file__=file, __spec__=None, __package__=None, __doc__=None)
    code = compile(Path(file).read_bytes(), file, "exec")
    seen = SeenCalls(file)
    try:
        with watched(seen):
            exec(code, space)
    except SystemExit as left:
        if left.code:
            raise
    Path(told).write_text(json.dumps(seen.told()), encoding="utf-8")


__all__ = ["OwnRun", "own_run"]
