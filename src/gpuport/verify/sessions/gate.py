"""Gated rewriting: what does not hold when it is run is taken back before anything is written.

A function is taken back by porting its file again as if the function bore ``# gpuport: skip``:
what is left is what gpuport would have made of such a file, so that no import, helper or kernel is
left over, and no call is left without its boundary.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gpuport.config import Config
from gpuport.porter import port_text, port_texts
from gpuport.recording.calls import PLACE
from gpuport.records import FileReport, Finding, FunctionReport, Severity, Span
from gpuport.source.layout import Files
from gpuport.source.reading import SourceText
from gpuport.verify.comparison.script import MODULE
from gpuport.verify.records import FunctionVerdict, Verdict, VerifyError, VerifyOptions
from gpuport.verify.sessions.filesession import verify_file
from gpuport.verify.sessions.marks import marked, unmarked
from gpuport.verify.sessions.replayed import LEFT_OUT, TRUSTED, importable
from gpuport.verify.sides.changes import Version
from gpuport.verify.sides.mirrors import mirrored, text_of
from gpuport.verify.sides.originals import Located, located
from gpuport.verify.verdicts.render import shown

NOT_EQUIVALENT = "GP914"
NOT_VERIFIED = "GP915"
_ROUNDS = 6


def take_back(
    path: Path,
    source: SourceText,
    report: FileReport,
    config: Config,
    files: Files | None = None,
) -> FileReport:
    """Verify the port of one file, and take back functions until all that is left holds.

    Parameters
    ----------
    path : pathlib.Path
        The file as it is, from which the original is run.
    source : SourceText
    report : FileReport
        Its port.
    config : Config
    files : Files, optional
        The project around the file, as the run leaves it.

    Returns
    -------
    FileReport
        With a verdict for each function that was run, and a GP914 finding for each one taken back.
    """
    found = take_back_together([path], [source], [report], config, files or Files())
    assert not isinstance(found, str)  # of one file nothing is in the way
    return found[0]


def take_back_together(
    paths: Sequence[Path],
    sources: Sequence[SourceText],
    reports: Sequence[FileReport],
    config: Config,
    files: Files,
    trust_recording: bool = False,
) -> list[FileReport] | str:
    """Verify the ports of the files of a program, as :func:`take_back` does that of one.

    A function is run beside its original with the ports of the other files around it. Where it is
    taken back, all files are ported again as if it bore the mark: what calls it follows.

    Returns
    -------
    list of FileReport or str
        By file; or why each is to be ported by itself.
    """
    places = [located(path) for path in paths]
    if len({place.root for place in places}) > 1:
        return "the files of the program lie in several folders, which are not run as one"
    root = Path(config.root) if config.root else Path.cwd()
    modules = importable(paths) if (root / PLACE).exists() else ()
    options = [
        replace(_options(path, root), trust_recording=trust_recording, modules=modules)
        for path in paths
    ]
    gate = _Gate(places, list(sources), config, files, options)
    with tempfile.TemporaryDirectory(prefix="gpuport-gate-") as name:
        return gate.passed(list(reports), Path(name).resolve())


def _options(path: Path, root: Path) -> VerifyOptions:
    inside = path.resolve().is_relative_to(root.resolve())
    shown_as = path.resolve().relative_to(root.resolve()).as_posix() if inside else ""
    return VerifyOptions(root=root, keep_versions=True, recorded_as=shown_as)


_Verdicts = dict[str, FunctionVerdict]


class _Gate:
    """Files whose ports are verified together, with what is known of their functions so far."""

    def __init__(
        self,
        places: Sequence[Located],
        sources: list[SourceText],
        config: Config,
        files: Files,
        options: Sequence[VerifyOptions],
    ) -> None:
        self.places = places
        self.sources = sources
        self.config = config
        self.files = files
        self.options = options
        self.known: list[_Verdicts] = [{} for _ in places]
        self.back: list[_Verdicts] = [{} for _ in places]

    def passed(self, reports: list[FileReport], scratch: Path) -> list[FileReport] | str:
        """The ports of which all that is left holds; of a program, why there is none together."""
        for number in range(_ROUNDS):
            if not any(report.changed for report in reports):
                return self._told(reports)
            try:
                self._verify(reports, scratch / str(number))
            except (VerifyError, SyntaxError, OSError) as error:
                return self._all_back(reports, f"the port cannot be verified: {error}")
            failing = [
                {n: v for n, v in known.items() if v.verdict.failing and n not in back}
                for known, back in zip(self.known, self.back, strict=True)
            ]
            if not any(failing):
                return self._told(reports)
            for back, more in zip(self.back, failing, strict=True):
                back |= more
            whole = next((more[MODULE] for more in failing if MODULE in more), None)
            if whole is not None:
                return self._all_back(reports, whole.reason)
            again = self._without(reports)
            if again is None:
                break
            self._forget(reports, again)
            reports = again
        return self._all_back(reports, "no part of the port that was tried holds")

    def _verify(self, reports: Sequence[FileReport], scratch: Path) -> None:
        """Find verdicts on the functions of which none is known yet."""
        mirrors = mirrored(self.places, scratch / "port", reports)
        for position, (place, mirror) in enumerate(zip(self.places, mirrors, strict=True)):
            if reports[position].changed:
                work = scratch / f"work{position}"
                work.mkdir(parents=True)
                known = self.known[position]
                known |= _verified(place, mirror, work, self.options[position], known)

    def _without(self, reports: Sequence[FileReport]) -> list[FileReport] | None:
        """The ports with what was taken back left alone; None where that cannot be marked."""
        sources: list[SourceText] = []
        for source, back in zip(self.sources, self.back, strict=True):
            text = marked(source.text, set(back)) if back else source.text
            if text is None:
                return None
            sources.append(replace(source, text=text))
        names = [report.path for report in reports]
        again: list[FileReport] | str
        if len(names) == 1:
            again = [port_text(names[0], sources[0], self.config, files=self.files)]
        else:
            again = port_texts(list(zip(names, sources, strict=True)), self.config, self.files)
        if isinstance(again, str):
            return None
        left = [
            unmarked(report, source, set(back))
            for report, source, back in zip(again, self.sources, self.back, strict=True)
        ]
        found = [report for report in left if report is not None]
        return found if len(found) == len(left) else None

    def _forget(self, before: Sequence[FileReport], after: Sequence[FileReport]) -> None:
        """Let go of verdicts on functions that may do something else by now."""
        changed = [text_of(a) != text_of(b) for a, b in zip(before, after, strict=True)]
        for position, (one, other) in enumerate(zip(before, after, strict=True)):
            alone = not any(c for k, c in enumerate(changed) if k != position)
            back = self.back[position]
            self.known[position] = {
                n: v for n, v in self.known[position].items()
                if n not in back and alone and _same(one, other, n)
            }  # fmt: skip

    def _told(self, reports: Sequence[FileReport]) -> list[FileReport]:
        together = zip(reports, self.known, self.back, strict=True)
        return [_told(report, known, back) for report, known, back in together]

    def _all_back(self, reports: Sequence[FileReport], why: str) -> list[FileReport] | str:
        if len(reports) > 1:
            return f"together they do not hold: {why}"
        together = zip(reports, self.known, self.back, strict=True)
        return [_all_back(report, why, known, back) for report, known, back in together]


def _verified(
    original: Located,
    port: Located,
    work: Path,
    options: VerifyOptions,
    known: dict[str, FunctionVerdict],
) -> dict[str, FunctionVerdict]:
    """Verdicts on the functions of which none is known yet."""
    every = (*Version(port.file.read_text("utf-8"), port).nodes, MODULE)
    names = tuple(n for n in every if n not in known)
    if not names:
        return {}
    chosen = replace(options, functions=names)
    return {v.name: v for v in verify_file(original, port, work, chosen)}


def _same(before: FileReport, after: FileReport, function: str) -> bool:
    """Whether a function and all it reaches are the same in two ports."""
    place = Located(Path(), "", Path())
    first, second = (Version(r.after or r.before or "", place) for r in (before, after))
    both = function in first.nodes and function in second.nodes
    return both and first.reach(function) == second.reach(function)


def _told(
    report: FileReport, known: dict[str, FunctionVerdict], back: dict[str, FunctionVerdict]
) -> FileReport:
    verdicts = {**known, **back}
    functions = tuple(_with_verdict(f, verdicts) for f in report.functions)
    return replace(
        report,
        remarks=tuple(_of_recordings(verdicts)),
        functions=functions,
        findings=(*report.findings, *map(_finding, back.values()), *_unproven(verdicts)),
    )


def _of_recordings(verdicts: dict[str, FunctionVerdict]) -> Iterator[str]:
    """What is to be known of the recorded calls that were replayed, or were not."""
    for verdict in verdicts.values():
        for text, count in verdict.evidence.notes:
            if text.startswith((LEFT_OUT, TRUSTED)):
                yield f"{verdict.name}: {count} {text}"


def _unproven(verdicts: dict[str, FunctionVerdict]) -> Iterator[Finding]:
    """What is written though too little of it was compared."""
    for verdict in verdicts.values():
        if verdict.verdict is Verdict.UNTESTED:
            text = f"{verdict.name}: the port is not verified: {verdict.reason}"
            span = Span(verdict.line, 1, verdict.line, 1)
            yield Finding(NOT_VERIFIED, Severity.WARNING, span, text, function=verdict.name)


def _with_verdict(function: FunctionReport, verdicts: dict[str, FunctionVerdict]) -> FunctionReport:
    verdict = verdicts.get(function.name)
    if verdict is None or verdict.verdict is Verdict.UNCHANGED:
        return function
    return replace(function, verdict=verdict.verdict.value)


def _finding(verdict: FunctionVerdict) -> Finding:
    replay = ""
    if verdict.counterexample is not None:
        example = verdict.counterexample
        replay = f"; with {example.description}; replay: pytest {shown(example.test)}"
    line = verdict.line
    return Finding(
        NOT_EQUIVALENT,
        Severity.ERROR,
        Span(line, 1, line, 1),
        f"{verdict.name} was taken back: {verdict.reason}{replay}",
        function=verdict.name,
        reason="not-equivalent",
    )


def _all_back(
    report: FileReport,
    why: str,
    known: dict[str, FunctionVerdict] | None = None,
    back: dict[str, FunctionVerdict] | None = None,
) -> FileReport:
    """Nothing of the file is written."""
    finding = Finding(
        NOT_EQUIVALENT, Severity.ERROR, Span(1, 1, 1, 1), f"left as it was: {why}",
        reason="not-equivalent",
    )  # fmt: skip
    told = _told(report, known or {}, back or {})
    return replace(told, after=None, findings=(*told.findings, finding))
