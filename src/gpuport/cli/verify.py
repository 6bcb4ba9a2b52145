"""``gpuport verify``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gpuport.cli.options import Failure

if TYPE_CHECKING:
    from gpuport.verify.records import VerifyOptions, VerifyReport
    from gpuport.verify.verdicts.suitereport import SuiteReport

FORMATS = ("text", "concise", "json", "junit", "sarif", "github", "markdown", "html")
_UNITS = {"": 1.0, "ms": 1e-3, "s": 1.0, "m": 60.0}


def _duration(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """``30s``, ``500ms``, ``2m`` or seconds, as seconds."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m)?", value.strip())
    if match is None or float(match[1]) == 0:
        raise click.BadParameter("expected a time such as 30s or 2m", ctx, param)
    return float(match[1]) * _UNITS[match[2] or ""]


@click.command("verify")
@click.argument("paths", nargs=-1, metavar="PATHS...")
@click.option(
    "--against",
    metavar="DIR_OR_REV",
    help="Folder or git revision with the originals; the default is HEAD.",
)
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Only it (repeat).")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the random inputs.")
@click.option(
    "--examples", type=click.IntRange(min=1), default=200, help="Inputs aimed at, per function."
)
@click.option(
    "--budget", callback=_duration, metavar="TIME", help="Most time per function, such as 30s."
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=0),
    default=2,
    help="Functions at a time; 0: one for each core.",
)
@click.option("--progress", is_flag=True, help="Tell each verdict on stderr when it is there.")
@click.option(
    "--scheduler", metavar="ADDRESS", default="", help="Spread functions over this Dask cluster."
)
@click.option(
    "--backend",
    type=click.Choice(("host", "cuda", "auto")),
    default="host",
    help="Run ports on CuPy over NumPy, on a GPU, or on a GPU where there is one.",
)
@click.option(
    "--trust-recording",
    is_flag=True,
    help="Also replay recorded calls that name code to be run; only for recordings of your own.",
)
@click.option(
    "--suite",
    metavar="COMMAND",
    help="Run the project's own tests against the port: --suite 'pytest tests/'.",
)
@click.option("--output-format", type=click.Choice(FORMATS), default="text")
@click.option("--output-file", metavar="FILE", help="Write the report here, not to stdout.")
@click.option("--verbose", "-v", is_flag=True, help="Also list functions that did not change.")
def command(
    paths: tuple[str, ...],
    against: str | None,
    functions: tuple[str, ...],
    seed: int,
    examples: int,
    budget: float | None,
    jobs: int,
    progress: bool,
    scheduler: str,
    backend: str,
    trust_recording: bool,
    suite: str | None,
    output_format: str,
    output_file: str | None,
    verbose: bool,
) -> int:
    """Run originals and ports side by side on random inputs, and compare.

    Exit status: 0 nothing differs; 1 something differs or fails; 2 the run itself failed.
    """
    import os
    from dataclasses import replace

    from gpuport.cli.output import write_report
    from gpuport.verify.records import VerifyOptions
    from gpuport.verify.verdicts.documents import exit_status, render

    if not paths and suite is None:
        raise Failure("name files or folders to verify, or a test suite: --suite 'pytest tests/'")
    cores = os.cpu_count() or 1
    options = VerifyOptions(
        backend=backend, examples=examples, seed=seed, functions=functions,
        jobs=jobs or cores, scheduler=scheduler, trust_recording=trust_recording,
    )  # fmt: skip
    if budget is not None:
        options = replace(options, function_seconds=budget)
    report = _functions(paths, against, options, progress) if paths else None
    for warning in report.warnings if report is not None else ():
        click.echo(f"warning: {warning}", err=True)
    tests = _suite(suite, against, backend) if suite is not None else None
    shown = render(report, output_format, verbose, tests)
    status = exit_status(report, tests)
    if output_file is not None:
        write_report(output_file, shown)
    else:
        nothing = report is None and status == 2 and output_format == "text"
        click.echo(shown.rstrip("\n"), err=nothing)
    return status


def _functions(
    paths: tuple[str, ...], against: str | None, options: VerifyOptions, progress: bool
) -> VerifyReport:
    from gpuport.cli.verifying import Told
    from gpuport.verify.sessions.session import verify_paths

    told = Told(lines=progress)
    try:
        return verify_paths([Path(path) for path in paths], against, options, told)
    finally:
        told.close()


def _suite(command: str, against: str | None, backend: str) -> SuiteReport:
    import tempfile

    from gpuport.verify.records import VerifyError
    from gpuport.verify.sessions.suite import run_suite
    from gpuport.verify.sides.originals import laid_out

    with tempfile.TemporaryDirectory(prefix="gpuport-suite-") as name:
        scratch = Path(name).resolve()
        try:
            originals = laid_out(against, Path.cwd(), scratch / "originals")
            return run_suite(command, Path.cwd(), backend, originals, scratch)
        except VerifyError as error:
            raise Failure(str(error)) from None
