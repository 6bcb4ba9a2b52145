"""Verdicts as text for people and as JSON for programs."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpuport.verify.records import Evidence, FunctionVerdict, Verdict, VerifyReport


def text(report: VerifyReport, verbose: bool = False) -> str:
    """One line per function, its evidence below it, a summary at the end.

    Parameters
    ----------
    report : VerifyReport
    verbose : bool
        Also list functions that did not change.
    """
    lines: list[str] = [f"error: {error}" for error in report.errors]
    for file in report.files:
        if file.error is not None:
            lines.append(f"error: {file.error}")
        for function in file.functions:
            if verbose or function.verdict is not Verdict.UNCHANGED:
                lines += _function(file.path, function)
    lines.append(summary(report))
    return "\n".join(lines) + "\n"


def concise(report: VerifyReport, verbose: bool = False) -> str:
    """One line per function that changed, and one per error; parameters as for `text`."""
    failed = [*report.errors, *(file.error for file in report.files if file.error is not None)]
    return "".join(f"error: {error}\n" for error in failed) + "".join(
        f"{file.path}:{function.line}: {function.verdict.value} {function.name}: "
        f"{' '.join(function.reason.split())}\n"
        for file in report.files for function in file.functions
        if verbose or function.verdict is not Verdict.UNCHANGED
    )  # fmt: skip


def summary(report: VerifyReport) -> str:
    """``3 equivalent, 1 differs, 2 untested (seed 0)``."""
    counts = Counter(function.verdict for function in report.functions())
    parts = [f"{counts[v]} {v.value.lower()}" for v in Verdict if counts[v]]
    return f"{', '.join(parts) or 'nothing verified'} (seed {report.seed})"


def _function(path: str, function: FunctionVerdict) -> Iterator[str]:
    place = f"{path}:{function.line}: {function.name}"
    separator = " " if function.verdict is Verdict.EQUIVALENT else ": "
    yield f"{place}: {function.verdict.value}{separator}{function.reason}"
    e = function.evidence
    if e.drawn or e.rejections or e.notes:
        yield from (f"    {line}" for line in _evidence(e))
    example = function.counterexample
    if example is not None:
        yield f"    input: {example.description}"
        yield f"    replay: pytest {shown(example.test)}"


def shown(path: Path) -> str:
    """A path as the user would write it."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def _evidence(e: Evidence) -> Iterator[str]:
    weak = {"guessed": " (inputs: guessed)", "documented": " (inputs: from the docstring)",
            "called": " (inputs: of the kinds that the program's own run gives)"}  # fmt: skip
    if e.drawn or e.rejections:
        yield (
            f"inputs {e.drawn}, accepted {e.accepted}, finite {e.finite}, distinct {e.distinct}, "
            f"lines {e.coverage:.0%}, branches {e.branches:.0%}, exact {e.exact}"
            f"{weak.get(e.inputs, '')}"
        )
    if e.errors.absolute:
        err = e.errors
        yield f"largest error {err.absolute:.2g}, relative {err.relative:.2g}, {err.ulp:.3g} ULP"
    for name, count in e.looseness:
        yield f"accepted {count} times: {name}"
    for name, count in e.notes:
        yield f"note ({count} times): {name}"
    if e.counters:
        yield "; ".join(f"{name} {count}" for name, count in e.counters)


def as_json(report: VerifyReport, **more: Any) -> str:
    """One JSON document, `more` at its end; ``schema`` grows only by additions."""
    document = {
        "schema": 1,
        "seed": report.seed,
        "errors": list(report.errors),
        "warnings": list(report.warnings),
        "files": [
            {
                "path": file.path,
                "error": file.error,
                "functions": [_function_json(function) for function in file.functions],
            }
            for file in report.files
        ],
        "summary": dict(Counter(f.verdict.value for f in report.functions())),
        "exit_status": report.exit_status,
        **more,
    }
    return json.dumps(document, indent=2) + "\n"


def _function_json(function: FunctionVerdict) -> dict[str, Any]:
    example = function.counterexample
    e = function.evidence
    return {
        "name": function.name,
        "line": function.line,
        "verdict": function.verdict.value,
        "reason": function.reason,
        "evidence": {
            "drawn": e.drawn,
            "accepted": e.accepted,
            "compared": e.compared,
            "finite": e.finite,
            "distinct": e.distinct,
            "coverage": round(e.coverage, 4),
            "branches": round(e.branches, 4),
            "missed": list(e.missed),
            "exact": e.exact,
            "inputs": e.inputs,
            "families": list(e.families),
            "max_absolute": e.errors.absolute,
            "max_relative": e.errors.relative,
            "max_ulp": e.errors.ulp,
            "looseness": dict(e.looseness),
            "notes": dict(e.notes),
            "counters": dict(e.counters),
            "rejections": dict(e.rejections),
            "backend": e.backend,
            "seed": e.seed,
        },
        "counterexample": example
        and {
            "description": example.description,
            "data": example.data.as_posix(),
            "test": example.test.as_posix(),
        },
    }
