"""The worker process from inside: questions come in, answers go out, and it may die of any."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import os
import signal
from collections.abc import Iterator
from typing import Any, BinaryIO

READY = b"ready\n"
"""What it says first."""
_WORK = 20.0
"""Seconds of processor time that a question may take, however busy the machine is."""
_WAIT = 300.0
"""Seconds that a question may take where it waits, or where processor time cannot be limited."""
_MOST_MEMORY = 8 * 2**30


def main() -> None:
    """Answer questions from the standard input until it ends."""
    questions, answers = _own_streams()
    _limit()
    answers.write(READY)
    answers.flush()
    for line in questions:
        for prober, data in json.loads(line):
            with _limited():
                said = _said(prober, data)
            answers.write(said)
            answers.flush()


def _said(prober: str, data: Any) -> bytes:
    """The line that answers a question."""
    try:
        function = importlib.import_module(prober).answer
        text = json.dumps(function(data), separators=(",", ":"))
    except (MemoryError, SystemExit, KeyboardInterrupt):  # of the library that was asked
        return b"answer null\n"
    except Exception as error:
        return f"error {json.dumps(f'{type(error).__name__}: {error}')}\n".encode()
    return f"answer {text}\n".encode()


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Two pipes that nobody else knows; what is printed goes nowhere, and nothing can be read."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    return questions, answers


def _limit() -> None:
    """Limit the memory, and leave Ctrl-C, which reaches all processes, to the owner."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = _MOST_MEMORY if most == resource.RLIM_INFINITY else min(most, _MOST_MEMORY)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """End this process where a question takes too long; code in C is not spared."""
    work = getattr(signal, "ITIMER_PROF", None)
    with open(os.devnull, "w") as nothing:
        faulthandler.dump_traceback_later(_WAIT, exit=True, file=nothing)
        if work is not None:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(work, _WORK)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
            if work is not None:
                signal.setitimer(work, 0)


__all__ = ["READY", "main"]
