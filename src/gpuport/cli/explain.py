"""``gpuport explain``."""

from __future__ import annotations

from typing import Any

import click

from gpuport.cli.options import Failure, configure, load_rules


@click.command("explain")
@click.argument("word", metavar="CODE")
@click.option("--rules", multiple=True, metavar="DIR", help="Folder of your own rules.")
def command(word: str, **options: Any) -> int:
    """Print the page of a finding code, or of a rule by its id or name."""
    from gpuport.report.pages import explain

    try:
        click.echo(explain(word, load_rules(configure((), options))), nl=False)
    except LookupError as error:
        raise Failure(str(error.args[0])) from None
    return 0
