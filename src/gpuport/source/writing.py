"""Writing a source back: atomically, in its own encoding, or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from pathlib import Path

from gpuport.source.reading import SourceError, SourceText


def write_source(path: Path, source: SourceText, text: str) -> None:
    """Replace a file by another text in the same encoding, with the same mode.

    The new bytes go to a temporary file in the same folder which then takes the file's place,
    so that at any moment one of the two is there whole. A symbolic link is kept: the file that
    it leads to is replaced.

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
        if target.read_bytes() != source.data:
            raise SourceError("changed on disk while it was being ported; nothing was written")
        _replace(target, data, stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid))
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
    mode = 0o644 if source.mode is None else source.mode | 0o200
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise SourceError(f"a folder is in the place of {path}; nothing was written")
        _replace(path, data, mode, None)
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


def _replace(target: Path, data: bytes, mode: int, owner: tuple[int, int] | None) -> None:
    descriptor, temporary = tempfile.mkstemp(
        dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".gpuport-tmp"
    )
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if owner is not None and hasattr(os, "chown"):
            # Only the superuser may give a file away; elsewhere the writer becomes its owner.
            with contextlib.suppress(PermissionError):
                os.chown(temporary, *owner)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _not_written(error: OSError, path: Path | None = None) -> SourceError:
    where = f" to {path}" if path is not None else ""
    return SourceError(
        f"cannot be written{where}: {error.strerror or error}; the original is untouched"
    )
