"""Worker processes for runs of many files."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import TypeVar

from gpuport.probing import save
from gpuport.records import FileError, FileReport
from gpuport.scheduling import Schedule

_Job = TypeVar("_Job")
_BATCH = 8


def in_processes(
    handle: Callable[[_Job], FileReport],
    prepared: Callable[[int, dict[int, str]], _Job | FileReport],
    plan: Schedule,
    workers: int,
) -> Iterator[FileReport]:
    """Handle jobs in worker processes; the reports come in the order of the jobs.

    Parameters
    ----------
    handle : callable
        Handles a job; it and the jobs are sent to the workers.
    prepared : callable
        Gives the job at a position, which is told the texts that were made so far, by their
        positions; a job that already is a report is handed on.
    plan : Schedule
        What has to be there before a job begins.
    workers : int
        Processes.

    Notes
    -----
    Where a worker dies, the files that it took with it are reported as failed.
    """
    queue = _Queue(plan)
    executor = ProcessPoolExecutor(min(workers, len(plan.order)), initializer=_prepare)
    running: dict[Future[list[FileReport]], tuple[tuple[int, ...], list[_Job | FileReport]]] = {}
    reports: dict[int, FileReport] = {}
    following = 0
    try:
        while following < len(plan.order):
            for batch in queue.ready(2 * workers - len(running)):
                jobs = [prepared(position, queue.texts) for position in batch]
                running[executor.submit(_handle_batch, handle, jobs)] = batch, jobs
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                batch, jobs = running.pop(future)
                made = dict(zip(batch, _reports(future, jobs), strict=True))
                queue.finish(made)
                reports |= made
            while following in reports:
                yield reports.pop(following)
                following += 1
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@dataclass(slots=True)
class _Queue:
    """Positions that wait for others, in the order of a plan."""

    plan: Schedule
    texts: dict[int, str] = field(default_factory=dict)
    _waiting: list[int] = field(init=False)
    _done: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._waiting = list(self.plan.order)

    def ready(self, most: int) -> Iterator[tuple[int, ...]]:
        """Up to so many batches of positions that wait for nothing any more."""
        free = [p for p in self._waiting if self.plan.after[p] <= self._done] if most > 0 else []
        size = max(1, min(_BATCH, len(free) // most)) if free else 1
        taken = free[: most * size]
        if taken:
            self._waiting = [p for p in self._waiting if p not in set(taken)]
        for start in range(0, len(taken), size):
            yield tuple(taken[start : start + size])

    def finish(self, made: dict[int, FileReport]) -> None:
        """These are done."""
        self._done |= made.keys()
        self.texts |= {p: r.after for p, r in made.items() if r.after is not None}


def _handle_batch(
    handle: Callable[[_Job], FileReport], batch: Sequence[_Job | FileReport]
) -> list[FileReport]:
    try:
        return [job if isinstance(job, FileReport) else handle(job) for job in batch]
    finally:
        save()


def _reports(future: Future[list[FileReport]], batch: Sequence[object]) -> Iterator[FileReport]:
    try:
        yield from future.result()
    except BrokenProcessPool:
        error = FileError("a worker process died; run this file again with --jobs 1")
        for job in batch:
            name = getattr(getattr(job, "found", None), "shown", str(job))
            yield job if isinstance(job, FileReport) else FileReport(name, error=error)


def _prepare() -> None:
    gc.disable()  # files are handled without it, which lets it look when there is need
    # Ctrl-C reaches the whole process group; the parent decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
