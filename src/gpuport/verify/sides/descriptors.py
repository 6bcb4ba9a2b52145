"""The worker's own file descriptors are closed to the code that it calls.

Numbers are tried for parameters that take a path, and ``open(5)`` is a file on whatever descriptor
5 is: the worker would lose the pipe on which it answers, or wait for good on that of its requests.
"""

from __future__ import annotations

import errno
import os
import sys

_LOOKED_AT = 256  # a process that has just begun has a handful


def guard_descriptors() -> None:
    """``open`` of a descriptor that is open now fails from now on as for one that is not.

    It can't be undone: audit hooks stay as long as their process (PEP 578).
    """
    own = frozenset(number for number in range(_LOOKED_AT) if _is_open(number))

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[0], int) and arguments[0] in own:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), arguments[0])

    sys.addaudithook(refuse)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
