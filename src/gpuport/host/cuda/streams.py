"""``cupy.cuda``'s streams and events: work is done when it is asked for, in that order."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any

from gpuport.host import counters
from gpuport.host.cuda.runtime import STREAM_NON_BLOCKING, STREAM_PER_THREAD, CUDARuntimeError
from gpuport.host.registry import implements

_HANDLES = itertools.count(0x10000, 0x10)


class _Current(threading.local):
    """Streams that a thread has entered, the current one last."""

    def __init__(self) -> None:
        self.stack: list[Any] = [Stream.null]


@implements("cupy.cuda.Event", "cupy.cuda.stream.Event")
class Event:
    """A moment on the host's clock."""

    __module__ = "cupy.cuda.stream"

    def __init__(
        self, block: bool = False, disable_timing: bool = False, interprocess: bool = False
    ) -> None:
        if interprocess and not disable_timing:
            raise ValueError("Timing must be disabled for interprocess events")
        self.ptr = next(_HANDLES)
        self._timed = not disable_timing
        self._time: float | None = None

    def record(self, stream: Any = None) -> None:
        """Note the time."""
        self._time = time.perf_counter()

    def synchronize(self) -> None:
        """Wait; counted."""
        counters.sync()

    @property
    def done(self) -> bool:
        """Always."""
        return True


@implements("cupy.cuda.get_elapsed_time", "cupy.cuda.stream.get_elapsed_time")
def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Milliseconds on the host's clock.

    Raises
    ------
    CUDARuntimeError
        For events that were not recorded, or that keep no time.
    """
    start, end = start_event._time, end_event._time
    if start is None or end is None or not (start_event._timed and end_event._timed):
        raise CUDARuntimeError(400)
    return (end - start) * 1e3


class _BaseStream:
    __module__ = "cupy.cuda.stream"

    def __init__(self, ptr: int, device_id: int) -> None:
        self.ptr = ptr
        self.device_id = device_id
        self._flags = 0
        self._priority = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BaseStream) and self.ptr == other.ptr

    def __hash__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr} (device {self.device_id})>"

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self.ptr)

    def __enter__(self) -> Any:
        _CURRENT.stack.append(self)
        return self

    def __exit__(self, *args: object) -> None:
        _CURRENT.stack.pop()

    def use(self) -> Any:
        """Make it current."""
        _CURRENT.stack[-1] = self
        return self

    @property
    def done(self) -> bool:
        """Always."""
        return True

    def synchronize(self) -> None:
        """Wait; counted."""
        counters.sync()

    def add_callback(self, callback: Any, arg: Any) -> None:
        """Call it now: all work is done."""
        callback(self, 0, arg)

    def launch_host_func(self, callback: Any, arg: Any) -> None:
        """Call it now: all work is done."""
        callback(arg)

    def record(self, event: Event | None = None) -> Event:
        """Record an event."""
        found = Event() if event is None else event
        found.record(self)
        return found

    def wait_event(self, event: Event) -> None:
        """Nothing to wait for."""

    def begin_capture(self, mode: int | None = None) -> None:
        """Not available on the host."""
        if self.ptr in (0, 1):
            raise RuntimeError("cannot capture on the default (legacy) stream")
        raise NotImplementedError("the host backend captures no graphs")

    def end_capture(self) -> Any:
        """Not available on the host."""
        raise NotImplementedError("the host backend captures no graphs")

    def is_capturing(self) -> bool:
        """Never."""
        return False

    @property
    def is_non_blocking(self) -> bool:
        """Whether it was made so."""
        return self._flags == STREAM_NON_BLOCKING

    @property
    def priority(self) -> int:
        """As given."""
        return self._priority


@implements("cupy.cuda.Stream", "cupy.cuda.stream.Stream")
class Stream(_BaseStream):
    """A stream."""

    __module__ = "cupy.cuda.stream"
    null: Stream
    ptds: Stream

    def __init__(
        self,
        null: bool = False,
        non_blocking: bool = False,
        ptds: bool = False,
        priority: int | None = None,
    ) -> None:
        if null or ptds:
            super().__init__(0 if null else STREAM_PER_THREAD, -1)
            return
        super().__init__(next(_HANDLES), 0)
        self._flags = STREAM_NON_BLOCKING if non_blocking else 0
        self._priority = priority or 0

    @classmethod
    def from_external(cls, obj: Any) -> Stream:
        """A stream around one of another library."""
        made = cls(null=True)
        _, made.ptr = obj.__cuda_stream__()
        return made


@implements("cupy.cuda.ExternalStream", "cupy.cuda.stream.ExternalStream")
class ExternalStream(_BaseStream):
    """A stream made elsewhere."""

    __module__ = "cupy.cuda.stream"

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        super().__init__(ptr, device_id)


Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)
_CURRENT = _Current()


@implements("cupy.cuda.get_current_stream", "cupy.cuda.stream.get_current_stream")
def get_current_stream(device_id: int = -1) -> Any:
    """The stream that this thread is in."""
    return _CURRENT.stack[-1]
