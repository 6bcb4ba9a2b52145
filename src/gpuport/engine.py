"""The pipeline: discover, read, port, check the result, write. Files do not know each other."""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.config import Config
from gpuport.records import FileError, FileReport, Finding, LineReport, RunReport, Severity, Span
from gpuport.source.discovery import STDIN, Found, discover
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
# A comment that is meant for gpuport and that it does not understand.
MISREAD_COMMENT = "GP911"
SUPPRESSED = "GP910"
_SKIPPED_FILE = Finding(
    SUPPRESSED, Severity.INFO, Span(1, 1, 1, 1), "left alone: '# gpuport: skip-file'"
)

Progress = Callable[[int, int], None]
Gate = Callable[["Path", SourceText, FileReport, Config], FileReport]
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
    for done, report in enumerate(_handled(_placed(found.files, config, taken), config, gate), 1):
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


def port_text(path: str, source: SourceText, config: Config, *, syntax: bool = True) -> FileReport:
    """Port one source, and hold the result to what every result must be; writes nothing.

    ``syntax`` asks for the syntax of a source that has nothing to port to be checked too.
    """
    try:
        if not syntax and not any(word in source.text for word in _MENTIONS):
            return FileReport(path)
        with _uncollected():
            return _ported(path, source, config)
    except SourceError as error:
        return _failed(path, error)
    except RecursionError:
        return _failed(path, SourceError("nested too deeply to be analysed; nothing was written"))
    except Exception as error:
        return _failed(path, _internal(error, config))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles: syntax trees have none, and looking is a quarter of it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _ported(path: str, source: SourceText, config: Config) -> FileReport:
    module = parse(path, source.text)
    suppressions = Suppressions.of(module)
    if not any(word in source.text for word in _MENTIONS):
        return FileReport(path)
    if suppressions.skip_file:
        return _reported(FileReport(path, (_SKIPPED_FILE,)), config, suppressions)
    report = _port(module, config, suppressions)
    if not report.changed:
        return replace(_reported(report, config, suppressions), before=None, after=None)
    after = with_newlines_of(source.text, report.after or "")
    _check(path, after, config)
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
    return explain_line(module, config, line, Suppressions.of(module))


def _handle(job: tuple[Found, Path | None, Config], gate: Gate | None = None) -> FileReport:
    found, copy_to, config = job
    try:
        if found.path.suffix == ".ipynb":
            raise SourceError("notebooks are not handled yet; export it with jupyter nbconvert")
        source = read_source(found.path)
        report = port_text(found.shown, source, config, syntax=found.named)
        if gate is not None and report.changed:
            report = gate(found.path, source, report, config)
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


def _port(module: Module, config: Config, suppressions: Suppressions) -> FileReport:
    from gpuport.passes.port import port_module  # slow to import, and not always needed

    return port_module(module, config, suppressions=suppressions)


def _check(path: str, after: str, config: Config) -> None:
    """Hold a port to its promises: it parses, and porting it again changes nothing."""
    try:
        module = parse(path, after)
    except SourceError as error:
        where = f"line {error.line} of the result: " if error.line else ""
        raise SourceError(f"INTERNAL ERROR: the port does not parse ({where}{error})") from None
    # The shipped passes are held to it by tests; rules of users are not.
    if config.debug or config.rules:
        again = _port(module, config, Suppressions.of(module))
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
) -> list[tuple[Found, Path | None, Config] | FileReport]:
    """Each file with the place of its copy; no two copies may have the same place."""
    from pathlib import Path

    if config.out_dir is None or config.dry_run:
        return [(file, None, config) for file in files]
    jobs: list[tuple[Found, Path | None, Config] | FileReport] = []
    for file in files:
        place = Path(config.out_dir, file.relative)
        other = taken.setdefault(place, file.shown)
        if os.path.realpath(place) == os.path.realpath(file.path):
            jobs.append(_failed(file.shown, SourceError(f"its copy {place} would replace it")))
        elif other != file.shown:
            message = f"its copy {place} would replace that of {other}; name their common folder"
            jobs.append(_failed(file.shown, SourceError(message)))
        else:
            jobs.append((file, place, config))
    return jobs


def _handled(
    jobs: Sequence[tuple[Found, Path | None, Config] | FileReport],
    config: Config,
    gate: Gate | None = None,
) -> Iterator[FileReport]:
    workers = config.jobs or os.cpu_count() or 1
    if gate is not None or workers == 1 or len(jobs) < FILES_WORTH_WORKERS:
        for job in jobs:
            yield job if isinstance(job, FileReport) else _handle(job, gate)
        return
    from gpuport.workers import in_processes

    yield from in_processes(_handle, jobs, workers)


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
