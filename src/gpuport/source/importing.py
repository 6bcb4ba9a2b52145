"""Who imports a module: the files around it, and the names that they take from it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from gpuport.source.discovery import is_left_out
from gpuport.source.layout import Files, imported_names, root_of

MOST_NEIGHBOURS = 200
"""Files of a folder up to which they are looked through for imports of a program."""

MOST_FILES = 5000
"""Files around a module up to which it is looked who imports it, and what they take."""

_MOST_UPWARDS = 3
"""Folders above a module in which it is looked for what marks a project."""

_PROJECT_FILES = (".git", "pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "requirements.txt")

_IMPORTING = re.compile(rb'\n[ \t\f\v"]*(?:from|import)\b[^\n]*')
"""Lines of sources, or of notebooks, that may import something, with the line end before them."""


def taken_from(files: Files, file: Path) -> frozenset[str] | None:
    """Names that other files take from a module; None where they may take all of them."""
    wanted = lines_importing(re.escape(imported_as(file)))
    around = _around(files, file.parent)
    if len(around) > MOST_FILES:
        return None
    found = set[str]()
    for other in around:
        if other == file or not mentions(other, wanted):
            continue
        text = files.text(other) if other.suffix == ".py" else None
        if text is None:
            return None
        found.update(_taken_by(files, other, text, file))
    return None if "*" in found else frozenset(found)


def _taken_by(files: Files, other: Path, text: str, file: Path) -> Iterator[str]:
    """Names that one file takes from another; of one that has the module itself, all attributes."""
    for bound, path in imported_names(text):
        place = files.locate(other, path)
        if place is not None and place[0] == file:
            yield from place[1][:1] or re.findall(rf"\b{re.escape(bound)}\s*\.\s*(\w+)", text)


@lru_cache(maxsize=16)
def _around(files: Files, folder: Path) -> tuple[Path, ...]:
    """The sources around those of a folder; looked for once in a run."""
    return tuple(islice(sources_around(project_folder(folder / "__init__.py")), MOST_FILES + 1))


def sources_around(folder: Path) -> Iterator[Path]:
    """The sources and notebooks in the folders of a project, and right above them."""
    yield from sorted(folder.parent.glob("*.py"))[:MOST_NEIGHBOURS]
    for place, folders, found in os.walk(folder):
        folders[:] = [
            name for name in folders
            if not name.startswith((".", "__")) and not is_left_out(Path(place, name))
        ]  # fmt: skip
        yield from (Path(place, name) for name in found if name.endswith((".py", ".ipynb")))


def project_folder(file: Path) -> Path:
    """The folder of a file's project; that of its top-level package where none is seen."""
    folder = root_of(file)
    for place in (folder, *folder.parents[:_MOST_UPWARDS]):
        if any((place / name).exists() for name in _PROJECT_FILES):
            return place
    return folder


def imported_as(file: Path) -> str:
    """The name by which a module, or its package, is imported."""
    return file.parent.name if file.stem == "__init__" else file.stem


def lines_importing(names: str, before: str = "") -> re.Pattern[bytes]:
    """A line that imports one of some names, told without parsing."""
    line = rf"^[ \t\f\v]*{before}(?:from|import)\b.*\b(?:{names})\b"
    return re.compile(line.encode(), re.MULTILINE)


def mentions(path: Path, wanted: re.Pattern[bytes]) -> bool:
    """Whether a line of a file is wanted; in doubt one is."""
    try:
        found = path.stat()
        return wanted.search(_lines_that_import(path, found.st_mtime_ns, found.st_size)) is not None
    except OSError:
        return True


@lru_cache(maxsize=MOST_FILES)
def _lines_that_import(path: Path, time: int, size: int) -> bytes:
    """The lines of a file among which the wanted ones are; each program beside it asks for them."""
    return b"".join(_IMPORTING.findall(b"\n" + path.read_bytes().replace(b"\r", b"\n")))


__all__ = [
    "MOST_FILES", "MOST_NEIGHBOURS", "imported_as", "lines_importing", "mentions",
    "project_folder", "sources_around", "taken_from",
]  # fmt: skip
