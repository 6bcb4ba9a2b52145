"""No worker outlives the process that started it, and no process that user code forks answers.

Who is killed by SIGKILL stops nobody, and a worker in an endless loop reads no pipe. On Linux the
kernel ends it; elsewhere a thread looks whether the parent is still there.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_SECONDS = 1.0


def end_with(parent: int) -> None:
    """End this process when its parent, whose number is given, has ended."""
    asked = sys.platform == "linux" and _asked_of_kernel()
    if os.getppid() != parent:  # it ended before anything was asked for
        os._exit(1)
    if not asked:
        # not beside the kernel's way: a process with threads is told off when it forks
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


@contextlib.contextmanager
def forks_ended() -> Iterator[None]:
    """End a process that the code inside forked where it leaves that code.

    It is a copy of the worker, with its pipes, and would answer the same requests beside it.
    """
    here = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != here:
            os._exit(0)


def strays(mark: str) -> Iterator[int]:
    """Processes with this mark in the environment that they were begun with; Linux alone tells.

    What user code starts in a session of its own is not in the worker's group.
    """
    wanted = os.fsencode(mark)
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (place / "environ").read_bytes().split(b"\0"):
                yield int(place.name)
        except OSError:  # of somebody else, or ended meanwhile
            continue


def _asked_of_kernel() -> bool:
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        return bool(prctl(_DEATH_SIGNAL, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(1)


__all__ = ["end_with", "forks_ended", "strays"]
