"""``gpuport verify``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("verify")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option(
    "--against",
    metavar="DIR_OR_REV",
    help="Folder or git revision with the originals; the default is HEAD.",
)
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Only it (repeat).")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the random inputs.")
@click.option(
    "--examples", type=click.IntRange(min=1), default=40, help="Inputs aimed at, per function."
)
@click.option(
    "--backend",
    type=click.Choice(("host", "cuda", "auto")),
    default="host",
    help="Run ports on CuPy over NumPy, on a GPU, or on a GPU where there is one.",
)
@click.option("--output-format", type=click.Choice(("text", "json")), default="text")
@click.option("--verbose", "-v", is_flag=True, help="Also list functions that did not change.")
def command(
    paths: tuple[str, ...],
    against: str | None,
    functions: tuple[str, ...],
    seed: int,
    examples: int,
    backend: str,
    output_format: str,
    verbose: bool,
) -> int:
    """Run originals and ports side by side on random inputs, and compare.

    Exit status: 0 nothing differs; 1 something differs or fails; 2 the run itself failed.
    """
    from gpuport.verify import render
    from gpuport.verify.records import VerifyOptions
    from gpuport.verify.session import verify_paths

    options = VerifyOptions(backend=backend, examples=examples, seed=seed, functions=functions)
    report = verify_paths([Path(path) for path in paths], against, options)
    shown = render.as_json(report) if output_format == "json" else render.text(report, verbose)
    click.echo(shown.rstrip("\n"))
    return report.exit_status
