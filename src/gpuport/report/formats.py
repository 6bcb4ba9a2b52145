"""The output formats by name."""

from __future__ import annotations

from importlib import import_module

from gpuport.config import Config
from gpuport.records import RunReport

_MODULES = {
    "text": "text", "concise": "concise", "json": "jsonformat",
    **dict.fromkeys(("sarif", "github", "markdown", "html"), "documents"),
}  # fmt: skip


def render(
    report: RunReport, config: Config, *, color: bool = False, width: int | None = None
) -> str:
    """A run's report in ``config.output_format``; `width`: the columns that text has."""
    module = import_module(f"gpuport.report.{_MODULES[config.output_format]}")
    sized = {"width": width} if width is not None and config.output_format == "text" else {}
    text: str = module.render(report, config, color=color, **sized)
    return text
