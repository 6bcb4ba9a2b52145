"""The last line of a run: what to do next, by what happened in it."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence

from gpuport.config import Config
from gpuport.records import FileReport, Finding, RunReport, Severity

_MOST_FILES = 3
"""Files that a command is written out for; of more, their common folder."""
_LOOPS = ("GP2", "GP3")
"""What the codes of loops begin with."""
_HEAVY = 1_000_000
"""The weight of a loop in a loop, of which nobody knows how often they run."""
_SETTLES = "GP912"


def next_step(
    report: RunReport, config: Config, folder: str, heaviest: tuple[str, Finding] | None
) -> Iterator[str]:
    """What to do next, in a sentence or two; nothing where there is nothing to do.

    Parameters
    ----------
    report : RunReport
    config : Config
    folder : str
        What `heaviest` is below.
    heaviest : tuple or None
        The path and finding of the reason that keeps the most from being ported.
    """
    errors = [f for file in report.files for f in file.findings if f.severity is Severity.ERROR]
    changed = [file for file in report.files if file.changed and file.error is None]
    if report.failed:
        yield "mend what the errors above name, and run this again; all other files were handled."
    elif errors:
        yield f"`gpuport explain {errors[0].code}` says what to do about an error."
    else:
        weighty = None if heaviest is None else (os.path.join(folder, heaviest[0]), heaviest[1])
        parts = [*_hints(report, weighty, changed, config), *_command(changed, config)]
        if parts:
            yield "; then ".join(parts) + "."


def _hints(
    report: RunReport,
    heaviest: tuple[str, Finding] | None,
    changed: Sequence[FileReport],
    config: Config,
) -> Iterator[str]:
    """What the user can write or look at so that more is ported: the most of it."""
    settling = [(file, f) for file in report.files for f in file.findings if f.code == _SETTLES]
    if settling:
        file, first = settling[0]
        named = first.message.partition(": ")[2].partition(";")[0]
        yield f"{named} ({file.path}:{first.span.line}; {first.help})"
    elif heaviest is not None and heaviest[1].code.startswith(_LOOPS):
        path, why = heaviest
        if why.weight < _HEAVY and changed:
            return
        if config.dry_run or path not in [file.path for file in changed]:
            yield f"`gpuport explain {path}:{why.span.line}` shows what keeps the heaviest loop in Python"


def _command(changed: Sequence[FileReport], config: Config) -> Iterator[str]:
    """The command that comes next for the files that change."""
    if not changed or changed[0].path == "-":
        return
    paths = _paths(changed)
    verified = any(one.verdict for file in changed for one in file.functions)
    if config.dry_run:
        kept = "" if verified else " --verify"
        yield f"`gpuport rewrite{kept} {paths}` ports" + (
            "" if verified else " what runs as its original does, and leaves the rest"
        )
    elif config.out_dir is not None:
        yield f"`gpuport verify {config.out_dir} --against {paths}` runs originals and ports side by side"
    elif not verified:
        yield f"`gpuport verify {paths}` runs originals and ports side by side"
    else:
        script = next((f.path for f in changed if "__main__" in (f.before or "")), None)
        if script is not None:
            yield f"`python -m gpuport.host {script}` runs it without a GPU"


def _paths(files: Sequence[FileReport]) -> str:
    names = [file.path for file in files]
    if len(names) <= _MOST_FILES:
        return " ".join(names)
    return os.path.commonpath([os.path.dirname(name) for name in names]) or "."
