"""The report for people, made for a screen: what was ported, what not, why, and what to do next."""

from __future__ import annotations

import os.path
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from gpuport.config import Config
from gpuport.records import Finding, FunctionReport, RunReport, Severity, Status
from gpuport.report.diff import unified_diff
from gpuport.report.folding import Placed, entry, folded, grouped
from gpuport.report.functions import STATUS, functions
from gpuport.report.nextstep import next_step
from gpuport.report.shown import SEVERITY_COLOR, TO_PORT, finding_line, shown_findings
from gpuport.report.transfers import repeated, table

WIDTH = 100
"""Columns of the text where no terminal says how many it has."""
_NARROWEST, _WIDEST = 60, 120
_TITLES = (
    "Errors",
    "Also worth a look",
    "Loops that stay in Python in functions that are ported",
    "Where the port may behave otherwise",
    "Where the port is likely to be slower",
)
_SLOWER = "GP410"
_MOST_KINDS = 9
"""Kinds of findings that are told apart; where there are more, a line for each code."""


def render(report: RunReport, config: Config, *, color: bool = False, width: int = WIDTH) -> str:
    """Diffs (where asked for), what matters of a run, and what to do next, as text."""
    width = min(max(width, _NARROWEST), _WIDEST)
    blocks = [unified_diff(file, color=color) for file in report.files] if config.diff else []
    if config.quiet or config.verbose:
        blocks.append("".join(_findings(report, config, color)))
    if not config.quiet:
        blocks.append("".join(_for_a_screen(report, config, width, color=color)))
    return "\n".join(block for block in blocks if block) if config.diff else "".join(blocks)


def _for_a_screen(report: RunReport, config: Config, width: int, *, color: bool) -> Iterator[str]:
    """What matters of a run: functions, equal findings together, what crosses often, what next."""
    folder, shown = _named_briefly(report)
    made = functions(shown, width, color=color, every=config.verbose)
    if made.lines:
        single = len(report.files) == 1
        yield f"{report.files[0].path}:\n" if single else f"In {folder or 'these files'}:\n"
    yield from made.lines
    if config.verbose:
        yield from (line + "\n" for line in (*table(report), *reasons(report)))
    else:
        yield from _kinds(shown, config, made.told, width, color)
        yield from repeated(shown, width)
    yield from (line + "\n" for line in summary(report, config))
    heaviest = made.heaviest and (os.path.join(folder, made.heaviest[0]), made.heaviest[1])
    for text in next_step(report, config, heaviest):
        yield entry("Next: ", text, width)


def _named_briefly(report: RunReport) -> tuple[str, RunReport]:
    """The folder that all files of a run are in, and the run with their names in it."""
    names = [file.path for file in report.files]
    if len(names) < 2 or len({os.path.isabs(name) for name in names}) > 1:
        return "", report
    folder = os.path.commonpath([os.path.dirname(name) for name in names])
    if not folder:
        return "", report
    files = [replace(file, path=os.path.relpath(file.path, folder)) for file in report.files]
    return folder, replace(report, files=tuple(files))


def _kinds(
    report: RunReport, config: Config, told: frozenset[int], width: int, color: bool
) -> Iterator[str]:
    """Findings that were not told yet, equal ones together: errors, reasons, differences."""
    titled: dict[str, list[Placed]] = {title: [] for title in _TITLES}
    for file in report.files:
        ported = {f.name for f in file.functions if f.status is Status.PORTED}
        for finding in shown_findings(file, config):
            if finding.code != TO_PORT and id(finding) not in told:
                titled[_title(finding, ported)].append((file.path, finding))
    single = len(report.files) == 1
    groups = {title: grouped(found, lambda placed: placed[1]) for title, found in titled.items()}
    short = sum(map(len, groups.values())) > _MOST_KINDS
    for title, found in groups.items():
        if found:
            yield f"{title}:\n"
        is_error = title == _TITLES[0]
        parts = [[one] for group in found for one in group] if is_error else found
        for head, text in folded(parts, single=single, short=short and not is_error):
            tone = SEVERITY_COLOR[found[0][0][1].severity] if color else ""
            yield entry(f"  {head}: ", text, width, tone)


def _title(finding: Finding, ported: set[str]) -> str:
    errors, kept, loops, differing, slower = _TITLES
    if finding.severity is Severity.ERROR:
        return errors
    if finding.code == _SLOWER:
        return slower
    if finding.code.startswith("GP5"):
        return differing
    is_loop = finding.code.startswith(("GP2", "GP3"))
    return loops if is_loop and finding.function in ported else kept


def _findings(report: RunReport, config: Config, color: bool) -> Iterator[str]:
    for file in report.files:
        for finding in shown_findings(file, config):
            yield finding_line(file.path, finding, color=color) + "\n"
            if finding.help:
                yield f"    help: {' '.join(finding.help.split())}\n"


def summary(report: RunReport, config: Config) -> Iterator[str]:
    """Lines that count files, functions and calls; the counts add up."""
    changed = sum(file.changed and file.error is None for file in report.files)
    failed = sum(file.error is not None for file in report.files) + len(report.errors)
    verb = "would be ported" if config.dry_run else "ported"
    rest = len(report.files) - changed - (failed - len(report.errors))
    to_port = f" ({TO_PORT})" if config.dry_run and changed else ""
    files = [f"{changed} {verb}{to_port}", f"{rest} unchanged"]
    if failed:
        files.append(f"{failed} failed (see above)")
    yield f"Files: {', '.join(files)}."
    reported = list(report.functions())
    if reported:
        by_status = Counter(function.status for function in reported)
        counts = ", ".join(f"{by_status[status]} {STATUS[status]}" for status in Status)
        yield f"Functions: {counts}."
    yield from _verified(reported)
    runtimes = sorted({file.runtime for file in report.files if file.runtime is not None})
    if runtimes:
        verb = "would be copied" if config.dry_run else "copied"
        yield f"Runtime: {verb} to {', '.join(runtimes)}."
    calls = report.calls
    if calls.seen:
        yield f"NumPy calls: {calls.seen} seen = {calls.ported} ported + {calls.host} on the host."


def _verified(functions: list[FunctionReport]) -> Iterator[str]:
    """What was run beside its original; nothing without ``--verify``."""
    counts = Counter(function.verdict for function in functions if function.verdict)
    if counts:
        held, unknown = counts["EQUIVALENT"], counts["UNTESTED"]
        yield (
            f"Verified: {held} equivalent, {unknown} untested (kept), "
            f"{counts.total() - held - unknown} taken back."
        )


def reasons(report: RunReport) -> Iterator[str]:
    """Lines that count why things were not ported."""
    findings = [f for file in report.files for f in file.findings if f.reason is not None]
    if not findings:
        return
    counted = Counter((f.reason or "", f.code) for f in findings)
    parts = [f"{reason} ({code}) {n}" for (reason, code), n in sorted(counted.items())]
    yield f"Not ported because: {', '.join(parts)}."
    yield f"'gpuport explain {min(f.code for f in findings)}' says more about a code."
