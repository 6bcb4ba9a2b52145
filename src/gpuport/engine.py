"""The pipeline: discover, read, port, check the result, write. Files do not know each other."""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from gpuport.config import Config
from gpuport.records import FileError, FileReport, Finding, LineReport, RunReport, Severity, Span
from gpuport.scheduling import schedule
from gpuport.source.discovery import STDIN, Found, discover
from gpuport.source.layout import Files, Layout
from gpuport.source.reading import SourceError, SourceText, decode, parse, read_source
from gpuport.source.suppression import Suppressions
from gpuport.source.writing import with_newlines_of, write_copy, write_source

if TYPE_CHECKING:
    from pathlib import Path

    from gpuport.source.module import Module

# Starting workers costs more than porting fewer files than this.
FILES_WORTH_WORKERS = 32
# A file that mentions none of these has nothing that gpuport knows.
_MENTIONS = ("numpy", "scipy", "pylab")
# Objects made and not let go of since the collector of cycles last looked.
MOST_UNCOLLECTED = 2_000_000
# A comment that is meant for gpuport and that it does not understand.
MISREAD_COMMENT = "GP911"
SUPPRESSED = "GP910"
_SKIPPED_FILE = Finding(
    SUPPRESSED, Severity.INFO, Span(1, 1, 1, 1), "left alone: '# gpuport: skip-file'"
)

Progress = Callable[[int, int], None]
Gate = Callable[["Path", SourceText, FileReport, Config, Files], FileReport]
Warn = Callable[[str], None]


def run(
    paths: Sequence[str],
    config: Config,
    *,
    progress: Progress | None = None,
    warn: Warn = print,
    gate: Gate | None = None,
) -> RunReport:
    """Port files and folders, and write what changed unless ``config.dry_run``.

    Parameters
    ----------
    paths : sequence of str
    config : Config
    progress : callable, optional
        Called with the files done and the files in all, after each file.
    warn : callable
        Called with what the user should know although nothing failed.
    gate : callable, optional
        Is shown each file that changes before it is written, and gives what is to be written.

    Returns
    -------
    RunReport
        One report a file, in the order of discovery, whatever `jobs` is.
    """
    found = discover(paths, config)
    for message in found.warnings:
        warn(message)
    taken: dict[Path, str] = {}
    reports = []
    jobs = _placed(found.files, config, taken)
    with _uncollected():
        for done, report in enumerate(_handled(found.files, jobs, config, gate), 1):
            reports.append(report)
            if progress is not None:
                progress(done, len(found.files))
    return RunReport(tuple(reports), config.table, tuple(found.errors))


def exit_status(report: RunReport, config: Config) -> int:
    """Exit status of a run: 2 where an input failed, 1 where something is left to do, else 0."""
    if report.failed:
        return 2
    if config.exit_zero:
        return 0
    to_port = config.dry_run and any(file.changed for file in report.files)
    errors = (f.severity is Severity.ERROR for file in report.files for f in file.findings)
    return 1 if to_port or any(errors) else 0


def port_text(
    path: str,
    source: SourceText,
    config: Config,
    *,
    syntax: bool = True,
    files: Files | None = None,
) -> FileReport:
    """Port one source, and hold the result to what every result must be; writes nothing.

    ``syntax`` asks for the syntax of a source that has nothing to port to be checked too;
    ``files`` are those of the project around it, as the run leaves them.
    """
    try:
        if not syntax and not any(word in source.text for word in _MENTIONS):
            return FileReport(path)
        with _uncollected():
            return _ported(path, source, config, files or Files())
    except SourceError as error:
        return _failed(path, error)
    except RecursionError:
        return _failed(path, SourceError("nested too deeply to be analysed; nothing was written"))
    except Exception as error:
        return _failed(path, _internal(error, config))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles, but where many objects wait for it.

    Syntax trees have no cycles, and looking through them is a quarter of the work.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > MOST_UNCOLLECTED:
            gc.collect(0)
        if enabled:
            gc.enable()


def _ported(path: str, source: SourceText, config: Config, files: Files) -> FileReport:
    module = parse(path, source.text)
    suppressions = Suppressions.of(module)
    if not any(word in source.text for word in _MENTIONS):
        return FileReport(path)
    if suppressions.skip_file:
        return _reported(FileReport(path, (_SKIPPED_FILE,)), config, suppressions)
    report = _port(module, config, suppressions, files)
    if not report.changed:
        return replace(_reported(report, config, suppressions), before=None, after=None)
    after = with_newlines_of(source.text, report.after or "")
    _check(path, after, config, files)
    source.encode(after)
    report = _reported(report, config, suppressions)
    return replace(
        report, before=source.text, after=after, encoding=source.encoding, bom=source.bom
    )


def explain_values(path: str, line: int, config: Config) -> LineReport:
    """What is known at a line of a file, and why; runs nothing of it and writes nothing.

    Raises
    ------
    gpuport.source.reading.SourceError
        If the file cannot be read or parsed.
    """
    from pathlib import Path

    from gpuport.passes.values import explain_line

    source = read_source(Path(path))
    module = parse(path, source.text)
    return explain_line(module, config, line, Suppressions.of(module), Files())


@dataclass(frozen=True, slots=True)
class _Job:
    """A file to handle, and the place of its copy.

    ``layout`` and ``ported`` tell a worker what the run made of the files that this one imports.
    """

    found: Found
    copy_to: Path | None
    config: Config
    layout: Layout = field(default_factory=Layout)
    ported: dict[Path, str] = field(default_factory=dict)


def _handle_apart(job: _Job) -> FileReport:
    """Handle a job in a worker process."""
    files = _files(job.layout)
    files.ported.update(job.ported)
    return _handle(job, files)


@lru_cache(maxsize=1)
def _files(layout: Layout) -> Files:
    return Files(layout)


def _handle(job: _Job, files: Files, gate: Gate | None = None) -> FileReport:
    found, copy_to, config = job.found, job.copy_to, job.config
    try:
        if found.path.suffix == ".ipynb":
            raise SourceError("notebooks are not handled yet; export it with jupyter nbconvert")
        source = read_source(found.path)
        report = port_text(found.shown, source, config, syntax=found.named, files=files)
        if gate is not None and report.changed:
            report = gate(found.path, source, report, config, files)
        if report.error is None and not config.dry_run:
            _write(found, copy_to, source, report)
        return report
    except SourceError as error:
        return _failed(found.shown, error)


def port_stream(data: bytes, config: Config) -> tuple[FileReport, bytes]:
    """Port a source given as bytes; the bytes of the port are empty where it failed."""
    try:
        source = decode(data)
    except SourceError as error:
        return _failed(STDIN, error), b""
    report = port_text(STDIN, source, config)
    if report.error is not None:
        return report, b""
    return report, source.encode(report.after) if report.after is not None else data


def _port(module: Module, config: Config, suppressions: Suppressions, files: Files) -> FileReport:
    from gpuport.passes.port import port_module  # slow to import, and not always needed

    return port_module(module, config, suppressions=suppressions, files=files)


def _check(path: str, after: str, config: Config, files: Files) -> None:
    """Hold a port to its promises: it parses, and porting it again changes nothing."""
    try:
        module = parse(path, after)
    except SourceError as error:
        where = f"line {error.line} of the result: " if error.line else ""
        raise SourceError(f"INTERNAL ERROR: the port does not parse ({where}{error})") from None
    # The shipped passes are held to it by tests; rules of users are not.
    if config.debug or config.rules:
        again = _port(module, config, Suppressions.of(module), files)
        if again.changed:
            raise SourceError("INTERNAL ERROR: porting the port would change it again")


def _reported(report: FileReport, config: Config, suppressions: Suppressions) -> FileReport:
    misread = (
        Finding(MISREAD_COMMENT, Severity.WARNING, Span(line, 1, line, 1), message)
        for line, message in suppressions.problems
    )
    findings = tuple(
        finding
        for finding in (*report.findings, *misread)
        if config.reports(finding.code)
        and not suppressions.ignored(finding.code, finding.span.line)
    )
    return replace(report, findings=findings)


def _write(found: Found, copy_to: Path | None, source: SourceText, report: FileReport) -> None:
    text = report.after if report.after is not None else source.text
    if copy_to is not None:
        write_copy(copy_to, source, text)
    elif report.changed:
        write_source(found.path, source, text)


def _placed(
    files: Sequence[Found], config: Config, taken: dict[Path, str]
) -> list[_Job | FileReport]:
    """Each file with the place of its copy; no two copies may have the same place."""
    from pathlib import Path

    if config.out_dir is None or config.dry_run:
        return [_Job(file, None, config) for file in files]
    jobs: list[_Job | FileReport] = []
    for file in files:
        place = Path(config.out_dir, file.relative)
        other = taken.setdefault(place, file.shown)
        if os.path.realpath(place) == os.path.realpath(file.path):
            jobs.append(_failed(file.shown, SourceError(f"its copy {place} would replace it")))
        elif other != file.shown:
            message = f"its copy {place} would replace that of {other}; name their common folder"
            jobs.append(_failed(file.shown, SourceError(message)))
        else:
            jobs.append(_Job(file, place, config))
    return jobs


def _handled(
    found: Sequence[Found],
    jobs: Sequence[_Job | FileReport],
    config: Config,
    gate: Gate | None = None,
) -> Iterator[FileReport]:
    """Handle the files of a run, each after those that it imports; the reports as `found` is."""
    paths = [file.path.absolute() for file in found]
    layout = Layout.of(paths)
    files = Files(layout)
    plan = schedule(paths, files)
    workers = config.jobs or os.cpu_count() or 1
    if gate is None and workers > 1 and len(jobs) >= FILES_WORTH_WORKERS:
        from gpuport.workers import in_processes

        def prepared(position: int, ported: dict[int, str]) -> _Job | FileReport:
            job = jobs[position]
            if isinstance(job, FileReport):
                return job
            known = {paths[other]: ported[other] for other in plan.after[position] & ported.keys()}
            return replace(job, layout=layout, ported=known)

        yield from in_processes(_handle_apart, prepared, plan, workers)
        return
    # A port that the gate let pass is there for the next file only once it is written.
    lasting = gate is None or not (config.dry_run or config.out_dir)
    reports: dict[int, FileReport] = {}
    following = 0
    for position in plan.order:
        job = jobs[position]
        report = job if isinstance(job, FileReport) else _handle(job, files, gate)
        reports[position] = report
        if report.after is not None and lasting:
            files.ported[paths[position]] = report.after
        while following in reports:
            yield reports.pop(following)
            following += 1


def _failed(path: str, error: SourceError) -> FileReport:
    return FileReport(path, error=FileError(error.message, error.line, error.column))


def _internal(error: Exception, config: Config) -> SourceError:
    from gpuport.rules.errors import RuleError

    if isinstance(error, RuleError):
        return SourceError(f"not ported, the rules cannot be used: {error}")
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    if config.debug:
        return SourceError(f"internal error: {what}\n{traceback.format_exc()}")
    return SourceError(
        f"internal error: {what}; nothing was written; please report it "
        "(--debug shows the traceback)"
    )
