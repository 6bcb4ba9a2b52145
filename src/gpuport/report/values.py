"""What is known at a line, for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from gpuport import __version__
from gpuport.config import Config
from gpuport.records import Fact, KnownValue, LineReport
from gpuport.report.jsonformat import SCHEMA


def render(report: LineReport, config: Config, *, color: bool = False) -> str:
    """The report in the form that ``config.output_format`` asks for: JSON, or text."""
    if config.output_format == "json":
        return json.dumps(document(report, config), indent=1) + "\n"
    return "".join(line + "\n" for line in lines(report, color=color))


def lines(report: LineReport, *, color: bool = False) -> Iterator[str]:
    """The report as text."""
    yield f"{report.path}:{report.line}: in `{report.function}`"
    if report.reason is not None:
        yield f"  {report.reason}"
    for value in report.values:
        yield ""
        yield from _value(value, color)


def _value(value: KnownValue, color: bool) -> Iterator[str]:
    name = value.text if len(value.text) <= 70 else value.text[:67] + "..."
    yield f"  \x1b[1m{name}\x1b[0m" if color else f"  {name}"
    yield f"    is      {value.description}"
    free = ", either side would do" if value.free else ""
    yield f"    place   {value.place}{free}: {value.because}"
    for position, fact in enumerate(value.facts):
        yield f"    {'why' if not position else '   '}     {_fact(fact)}"
    if value.effects:
        yield f"    effects {'; '.join(value.effects)}"
    if value.settle is not None:
        yield f"    settle  {value.settle}"


def _fact(fact: Fact) -> str:
    return f"{fact.source}: {fact.message}"


def document(report: LineReport, config: Config) -> dict[str, Any]:
    """The report as plain dictionaries and lists."""
    return {
        "schema": SCHEMA,
        "gpuport": __version__,
        "target": config.table,
        "values": {
            "path": report.path,
            "line": report.line,
            "function": report.function,
            "reason": report.reason,
            "expressions": [_entry(value) for value in report.values],
        },
    }


def _entry(value: KnownValue) -> dict[str, Any]:
    entry = asdict(value)
    span = entry.pop("span")
    return {**entry, **span, "facts": [asdict(f) for f in value.facts]}
