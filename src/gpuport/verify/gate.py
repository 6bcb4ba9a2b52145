"""Gated rewriting: what does not hold when it is run is taken back before anything is written.

A function is taken back by porting its file again as if the function bore ``# gpuport: skip``:
what is left is what gpuport would have made of such a file, so that no import, helper or kernel is
left over, and no call is left without its boundary.
"""

from __future__ import annotations

import ast
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gpuport.config import Config
from gpuport.porter import SUPPRESSED, port_text
from gpuport.records import FileReport, Finding, FunctionReport, Severity, Span
from gpuport.source.layout import Files
from gpuport.source.reading import SourceText
from gpuport.verify.changes import Version
from gpuport.verify.filesession import verify_file
from gpuport.verify.originals import Located, located
from gpuport.verify.records import FunctionVerdict, Verdict, VerifyError, VerifyOptions
from gpuport.verify.render import shown
from gpuport.verify.script import MODULE

NOT_EQUIVALENT = "GP914"
NOT_VERIFIED = "GP915"
_MARK = "  # gpuport: skip  # (taken back)"
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
    root = Path(config.root) if config.root else Path.cwd()
    inside = path.resolve().is_relative_to(root.resolve())
    shown_as = path.resolve().relative_to(root.resolve()).as_posix() if inside else ""
    options = VerifyOptions(root=root, keep_versions=True, recorded_as=shown_as)
    back: dict[str, FunctionVerdict] = {}
    known: dict[str, FunctionVerdict] = {}
    with tempfile.TemporaryDirectory(prefix="gpuport-gate-") as name:
        scratch = Path(name).resolve()
        for number in range(_ROUNDS):
            if not report.changed:
                break
            mirror = _mirrored(located(path), scratch / str(number), report)
            work = scratch / f"work{number}"
            work.mkdir()
            try:
                known |= _verified(located(path), mirror, work, options, known)
            except (VerifyError, SyntaxError, OSError) as error:
                return _all_back(report, f"the port cannot be verified: {error}")
            failing = {n: v for n, v in known.items() if v.verdict.failing and n not in back}
            if not failing:
                return _told(report, known, back)
            back |= failing
            if MODULE in failing:
                return _all_back(report, failing[MODULE].reason, known, back)
            again = _without(report.path, source, set(back), config, files)
            if again is None:
                break
            known = {n: v for n, v in known.items() if n not in back and _same(report, again, n)}
            report = again
    if report.changed:
        return _all_back(report, "no part of the port that was tried holds", known, back)
    return _told(report, known, back)


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


def _without(
    path: str, source: SourceText, functions: set[str], config: Config, files: Files | None
) -> FileReport | None:
    """The port of the file with these functions left alone; None where they cannot be marked."""
    marked = _marked(source.text, functions)
    if marked is None:
        return None
    report = port_text(path, replace(source, text=marked), config, files=files)
    if report.error is not None:
        return None
    lines = _lines_of(source.text, functions)
    findings = tuple(f for f in report.findings if f.code != SUPPRESSED or f.span.line not in lines)
    after = None if report.after is None else report.after.replace(_MARK, "")
    if after is not None and ast.dump(ast.parse(after)) != ast.dump(ast.parse(report.after or "")):
        return None
    return replace(
        report,
        findings=findings,
        before=source.text,
        after=None if after == source.text else after,
        encoding=source.encoding,
        bom=source.bom,
    )


def _marked(text: str, functions: set[str]) -> str | None:
    """The text with the mark behind the ``def`` lines; None where that would change the program."""
    lines = text.splitlines(keepends=True)
    for number in {node.lineno for node in _definitions(text, functions)}:
        line = lines[number - 1]
        bare = line.rstrip("\r\n")
        lines[number - 1] = bare + _MARK + line[len(bare) :]
    marked = "".join(lines)
    try:
        same = ast.dump(ast.parse(marked)) == ast.dump(ast.parse(text))
    except SyntaxError:
        return None
    return marked if same else None


def _definitions(
    text: str, functions: set[str]
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.parse(text).body:
        parts = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for part in parts:
            if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if owner + part.name in functions:
                yield part


def _lines_of(text: str, functions: set[str]) -> set[int]:
    found: set[int] = set()
    for node in _definitions(text, functions):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        found |= set(range(first, (node.end_lineno or node.lineno) + 1))
    return found


def _mirrored(place: Located, folder: Path, report: FileReport) -> Located:
    """The file's folder or package with the port in its place; all else are links."""
    inside = place.file.relative_to(place.root)
    source, target = place.root, folder
    target.mkdir(parents=True)
    for part in inside.parts:
        for entry in source.iterdir():
            if entry.name != part and entry.name not in (".git", ".gpuport", "__pycache__"):
                _linked(entry, target / entry.name)
        source, target = source / part, target / part
        if source.is_dir():
            target.mkdir()
    text = report.after if report.after is not None else report.before or ""
    codec = "utf-8-sig" if report.bom else report.encoding
    target.write_bytes(text.encode(codec))
    return Located(folder, place.module, target)


def _linked(entry: Path, target: Path) -> None:
    try:
        target.symlink_to(entry, target_is_directory=entry.is_dir())
    except OSError:  # where links need a privilege
        if entry.is_file():
            shutil.copyfile(entry, target)


def _told(
    report: FileReport, known: dict[str, FunctionVerdict], back: dict[str, FunctionVerdict]
) -> FileReport:
    verdicts = {**known, **back}
    functions = tuple(_with_verdict(f, verdicts) for f in report.functions)
    return replace(
        report,
        functions=functions,
        findings=(*report.findings, *map(_finding, back.values()), *_unproven(verdicts)),
    )


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
