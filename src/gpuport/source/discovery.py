"""Which files a run is about: files as named, folders searched, each file once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from gpuport.config import Config
from gpuport.source.names import VENDORED

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", ".pyw")
STDIN = "-"
# fmt: off
EXCLUDED_FOLDERS = frozenset({
    ".bzr", ".direnv", ".eggs", ".git", ".gpuport", ".hg", ".hypothesis", ".ipynb_checkpoints",
    ".mypy_cache", ".nox", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox",
    ".venv", ".vscode", "__pycache__", "__pypackages__", "_build", "build", "dist",
    "node_modules", "site-packages", "venv",
})
# fmt: on


def is_left_out(folder: Path) -> bool:
    """Whether a folder holds what was built, installed or noted, rather than sources."""
    return folder.name in EXCLUDED_FOLDERS or (folder / "pyvenv.cfg").exists()


@dataclass(frozen=True, slots=True)
class Found:
    """A file to handle.

    Attributes
    ----------
    path : pathlib.Path
    shown : str
        Path for the user: relative to the working folder where it lies below it.
    relative : str
        Path below the argument that led to it, for ``--out-dir``.
    named : bool
        Whether the user named this very file.
    """

    path: Path
    shown: str
    relative: str
    named: bool = False


@dataclass
class Discovery:
    """Files found, what could not be looked at, and what the user should know."""

    files: list[Found] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def discover(paths: Sequence[str], config: Config) -> Discovery:
    """Find the Python files of a run, in a stable order.

    A file that is named is always taken, whatever its suffix and whatever excludes say; below a
    folder ``.gitignore``, ``--exclude`` and the default excludes hold, and links to folders are
    not followed.
    """
    result = Discovery()
    seen: set[str] = set()
    for argument in paths:
        path = Path(argument)
        if path.is_dir():
            found = _below(path, config, result)
        elif path.exists() or path.is_symlink():
            found = [Found(path, shown(path), path.name, named=True)]
        else:
            result.errors.append(f"{argument}: no such file or folder")
            continue
        for file in found:
            identity = os.path.realpath(file.path)
            if identity not in seen:
                seen.add(identity)
                result.files.append(file)
    return result


def shown(path: Path) -> str:
    """A path for the user, with forward slashes, relative to the working folder if below it."""
    absolute = Path(os.path.abspath(path))
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()


def _below(root: Path, config: Config, result: Discovery) -> list[Found]:
    walk = _Walk(root, config, result)
    files = sorted(walk.files(), key=lambda path: path.relative_to(root).parts)
    # A link to a file that the folder also holds is the same file: the file itself is shown.
    links = {path for path in files if path.is_symlink()}
    real = {os.path.realpath(path) for path in files if path not in links}
    kept = [p for p in files if p not in links or os.path.realpath(p) not in real]
    bounds = _bounds(root, config) if links else ()
    for link in [p for p in kept if p in links and not _lies_in(p, bounds)]:
        kept.remove(link)
        leads = f"a link to {os.path.realpath(link)}, outside of the project"
        result.warnings.append(f"{shown(link)}: {leads}, left out; name it to have it handled")
    if not kept:
        result.warnings.append(f"{root}: no Python files found")
    if walk.notebooks:
        result.warnings.append(f"{root}: {walk.notebooks} notebook(s) not looked at")
    return [Found(path, shown(path), path.relative_to(root).as_posix()) for path in kept]


def _bounds(root: Path, config: Config) -> tuple[str, ...]:
    """The folders that links may lead into: the one that was named, and its project's.

    What a link leads to is written to as well, and who made the link need not be its owner.
    """
    absolute = Path(os.path.realpath(root))
    project = (folder for folder in (absolute, *absolute.parents) if (folder / ".git").exists())
    configured = () if config.root is None else (config.root,)
    return tuple(os.path.realpath(folder) for folder in (root, *islice(project, 1), *configured))


def _lies_in(path: Path, folders: tuple[str, ...]) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(folder) for folder in folders)


class _Walk:
    """One search below a folder, without recursion."""

    def __init__(self, root: Path, config: Config, result: Discovery) -> None:
        self.root = root
        self.result = result
        self.notebooks = 0
        self.absolute = Path(os.path.abspath(root))
        self.out_dir = os.path.realpath(config.out_dir) if config.out_dir else None
        self.exclude = _spec(config.exclude)
        self.exclude_root = Path(os.path.abspath(config.root or Path.cwd()))
        self.outer = _specs_above(self.absolute)

    def files(self) -> Iterator[Path]:
        pending: list[tuple[Path, tuple[_Ignore, ...]]] = [(self.root, self.outer)]
        while pending:
            folder, ignores = pending.pop()
            own = _ignore_file(Path(os.path.abspath(folder)), ".gitignore", self.result)
            ignores = (*ignores, *own)
            for entry in self._entries(folder):
                path = folder / entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if self._excluded(path, entry.name, is_folder, ignores):
                    continue
                if is_folder:
                    pending.append((path, ignores))
                elif entry.name.endswith(".ipynb"):
                    self.notebooks += 1
                elif entry.name == f"{VENDORED}.py":
                    continue  # what gpuport wrote there itself
                elif entry.name.endswith(SUFFIXES) and self._regular(entry, path):
                    yield path

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError as error:
            self.result.errors.append(f"{shown(folder)}: cannot be read: {error.strerror}")
            return []

    def _regular(self, entry: os.DirEntry[str], path: Path) -> bool:
        try:
            regular = entry.is_file()
            if not regular and entry.is_symlink() and not path.exists():
                self.result.warnings.append(f"{shown(path)}: a link that leads nowhere, left out")
        except OSError as error:
            self.result.warnings.append(f"{shown(path)}: left out: {error.strerror}")
            return False
        return regular

    def _excluded(
        self, path: Path, name: str, is_folder: bool, ignores: tuple[_Ignore, ...]
    ) -> bool:
        if is_folder and is_left_out(path):
            return True
        if is_folder and self.out_dir is not None and os.path.realpath(path) == self.out_dir:
            return True
        absolute = Path(os.path.abspath(path))
        if self.exclude is not None:
            below = absolute.is_relative_to(self.exclude_root)
            base = self.exclude_root if below else self.absolute
            if _Ignore(base, self.exclude).says(absolute, is_folder):
                return True
        return _ignored(absolute, is_folder, ignores)


@dataclass(frozen=True, slots=True)
class _Ignore:
    folder: Path
    spec: GitIgnoreSpec

    def says(self, absolute: Path, is_folder: bool) -> bool | None:
        relative = absolute.relative_to(self.folder).as_posix()
        return self.spec.check_file(relative + "/" if is_folder else relative).include

    def drops(self, folder: Path) -> bool:
        """Whether a folder below this one is excluded."""
        below = folder != self.folder and folder.is_relative_to(self.folder)
        return below and self.says(folder, True) is True


def _ignored(absolute: Path, is_folder: bool, ignores: tuple[_Ignore, ...]) -> bool:
    for ignore in reversed(ignores):  # the nearest .gitignore has the last word
        answer = ignore.says(absolute, is_folder)
        if answer is not None:
            return answer
    return False


def _specs_above(folder: Path) -> tuple[_Ignore, ...]:
    """What the repository's files above a folder say; nothing if they exclude the folder itself.

    Someone who names an ignored folder wants what is in it.
    """
    parents: list[Path] = []
    for parent in (folder, *folder.parents):
        if parent != folder:
            parents.append(parent)
        if (parent / ".git").exists():
            break
    else:
        return ()
    quiet = Discovery()
    top = parents[-1] if parents else folder
    specs = list(_ignore_file(top, ".git/info/exclude", quiet))
    for parent in reversed(parents):
        specs.extend(_ignore_file(parent, ".gitignore", quiet))
    chain = (folder, *parents)
    return tuple(spec for spec in specs if not any(spec.drops(above) for above in chain))


def _ignore_file(folder: Path, name: str, result: Discovery) -> tuple[_Ignore, ...]:
    file = folder / name
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        spec = _spec(lines)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return ()
    except OSError as error:
        result.warnings.append(f"{shown(file)}: cannot be read: {error.strerror}")
        return ()
    except ValueError as error:
        result.warnings.append(f"{shown(file)}: not used: {error}")
        return ()
    return (_Ignore(folder, spec),) if spec is not None else ()


def _spec(lines: Sequence[str]) -> GitIgnoreSpec | None:
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return None
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)
