"""Worker processes for runs of many files."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from gpuport.records import FileError, FileReport

_Job = TypeVar("_Job")
_BATCH = 8


def in_processes(
    handle: Callable[[_Job], FileReport], jobs: Sequence[_Job | FileReport], workers: int
) -> Iterator[FileReport]:
    """Handle jobs in worker processes; the reports come in the order of the jobs.

    A job that already is a report is handed on. Where a worker dies, the files that it took
    with it are reported as failed.
    """
    batches = [jobs[start : start + _BATCH] for start in range(0, len(jobs), _BATCH)]
    executor = ProcessPoolExecutor(min(workers, len(batches)), initializer=_ignore_interrupt)
    try:
        futures = [executor.submit(_handle_batch, handle, batch) for batch in batches]
        for future, batch in zip(futures, batches, strict=True):
            yield from _reports(future, batch)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _handle_batch(
    handle: Callable[[_Job], FileReport], batch: Sequence[_Job | FileReport]
) -> list[FileReport]:
    return [job if isinstance(job, FileReport) else handle(job) for job in batch]


def _reports(future: Future[list[FileReport]], batch: Sequence[object]) -> Iterator[FileReport]:
    try:
        yield from future.result()
    except BrokenProcessPool:
        error = FileError("a worker process died; run this file again with --jobs 1")
        for job in batch:
            name = job[0].shown if isinstance(job, tuple) else str(job)
            yield job if isinstance(job, FileReport) else FileReport(name, error=error)


def _ignore_interrupt() -> None:
    # Ctrl-C reaches the whole process group; the parent decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
