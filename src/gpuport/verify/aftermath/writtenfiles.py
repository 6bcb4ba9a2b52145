"""Files that a call writes into its working folder: their values, texts, or that they are there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from gpuport.verify.aftermath.leaves import PRINTED, Leaf

_MOST = 50  # files of one call that are compared
_LARGEST = 16 << 20  # bytes of one that is read
_KEPT = 1 << 16  # and of one that may be there again when the function is called once more
WRITTEN = "file "
Known = Mapping[Path, tuple[int, int]]


def files_in(folder: Path) -> dict[Path, tuple[int, int]]:
    """Every file below a folder, with when it was changed and its size."""
    found = {}
    # a listing alone, because most calls write nothing
    for name in os.listdir(folder):
        entry = folder / name
        for file in sorted(entry.rglob("*")) if entry.is_dir() else [entry]:
            if file.is_file():
                about = file.stat()
                found[file] = about.st_mtime_ns, about.st_size
    return found


def take_written(folder: Path, before: Known, kept: dict[Path, bytes]) -> list[Leaf]:
    """Leaves for the files that are new or changed; new ones are removed again.

    What the small ones among these held is in `kept` afterwards, and nothing else.
    """
    kept.clear()
    written = sorted(file for file, about in files_in(folder).items() if before.get(file) != about)
    if not written:
        return []
    leaves = [leaf for file in written[:_MOST] for leaf in _leaves(file, folder)]
    for file in written:
        if file not in before:
            if file.stat().st_size <= _KEPT:
                kept[file] = file.read_bytes()
            file.unlink(missing_ok=True)
    for entry in folder.iterdir():
        if entry.is_dir() and not any(known.is_relative_to(entry) for known in before):
            shutil.rmtree(entry, ignore_errors=True)
    return leaves


def put_back(kept: Mapping[Path, bytes]) -> None:
    """Files as a call left them, for the call that comes after it."""
    for file, held in kept.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(held)


def _leaves(file: Path, folder: Path) -> Iterator[Leaf]:
    path = f"{WRITTEN}{file.relative_to(folder).as_posix()}"
    try:
        yield from _contents(path, file)
    except (OSError, ValueError, EOFError, KeyError):
        yield Leaf(path, "opaque", "binary file")


def _contents(path: str, file: Path) -> Iterator[Leaf]:
    if file.stat().st_size > _LARGEST:
        yield Leaf(path, "opaque", "large file")
    elif file.suffix == ".npy":
        yield Leaf(path, "array", np.load(file, allow_pickle=False), "")
    elif file.suffix == ".npz":
        with np.load(file, allow_pickle=False) as held:
            for name in sorted(held.files):
                yield Leaf(f"{path}[{name!r}]", "array", held[name], "")
    else:
        text = file.read_bytes()
        if b"\0" in text:
            yield Leaf(path, "opaque", "binary file")
        else:
            yield Leaf(path, PRINTED, text.decode("utf-8"))
