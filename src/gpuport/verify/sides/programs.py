"""Which files of a tree make up programs: functions in them may take what their calls give."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_MOST_FILES = 200
"""Files of a tree up to which it is looked which of them make up programs."""


def is_of_program(file: Path, root: Path) -> bool:
    """Whether a file is one of several of a program that nothing else imports.

    Parameters
    ----------
    file : pathlib.Path
    root : pathlib.Path
        The folder whose files may belong to it.
    """
    whole = _folder_of_whole(file)
    return file.absolute() in _of_programs(root.absolute() if whole is None else whole)


def is_closed(file: Path) -> bool:
    """Whether a file is a program that no other file is seen to import.

    Parameters
    ----------
    file : pathlib.Path
    """
    from gpuport.analysis.knowledge.tables import knowledge
    from gpuport.analysis.project.callgraph import Project
    from gpuport.source.reading import SourceError, parse, read_source

    try:
        module = parse(str(file), read_source(file).text)
    except SourceError:
        return False
    known = knowledge(whole_program=_folder_of_whole(file) is not None)
    return Project(module, known).why_imported is None


def _folder_of_whole(file: Path) -> Path | None:
    """The project whose pyproject.toml says that no other code uses the classes of its files."""
    from gpuport.config import ConfigError, load

    try:
        config = load(str(file), {})
    except ConfigError:
        return None
    return config.root if config.whole_program else None


@lru_cache(maxsize=8)
def _of_programs(root: Path) -> frozenset[Path]:
    from gpuport.analysis.knowledge.tables import knowledge
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program
    from gpuport.config import Config
    from gpuport.passes.surroundings import Surroundings
    from gpuport.scheduling import connected
    from gpuport.source.discovery import discover
    from gpuport.source.layout import Files, Layout
    from gpuport.source.reading import SourceError, parse

    paths = [found.path.absolute() for found in discover([str(root)], Config()).files]
    if len(paths) > _MOST_FILES:
        return frozenset()
    files, known = Files(Layout.of(paths)), knowledge(whole_program=_folder_of_whole(root) == root)
    found: set[Path] = set()
    for positions in connected(paths, files):
        group = [paths[position] for position in positions]
        try:
            modules = {path: parse(str(path), files.text(path) or "") for path in group}
        except SourceError:
            continue
        program = Program.of({
            path: Project(module, known, outside=Surroundings(path, files, known))
            for path, module in modules.items()
        })  # fmt: skip
        if program.outsiders is None:
            found |= set(group)
    return frozenset(found)


__all__ = ["is_closed", "is_of_program"]
