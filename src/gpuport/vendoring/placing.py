"""Where a port finds a copy of the runtime: in the outermost package, or beside the script."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from gpuport.config import Config
from gpuport.records import FileReport
from gpuport.source.names import VENDORED
from gpuport.source.reading import SourceError, SourceText
from gpuport.source.writing import write_text
from gpuport.vendoring.onefile import MARK, runtime_text

_IMPORT = re.compile(r"^from gpuport\.runtime import ", re.MULTILINE)
_IMPORTED = re.compile(rf"^from \.*{VENDORED} import ", re.MULTILINE)
_RELATIVE = re.compile(r"^\s*from \.", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Home:
    """Where a module finds the runtime.

    Attributes
    ----------
    levels : int
        Folders between the module's own and that of the runtime.
    relative : bool
        Whether the module belongs to a package, and imports it as a part of that.
    """

    levels: int
    relative: bool

    @property
    def name(self) -> str:
        """What the module imports from."""
        return "." * (self.levels + 1) + VENDORED if self.relative else VENDORED

    def file(self, module: Path) -> Path:
        """The runtime of a module at some place."""
        return module.absolute().parents[self.levels] / f"{VENDORED}.py"


def home_of(path: Path, text: str) -> Home:
    """The outermost package around a module; a script's own folder."""
    folder, levels = path.absolute().parent, 0
    if not (folder / "__init__.py").is_file():
        return Home(0, _RELATIVE.search(text) is not None)
    while (folder.parent / "__init__.py").is_file():
        folder, levels = folder.parent, levels + 1
    return Home(levels, True)


def with_runtime(
    path: Path, place: Path, source: SourceText, report: FileReport, config: Config
) -> FileReport:
    """The report of a port that imports the runtime from the user's own code.

    Parameters
    ----------
    path, place : Path
        The module, and where its port goes. The runtime is written beside the latter, in its
        outermost package, but for dry runs.
    source : SourceText
    report : FileReport
        Also one without changes: a port that was written before may get its runtime now.
    config : Config

    Raises
    ------
    SourceError
        Where the runtime cannot be written, something else has its name, or its place is not
        among the copies.
    """
    text = report.after if report.after is not None else source.text
    home = home_of(path, source.text)
    own = _IMPORT.sub(f"from {home.name} import ", text)
    if not _IMPORTED.search(own):
        return report
    file = home.file(place)
    if config.out_dir is not None and not config.dry_run:
        folder = os.path.realpath(config.out_dir)
        if not Path(os.path.realpath(file.parent)).is_relative_to(folder):
            raise SourceError(
                f"the runtime of its package has no place in {config.out_dir}: name the outermost "
                "package, or a folder around it"
            )
    if not _is_there(file):
        report = replace(report, runtime=os.path.relpath(file))
        if not config.dry_run:
            write_text(file, runtime_text())
    if own == source.text:
        return report
    return replace(report, before=source.text, after=own, encoding=source.encoding, bom=source.bom)


def _is_there(file: Path) -> bool:
    """Whether the runtime is in its place, of this version."""
    if not file.exists():
        return False
    there = file.read_text(encoding="utf-8", errors="replace")
    if MARK not in there:
        raise SourceError(f"{file} is not gpuport's: there is no place for the runtime")
    return there == runtime_text()


__all__ = ["Home", "home_of", "with_runtime"]
