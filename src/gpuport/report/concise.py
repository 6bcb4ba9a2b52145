"""One line a finding, for editors and grep."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.records import RunReport
from gpuport.report.diff import unified_diff
from gpuport.report.shown import finding_line, shown_findings


def render(report: RunReport, config: Config, *, color: bool = False) -> str:
    """Findings only, after the diffs where these are asked for."""
    diffs = "".join(unified_diff(file, color=color) for file in report.files if config.diff)
    return diffs + "".join(
        finding_line(file.path, finding, color=color) + "\n"
        for file in report.files
        for finding in shown_findings(file, config)
    )
