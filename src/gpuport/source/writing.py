"""Writing a source back: atomically, in its own encoding, or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path

from gpuport.source.reading import SourceError, SourceText
from gpuport.source.temporary import exchange, new_temporary


def write_source(path: Path, source: SourceText, text: str) -> tuple[str, ...]:
    """Replace a file by another text in the same encoding, with the same mode.

    The new bytes go to a temporary file in the same folder which then takes the file's place,
    so that at any moment one of the two is there whole. A symbolic link is kept: the file that
    it leads to is replaced.

    Returns
    -------
    tuple of str
        What of the file could not be kept, for the user.

    Raises
    ------
    SourceError
        Where it cannot be written, or has changed since it was read. The file is untouched.
    """
    data = source.encode(text)
    try:
        target = path.resolve(strict=True)
        status = target.stat()
        # Replacing needs no permission on the file itself; a file that this user may not write is
        # still a "no". (The superuser may write any: its mode is kept, as an editor would.)
        if not os.access(target, os.W_OK):
            raise SourceError("is read-only; nothing was written")
        _hold(target, source.data)
        return _replace(target, data, stat.S_IMODE(status.st_mode), status, source.data)
    except OSError as error:
        raise _not_written(error) from None


def write_copy(path: Path, source: SourceText, text: str) -> None:
    """Write a text to another place, making its folders; mode and encoding as the source's.

    Raises
    ------
    SourceError
        Where it cannot be written; what was there before is untouched.
    """
    data = source.encode(text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise SourceError(f"a folder is in the place of {path}; nothing was written")
        mode = _usual_mode(path) if source.mode is None else source.mode | 0o200
        _replace(path, data, mode)
    except OSError as error:
        raise _not_written(error, path) from None


def write_text(path: Path, text: str) -> None:
    """Write a report, replacing the file whole.

    Raises
    ------
    SourceError
        Where it cannot be written.
    """
    if path.is_dir():
        raise SourceError("is a folder; nothing was written")
    if path.exists() and not path.is_file():
        try:
            path.write_text(text, encoding="utf-8")  # a pipe or a device: nothing to replace
        except OSError as error:
            raise SourceError(f"cannot be written: {error.strerror or error}") from None
        return
    write_copy(path, SourceText(b"", "", "utf-8", bom=False), text)


def with_newlines_of(original: str, text: str) -> str:
    r"""A port's text with the line endings of its original.

    Where all lines of the original end alike, all lines of the result do. In a file of mixed
    endings nothing is touched: which ending a line had is known to the edit that made it.
    """
    kinds = set(_LINE_END.findall(original))
    if len(kinds) != 1 or kinds == {"\n"}:
        return text
    return _LINE_END.sub(kinds.pop(), text)


_LINE_END = re.compile(r"\r\n|\r|\n")


def _usual_mode(path: Path) -> int:
    """That of the file that is there; else what a new file gets."""
    with contextlib.suppress(FileNotFoundError):
        status = path.lstat()
        if stat.S_ISREG(status.st_mode):
            return stat.S_IMODE(status.st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _hold(file: Path, expected: bytes) -> None:
    if file.read_bytes() != expected:
        raise SourceError("changed on disk while it was being ported; nothing was written")


def _replace(
    target: Path,
    data: bytes,
    mode: int,
    before: os.stat_result | None = None,
    expected: bytes | None = None,
) -> tuple[str, ...]:
    """Put bytes in the place of a file; `before` and `expected` are what is known of that.

    Between a last look at the file and its replacement somebody may save it. Where the system can
    exchange two files, what was there is looked at afterwards, and put back if it is no longer
    what was ported: an edit is lost only by a program that keeps the replaced file open.
    """
    lost: list[str] = []
    temporary = new_temporary(target)
    try:
        with temporary.open("r+b") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if before is not None:
            lost = _made_like(temporary, target, before)
        os.chmod(temporary, mode)
        if expected is not None and exchange(temporary, target):
            try:
                _hold(temporary, expected)
            except SourceError:
                exchange(temporary, target)
                raise
        else:
            if expected is not None:
                _hold(target, expected)
            os.replace(temporary, target)
    finally:
        _discard(temporary, data, expected)
    return tuple(lost)


def _made_like(temporary: Path, target: Path, before: os.stat_result) -> list[str]:
    """Give a new file the owner and the attributes of another; what is lost, for the user."""
    lost = []
    if hasattr(os, "chown"):
        try:
            os.chown(temporary, before.st_uid, before.st_gid)
        except OSError:  # only the superuser may give a file away
            if (before.st_uid, before.st_gid) != (temporary.stat().st_uid, temporary.stat().st_gid):
                lost.append("another user or group owned it: the ported file is your own")
    for name in _attributes(target):
        with contextlib.suppress(OSError):
            os.setxattr(temporary, name, os.getxattr(target, name))
    if before.st_nlink > 1:
        names = before.st_nlink - 1
        lost.append(
            f"{names} other name{'s' * (names > 1)} of this file (hard links) "
            f"keep{'s' * (names == 1)} the original: the port is under this name alone"
        )
    return lost


def _attributes(file: Path) -> list[str]:
    """Names of what a file has beside its mode: rights of further users, labels."""
    with contextlib.suppress(OSError):  # of a disk that has no such things
        return os.listxattr(file) if hasattr(os, "listxattr") else []
    return []


def _discard(temporary: Path, *known: bytes | None) -> None:
    """Delete a temporary file; one that somebody else's edit came into gets another name."""
    with contextlib.suppress(OSError):
        held = temporary.read_bytes()
        if any(one is not None and one.startswith(held) for one in known):
            temporary.unlink()
        else:
            temporary.rename(temporary.with_suffix(".kept"))


def _not_written(error: OSError, path: Path | None = None) -> SourceError:
    where = f" to {path}" if path is not None else ""
    return SourceError(
        f"cannot be written{where}: {error.strerror or error}; the original is untouched"
    )
