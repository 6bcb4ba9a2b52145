"""A run: find the files, handle each after those that it imports, write what changed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from gpuport.config import Config
from gpuport.porter import failed, port_text, port_texts, uncollected
from gpuport.records import FileReport, RunReport, Severity
from gpuport.scheduling import Schedule, connected, schedule
from gpuport.source.discovery import Found, discover
from gpuport.source.layout import Files, Folders, Layout
from gpuport.source.reading import SourceError, SourceText, read_source
from gpuport.source.temporary import remove_leftovers
from gpuport.source.writing import write_copy, write_source

if TYPE_CHECKING:
    from pathlib import Path


# Starting workers costs more than porting fewer files than this.
FILES_WORTH_WORKERS = 32
# Files of a program that are ported together at most.
MOST_OF_A_PROGRAM = 40
_START = re.compile(
    r"^(?:if\s+__name__|(?:\w+\s*=\s*)?[\w.]+\(|for\s|while\s|with\s|def test_)", re.MULTILINE
)
"""What a file has that is run: a guard, a call or a loop at its top, or tests."""
Progress = Callable[[int, int], None]
Gate = Callable[
    [Sequence["Path"], Sequence[SourceText], Sequence[FileReport], Config, Files],
    "list[FileReport] | str",
]
Warn = Callable[[str], None]


def run(
    paths: Sequence[str],
    config: Config,
    *,
    progress: Progress | None = None,
    warn: Warn = print,
    gate: Gate | None = None,
) -> RunReport:
    """Port files and folders, and write what changed unless ``config.dry_run``.

    Parameters
    ----------
    paths : sequence of str
    config : Config
    progress : callable, optional
        Called with the files done and the files in all, after each file.
    warn : callable
        Called with what the user should know although nothing failed.
    gate : callable, optional
        Is shown each file that changes, or all files of a program, before they are written, and
        gives what is to be written; of a program it may say why its files go one by one.

    Returns
    -------
    RunReport
        One report a file, in the order of discovery, whatever `jobs` is.
    """
    found = discover(paths, config)
    for message in found.warnings:
        warn(message)
    taken: dict[Path, str] = {}
    reports = []
    jobs = _placed(found.files, config, taken)
    for left in remove_leftovers(_written_folders(jobs)):
        warn(f"{left}: left over from a run that was ended while it wrote; deleted")
    with uncollected():
        for done, report in enumerate(_handled(found.files, jobs, config, gate), 1):
            reports.append(report)
            for remark in report.remarks:
                warn(f"{report.path}: {remark}")
            if progress is not None:
                progress(done, len(found.files))
    return RunReport(tuple(reports), config.table, tuple(found.errors))


def exit_status(report: RunReport, config: Config) -> int:
    """Exit status of a run: 2 where an input failed, 1 where something is left to do, else 0."""
    if report.failed:
        return 2
    if config.exit_zero:
        return 0
    to_port = config.dry_run and any(file.changed for file in report.files)
    errors = (f.severity is Severity.ERROR for file in report.files for f in file.findings)
    return 1 if to_port or any(errors) else 0


@dataclass(frozen=True, slots=True)
class _Job:
    """A file to handle, and the place of its copy.

    ``layout`` and ``ported`` tell a worker what the run made of the files that this one imports;
    ``apart`` is why it is not handled together with them.
    """

    found: Found
    copy_to: Path | None
    config: Config
    layout: Layout = field(default_factory=Layout)
    ported: dict[Path, str] = field(default_factory=dict)
    apart: str | None = None


def _handle_apart(job: _Job) -> FileReport:
    """Handle a job in a worker process."""
    files = _files(job.layout)
    files.ported.update(job.ported)
    return _handle(job, files)


@lru_cache(maxsize=1)
def _files(layout: Layout) -> Files:
    return Files(layout)


def _handle(job: _Job, files: Files, gate: Gate | None = None) -> FileReport:
    found, config = job.found, job.config
    if job.apart is not None:
        files.apart[found.path.absolute()] = job.apart
    try:
        if found.path.suffix == ".ipynb":
            raise SourceError("notebooks are not handled yet; export it with jupyter nbconvert")
        source = read_source(found.path)
        report = port_text(found.shown, source, config, syntax=found.named, files=files)
        if gate is not None and report.changed:
            passed = gate([found.path], [source], [report], config, files)
            report = report if isinstance(passed, str) else passed[0]
        return _written(job, source, report)
    except SourceError as error:
        return failed(found.shown, error)


def _written(job: _Job, source: SourceText, report: FileReport) -> FileReport:
    """Write what a report has, the runtime with it where it is vendored."""
    if report.error is not None:
        return report
    if report.changed:
        report = _in_style(job.found.path, source, report)
    if job.config.vendor_runtime:
        from gpuport.vendoring.placing import with_runtime

        place = job.copy_to or job.found.path
        report = with_runtime(job.found.path, place, source, report, job.config)
    if not job.config.dry_run:
        remarks = _write(job.found, job.copy_to, source, report)
        report = replace(report, remarks=(*report.remarks, *remarks)) if remarks else report
    return report


def _in_style(path: Path, source: SourceText, report: FileReport) -> FileReport:
    """A port laid out as the formatter of its project would lay it out."""
    from gpuport.source.formatting.restyling import restyled
    from gpuport.source.formatting.settings import style_of

    style = style_of(path)
    if style is None or report.after is None:
        return report
    return replace(report, after=restyled(source.text, report.after, style))


def _write(
    found: Found, copy_to: Path | None, source: SourceText, report: FileReport
) -> tuple[str, ...]:
    """Write a port; gives what of the original could not be kept."""
    text = report.after if report.after is not None else source.text
    if copy_to is not None:
        write_copy(copy_to, source, text)
    elif report.changed:
        return write_source(found.path, source, text)
    return ()


def _written_folders(jobs: Sequence[_Job | FileReport]) -> list[Path]:
    """The folders that files may be written to."""
    places = [
        job.copy_to or job.found.path
        for job in jobs if isinstance(job, _Job) and not job.config.dry_run
    ]  # fmt: skip
    return list(dict.fromkeys(place.resolve().parent for place in places))


def _placed(
    files: Sequence[Found], config: Config, taken: dict[Path, str]
) -> list[_Job | FileReport]:
    """Each file with the place of its copy; no two copies may have the same place."""
    from pathlib import Path

    if config.out_dir is None or config.dry_run:
        return [_Job(file, None, config) for file in files]
    jobs: list[_Job | FileReport] = []
    for file in files:
        place = Path(config.out_dir, file.relative)
        other = taken.setdefault(place, file.shown)
        if os.path.realpath(place) == os.path.realpath(file.path):
            jobs.append(failed(file.shown, SourceError(f"its copy {place} would replace it")))
        elif other != file.shown:
            message = f"its copy {place} would replace that of {other}; name their common folder"
            jobs.append(failed(file.shown, SourceError(message)))
        elif not _leads_into(place.parent, config.out_dir):
            message = f"a link leads from the place of its copy {place} out of {config.out_dir}"
            jobs.append(failed(file.shown, SourceError(message)))
        else:
            jobs.append(_Job(file, place, config))
    return jobs


def _leads_into(path: Path, folder: str) -> bool:
    from pathlib import Path

    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _handle_programs(
    paths: Sequence[Path], jobs: list[_Job | FileReport], files: Files, gate: Gate | None
) -> None:
    """Handle files that make up a program together: their reports take the place of the jobs."""
    for positions in connected(paths, files):
        group = [job for job in map(jobs.__getitem__, positions) if isinstance(job, _Job)]
        if len(group) == len(positions) and len(group) <= MOST_OF_A_PROGRAM:
            done = _handle_together(group, files, gate)
            for number, position in enumerate(positions):
                if isinstance(done, str):
                    jobs[position] = replace(group[number], apart=done)
                else:
                    jobs[position] = done[number]


def _handle_together(
    jobs: Sequence[_Job], files: Files, gate: Gate | None
) -> list[FileReport] | str:
    """Port the files of a program; or why each is to be handled by itself."""
    try:
        sources = [read_source(job.found.path) for job in jobs]
    except SourceError as error:
        return f"a file that belongs to them cannot be read ({error})"
    texts = [source.text for source in sources]
    started = jobs[0].config.whole_program or any(map(_START.search, texts))
    if not started or not any("numpy" in text for text in texts):
        return "code that imports these modules may use them"
    named = [(job.found.shown, source) for job, source in zip(jobs, sources, strict=True)]
    config = jobs[0].config
    reports = port_texts(named, config, files)
    if gate is not None and not isinstance(reports, str) and any(r.changed for r in reports):
        reports = gate([job.found.path for job in jobs], sources, reports, config, files)
    if isinstance(reports, str):
        return reports
    return [
        _written(job, source, report)
        for job, source, report in zip(jobs, sources, reports, strict=True)
    ]


def _handled(
    found: Sequence[Found],
    jobs: Sequence[_Job | FileReport],
    config: Config,
    gate: Gate | None = None,
) -> Iterator[FileReport]:
    """Handle the files of a run, each after those that it imports; the reports as `found` is."""
    paths = [file.path.absolute() for file in found]
    folders = Folders()
    layout = Layout.of(paths, folders)
    files = Files(layout, folders=folders)
    paths = [files.same(path) for path in paths]
    jobs = list(jobs)
    _handle_programs(paths, jobs, files, gate)
    plan = schedule(paths, files)
    workers = config.jobs or os.cpu_count() or 1
    if gate is not None or workers == 1 or len(jobs) < FILES_WORTH_WORKERS:
        return _in_turn(paths, jobs, plan, files, gate)
    from gpuport.workers import in_processes

    def prepared(position: int, ported: dict[int, str]) -> _Job | FileReport:
        job = jobs[position]
        if isinstance(job, FileReport):
            return job
        known = {paths[other]: ported[other] for other in plan.after[position] & ported.keys()}
        return replace(job, layout=layout, ported=known)

    return in_processes(_handle_apart, prepared, plan, workers)


def _in_turn(
    paths: Sequence[Path],
    jobs: Sequence[_Job | FileReport],
    plan: Schedule,
    files: Files,
    gate: Gate | None,
) -> Iterator[FileReport]:
    """Handle files in the order of a plan; the reports come in the order of `paths`."""
    reports: dict[int, FileReport] = {}
    following = 0
    for position in plan.order:
        job = jobs[position]
        report = job if isinstance(job, FileReport) else _handle(job, files, gate)
        reports[position] = report
        if report.after is not None and isinstance(job, _Job) and _counts(job, gate):
            files.ported[paths[position]] = report.after
        while following in reports:
            yield reports.pop(following)
            following += 1


def _counts(job: _Job, gate: Gate | None) -> bool:
    """Whether files that import a ported one find the port.

    One that a gate let pass is there for them only once it is written.
    """
    return gate is None or not (job.config.dry_run or job.config.out_dir)
