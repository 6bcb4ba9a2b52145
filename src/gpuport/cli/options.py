"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import click

from gpuport.config import BOUNDARIES, COLORS, CUPY_VERSIONS, OUTPUT_FORMATS, STYLES, Config, load

_F = TypeVar("_F", bound=Callable[..., Any])


def _split(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    """Words separated by commas, as a tuple."""
    if value is None:
        return None
    words = tuple(word.strip().upper() for word in value.split(",") if word.strip())
    if not words:
        raise click.BadParameter("expected codes such as GP203,GP5", ctx, param)
    return words


def _without_cache(_: click.Context, __: click.Parameter, value: bool) -> None:
    if value:
        os.environ["GPUPORT_NO_CACHE"] = "1"  # worker processes are told as well


def _flag(*names: str, help: str) -> Callable[[_F], _F]:
    # None where it is not given, so that pyproject.toml can speak.
    return click.option(*names, is_flag=True, default=None, help=help)


def _codes(name: str, help: str) -> Callable[[_F], _F]:
    return click.option(name, callback=_split, metavar="CODES", help=help)


PORTING = (
    click.argument("paths", nargs=-1, required=True, metavar="PATHS..."),
    _flag("--diff", help="Print the unified diff."),
    click.option("--output-format", type=click.Choice(OUTPUT_FORMATS), help="Form of the report."),
    click.option("--output-file", metavar="FILE", help="Write the report here, not to stdout."),
    _codes("--select", "Report only these codes (or beginnings of codes)."),
    _codes("--ignore", "Do not report these codes."),
    _flag("--unsafe/--no-unsafe", help="Also make edits that may change results."),
    click.option(
        "--boundary", type=click.Choice(BOUNDARIES), help="What ported functions take and give."
    ),
    click.option(
        "--style",
        type=click.Choice(STYLES),
        help="plain: no kernels of expressions, only of loops.",
    ),
    _flag(
        "--whole-program/--no-whole-program",
        help="No code but these files uses the objects of their classes.",
    ),
    click.option("--cupy", type=click.Choice(CUPY_VERSIONS), help="CuPy's major version."),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files (repeat)."),
    click.option("--rules", multiple=True, metavar="DIR", help="Folder of your own rules."),
    click.option("--disable", multiple=True, metavar="ID", help="Do not use this rule (repeat)."),
    click.option("--jobs", "-j", type=click.IntRange(min=0), help="Processes; 0: one per core."),
    click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=_without_cache,
        help="Ask NumPy and SciPy anew, and keep nothing of what they answer.",
    ),
    _flag("--exit-zero", help="Exit with 0 whatever the findings."),
    _flag("--quiet", "-q", help="Findings alone, one by one; no warnings."),
    _flag("--verbose", "-v", help="Every finding and every transfer by itself."),
    click.option("--color", type=click.Choice(COLORS), help="Colour of text."),
    _flag("--debug", help="Show tracebacks; port every result a second time as a check."),
)


def porting_options(command: _F) -> _F:
    """Give a command the paths and options of ``rewrite`` and ``check``."""
    return _with_options(command, PORTING)


def checking_options(command: _F) -> _F:
    """The same, with paths that may be missing: an option may name its own file."""
    paths = click.argument("paths", nargs=-1, metavar="PATHS...")
    return _with_options(command, (paths, *PORTING[1:]))


def _with_options(command: _F, options: tuple[Callable[[_F], _F], ...]) -> _F:
    for option in reversed(options):
        command = option(command)
    return command


def configure(paths: Sequence[str], options: dict[str, Any]) -> Config:
    """The configuration of a command; every mistake of the user is an exit status 2."""
    from gpuport.config import ConfigError

    given = {name: value for name, value in options.items() if value not in ((), None)}
    try:
        config = _unwritten(load(paths[0] if paths else None, given), given)
        if config.select or config.ignore:
            from gpuport.report.pages import check_codes

            check_codes(config)
        if config.rules or config.disable:
            load_rules(config)
    except ConfigError as error:
        raise Failure(str(error)) from None
    return config


def _unwritten(config: Config, given: dict[str, Any]) -> Config:
    """What writes nothing writes no report either, but where the command line says so."""
    if not config.dry_run or config.output_file is None or "output_file" in given:
        return config
    if not config.quiet:
        click.echo(
            "warning: `output-file` of pyproject.toml is not used where nothing is to be written: "
            "give --output-file",
            err=True,
        )
    return replace(config, output_file=None)


def load_rules(config: Config) -> Any:
    """The rules of a configuration; rules that cannot be used end the run."""
    from gpuport.report.pages import load_rules as load_all
    from gpuport.rules.errors import RuleError

    try:
        return load_all(config)
    except RuleError as error:
        raise Failure(str(error)) from None


class Failure(click.ClickException):
    """A run that cannot begin: exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"error: {self.format_message()}", err=True, file=file)
