"""``gpuport check``."""

from __future__ import annotations

from typing import Any

import click

from gpuport.cli.options import checking_options, configure


@click.command("check")
@checking_options
@click.option(
    "--explain-values",
    "place",
    metavar="FILE:LINE",
    help="Say what is known of each value on a line, and why; takes no PATHS.",
)
def command(paths: tuple[str, ...], place: str | None, **options: Any) -> int:
    """Say what of PATHS would be ported, what not, and why; write nothing.

    Exit status: 0 nothing to port; 1 something to port, or a finding of severity error;
    2 an input failed.
    """
    if place is not None:
        from gpuport.cli.explaining import explain_values

        if paths:
            raise click.UsageError("--explain-values takes no PATHS: it names its own file")
        return explain_values(place, {**options, "dry_run": True})
    if not paths:
        raise click.UsageError("Missing argument 'PATHS...'.")
    from gpuport.cli.porting import port

    return port(paths, configure(paths, {**options, "dry_run": True}))
