"""Raw memory of the (emulated) device and of pinned pages: bytes of the host, addressed as such."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.cuda.device import Device
from gpuport.host.registry import implements


@implements("cupy.cuda.BaseMemory", "cupy.cuda.memory.BaseMemory")
class BaseMemory:
    """Bytes at an address.

    Attributes
    ----------
    ptr, size : int
        Address, 0 where there are no bytes, and number of bytes.
    device_id : int
        Always 0.
    owner : object
        What keeps the bytes alive.
    """

    __module__ = "cupy.cuda.memory"
    device_id = 0
    ptr: int = 0
    size: int = 0
    owner: Any = None

    @property
    def device(self) -> Device:
        """The one device."""
        return Device(0)

    def bytes(self) -> Any:
        """The memory as a NumPy array of bytes, which keeps its owner alive."""
        if not self.size:
            return np.empty(0, np.uint8)
        shared: Any = (ctypes.c_uint8 * self.size).from_address(self.ptr)
        return np.frombuffer(shared, np.uint8).view(_Owned).of(self)


class _Owned(np.ndarray[Any, Any]):
    """Array that keeps what its memory belongs to; views hold it as their base."""

    def of(self, owner: Any) -> _Owned:
        """The array itself, holding `owner`."""
        self._owner = owner
        return self


@implements("cupy.cuda.Memory", "cupy.cuda.memory.Memory")
class Memory(BaseMemory):
    """Newly allocated bytes."""

    def __init__(self, size: int) -> None:
        self.size = int(size)
        self._held = np.empty(self.size, np.uint8)
        self.ptr = int(self._held.ctypes.data) if self.size else 0
        counters.allocate(self.size)

    def __del__(self) -> None:
        if hasattr(self, "_held"):
            counters.release(self.size)


@implements("cupy.cuda.UnownedMemory", "cupy.cuda.memory.UnownedMemory")
class UnownedMemory(BaseMemory):
    """Bytes that belong to another object."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        self.ptr, self.size, self.owner = int(ptr), int(size), owner


def memory_of(array: Any) -> BaseMemory:
    """The whole memory of which an array shows a part."""
    root = array.base if hasattr(array.base, "_a") else array
    if isinstance(array.base, BaseMemory):
        return array.base
    low, high = np.lib.array_utils.byte_bounds(root._a)
    return UnownedMemory(low if root.size else 0, high - low if root.size else 0, root)


@implements("cupy.cuda.MemoryPointer", "cupy.cuda.memory.MemoryPointer")
class MemoryPointer:
    """Address in a memory."""

    __module__ = "cupy.cuda.memory"

    def __init__(self, mem: Any, offset: int) -> None:
        if not isinstance(mem, BaseMemory):
            raise TypeError(
                "Argument 'mem' has incorrect type (expected cupy.cuda.memory.BaseMemory, "
                f"got {type(mem).__name__})"
            )
        self.mem = mem
        self.ptr: int = mem.ptr + offset if mem.size else 0

    device_id = 0

    @property
    def device(self) -> Device:
        """The one device."""
        return Device(0)

    def __int__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<MemoryPointer 0x{self.ptr:x} device=0 mem={self.mem!r}>"

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + int(offset))

    __radd__ = __add__

    def __sub__(self, offset: int) -> MemoryPointer:
        return self + -int(offset)

    def bytes(self, size: int | None = None) -> Any:
        """The `size` bytes from here on, or all.

        Raises
        ------
        ValueError
            Beyond the memory's end, where a device would corrupt something else.
        """
        start = self.ptr - self.mem.ptr
        end = self.mem.size if size is None else start + size
        if start < 0 or end > self.mem.size:
            raise ValueError(f"bytes {start} to {end} of a memory of {self.mem.size} bytes")
        return self.mem.bytes()[start:end]

    def memset(self, value: int, size: int) -> None:
        """Set bytes."""
        self.bytes(size)[...] = value & 255

    def memset_async(self, value: int, size: int, stream: Any = None) -> None:
        """As :meth:`memset`."""
        self.memset(value, size)

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        """Bytes of another memory of the device."""
        if size:
            KERNELS["cupy_copy"] += 1
            self.bytes(size)[...] = src.bytes(size)

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: Any = None) -> None:
        """As :meth:`copy_from_device`."""
        self.copy_from_device(src, size)

    def copy_from_host(self, mem: Any, size: int) -> None:
        """Bytes at an address of the host."""
        if size:
            counters.h2d(size)
            ctypes.memmove(self.bytes(size).ctypes.data, _address(mem), size)

    def copy_from_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """As :meth:`copy_from_host`."""
        self.copy_from_host(mem, size)

    def copy_from(self, mem: Any, size: int) -> None:
        """Bytes of the device or of the host."""
        if isinstance(mem, MemoryPointer):
            self.copy_from_device(mem, size)
        else:
            self.copy_from_host(mem, size)

    def copy_from_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """As :meth:`copy_from`."""
        self.copy_from(mem, size)

    def copy_to_host(self, mem: Any, size: int) -> None:
        """Bytes to an address of the host."""
        if size:
            counters.d2h(size)
            ctypes.memmove(_address(mem), self.bytes(size).ctypes.data, size)

    def copy_to_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """As :meth:`copy_to_host`."""
        self.copy_to_host(mem, size)


def _address(mem: Any) -> int:
    return int(mem.value or 0) if isinstance(mem, ctypes.c_void_p) else int(mem)


def pointer_to(array: Any) -> MemoryPointer:
    """Pointer to an array's first element."""
    memory = memory_of(array)
    return MemoryPointer(memory, int(array._a.ctypes.data) - memory.ptr)


@implements(
    "cupy.cuda.alloc",
    "cupy.cuda.memory.alloc",
    "cupy.cuda.malloc_async",
    "cupy.cuda.malloc_managed",
)
def alloc(size: int) -> MemoryPointer:
    """Pointer to `size` new bytes."""
    return MemoryPointer(Memory(int(size)), 0)


def alloc_pinned_memory(size: int) -> Any:
    """Memory of the host, not pinned, with the buffer protocol: for ``numpy.frombuffer``."""
    length = int(size)
    kind: Any = type(
        "PinnedMemoryPointer",
        (ctypes.c_byte * length,),
        {
            "__module__": "cupy.cuda.pinned_memory",
            "ptr": property(ctypes.addressof),
            "mem": property(lambda self: self),
            "size": lambda self: length,
            "__int__": ctypes.addressof,
        },
    )
    return kind()


implements("cupy.cuda.alloc_pinned_memory")(alloc_pinned_memory)
