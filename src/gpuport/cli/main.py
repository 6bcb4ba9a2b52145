"""Entry point; imports as little as it can, so that ``--version`` answers at once."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its status."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from gpuport import __version__

        print(f"gpuport {__version__}")
        return
    from gpuport.cli.app import run

    sys.exit(run(sys.argv[1:]))
