"""Matrices of the host computed on the device, while others cross.

Two streams take turns: while one computes, the other brings the last results back and the next
matrices there. Memory of the host that takes part in a copy is pinned, and lives until its stream
has been waited for. What a stream allocates it also frees, in its own order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

Columns = Sequence[Sequence[Any]]
"""For each argument of a call, one array of the host for each item, of one shape and dtype."""


class _Part:
    """Some items on their way: there, computed, and back."""

    def __init__(self, cupy: Any, stream: Any) -> None:
        import cupyx

        self._cupy = cupy
        self._stream = stream
        self._pinned = cupyx.empty_pinned
        self._held: list[Any] = []
        self._arrays: list[Any] = []
        self._results: Any = None

    def upload(self, columns: Columns) -> None:
        """Start to bring the items to the device."""
        with self._stream:
            for column in columns:
                shape, dtype = (len(column), *column[0].shape), column[0].dtype
                staged = self._pinned(shape, dtype)
                np.stack(list(column), out=staged)
                there = self._cupy.empty(shape, dtype)
                there.set(staged, stream=self._stream)
                self._held.append(staged)
                self._arrays.append(there)

    def compute(self, function: Callable[..., Any]) -> None:
        """Compute, and start to bring the results back."""
        with self._stream:
            found = function(*self._arrays)
            several = isinstance(found, tuple)
            self._results = tuple(map(self._back, found)) if several else self._back(found)

    def _back(self, result: Any) -> Any:
        result = self._cupy.ascontiguousarray(result)
        staged = self._pinned(result.shape, result.dtype)
        result.get(stream=self._stream, out=staged, blocking=False)
        self._held.append(result)
        return staged

    def finish(self) -> Any:
        """The results, in ordinary memory of the host."""
        self._stream.synchronize()
        self._held.clear()
        self._arrays.clear()
        several = isinstance(self._results, tuple)
        return tuple(map(np.array, self._results)) if several else np.array(self._results)


def streamed(cupy: Any, parts: Iterable[Columns], function: Callable[..., Any]) -> Iterator[Any]:
    """What a function of stacks on the device gives for each part.

    Parameters
    ----------
    cupy : module
    parts : iterable of columns
        At most three of them are on the device at a time.
    function : callable
        Takes a stack for each column; gives an array of the device, or several in a tuple.

    Yields
    ------
    numpy.ndarray or tuple of numpy.ndarray
        In the parts' order.
    """
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    waiting, last = iter(parts), None
    try:
        current = _next(cupy, streams[0], waiting)
        count = 1
        while current is not None:
            following = _next(cupy, streams[count % 2], waiting)
            current.compute(function)
            if last is not None:
                yield last.finish()
            last, current, count = current, following, count + 1
        if last is not None:
            yield last.finish()
    finally:
        for stream in streams:
            stream.synchronize()


def _next(cupy: Any, stream: Any, waiting: Iterator[Columns]) -> _Part | None:
    columns = next(waiting, None)
    if columns is None:
        return None
    part = _Part(cupy, stream)
    part.upload(columns)
    return part
