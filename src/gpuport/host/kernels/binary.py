"""A compiled kernel: loading it, and the structures shared with ``include/gpuport/runtime.h``."""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FAULTS = (
    "none", "out of bounds", "index", "conflict", "divergent", "wild", "division", "shift", "cast",
    "local bounds", "assertion", "trap", "endless", "misaligned", "stack", "unordered",
)  # fmt: skip
STEP_LIMIT = 1 << 30
"""Accesses to memory that one thread makes between barriers before it counts as endless."""
_LOCK = threading.Lock()
_INT3 = ctypes.c_uint32 * 3


class Fault(ctypes.Structure):
    """What went wrong, and where."""

    _fields_ = [
        ("kind", ctypes.c_int32),
        ("argument", ctypes.c_int32),
        ("write", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("offset", ctypes.c_int64),
        ("other_thread", ctypes.c_int64),
        ("dimensions", ctypes.c_int32),
        ("line", ctypes.c_int32),
        ("column", ctypes.c_int32),
        ("dimension", ctypes.c_int32),
        ("index", ctypes.c_int64 * 32),
        ("thread", _INT3),
        ("block", _INT3),
        ("file", ctypes.c_char * 256),
    ]


class Range(ctypes.Structure):
    """Memory of arguments, with pads around it that nothing may touch."""

    _fields_ = [
        ("pad_low", ctypes.c_int64),
        ("low", ctypes.c_int64),
        ("high", ctypes.c_int64),
        ("pad_high", ctypes.c_int64),
        ("argument", ctypes.c_int32),
        ("granule", ctypes.c_int32),
        ("owned", ctypes.c_void_p),
        ("written", ctypes.c_int32),
    ]


class Request(ctypes.Structure):
    """One launch, and what is told back about it."""

    _fields_ = [
        ("grid", _INT3),
        ("block", _INT3),
        ("shared_bytes", ctypes.c_uint32),
        ("order", ctypes.c_uint32),
        ("fill", ctypes.c_int32),
        ("range_count", ctypes.c_int32),
        ("ranges", ctypes.POINTER(Range)),
        ("words", ctypes.c_void_p),
        ("word_count", ctypes.c_int64),
        ("step_limit", ctypes.c_int64),
        ("atomic_mass", ctypes.c_double),
        ("float_atomics", ctypes.c_int32),
        ("flush", ctypes.c_int32),
        ("strict", ctypes.c_int32),
        ("repeated", ctypes.c_int32),
        ("skipped_line", ctypes.c_int32),
        ("skipped_by", ctypes.c_uint32),
        ("skipped_block", ctypes.c_uint32),
        ("fault", Fault),
    ]


@dataclass(frozen=True)
class Grid:
    """Blocks of a launch, threads of a block, bytes of dynamic shared memory and their limit."""

    blocks: tuple[int, int, int]
    threads: tuple[int, int, int]
    shared_bytes: int = 0
    shared_limit: int = 48 << 10

    @property
    def threads_in_block(self) -> int:
        """Threads of one block."""
        return self.threads[0] * self.threads[1] * self.threads[2]


class Binary:
    """The shared object of one kernel.

    Parameters
    ----------
    path : Path
        The shared object.
    flush : bool
        Whether float32 denormals are flushed to zero, as CuPy's ``-ftz=true`` does.
    strict : bool
        Whether it was compiled with checks.
    number : int, optional
        Which of the kernels, where the shared object has several.
    """

    def __init__(self, path: Path, flush: bool, strict: bool, number: int | None = None) -> None:
        self._suffix = "" if number is None else f"_{number}"
        self._library = ctypes.CDLL(str(path))
        self._launch = self._library[f"gpuport_launch{self._suffix}"]
        self._launch.argtypes = [ctypes.c_void_p]
        self._launch.restype = None
        self.flush = flush
        self.strict = strict

    def signature(self) -> tuple[str, ...]:
        """Codes of the parameters of a RawKernel: ``*f4`` is ``float *``, ``=f4`` its const."""
        function = self._library[f"gpuport_signature{self._suffix}"]
        function.restype = ctypes.c_char_p
        text: bytes = function()
        return tuple(text.decode().split())

    def exports(self, name: str) -> bool:
        """Whether the driver would find a kernel of this name."""
        return hasattr(self._library, name)

    def variable(self, name: str) -> tuple[int, int] | None:
        """Address and size in bytes of a variable of the module; None where it has none so."""
        function = getattr(self._library, f"gpuport_global_{name}", None)
        if function is None:
            return None
        function.restype = ctypes.c_void_p
        size = ctypes.c_longlong()
        address = function(ctypes.byref(size))
        return int(address or 0), int(size.value)

    def launch(
        self,
        grid: Grid,
        words: np.ndarray[Any, Any],
        order: int,
        fill: int,
        ranges: Any,
        repeated: bool = False,
    ) -> Request:
        """Run the kernel once.

        Parameters
        ----------
        grid : Grid
            Blocks and threads.
        words : ndarray of int64
            The arguments' description.
        order : {0, 1, 2}
            Indices forward, reversed, scrambled.
        fill : int
            Byte that shared memory is filled with before each block; -1 leaves it alone.
        ranges : ctypes array of Range or None
            Memory that may be touched.
        repeated : bool, optional
            Whether this repeats the run before: variables of the module start as they did there.

        Returns
        -------
        Request
            With its ``fault``, whose kind is 0 where nothing went wrong.
        """
        request = Request()
        request.grid[:] = grid.blocks
        request.block[:] = grid.threads
        request.shared_bytes = grid.shared_bytes
        request.order = order
        request.fill = fill
        if ranges is not None:
            request.ranges = ranges
            request.range_count = len(ranges)
        request.words = words.ctypes.data
        request.word_count = words.size
        request.step_limit = STEP_LIMIT
        request.flush = self.flush
        request.strict = self.strict
        request.repeated = repeated
        with _LOCK:  # one grid at a time: who runs is the shared object's own state
            self._launch(ctypes.byref(request))
        return request
