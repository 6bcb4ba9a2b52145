"""``cupyx.profiler``: times on the host's clock, under CuPy's names.

The times say nothing about a GPU.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.cuda.runtime import check_device
from gpuport.host.registry import implements


class _PerfCaseResult:
    """Times of a function; each row of ``gpu_times`` is one device."""

    __module__ = "cupyx.profiler._time"

    def __init__(self, name: str, ts: Any, devices: tuple[int, ...]) -> None:
        self.name = name
        self._ts = ts
        self._devices = devices

    @property
    def cpu_times(self) -> Any:
        """Seconds a call, shape (n_repeat,)."""
        return self._ts[0]

    @property
    def gpu_times(self) -> Any:
        """The same on the host, shape (devices, n_repeat): there is no GPU."""
        return self._ts[1:]

    @staticmethod
    def _to_str_per_item(device_name: str, t: Any) -> str:
        micro = t * 1e6
        text = f"    {device_name}: {micro.mean():9.03f} us"
        if t.size > 1:
            text += f"   +/- {micro.std():6.03f} (min: {micro.min():9.03f} / "
            text += f"max: {micro.max():9.03f}) us"
        return text

    def to_str(self, show_gpu: bool = False) -> str:
        """One line."""
        rows = [self._to_str_per_item("CPU", self._ts[0])]
        if show_gpu:
            rows += [
                self._to_str_per_item(f"GPU-{device}", times)
                for device, times in zip(self._devices, self._ts[1:], strict=True)
            ]
        return f"{self.name:<20s}:{' '.join(rows)}"

    def __repr__(self) -> str:
        return self.to_str(show_gpu=True)


@implements("cupyx.profiler.benchmark")
def benchmark(
    func: Any,
    args: Any = (),
    kwargs: Any = {},  # noqa: B006 (never changed; CuPy's own default)
    n_repeat: int = 10000,
    *,
    name: str | None = None,
    n_warmup: int = 10,
    max_duration: float = float("inf"),
    devices: Any = None,
) -> _PerfCaseResult:
    """Times of `func`, measured on the host.

    Raises
    ------
    ValueError
        For arguments of the wrong kind, as CuPy.
    """
    if name is None:
        name = func.__name__
    if devices is None:
        devices = (0,)
    for value, kind, message in (
        (args, tuple, "`args` should be of tuple type."),
        (kwargs, dict, "`kwargs` should be of dict type."),
        (n_repeat, int, "`n_repeat` should be an integer."),
        (name, str, "`name` should be a string."),
        (n_warmup, int, "`n_warmup` should be an integer."),
        (devices, tuple, "`devices` should be of tuple type"),
    ):
        if not isinstance(value, kind):
            raise ValueError(message)
    if not callable(func):
        raise ValueError("`func` should be a callable object.")
    for device in devices:
        check_device(device)
    for _ in range(n_warmup):
        func(*args, **kwargs)
    counters.sync(len(devices))
    times: list[float] = []
    duration = 0.0
    for _ in range(n_repeat):
        start = time.perf_counter()
        func(*args, **kwargs)
        times.append(time.perf_counter() - start)
        counters.sync(len(devices))
        duration += time.perf_counter() - start
        if duration > max_duration:
            break
    return _PerfCaseResult(name, np.array([times] * (1 + len(devices))), devices)


@implements("cupyx.profiler.time_range")
class time_range:
    """A named range, as a decorator or for a block; nothing listens on the host."""

    __module__ = "cupyx.profiler._time_range"

    def __init__(
        self,
        message: str | None = None,
        color_id: int | None = None,
        argb_color: int | None = None,
        sync: bool = False,
    ) -> None:
        if color_id is not None and argb_color is not None:
            raise ValueError("Only either color_id or argb_color can be specified")
        self.message = message
        self.color_id = -1 if color_id is None else color_id
        self.argb_color = argb_color
        self.sync = sync

    def __enter__(self) -> time_range:
        if self.message is None:
            raise ValueError("when used as a context manager, the message argument cannot be None")
        if self.sync:
            counters.sync()
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self.sync:
            counters.sync()

    def __call__(self, func: Any) -> Any:
        @functools.wraps(func)
        def inner(*args: Any, **kwargs: Any) -> Any:
            if self.message is None:
                self.message = func.__name__
            with self:
                return func(*args, **kwargs)

        return inner


@implements("cupyx.profiler.profile")
@contextmanager
def profile() -> Iterator[None]:
    """A block to profile; nothing is profiled on the host."""
    yield
