"""Files that stand for a moment beside the ones that they replace, and those that were left over.

The name of one tells which process of which machine made it: what a process left that is there no
longer is deleted by the next run. Nothing else is, whatever it is called.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

_SUFFIX = ".gpuport-tmp"
# before this one the name did not say which process made it
_OURS = re.compile(
    rf"\..+\.(?:(?P<host>[0-9a-f]{{8}})-(?P<pid>[0-9]+)-)?[a-z0-9_]{{8}}{re.escape(_SUFFIX)}",
    re.DOTALL,
)
_NAME_BYTES = 100
_SURELY_ENDED = 3600.0
"""Seconds after which no process is still writing a file."""
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux


def new_temporary(target: Path) -> Path:
    """Make an empty file of our own beside another."""
    name = os.fsencode(target.name)[:_NAME_BYTES].decode(errors="ignore")
    descriptor, path = tempfile.mkstemp(
        dir=target.parent, prefix=f".{name}.{_host()}-{os.getpid()}-", suffix=_SUFFIX
    )
    os.close(descriptor)
    return Path(path)


def remove_leftovers(folders: Iterable[Path]) -> Iterator[Path]:
    """Delete what runs left that were killed while they wrote into these folders.

    Yields
    ------
    pathlib.Path
        Each file that was deleted.
    """
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                left = [e.name for e in entries if e.name.endswith(_SUFFIX)]
        except OSError:
            continue
        for name in left:
            path = folder / name
            try:
                if _is_stale(path):
                    path.unlink()
                    yield path
            except OSError:
                continue


def _is_stale(path: Path) -> bool:
    """Whether a file is one of ours, and whoever made it is gone."""
    name = _OURS.fullmatch(path.name)
    status = path.lstat()
    plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    if name is None or not plain or status.st_uid != _user(status.st_uid):
        return False
    if name["pid"] is not None and name["host"] == _host() and not _runs(int(name["pid"])):
        return True
    return time.time() - status.st_mtime > _SURELY_ENDED


def _user(other: int) -> int:
    return os.geteuid() if hasattr(os, "geteuid") else other


def _runs(pid: int) -> bool:
    """Whether a process is there; taken for granted where that cannot be asked."""
    if sys.platform == "win32":  # a signal ends a process there, whichever it is
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@cache
def _host() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def exchange(one: Path, other: Path) -> bool:
    """Let two files change places at once; False where the system or its disk cannot."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return False
    paths = os.fsencode(one), os.fsencode(other)
    return bool(rename(_HERE, paths[0], _HERE, paths[1], ctypes.c_uint(_EXCHANGE)) == 0)
