"""Who may import a program's files: packages that are distributed, files beside and below them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from gpuport.source.importing import (
    MOST_FILES,
    MOST_NEIGHBOURS,
    imported_as,
    lines_importing,
    mentions,
    project_folder,
    sources_around,
)  # fmt: skip
from gpuport.source.layout import Folders, Layout, imports_of, root_of
from gpuport.source.module import Module
from gpuport.source.moduleassignments import is_main_guard
from gpuport.source.names import Scope
from gpuport.source.syntax import inside

_DISTRIBUTED = re.compile(r"^\[(?:project|tool\.poetry|tool\.flit\.metadata|metadata)\]", re.M)


def why_imported(module: Module, root: Scope, *, whole: bool = False) -> str | None:
    """Why code that is not in this file may use its names; None for a program.

    A program runs when it is started: it has a ``__main__`` guard or calls one of its own
    functions at its top. It is part of no package, and no file beside or above it imports it.
    """
    if whole:
        return imported_below(frozenset((Path(module.path),)))
    if not any(is_main_guard(s) or _calls_its_own(s, root) for s in module.tree.body):
        return "code that imports this module may use them"
    if root.binds("__all__") or any(
        isinstance(node, ast.ImportFrom) and node.level for node in root.import_nodes
    ):
        return "the module is part of a package, which may use them"
    return _imported_nearby(module.path)


def distributed(files: frozenset[Path]) -> str | None:
    """Packages that are installed are imported by programs that nobody sees here."""
    for folder in {root_of(file) for file in files if (file.parent / "__init__.py").exists()}:
        for place in (folder, folder.parent):
            if (place / "setup.py").exists():
                return "the modules are part of a package that is distributed, which others may use"
            for name in ("pyproject.toml", "setup.cfg"):
                if _DISTRIBUTED.search(_text(place / name)):
                    return f"`{name}` distributes the modules as a package, which others may use"
    return None


def imported_below(files: frozenset[Path]) -> str | None:
    """Another file, in or above the folders of a program, that imports a module of it."""
    names = "|".join(sorted({re.escape(imported_as(file)) for file in files}))
    wanted = lines_importing(names, before=r'"?[ \t\f\v]*')
    folders = Folders()
    layout = Layout.of(files, folders)
    for seen, other in enumerate(_others_beside(files)):
        if seen > MOST_FILES:
            return "there are too many files beside the program to see who imports it"
        if mentions(other, wanted) and _leads_to(layout, folders, other, files):
            return f"`{other.name}`, which is not handled with them, imports a module of them"
    return None


def _leads_to(layout: Layout, folders: Folders, other: Path, files: frozenset[Path]) -> bool:
    """Whether the imports of a file lead to a program, not to modules of the same names."""
    if other.suffix != ".py":
        return True
    places = (layout.locate(other, path, folders) for path in imports_of(_text(other)))
    return any(place is not None and place[0] in files for place in places)


def _others_beside(files: frozenset[Path]) -> Iterator[Path]:
    """Other sources and notebooks in the folders of a program's project, and right above them."""
    for folder in {project_folder(file) for file in files}:
        yield from (other for other in sources_around(folder) if other not in files)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _calls_its_own(node: ast.stmt, root: Scope) -> bool:
    if not isinstance(node, (ast.Expr, ast.Assign, ast.For, ast.While, ast.With)):
        return False
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and (call.func.id in root.functions or call.func.id in root.classes)
        for call in inside(node)
    )


@lru_cache(maxsize=64)
def _imported_nearby(path: str) -> str | None:
    source = Path(path)
    folder = source.parent
    if (folder / "__init__.py").exists():
        return "the module is part of a package, which may use them"
    wanted = lines_importing(re.escape(source.stem))
    for beside in (folder, folder.parent) if source.is_file() else ():
        for other in sorted(beside.glob("*.py"))[:MOST_NEIGHBOURS]:
            if other.name != source.name and mentions(other, wanted):
                return f"`{other.name}` imports this module and may use them"
    return None


__all__ = ["distributed", "imported_below", "why_imported"]
