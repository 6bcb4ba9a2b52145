"""``gpuport check``."""

from __future__ import annotations

from typing import Any

import click

from gpuport.cli.options import configure, porting_options


@click.command("check")
@porting_options
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Say what of PATHS would be ported, what not, and why; write nothing.

    Exit status: 0 nothing to port; 1 something to port, or a finding of severity error;
    2 an input failed.
    """
    from gpuport.cli.porting import port

    return port(paths, configure(paths, {**options, "dry_run": True}))
