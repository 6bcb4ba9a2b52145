"""The ``gpuport`` command: commands found by name, errors shown without tracebacks."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from gpuport import __version__

COMMANDS = ("rewrite", "check", "verify", "record", "rules", "explain")
_SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a command."""


class LazyGroup(click.Group):
    """Imports the module of a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"gpuport.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"one of {', '.join(COMMANDS)}"
            ctx.fail(f"No such command '{args[0]}'; {hint}")
        return super().resolve_command(ctx, args)


_FULL = (errno.ENOSPC, errno.EIO, errno.EDQUOT)
"""What writing to a stream meets that has nothing to do with gpuport."""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="gpuport %(version)s")
def app() -> None:
    """Port NumPy programs to CuPy, keep what is proven equal, and say why about the rest."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line; the exit status is returned."""
    try:
        status = app.main(list(arguments), prog_name="gpuport", standalone_mode=False)
        sys.stdout.flush()
        return int(status or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        click.echo("interrupted; files that were not reached are unchanged", err=True)
        given = (error.__cause__ or error).args  # click's own error hides the first one
        return _SIGNALLED + (given[0] if given else signal.SIGINT)
    except BrokenPipeError:
        # Whoever read our output has closed it; Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if "--debug" in arguments:
            raise
        if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            click.echo(f"error: stdout cannot be written: {error.strerror}", err=True)
            return 2
        first = str(error).splitlines()[0] if str(error) else ""
        click.echo(
            f"error: internal error: {type(error).__name__}: {first}; please report it "
            "(--debug shows the traceback)",
            err=True,
        )
        return 2
