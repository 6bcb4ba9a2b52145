"""Where the modules of a project lie, and which of them a file imports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gpuport.source.reading import SourceError, read_source

_IMPORTS = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*'
    r"|(?:^|;)[ \t]*from[ \t]+(?P<module>\.*[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n;#]*)"
    r"|(?:^|;)[ \t]*import[ \t]+(?P<modules>[^\n;#]+)",
    re.MULTILINE,
)
"""Import statements, and what may hold text that looks like one: strings and comments."""

_COMMENT = re.compile(r"#[^\n]*")

Place = tuple[Path, tuple[str, ...]]
"""The file that a dotted path leads to, and the names that are left of it."""


def imports_of(text: str) -> Iterator[str]:
    """Dotted paths that the import statements of a source name, as `Scope.resolve` writes them.

    Found without parsing, in the order of the text; ``from m import *`` gives ``m.*``.
    """
    return (path for _, path in imported_names(text))


def imported_names(text: str) -> Iterator[tuple[str, str]]:
    """As `imports_of`, each path with the name that it is bound to (``a.b`` for ``import a.b``)."""
    last = text.rfind("import")
    for match in _IMPORTS.finditer(text):
        if match.start() > last:
            return
        if match["modules"] is not None:
            for part in match["modules"].split(","):
                words = part.split()
                yield (words[-1], words[0]) if words else ("", "")
        elif match["module"] is not None:
            module = match["module"]
            separator = "" if module.endswith(".") else "."
            for part in _COMMENT.sub("", match["names"]).strip("() \t\r\n\\").split(","):
                words = part.split()
                if words:
                    yield words[-1], f"{module}{separator}{words[0]}"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where absolute imports of a project lead.

    Attributes
    ----------
    tops : tuple of (str, Path)
        The top-level modules and packages that a run is about, with the folder of each.
    """

    tops: tuple[tuple[str, Path], ...] = ()

    @classmethod
    def of(cls, files: Iterable[Path], folders: Folders | None = None) -> Layout:
        """The layout of the files of a run; ``folders`` are those that were looked into."""
        folders = folders or Folders()
        found: dict[tuple[str, Path], None] = {}
        for file in files:
            folder, top = folders.home(file.parent)
            found[top or file.stem, folder] = None
        return cls(tuple(found))

    def locate(self, importer: Path, dotted: str, folders: Folders | None = None) -> Place | None:
        """The file that a dotted path of imports leads to, and the names that are left.

        Parameters
        ----------
        importer : pathlib.Path
            The file with the import.
        dotted : str
            ``.grid.step``, ``package.grid.step``: leading dots as in the import statement.
        folders : Folders, optional
            Those that were looked into already.

        Returns
        -------
        tuple or None
            None for what is no module of the project: the standard library, other packages.
        """
        folders = folders or Folders()
        names = dotted.lstrip(".")
        parts = tuple(names.split(".")) if names else ()
        level = len(dotted) - len(names)
        if level:
            folder = importer.parent
            for _ in range(level - 1):
                folder = folder.parent
            return folders.descend(folder, parts, inside=True)
        own, package = folders.home(importer.parent)
        top = parts[0] if parts else ""
        if not package or package == top:
            found = folders.descend(own, parts, inside=False)
            if found is not None:
                return found
        for name, folder in self.tops:
            if name == top and folder != own:
                found = folders.descend(folder, parts, inside=False)
                if found is not None:
                    return found
        return None


@dataclass(slots=True, eq=False)
class Folders:
    """What lies in the folders of a project: each question is put to the file system once."""

    _homes: dict[Path, tuple[Path, str]] = field(default_factory=dict)
    _found: dict[tuple[Path, tuple[str, ...], bool], Place | None] = field(default_factory=dict)

    def home(self, folder: Path) -> tuple[Path, str]:
        """Where the top-level package of a folder's files lies, and its name.

        The folder itself, and no name, where they are in no package.
        """
        found = self._homes.get(folder)
        if found is None:
            found = folder, ""
            if (folder / "__init__.py").is_file() and folder.parent != folder:
                root, top = self.home(folder.parent)
                found = root, top or folder.name
            self._homes[folder] = found
        return found

    def descend(self, folder: Path, parts: tuple[str, ...], *, inside: bool) -> Place | None:
        """Follow names down packages to the file of a module; ``inside`` a package already."""
        key = folder, parts, inside
        if key not in self._found:
            self._found[key] = _descend(folder, parts, inside=inside)
        return self._found[key]


def root_of(file: Path) -> Path:
    """The folder that the top-level package of a file lies in; its own where it is in none."""
    return Folders().home(file.parent)[0]


def _descend(folder: Path, parts: tuple[str, ...], *, inside: bool) -> Place | None:
    """Follow names down packages to the file of a module; ``inside`` a package already."""
    for position, part in enumerate(parts):
        file = folder / f"{part}.py"
        package = folder / part
        if (package / "__init__.py").is_file():
            folder, inside = package, True
        elif file.is_file():
            return file, parts[position + 1 :]
        elif package.is_dir() and position + 1 < len(parts):
            folder, inside = package, False
        else:
            return _package(folder, parts[position:]) if inside else None
    return _package(folder, ()) if inside else None


def _package(folder: Path, rest: tuple[str, ...]) -> Place | None:
    file = folder / "__init__.py"
    return (file, rest) if file.is_file() else None


@dataclass(slots=True, eq=False)
class Files:
    """The texts of a project, as a run leaves them.

    Attributes
    ----------
    layout : Layout
    ported : dict
        Texts that the run has made, by the path of the file that they are the port of.
    apart : dict
        Why a file is not ported together with those that import it.
    folders : Folders
    """

    layout: Layout = field(default_factory=Layout)
    ported: dict[Path, str] = field(default_factory=dict)
    apart: dict[Path, str] = field(default_factory=dict)
    folders: Folders = field(default_factory=Folders)
    _texts: dict[Path, str | None] = field(default_factory=dict)
    _imports: dict[Path, tuple[Path, ...]] = field(default_factory=dict)
    _places: dict[tuple[Path, str], Place | None] = field(default_factory=dict)
    _same: dict[Path, Path] = field(default_factory=dict)
    _reached: dict[Path, frozenset[Path]] = field(default_factory=dict)

    def same(self, file: Path) -> Path:
        """The one object that stands for a file here: it is found without comparing its name."""
        return self._same.setdefault(file, file)

    def text(self, file: Path) -> str | None:
        """The text of a file; None where it cannot be read."""
        text = self.ported.get(file)
        if text is not None:
            return text
        if file not in self._texts:
            try:
                self._texts[file] = read_source(file).text
            except SourceError:
                self._texts[file] = None
        return self._texts[file]

    def locate(self, importer: Path, dotted: str) -> Place | None:
        """As `Layout.locate`, remembered; each file is one and the same object everywhere."""
        key = importer, dotted
        if key not in self._places:
            place = self.layout.locate(importer, dotted, self.folders)
            if place is not None:
                place = self.same(place[0]), place[1]
            self._places[key] = place
        return self._places[key]

    def imports(self, file: Path) -> tuple[Path, ...]:
        """The files of the project that a file imports by name."""
        found = self._imports.get(file)
        if found is None:
            places = (self.locate(file, path) for path in imports_of(self.text(file) or ""))
            found = tuple(dict.fromkeys(place[0] for place in places if place is not None))
            self._imports[file] = found
        return found

    def reached(self, file: Path) -> frozenset[Path]:
        """All files that a file imports, over any way."""
        found = self._reached.get(file)
        if found is None:
            seen: set[Path] = set()
            pending = [file]
            while pending:
                for other in self.imports(pending.pop()):
                    if other not in seen:
                        seen.add(other)
                        pending.append(other)
            found = self._reached[file] = frozenset(seen)
        return found


__all__ = ["Files", "Layout", "imported_names", "imports_of", "root_of"]
