"""The JSON document (docs/json.md): schema 1, which grows by additions only."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from gpuport import __version__
from gpuport.config import Config
from gpuport.records import FileReport, Finding, FunctionReport, RunReport, Status
from gpuport.report import transfers
from gpuport.report.diff import unified_diff
from gpuport.report.shown import every_finding

SCHEMA = 1


def render(report: RunReport, config: Config, *, color: bool = False) -> str:
    """The document as text, with a newline at its end; `color` has no meaning here."""
    return json.dumps(document(report, config), indent=1) + "\n"


def document(report: RunReport, config: Config) -> dict[str, Any]:
    """The document of a run as plain dictionaries and lists."""
    files = [_file(file, config) for file in report.files]
    statuses = Counter(function.status for function in report.functions())
    return {
        "schema": SCHEMA,
        "gpuport": __version__,
        "target": report.target,
        "files": files,
        "errors": list(report.errors),
        "summary": {
            "files": len(files),
            "changed": sum(file["changed"] for file in files),
            "functions": {status.value: statuses[status] for status in Status},
            "calls": asdict(report.calls),
        },
    }


def _file(file: FileReport, config: Config) -> dict[str, Any]:
    result = {
        "path": file.path,
        "changed": file.changed and file.error is None,
        "findings": [_finding(finding) for finding in every_finding(file, config)],
        "functions": [_function(function) for function in file.functions],
        "calls": asdict(file.calls),
        "transfers": transfers.document(file.transfers),
        "error": asdict(file.error) if file.error is not None else None,
    }
    if file.runtime is not None:
        result["runtime"] = file.runtime
    if config.diff:
        result["diff"] = unified_diff(file, raw=False)
    return result


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "line": finding.span.line,
        "column": finding.span.column,
        "end_line": finding.span.end_line,
        "end_column": finding.span.end_column,
        "function": finding.function,
        "message": finding.message,
        "rule": finding.rule,
        "reason": finding.reason,
        "help": finding.help,
    }


def _function(function: FunctionReport) -> dict[str, Any]:
    return {
        "name": function.name,
        "line": function.line,
        "status": function.status.value,
        "reasons": list(function.reasons),
        "kernels": function.kernels,
        "batched": function.batched,
        "swapped": function.swapped,
        "verdict": function.verdict,
    }
