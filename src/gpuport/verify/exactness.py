"""Whether arithmetic was exact: the processor's own inexact flag, read around a call.

NumPy clears the flags of overflow, division and invalid operations, and leaves this one alone. A
call that did not raise it rounded nothing: any order of the same operations gives the same bits,
so that a deviation cannot be rounding.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import platform
from collections.abc import Iterator
from functools import cache
from typing import Any

# <fenv.h> of glibc and musl; elsewhere exactness is not known and never claimed
_INEXACT = {"x86_64": 0x20, "aarch64": 0x10}


@cache
def _environment() -> tuple[Any, int] | None:
    flag = _INEXACT.get(platform.machine())
    name = ctypes.util.find_library("m")
    if platform.system() != "Linux" or flag is None or name is None:
        return None
    library = ctypes.CDLL(name)
    return library, flag


class Exactness:
    """The answer of `watched`: ``exact`` is True only where nothing was rounded for certain."""

    exact: bool = False


@contextlib.contextmanager
def watched() -> Iterator[Exactness]:
    """Watch the block for rounding (this thread only)."""
    answer = Exactness()
    environment = _environment()
    if environment is None:
        yield answer
        return
    library, flag = environment
    library.feclearexcept(flag)
    yield answer
    answer.exact = not library.fetestexcept(flag)
