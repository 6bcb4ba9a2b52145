"""Linear algebra of the host in several processes, where it takes long.

The processes are Python's own, started with nothing but this file: they import neither the
program nor its main module, and inherit none of its threads. Each has one BLAS thread, so that
all together have as many as there are cores.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

_THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS",
)  # fmt: skip


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    name: str, rows: Sequence[tuple[Any, ...]], options: Any, before: int
) -> list[Any]:
    """A function of ``numpy.linalg`` of every row; rows that no process answers are computed here.

    Parameters
    ----------
    name : str
        The function, of ``numpy.linalg``.
    rows : sequence of tuple of array
        The arguments of each call.
    options : dict
        Keywords of all calls.
    before : int
        How many rows stand before these, for the note of an error.

    Returns
    -------
    list

    Raises
    ------
    numpy.linalg.LinAlgError
        That of the first row without result, with a note that names it.
    """
    answers: list[Any] = [None] * len(rows)
    if _can_start() and cores() > 1:
        _answer(name, rows, options, answers)
    function = getattr(np.linalg, name)
    found = []
    for place, (row, answer) in enumerate(zip(rows, answers, strict=True)):
        try:
            if answer is not None and answer[0]:
                raise answer[1]
            found.append(function(*row, **options) if answer is None else answer[1])
        except np.linalg.LinAlgError as error:
            error.add_note(f"for item {before + place} of {before + len(rows)}")
            raise
    return found


def _can_start() -> bool:
    """Whether there is a Python to start: there is none in a program that is one file."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _answer(name: str, rows: Sequence[tuple[Any, ...]], options: Any, answers: list[Any]) -> None:
    """Fill in the answers, a thread for each process; one that dies leaves None."""
    places: queue.SimpleQueue[int] = queue.SimpleQueue()
    for place in range(len(rows)):
        places.put(place)
    count = min(cores(), len(rows))
    processes = [process for process in (_start() for _ in range(count)) if process is not None]
    threads = [
        threading.Thread(target=_converse, args=(one, places, name, rows, options, answers))
        for one in processes
    ]  # fmt: skip
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for process in processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    _close(pipe)


def _start() -> subprocess.Popen[bytes] | None:
    path = os.pathsep.join(one for one in sys.path if one)
    environment = {**os.environ, "PYTHONPATH": path, **dict.fromkeys(_THREADS, "1")}
    command = [sys.executable, "-P", __file__]
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
    except OSError:
        return None


def _converse(
    process: subprocess.Popen[bytes],
    places: queue.SimpleQueue[int],
    name: str,
    rows: Sequence[tuple[Any, ...]],
    options: Any,
    answers: list[Any],
) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    while True:
        try:
            place = places.get_nowait()
        except queue.Empty:
            return
        try:
            _send(process.stdin, (name, rows[place], options))
            answers[place] = pickle.load(process.stdout)
        except Exception:  # whatever is wrong with this process, the others go on
            return


def _send(pipe: Any, message: Any) -> None:
    pickle.dump(message, pipe, protocol=5)
    pipe.flush()


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:
        return


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer calls until there are no more: (False, the result) or (True, the exception)."""
    while True:
        try:
            name, row, options = pickle.load(requests)
        except EOFError:
            return
        try:
            answer = (False, getattr(np.linalg, name)(*row, **options))
        except Exception as error:  # raised in the program
            answer = (True, error)
        _send(answers, answer)


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
