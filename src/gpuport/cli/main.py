"""Entry point; imports as little as it can, so that ``--version`` answers at once."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from gpuport import __version__

        print(f"gpuport {__version__}")
        return
    import signal

    from gpuport.cli.app import run

    signal.signal(signal.SIGTERM, _interrupted)
    status = run(sys.argv[1:])
    gc.freeze()  # what is left ends with the process: Python need not look for cycles in it
    sys.exit(status)


def _interrupted(number: int, _: object) -> None:
    """``timeout`` and CI end a command by SIGTERM: what it has started is to end with it."""
    raise KeyboardInterrupt(number)
