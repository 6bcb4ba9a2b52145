"""Results to stdout, all else to stderr."""

from __future__ import annotations

import os
import shutil
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import click

from gpuport.cli.options import Failure
from gpuport.config import Config
from gpuport.records import RunReport

_PROGRESS_AFTER = 0.5
_PROGRESS_EVERY = 0.1


def emit(report: RunReport, config: Config, *, to_stderr: bool = False) -> None:
    """Write the report where it belongs, and the errors to stderr."""
    from gpuport.report.formats import render
    from gpuport.report.shown import error_lines

    for line in error_lines(report):
        click.echo(line, err=True)
    if config.output_file is not None:
        write_report(config.output_file, render(report, config))
        return
    stream = sys.stderr if to_stderr else sys.stdout
    width = shutil.get_terminal_size().columns if stream.isatty() else None
    text = render(report, config, color=use_color(config, stream), width=width)
    write_bytes(stream, text.encode("utf-8", "surrogateescape"))


def write_report(path: str, text: str) -> None:
    """Write a report to the file that was asked for."""
    from gpuport.source.reading import SourceError
    from gpuport.source.writing import write_text

    try:
        write_text(Path(os.path.realpath(path)), text)  # a link is kept
    except SourceError as error:
        raise Failure(f"{path}: {error}") from None


def write_bytes(stream: IO[str], data: bytes) -> None:
    """Write bytes to a text stream, past its encoding."""
    stream.flush()
    binary = getattr(stream, "buffer", None)
    if binary is None:
        stream.write(data.decode("utf-8", "replace"))
    else:
        binary.write(data)
    stream.flush()


def use_color(config: Config, stream: IO[str]) -> bool:
    """Whether text is coloured: as configured, else on a terminal that wants it."""
    if config.color != "auto":
        return config.color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def warn(message: str) -> None:
    """Tell the user what is not a failure."""
    click.echo(f"warning: {message}", err=True)


def tell_what_is_missing() -> None:
    """Say, as the last thing of a run, that a package was missing without which less is ported."""
    if find_spec("islpy") is None:
        warn(
            "islpy is not installed: Python loops over elements were not analysed and stay as they "
            "are (pip install islpy)"
        )


class ProgressBar:
    """A bar on a terminal, after half a second; nothing elsewhere."""

    def __init__(self, config: Config) -> None:
        self.enabled = sys.stderr.isatty() and not config.quiet
        self.begin = self.last = time.monotonic()
        self.drawn = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not self.enabled or now - self.begin < _PROGRESS_AFTER:
            return
        if now - self.last < _PROGRESS_EVERY:
            return
        self.last, self.drawn = now, True
        width = 30 * done // max(total, 1)
        sys.stderr.write(f"\r[{'#' * width:<30}] {done}/{total}")
        sys.stderr.flush()

    def close(self) -> None:
        """Wipe the bar away."""
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
