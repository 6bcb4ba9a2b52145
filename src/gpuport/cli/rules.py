"""``gpuport rules``."""

from __future__ import annotations

from typing import Any

import click

from gpuport.cli.options import configure, load_rules


@click.command("rules")
@click.option("--rules", multiple=True, metavar="DIR", help="Folder of your own rules.")
@click.option("--disable", multiple=True, metavar="ID", help="Leave out this rule (repeat).")
@click.option("--output-format", type=click.Choice(("text", "json")), help="Form of the list.")
def command(output_format: str | None, **options: Any) -> int:
    """List the rules, the shipped and your own."""
    from gpuport.report.pages import rule_dictionaries, rule_lines

    rules = load_rules(configure((), options))
    if output_format == "json":
        import json

        click.echo(json.dumps(rule_dictionaries(rules), indent=1))
    else:
        for line in rule_lines(rules):
            click.echo(line)
    return 0
