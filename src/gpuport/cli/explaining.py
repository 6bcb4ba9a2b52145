"""What ``check --explain-values`` does."""

from __future__ import annotations

import sys
from typing import Any

import click

from gpuport.cli.options import Failure, configure
from gpuport.cli.output import use_color, write_bytes, write_report


def explain_values(place: str, options: dict[str, Any]) -> int:
    """Print what is known at ``FILE:LINE``; gives the exit status."""
    path, _, number = place.rpartition(":")
    if not path or not number.isdigit() or int(number) < 1:
        raise click.BadParameter(
            f"'{place}' is not FILE:LINE, such as heat.py:14", param_hint="'--explain-values'"
        )
    from gpuport.porter import explain_values as explain
    from gpuport.report.values import render
    from gpuport.source.reading import SourceError

    config = configure((path,), options)
    try:
        report = explain(path, int(number), config)
    except SourceError as error:
        where = f":{error.line}:{error.column or 1}" if error.line else ""
        raise Failure(f"{path}{where}: {error}") from None
    except RecursionError:
        raise Failure(f"{path}: nested too deeply to be analysed") from None
    if config.output_file is not None:
        write_report(config.output_file, render(report, config))
    else:
        text = render(report, config, color=use_color(config, sys.stdout))
        write_bytes(sys.stdout, text.encode("utf-8", "surrogateescape"))
    return 0
