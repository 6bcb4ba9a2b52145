"""``gpuport explain``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from gpuport.cli.options import Failure, configure, load_rules
from gpuport.config import CUPY_VERSIONS

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::\d+)?")


@click.command("explain")
@click.argument("word", metavar="CODE|FILE:LINE")
@click.option("--rules", multiple=True, metavar="DIR", help="Folder of your own rules.")
@click.option("--cupy", type=click.Choice(CUPY_VERSIONS), help="CuPy's major version.")
@click.option(
    "--output-format",
    type=click.Choice(("text", "json")),
    default="text",
    help="Form of a loop's explanation.",
)
@click.option(
    "--stage",
    type=click.Choice(("lower", "facts", "canonical", "kernels")),
    help="Show the function at a line as the coming core sees it at this stage.",
)
def command(word: str, output_format: str, stage: str | None, **options: Any) -> int:
    """Print the page of a finding code or rule, or the analysis of the loop at a line of a file."""
    place = _PLACE.fullmatch(word)
    if stage is not None:
        if place is None:
            raise Failure("--stage is for a place: gpuport explain FILE:LINE --stage facts")
        _show_stage(place["path"], int(place["line"]), stage)
        return 0
    if place is not None:
        _explain_loop(place["path"], int(place["line"]), output_format == "json", options)
        return 0
    from gpuport.report.pages import explain

    try:
        click.echo(explain(word, load_rules(configure((), options))), nl=False)
    except LookupError as error:
        raise Failure(str(error.args[0])) from None
    return 0


def _show_stage(path: str, line: int, stage: str) -> None:
    from pathlib import Path

    from gpuport.report.stages import stage_text

    with _told_as_failures(path):
        click.echo(stage_text(Path(path), line, stage), nl=False)


def _explain_loop(path: str, line: int, as_json: bool, options: dict[str, Any]) -> None:
    from gpuport.report import loops

    with _told_as_failures(path):
        found = loops.explain_loops(path, line, configure((path,), options))
    click.echo((loops.document if as_json else loops.text)(path, found), nl=False)


@contextmanager
def _told_as_failures(path: str) -> Iterator[None]:
    """Tell what is wrong with a file or a line, where it is."""
    from gpuport.source.reading import SourceError

    try:
        yield
    except SourceError as error:
        where = f"{path}:{error.line}:{error.column}" if error.line else path
        raise Failure(f"{where}: {error.message}") from None
    except LookupError as error:
        raise Failure(str(error.args[0])) from None
