"""``cupy.cuda``: honest stand-ins for one device that is the host."""

from __future__ import annotations

import time
from typing import Any

from gpuport.host import counters
from gpuport.host.registry import implements


class MemoryPointer:
    """Address of an array's first element."""

    __module__ = "cupy.cuda.memory"

    def __init__(self, array: Any) -> None:
        self._array = array

    @property
    def ptr(self) -> int:
        """The address, in host memory."""
        return int(self._array._a.ctypes.data)

    @property
    def device_id(self) -> int:
        """Always 0."""
        return 0

    @property
    def device(self) -> Device:
        """The one device."""
        return Device(0)

    @property
    def mem(self) -> MemoryPointer:
        """The memory itself."""
        return self


class Device:
    """The one device."""

    __module__ = "cupy.cuda.device"

    def __init__(self, device: int | None = None) -> None:
        self.id = int(device or 0)
        if self.id != 0:
            raise RuntimeError("cudaErrorInvalidDevice: invalid device ordinal")

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *exc_info: object) -> None:
        return None

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def use(self) -> None:
        """Make it current."""

    def synchronize(self) -> None:
        """Wait; counted."""
        counters.sync()

    @property
    def compute_capability(self) -> str:
        """That of a common device."""
        return "80"

    @property
    def mem_info(self) -> tuple[int, int]:
        """Free and total bytes, of the stand-in."""
        return (16 << 30, 16 << 30)

    @property
    def attributes(self) -> dict[str, int]:
        """Few attributes of the stand-in."""
        return {"MultiProcessorCount": 1, "WarpSize": 32}


class Stream:
    """Work is done when it is asked for, so a stream has nothing to keep."""

    __module__ = "cupy.cuda.stream"
    null: Stream
    ptds: Stream

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, **kw: Any
    ) -> None:
        self.ptr = 0
        self.device_id = 0

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *exc_info: object) -> None:
        return None

    def use(self) -> Stream:
        """Make it current."""
        return self

    def synchronize(self) -> None:
        """Wait; counted."""
        counters.sync()

    def record(self, event: Event | None = None) -> Event:
        """Record an event."""
        found = event or Event()
        found.record(self)
        return found

    def wait_event(self, event: Event) -> None:
        """Nothing to wait for."""

    @property
    def done(self) -> bool:
        """Always."""
        return True


Stream.null = Stream(True)
Stream.ptds = Stream(ptds=True)


class Event:
    """A moment on the host's clock."""

    __module__ = "cupy.cuda.stream"

    def __init__(
        self, block: bool = False, disable_timing: bool = False, interprocess: bool = False
    ) -> None:
        self._time = 0.0

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


class MemoryPool:
    """A pool that keeps nothing: the host's allocator does the work."""

    __module__ = "cupy.cuda.memory"

    def __init__(self, allocator: Any = None) -> None:
        self._limit = 0

    def malloc(self, size: int) -> Any:
        """Not available on the host."""
        raise NotImplementedError("the host backend has no raw device memory")

    def free_all_blocks(self, stream: Any = None) -> None:
        """Nothing to free."""

    def free_all_free(self) -> None:
        """Nothing to free."""

    def n_free_blocks(self) -> int:
        """Always 0."""
        return 0

    def used_bytes(self) -> int:
        """Not tracked: 0."""
        return 0

    def free_bytes(self) -> int:
        """Always 0."""
        return 0

    def total_bytes(self) -> int:
        """Not tracked: 0."""
        return 0

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """Remembered, not enforced."""
        self._limit = size or 0

    def get_limit(self) -> int:
        """The limit set."""
        return self._limit


_POOL = MemoryPool()
for _name, _value in {
    "Device": Device, "Stream": Stream, "Event": Event, "MemoryPool": MemoryPool,
    "MemoryPointer": MemoryPointer, "PinnedMemoryPool": MemoryPool,
    "memory.MemoryPointer": MemoryPointer, "memory.MemoryPool": MemoryPool,
    "device.Device": Device, "stream.Stream": Stream, "stream.Event": Event,
}.items():  # fmt: skip
    implements(f"cupy.cuda.{_name}")(_value)


@implements("cupy.cuda.is_available", "cupy.is_available")
def is_available() -> bool:
    """True: the host is there."""
    return True


@implements("cupy.get_default_memory_pool", "cupy.get_default_pinned_memory_pool")
def get_default_memory_pool() -> MemoryPool:
    """The one pool."""
    return _POOL


@implements("cupy.cuda.get_current_stream", "cupy.cuda.stream.get_current_stream")
def get_current_stream(device_id: int = -1) -> Stream:
    """The null stream."""
    return Stream.null


@implements("cupy.cuda.get_elapsed_time")
def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Milliseconds on the host's clock."""
    return (end_event._time - start_event._time) * 1e3


@implements("cupy.cuda.get_device_id")
def get_device_id() -> int:
    """Always 0."""
    return 0


@implements("cupy.cuda.set_allocator", "cupy.cuda.set_pinned_memory_allocator")
def set_allocator(allocator: Any = None) -> None:
    """Accepted: the host's allocator does the work."""


def _runtime(name: str, value: Any) -> None:
    def query(*args: Any) -> Any:
        return value

    query.__name__ = query.__qualname__ = name
    implements(f"cupy.cuda.runtime.{name}")(query)


_ANSWERS: dict[str, Any] = {
    "getDeviceCount": 1, "getDevice": 0, "setDevice": None, "runtimeGetVersion": 12090,
    "driverGetVersion": 12090, "memGetInfo": (16 << 30, 16 << 30),
    "getDeviceProperties": {
        "name": b"gpuport host backend (no GPU)", "totalGlobalMem": 16 << 30, "major": 8,
        "minor": 0, "multiProcessorCount": 1, "warpSize": 32,
    },
}  # fmt: skip
for _name, _answer in _ANSWERS.items():
    _runtime(_name, _answer)


@implements("cupy.cuda.runtime.deviceSynchronize", "cupy.cuda.runtime.streamSynchronize")
def deviceSynchronize(*args: Any) -> None:
    """Wait; counted."""
    counters.sync()
