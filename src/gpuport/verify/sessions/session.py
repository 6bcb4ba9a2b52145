"""One run of ``gpuport verify``: files, their originals, a worker per file, the report."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from gpuport.recording.calls import PLACE
from gpuport.verify.records import (
    FileVerdict,
    FunctionVerdict,
    VerifyError,
    VerifyOptions,
    VerifyReport,
)
from gpuport.verify.sessions.filesession import shown_path, verify_file
from gpuport.verify.sessions.progress import Progress, Step
from gpuport.verify.sessions.replayed import importable, problems_below
from gpuport.verify.sides.originals import (
    FolderOriginals,
    GitOriginals,
    Located,
    located,
    originals_of,
)

Verify = Callable[[Located, Located, Path, VerifyOptions, Progress], tuple[FunctionVerdict, ...]]

_LAYING_OUT = threading.Lock()
_SUBMITTING = 16
_SKIPPED_FOLDERS = {".git", ".gpuport", "__pycache__", ".venv", "node_modules"}


def verify_paths(
    paths: Sequence[Path],
    against: str | None,
    options: VerifyOptions,
    progress: Callable[[Step], None] | None = None,
) -> VerifyReport:
    """Run originals and ports side by side and say what is known about each function.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        Ported files, or folders of them.
    against : str or None
        A folder with the originals at the same relative paths, or a git revision; None for
        ``HEAD``.
    options : VerifyOptions
    progress : callable, optional
        Told when a function begins, and when it has its verdict.

    Returns
    -------
    VerifyReport
        Never raises for what the user's files do; ``exit_status`` is 2 where the run failed.
    """
    root = (options.root or Path.cwd()).resolve()
    files: list[FileVerdict] = []
    errors: list[str] = []
    with contextlib.ExitStack() as around:
        try:
            verify, folder = around.enter_context(_verifying(options, root))
            name = tempfile.TemporaryDirectory(prefix="gpuport-verify-", dir=folder)
            scratch = Path(around.enter_context(name)).resolve()
            originals = originals_of(against, scratch / "originals", root)
        except VerifyError as error:
            return VerifyReport(errors=(str(error),), seed=options.seed)
        found = list(_files(paths, errors))
        if (root / PLACE).exists():
            options = replace(options, modules=importable([file for file, _ in found]))
        told = Progress(progress)

        def one(item: tuple[Path, Path]) -> FileVerdict:
            return _file(*item, originals, scratch, options, root, told, verify)

        jobs = _SUBMITTING if options.scheduler else max(options.jobs, 1)
        # what is left of them where there are fewer files, works at functions of one file
        options = replace(options, jobs=max(options.jobs // max(len(found), 1), 1))
        with ThreadPoolExecutor(jobs) as pool:  # the work is in their workers
            files += pool.map(one, found)
    known = {function.name for file in files for function in file.functions}
    errors += [f"no function is called {name}" for name in options.functions if name not in known]
    if not files and not errors:
        errors.append("no Python files found: name files or folders to verify")
    return VerifyReport(tuple(files), tuple(errors), options.seed, problems_below(root))


@contextlib.contextmanager
def _verifying(options: VerifyOptions, root: Path) -> Iterator[tuple[Verify, Path | None]]:
    """What verifies a file, here or on a cluster, and the folder for what the latter must see."""
    if not options.scheduler:
        yield verify_file, None
        return
    from gpuport.verify.sessions.spread import Cluster

    with Cluster(options.scheduler) as cluster:
        folder = root / ".gpuport"
        folder.mkdir(exist_ok=True)
        yield cluster.verify_file, folder


def _file(
    file: Path,
    given: Path,
    originals: FolderOriginals | GitOriginals,
    scratch: Path,
    options: VerifyOptions,
    root: Path,
    progress: Progress,
    verify: Verify,
) -> FileVerdict:
    shown = shown_path(file, root)
    try:
        with _LAYING_OUT:
            original = originals.find(file, given)
        work = Path(tempfile.mkdtemp(dir=scratch))
        verdicts = verify(located(original), located(file), work, options, progress)
        return FileVerdict(shown, verdicts)
    except VerifyError as error:
        return FileVerdict(shown, error=str(error))
    except (SyntaxError, UnicodeDecodeError, OSError) as error:
        return FileVerdict(shown, error=f"{shown}: cannot be read: {error}")


def _files(paths: Sequence[Path], errors: list[str]) -> Iterator[tuple[Path, Path]]:
    for given in paths:
        if given.is_dir():
            for file in sorted(given.rglob("*.py")):
                if not _SKIPPED_FOLDERS & set(file.relative_to(given).parts):
                    yield file, given
        elif given.is_file():
            yield given, given
        else:
            errors.append(f"{given}: no such file or folder")
