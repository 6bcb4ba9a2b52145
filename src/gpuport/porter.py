"""One source to its port, held to what every port must be; nothing is read or written here."""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from gpuport.config import Config
from gpuport.records import FileError, FileReport, Finding, LineReport, Severity, Span
from gpuport.source.discovery import STDIN
from gpuport.source.handing import taken_by
from gpuport.source.layout import Files
from gpuport.source.reading import SourceError, SourceText, decode, parse, read_source
from gpuport.source.suppression import Suppressions
from gpuport.source.writing import with_newlines_of

if TYPE_CHECKING:
    from gpuport.source.module import Module

# A file that mentions none of these has nothing that gpuport knows.
_MENTIONS = ("numpy", "scipy", "pylab")
# Objects made and not let go of since the collector of cycles last looked.
MOST_UNCOLLECTED = 2_000_000
# Words that the frame of a function takes with which all frames below it get memory at once.
_FRAME = 2**16 + 2**10
# A comment that is meant for gpuport and that it does not understand.
MISREAD_COMMENT = "GP911"
SUPPRESSED = "GP910"
_SKIPPED_FILE = Finding(
    SUPPRESSED, Severity.INFO, Span(1, 1, 1, 1), "left alone: '# gpuport: skip-file'"
)
_P = ParamSpec("_P")
_R = TypeVar("_R")


def in_one_piece(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """A function below which the frames of the interpreter stand in one piece of memory.

    CPython maps 16 KiB of memory whenever its frames have filled what it has, and unmaps it when
    they return (``push_chunk`` in ``Python/pystate.c``): a recursion that goes up and down at such
    a place does little else. A large frame gets a piece of the next power of two, and the others
    stand in the rest of that, half a megabyte.
    """

    def called(*args: _P.args, **keywords: _P.kwargs) -> _R:
        return function(*args, **keywords)

    called.__code__ = called.__code__.replace(co_stacksize=_FRAME)
    return wraps(function)(called)


@in_one_piece
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
        files = files or Files()
        if not syntax and not _mentions(path, source.text, files):
            return FileReport(path)
        with uncollected():
            return _ported(path, source, config, files)
    except SourceError as error:
        return failed(path, error)
    except RecursionError:
        return failed(path, SourceError("nested too deeply to be analysed; nothing was written"))
    except Exception as error:
        return failed(path, _internal(error, config))


def _mentions(path: str, text: str, files: Files) -> bool:
    """Whether a source may use a library: by its name, or by one that another file gave to it."""
    if any(word in text for word in _MENTIONS):
        return True
    file = files.same(Path(path).absolute())
    return any(led.partition(".")[0] in _MENTIONS for led in taken_by(files, file, text))


@contextmanager
def uncollected() -> Iterator[None]:
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


@in_one_piece
def port_texts(
    sources: Sequence[tuple[str, SourceText]], config: Config, files: Files
) -> list[FileReport] | str:
    """Port the files of a program together; writes nothing.

    Parameters
    ----------
    sources : sequence of (str, SourceText)
        The files by their paths.
    config : Config
    files : Files
        Those of the project around them.

    Returns
    -------
    list of FileReport or str
        By source; or why each is to be ported by itself: they are no program, or one of them cannot
        be ported.
    """
    from gpuport.passes.port import NoProgram

    try:
        with uncollected():
            return _ported_together(sources, config, files)
    except (NoProgram, SourceError) as error:
        return str(error)
    except Exception as error:  # the files are handled one by one, and it is said if that fails too
        if config.debug:
            raise
        return f"internal error: {error}"


def _ported_together(
    sources: Sequence[tuple[str, SourceText]], config: Config, files: Files
) -> list[FileReport] | str:
    from gpuport.passes.port import port_program

    modules = [parse(path, source.text) for path, source in sources]
    suppressions = [Suppressions.of(module) for module in modules]
    for module, one in zip(modules, suppressions, strict=True):
        if one.skip_file:
            return f"`{os.path.basename(module.path)}`, which uses them, is left alone"
    reports = port_program(modules, config, suppressions, files=files)
    return [
        _held(path, source, report, config, suppressed)
        for (path, source), report, suppressed in zip(sources, reports, suppressions, strict=True)
    ]


def _ported(path: str, source: SourceText, config: Config, files: Files) -> FileReport:
    module = parse(path, source.text)
    suppressions = Suppressions.of(module)
    if not _mentions(path, source.text, files):
        return FileReport(path)
    if suppressions.skip_file:
        return _reported(FileReport(path, (_SKIPPED_FILE,)), config, suppressions)
    report = _port(module, config, suppressions, files)
    held = _held(path, source, report, config, suppressions)
    # The shipped passes are held to it by tests; rules of users are not.
    if held.after is not None and (config.debug or config.rules):
        after = parse(path, held.after)
        if _port(after, config, Suppressions.of(after), files).changed:
            raise SourceError("INTERNAL ERROR: porting the port would change it again")
    return held


def _held(
    path: str, source: SourceText, report: FileReport, config: Config, suppressions: Suppressions
) -> FileReport:
    """A report as it is handed out: the port parses, and is written as the source was."""
    if not report.changed:
        return replace(_reported(report, config, suppressions), before=None, after=None)
    after = with_newlines_of(source.text, report.after or "")
    try:
        parse(path, after)
    except SourceError as error:
        where = f"line {error.line} of the result: " if error.line else ""
        raise SourceError(f"INTERNAL ERROR: the port does not parse ({where}{error})") from None
    source.encode(after)
    report = _reported(report, config, suppressions)
    return replace(
        report, before=source.text, after=after, encoding=source.encoding, bom=source.bom
    )


def port_stream(data: bytes, config: Config) -> tuple[FileReport, bytes]:
    """Port a source given as bytes; the bytes of the port are empty where it failed."""
    try:
        source = decode(data)
    except SourceError as error:
        return failed(STDIN, error), b""
    report = port_text(STDIN, source, config)
    if report.error is not None:
        return report, b""
    return report, source.encode(report.after) if report.after is not None else data


def explain_values(path: str, line: int, config: Config) -> LineReport:
    """What is known at a line of a file, and why; runs nothing of it and writes nothing.

    Raises
    ------
    gpuport.source.reading.SourceError
        If the file cannot be read or parsed.
    """
    from gpuport.passes.values import explain_line

    source = read_source(Path(path))
    module = parse(path, source.text)
    return explain_line(module, config, line, Suppressions.of(module), Files())


def _port(module: Module, config: Config, suppressions: Suppressions, files: Files) -> FileReport:
    from gpuport.passes.port import port_module  # slow to import, and not always needed

    return port_module(module, config, suppressions=suppressions, files=files)


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


def failed(path: str, error: SourceError) -> FileReport:
    """The report of a file that could not be handled."""
    return FileReport(path, error=FileError(error.message, error.line, error.column))


def _internal(error: Exception, config: Config) -> SourceError:
    from gpuport.probing import NoWorker
    from gpuport.rules.errors import RuleError

    if isinstance(error, RuleError):
        return SourceError(f"not ported, the rules cannot be used: {error}")
    if isinstance(error, NoWorker):
        return SourceError(f"not ported: {error}")
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    if config.debug:
        return SourceError(f"internal error: {what}\n{traceback.format_exc()}")
    return SourceError(
        f"internal error: {what}; nothing was written; please report it "
        "(--debug shows the traceback)"
    )


__all__ = [
    "MISREAD_COMMENT",
    "SUPPRESSED",
    "explain_values",
    "failed",
    "port_stream",
    "port_text",
    "port_texts",
    "uncollected",
]
