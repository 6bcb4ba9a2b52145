"""``cupy.cuda``'s memory pools: figures of what arrays hold, in the units of CuPy's pool."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gpuport.host.counters import MEMORY, OutOfMemoryError
from gpuport.host.cuda.pointers import MemoryPointer, alloc, alloc_pinned_memory
from gpuport.host.cuda.runtime import TOTAL_MEMORY
from gpuport.host.registry import implements

implements("cupy.cuda.memory.OutOfMemoryError")(OutOfMemoryError)


@implements("cupy.cuda.MemoryPool", "cupy.cuda.memory.MemoryPool")
class MemoryPool:
    """A pool's figures. All pools show the same: what arrays hold, whoever asked for it.

    Blocks are never split here: ``total_bytes`` is the most that was in use since the last
    ``free_all_blocks``.
    """

    __module__ = "cupy.cuda.memory"

    def __init__(self, allocator: Any = None) -> None:
        self._allocator = allocator

    def malloc(self, size: int) -> MemoryPointer:
        """Pointer to new memory."""
        return alloc(size)

    def free_all_blocks(self, stream: Any = None) -> None:
        """Give back what arrays do not hold."""
        MEMORY.held = MEMORY.live
        MEMORY.settle()

    def free_all_free(self) -> None:
        """Former name of :meth:`free_all_blocks`."""
        warnings.warn(
            "free_all_free is deprecated. Use free_all_blocks instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        self.free_all_blocks()

    def n_free_blocks(self) -> int:
        """1 where bytes are free, else 0: blocks are not told apart."""
        return int(self.free_bytes() > 0)

    def used_bytes(self) -> int:
        """Bytes that arrays hold, each array rounded up to 512."""
        return MEMORY.live

    def free_bytes(self) -> int:
        """Bytes that arrays have held and given back."""
        return MEMORY.held - MEMORY.live

    def total_bytes(self) -> int:
        """Both together."""
        return MEMORY.held

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """Set the most that arrays may hold; more raises ``OutOfMemoryError``."""
        if size is None:
            if fraction is not None and not 0 <= fraction <= 1:
                raise ValueError(f"memory limit fraction out of range: {fraction}")
            size = 0 if fraction is None else int(fraction * TOTAL_MEMORY)
        elif fraction is not None:
            raise ValueError("size and fraction cannot be specified at one time")
        if size < 0:
            raise ValueError(f"memory limit size out of range: {size}")
        MEMORY.limit = size
        MEMORY.settle()

    def get_limit(self) -> int:
        """The limit; 0 for none."""
        return MEMORY.limit


@implements("cupy.cuda.PinnedMemoryPool", "cupy.cuda.pinned_memory.PinnedMemoryPool")
class PinnedMemoryPool:
    """A pool of host memory, which the host does not pin."""

    __module__ = "cupy.cuda.pinned_memory"

    def __init__(self, allocator: Any = None) -> None:
        self._allocator = allocator

    def malloc(self, size: int) -> Any:
        """Memory of the host, not pinned."""
        return alloc_pinned_memory(size)

    def free_all_blocks(self) -> None:
        """Nothing is kept."""

    def n_free_blocks(self) -> int:
        """Always 0."""
        return 0


_POOL, _PINNED = MemoryPool(), PinnedMemoryPool()
_ALLOCATORS: list[Any] = [_POOL.malloc]


@implements("cupy.get_default_memory_pool")
def get_default_memory_pool() -> MemoryPool:
    """The pool."""
    return _POOL


@implements("cupy.get_default_pinned_memory_pool")
def get_default_pinned_memory_pool() -> PinnedMemoryPool:
    """The pool of pinned memory."""
    return _PINNED


@implements("cupy.cuda.set_allocator", "cupy.cuda.memory.set_allocator")
def set_allocator(allocator: Any = None) -> None:
    """Accepted: the host's allocator does the work."""
    if len(_ALLOCATORS) > 1:
        raise ValueError(
            "Can't change the global allocator inside `using_allocator` context manager"
        )
    _ALLOCATORS[-1] = allocator


@implements("cupy.cuda.get_allocator", "cupy.cuda.memory.get_allocator")
def get_allocator() -> Any:
    """The allocator that was set."""
    return _ALLOCATORS[-1]


@implements("cupy.cuda.using_allocator")
@contextmanager
def using_allocator(allocator: Any = None) -> Iterator[None]:
    """Another allocator for a block."""
    _ALLOCATORS.append(allocator)
    try:
        yield
    finally:
        _ALLOCATORS.pop()


@implements("cupy.cuda.set_pinned_memory_allocator")
def set_pinned_memory_allocator(allocator: Any = None) -> None:
    """Accepted: no memory is pinned on the host."""
