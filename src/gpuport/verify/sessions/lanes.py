"""Workers of one file beside each other, each for one function at a time."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from types import TracebackType
from typing import Any, TypeVar

from gpuport.verify.records import Verdict
from gpuport.verify.trials.isolation import Worker

T = TypeVar("T")
R = TypeVar("R")
Lane = tuple[Worker, tuple[Verdict, str] | None]
"""A worker, and the verdict on every function where a version could not be loaded."""


class Lanes:
    """Up to `count` workers, started when they are needed; use as a context manager.

    Parameters
    ----------
    count : int
    make : callable
        A worker that is not started yet, from its number.
    start : callable
        Starts it, and tells what stands in the way.
    """

    def __init__(
        self,
        count: int,
        make: Callable[[int], Worker],
        start: Callable[[Worker], tuple[Verdict, str] | None],
    ) -> None:
        self._count = count
        self._make = make
        self._start = start
        self._around = ExitStack()
        self._idle: queue.LifoQueue[Lane] = queue.LifoQueue()
        self._numbers = iter(range(count))

    def __enter__(self) -> Lanes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._around.close()

    def first(self) -> Lane:
        """The first worker, which is started."""
        lane = self._taken()
        self._idle.put(lane)
        return lane

    def each(self, work: Callable[[Lane, T], R], items: Iterable[T]) -> Iterator[R]:
        """What `work` makes of each of the items, in their order."""

        def one(item: T) -> R:
            lane = self._taken()
            try:
                return work(lane, item)
            finally:
                self._idle.put(lane)

        if self._count == 1:
            yield from map(one, items)
            return
        with ThreadPoolExecutor(self._count) as pool:
            try:
                yield from pool.map(one, items)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _taken(self) -> Lane:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            number = next(self._numbers)  # no more threads than lanes ask for one
        worker: Any = self._around.enter_context(self._make(number))
        return worker, self._start(worker)


__all__ = ["Lane", "Lanes"]
