"""The folder or package of a program with ports in the place of its files."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpuport.records import FileReport
from gpuport.verify.sides.originals import Located


def text_of(report: FileReport) -> str | None:
    """The text of a port, or of the file where nothing of it is ported."""
    return report.after if report.after is not None else report.before


def mirrored(
    places: Sequence[Located], folder: Path, reports: Sequence[FileReport]
) -> list[Located]:
    """The files' folder or package with the ports in their place; all else are links."""
    root = places[0].root
    ports = {
        place.file.relative_to(root): report for place, report in zip(places, reports, strict=True)
    }
    _mirror(root, folder, Path(), ports)
    return [
        Located(folder, place.module, folder / place.file.relative_to(root)) for place in places
    ]


def _mirror(root: Path, folder: Path, inside: Path, ports: Mapping[Path, FileReport]) -> None:
    """One folder of the mirror: ports, links, and the folders that hold further ports."""
    (folder / inside).mkdir(parents=True)
    for entry in (root / inside).iterdir():
        path = inside / entry.name
        if entry.name in (".git", ".gpuport", "__pycache__"):
            continue
        if path in ports:
            report = ports[path]
            codec = "utf-8-sig" if report.bom else report.encoding
            text = text_of(report)
            data = entry.read_bytes() if text is None else text.encode(codec)
            (folder / path).write_bytes(data)
        elif any(path in port.parents for port in ports):
            _mirror(root, folder, path, ports)
        else:
            _linked(entry, folder / path)


def _linked(entry: Path, target: Path) -> None:
    try:
        target.symlink_to(entry, target_is_directory=entry.is_dir())
    except OSError:  # where links need a privilege
        if entry.is_file():
            shutil.copyfile(entry, target)
