"""Which names of a module the files around it take: an import that they need has to stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from gpuport.analysis.project.programs import (
    imported_as,
    lines_importing,
    mentions,
    sources_around,
)
from gpuport.source.layout import Files, imported_names

_MOST_FILES = 5000
"""Files around a module up to which it is looked what they take."""


def taken_from(files: Files, file: Path) -> frozenset[str] | None:
    """Names that other files take from a module; None where they may take all of them."""
    wanted = lines_importing(re.escape(imported_as(file)))
    around = _around(files, file.parent)
    if len(around) > _MOST_FILES:
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
    return tuple(islice(sources_around(folder / "__init__.py"), _MOST_FILES + 1))


__all__ = ["taken_from"]
