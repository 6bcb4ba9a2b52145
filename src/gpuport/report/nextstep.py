"""The last line of a run: what to do next, by what happened in it."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence
from pathlib import Path

from gpuport.config import Config
from gpuport.records import FileReport, Finding, RunReport, Severity

_MOST_FILES = 3
"""Files that a command is written out for; of more, their common folder."""
_HEAVY = 1_000_000
"""The weight of a loop in a loop, of which nobody knows how often they run."""
_SETTLES = "GP912"


def next_step(
    report: RunReport, config: Config, heaviest: tuple[str, Finding] | None
) -> Iterator[str]:
    """What to do next, in a sentence; nothing where there is nothing to do.

    Parameters
    ----------
    report : RunReport
    config : Config
    heaviest : tuple or None
        The path and finding of the reason that keeps the most from being ported.
    """
    errors = [f for file in report.files for f in file.findings if f.severity is Severity.ERROR]
    changed = [file for file in report.files if file.changed and file.error is None]
    if report.failed:
        yield "mend what the errors name, and run this again; all other files were handled."
    elif errors:
        yield f"`gpuport explain {errors[0].code}` says what to do about an error."
    else:
        written = [] if config.dry_run else [file.path for file in changed]
        steps = [*_settling(report), *_looking(heaviest, written, needed=not changed)][:1]
        steps += _command(changed, config)
        if steps:
            yield "; then ".join(steps) + "."


def _settling(report: RunReport) -> Iterator[str]:
    """The annotation that would settle the most."""
    found = [(f, file.path) for file in report.files for f in file.findings if f.code == _SETTLES]
    if found:
        one, path = max(found, key=lambda pair: pair[0].weight)
        said = one.message.partition(": ")[2].partition(";")[0]
        yield f"{said} ({path}:{one.span.line}; {one.help})"


def _looking(
    heaviest: tuple[str, Finding] | None, written: Sequence[str], *, needed: bool
) -> Iterator[str]:
    """What keeps the most, unless it is no longer at its line; a little only if `needed`."""
    if heaviest is None or heaviest[0] in written:
        return
    path, why = heaviest
    if not why.code.startswith(("GP2", "GP3")):
        if needed:
            yield f"`gpuport explain {why.code}` says more about what keeps the most"
    elif needed or why.weight >= _HEAVY:
        line = why.span.line
        yield f"`gpuport explain {path}:{line}` shows what keeps the heaviest loop in Python"


def _command(changed: Sequence[FileReport], config: Config) -> Iterator[str]:
    """The command that comes next for the files that change."""
    if not changed or changed[0].path == "-":
        return
    paths = _paths(changed)
    verified = any(one.verdict for file in changed for one in file.functions)
    if config.dry_run and verified:
        yield f"`gpuport rewrite {paths}` ports it"
    elif config.dry_run:
        yield f"`gpuport rewrite --verify {paths}` ports, compares, and takes back what differs"
    elif not verified and config.out_dir is not None:
        yield f"`gpuport verify {config.out_dir} --against DIR` runs it beside the originals in DIR"
    elif not verified and _has_history():
        yield f"`gpuport verify {paths}` runs original and port side by side"
    else:
        script = next((f.path for f in changed if "__main__" in (f.before or "")), "SCRIPT")
        yield f"`python -m gpuport.host {script}` runs the port without a GPU"


def _has_history() -> bool:
    """Whether git may know what was there before."""
    here = Path.cwd()
    return any((folder / ".git").exists() for folder in (here, *here.parents))


def _paths(files: Sequence[FileReport]) -> str:
    names = [file.path for file in files]
    if len(names) <= _MOST_FILES:
        return " ".join(names)
    return os.path.commonpath([os.path.dirname(name) for name in names]) or "."
