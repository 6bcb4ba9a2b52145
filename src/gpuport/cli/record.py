"""``gpuport record``."""

from __future__ import annotations

import click


@click.command("record", context_settings={"ignore_unknown_options": True})
@click.option(
    "--data/--no-data",
    default=False,
    help="Keep the contents of small arrays too; the default keeps descriptions only.",
)
@click.option("--output", metavar="FILE", help="Where to; the default is .gpuport/calls.jsonl.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(data: bool, output: str | None, words: tuple[str, ...]) -> int:
    """Run COMMAND (tests, a script, a module) and record real calls of the project's functions.

    The exit status is that of COMMAND, or 2 where it could not be started.
    """
    from pathlib import Path

    from gpuport.cli.options import Failure
    from gpuport.recording.command import RecordingFailed, record

    try:
        outcome = record(words, Path.cwd(), Path(output) if output else None, data)
    except RecordingFailed as error:
        raise Failure(str(error)) from None
    if outcome.put_aside is not None:
        click.echo(
            f"warning: {outcome.path} could not be read as a whole: it is {outcome.put_aside} now",
            err=True,
        )
    click.echo(
        f"{outcome.calls} calls of {outcome.functions} functions recorded in {outcome.path}",
        err=True,
    )
    return outcome.status
