"""Functions of a file marked as to be left alone, and the marks taken off its port again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.porter import SUPPRESSED
from gpuport.records import FileReport
from gpuport.source.reading import SourceText

_MARK = "  # gpuport: skip  # (taken back)"


def marked(text: str, functions: set[str]) -> str | None:
    """The text with the mark behind the ``def`` lines; None where that would change the program."""
    lines = text.splitlines(keepends=True)
    for number in {node.lineno for node in _definitions(text, functions)}:
        line = lines[number - 1]
        bare = line.rstrip("\r\n")
        lines[number - 1] = bare + _MARK + line[len(bare) :]
    text_marked = "".join(lines)
    try:
        same = ast.dump(ast.parse(text_marked)) == ast.dump(ast.parse(text))
    except SyntaxError:
        return None
    return text_marked if same else None


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


def unmarked(report: FileReport, source: SourceText, functions: set[str]) -> FileReport | None:
    """The port of a marked file without the marks; None where it is no port of the file."""
    if report.error is not None:
        return None
    if not functions:
        return report
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
