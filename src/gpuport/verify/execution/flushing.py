"""The original as on a device that flushes subnormals to zero, by the processor's own switch."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import platform
from collections.abc import Iterator

# of <fenv.h>: how large the environment is, where the control word of SSE stands in it, and its
# bits that flush results and operands; only glibc on x86-64 is known
_SIZE, _PLACE, _BITS = 32, 28, 0x8040


@contextlib.contextmanager
def flushing() -> Iterator[None]:
    """Inside the block subnormal results and operands count as zero, where that is known how."""
    name = ctypes.util.find_library("m")
    known = (platform.system(), platform.machine()) == ("Linux", "x86_64")
    if not known or name is None or platform.libc_ver()[0] != "glibc":
        yield
        return
    library, environment = ctypes.CDLL(name), ctypes.create_string_buffer(_SIZE)
    library.fegetenv(environment)
    changed = bytearray(environment.raw)
    word = int.from_bytes(changed[_PLACE:_SIZE], "little") | _BITS
    changed[_PLACE:_SIZE] = word.to_bytes(_SIZE - _PLACE, "little")
    library.fesetenv(bytes(changed))
    try:
        yield
    finally:
        library.fesetenv(environment)
