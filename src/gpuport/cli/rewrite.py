"""``gpuport rewrite``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from gpuport.cli.options import configure, porting_options


@click.command("rewrite")
@click.option("--dry-run", is_flag=True, default=None, help="Write nothing; print the diff.")
@click.option("--out-dir", metavar="DIR", help="Write copies below DIR; leave the originals.")
@click.option(
    "--vendor-runtime",
    is_flag=True,
    default=None,
    help="Copy the runtime into the code that is ported: it needs no package then.",
)
@click.option(
    "--verify/--no-verify",
    default=False,
    help="Run each ported function beside its original; take back what does not hold.",
)
@click.option(
    "--trust-recording",
    is_flag=True,
    help="With --verify: also replay recorded calls that name code to be run.",
)
@porting_options
def command(paths: tuple[str, ...], verify: bool, trust_recording: bool, **options: Any) -> int:
    """Port PATHS from NumPy to CuPy, in place.

    PATHS are files, folders, or - for stdin to stdout. Exit status: 0 nothing to port or all
    done; 1 something to port (--dry-run) or a finding of severity error; 2 an input failed.
    """
    from gpuport.cli.porting import port

    config = configure(paths, options)
    if config.dry_run and config.output_format in ("text", "markdown", "html"):
        config = replace(config, diff=True)
    return port(paths, config, verify, trust_recording)
