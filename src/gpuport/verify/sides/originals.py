"""Where the originals come from: another folder, or a git revision laid out in a scratch folder."""

from __future__ import annotations

import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpuport.verify.records import VerifyError


@dataclass(frozen=True, slots=True)
class Located:
    """A file with the folder that must be on ``sys.path`` and its dotted module name."""

    root: Path
    module: str
    file: Path

    def request(self) -> dict[str, str]:
        """The plain data that the worker needs."""
        return {"root": str(self.root), "module": self.module, "file": str(self.file)}


def located(file: Path) -> Located:
    """Walk up while there is an ``__init__.py``: the package's parent is the root."""
    file = file.resolve()
    parts = [] if file.name == "__init__.py" else [file.stem]
    root = file.parent
    while (root / "__init__.py").exists() and root.parent != root:
        parts.insert(0, root.name)
        root = root.parent
    return Located(root, ".".join(parts), file)


class FolderOriginals:
    """Originals at the same relative paths in another folder."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder
        self.root = root

    def find(self, file: Path, given: Path) -> Path:
        """The original of `file`, which was found under the path `given`.

        Raises
        ------
        VerifyError
            Where the folder has no such file.
        """
        candidates = []
        for base in (given if given.is_dir() else given.parent, self.root):
            if file.resolve().is_relative_to(base.resolve()):
                candidates.append(self.folder / file.resolve().relative_to(base.resolve()))
        for candidate in candidates:
            if candidate.is_file() and candidate.resolve() != file.resolve():
                return candidate
        tried = ", ".join(map(str, candidates))
        raise VerifyError(f"{file}: no original to compare with (looked for {tried})")


class GitOriginals:
    """Originals as they stand in a revision; siblings of the same package come along."""

    def __init__(self, revision: str, scratch: Path, root: Path) -> None:
        self.revision = revision
        self.scratch = scratch
        self.top = Path(_git(root, "rev-parse", "--show-toplevel").decode().strip()).resolve()
        _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        self._laid_out: set[Path] = set()

    def find(self, file: Path, given: Path) -> Path:
        """Lay out the Python files beside and below the file's root, and give the file's own."""
        file = file.resolve()
        if not file.is_relative_to(self.top):
            raise VerifyError(f"{file}: not inside the repository {self.top}")
        place = located(file)
        inside = place.root if place.root.is_relative_to(self.top) else self.top
        self._lay_out(inside)
        original = self.scratch / file.relative_to(self.top)
        if not original.is_file():
            raise VerifyError(
                f"{file}: not in revision {self.revision}, so there is nothing to compare with "
                "(give the folder of the originals: --against DIR)"
            )
        return original

    def _lay_out(self, folder: Path) -> None:
        if folder in self._laid_out:
            return
        self._laid_out.add(folder)
        relative = folder.relative_to(self.top).as_posix()
        listing = _git(
            self.top, "ls-tree", "-r", "-z", "--name-only", self.revision, "--", f"{relative}/"
        )
        names = [n for n in listing.decode().split("\0") if n.endswith(".py")]
        request = "".join(f"{self.revision}:{name}\n" for name in names).encode()
        contents = _git(self.top, "cat-file", "--batch", data=request)
        offset = 0
        for name in names:
            end = contents.index(b"\n", offset)
            size = int(contents[offset:end].rsplit(b" ", 1)[1])
            target = self.scratch / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(contents[end + 1 : end + 1 + size])
            offset = end + 1 + size + 1


def _git(folder: Path, *arguments: str, data: bytes | None = None) -> bytes:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, input=data, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise VerifyError("git is not installed: give the originals with --against DIR") from None
    if done.returncode:
        detail = done.stderr.decode(errors="replace").strip().splitlines()
        raise VerifyError(
            f"git {arguments[0]} failed{': ' + detail[-1] if detail else ''}: give a revision of "
            "this repository or the folder of the originals with --against"
        )
    return done.stdout


def originals_of(against: str | None, scratch: Path, root: Path) -> FolderOriginals | GitOriginals:
    """A folder where `against` names one, else a git revision (``HEAD`` where None).

    Raises
    ------
    VerifyError
        Where it is neither.
    """
    if against is not None and (root / against).is_dir():
        return FolderOriginals((root / against).resolve(), root)
    return GitOriginals(against or "HEAD", scratch, root)


def laid_out(against: str | None, root: Path, scratch: Path) -> Path:
    """A folder that holds the whole project as it was; `root` itself is not touched.

    Raises
    ------
    VerifyError
        Where `against` is neither a folder nor a revision.
    """
    if against is not None and (root / against).is_dir():
        return (root / against).resolve()
    revision = against or "HEAD"
    top = Path(_git(root, "rev-parse", "--show-toplevel").decode().strip()).resolve()
    data = _git(top, "archive", "--format=tar", revision)
    scratch.mkdir(parents=True, exist_ok=True)
    # Python has filters from 3.11.4 on; what git packs leads nowhere else.
    guarded: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(scratch, **guarded)
    return scratch / root.resolve().relative_to(top)
