"""The comments with which a user keeps gpuport away from a line, a function or a file."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field

from gpuport.source.module import Module

_DIRECTIVE = re.compile(
    r"#\s*gpuport:\s*(?P<word>[\w-]*)(?:\[(?P<codes>[^\]]*)\])?", flags=re.IGNORECASE
)
_CODE = re.compile(r"GP\d{0,3}")


@dataclass(frozen=True)
class Suppressions:
    """What the comments of one file say.

    A comment holds for the whole statement on whose lines it stands, for the next statement
    where it has a line of its own, and for all of a function or class on whose ``def`` or
    ``class`` line (or decorator) it stands.

    Attributes
    ----------
    skip_file : bool
    problems : tuple of (int, str)
        Lines and what is wrong with a comment that is meant for gpuport but is not understood.
    """

    skip_file: bool = False
    problems: tuple[tuple[int, str], ...] = ()
    _skipped: tuple[tuple[int, int], ...] = ()
    _ignored: tuple[tuple[int, int, tuple[str, ...]], ...] = ()

    def skipped(self, line: int) -> bool:
        """Whether nothing on this 1-based line may be ported."""
        skipped = self._skipped
        return bool(skipped) and any(first <= line <= last for first, last in skipped)

    def ignored(self, code: str, line: int) -> bool:
        """Whether findings of this code on this line are not reported."""
        return any(
            first <= line <= last and (not codes or code.startswith(codes))
            for first, last, codes in self._ignored
        )

    @classmethod
    def of(cls, module: Module) -> Suppressions:
        """Read the comments of a module; strings that look like one do not count."""
        if "gpuport:" not in module.text.lower():
            return cls()
        reader = _Reader(module)
        for line, directive in reader.directives:
            reader.take(line, directive)
        return cls(
            reader.skip_file,
            tuple(reader.problems),
            tuple(reader.skipped),
            tuple(reader.ignored),
        )


@dataclass
class _Reader:
    module: Module
    skip_file: bool = False
    problems: list[tuple[int, str]] = field(default_factory=list)
    skipped: list[tuple[int, int]] = field(default_factory=list)
    ignored: list[tuple[int, int, tuple[str, ...]]] = field(default_factory=list)
    directives: list[tuple[int, re.Match[str]]] = field(default_factory=list)
    statements: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        start: int | None = None
        for token in _tokens(self.module):
            if token.type == tokenize.COMMENT:
                found = _DIRECTIVE.finditer(token.string)
                self.directives.extend((token.start[0], match) for match in found)
            elif token.type == tokenize.NEWLINE:
                self.statements.append((start or token.start[0], token.start[0]))
                start = None
            elif token.type not in _LAYOUT and start is None:
                start = token.start[0]
        self.definitions = [
            (min([node.lineno, *(d.lineno for d in node.decorator_list)]), node)
            for node in ast.walk(self.module.tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ]

    def take(self, line: int, directive: re.Match[str]) -> None:
        word, codes = directive["word"].lower(), directive["codes"]
        if word == "skip-file" and codes is None:
            self.skip_file = True
        elif word == "skip" and codes is None:
            self.skipped.append(self._region(line))
        elif word == "ignore":
            listed = tuple(code.strip().upper() for code in (codes or "").split(",") if code)
            wrong = [code for code in listed if not _CODE.fullmatch(code)]
            if wrong or (codes is not None and not listed):
                self._problem(line, directive)
            else:
                self.ignored.append((*self._region(line), listed))
        else:
            self._problem(line, directive)

    def _problem(self, line: int, directive: re.Match[str]) -> None:
        known = "'skip', 'skip-file' and 'ignore[GP203]'"
        self.problems.append((line, f"'{directive[0].strip()}' is not understood; use {known}"))

    def _region(self, line: int) -> tuple[int, int]:
        """Lines that a comment on this line speaks of."""
        first, last = next((s for s in self.statements if line <= s[1]), (line, line))
        for start, node in self.definitions:
            # The logical line of the header, or of one of the decorators above it.
            if start <= first <= node.lineno and first < node.body[0].lineno:
                return start, node.end_lineno or node.lineno
            if first == node.lineno == node.body[0].lineno:
                return start, node.end_lineno or node.lineno
        return min(first, line), last


_LAYOUT = frozenset(
    {tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER}
)


def _tokens(module: Module) -> Iterator[tokenize.TokenInfo]:
    count = len(module.line_starts)
    # The pure-Python tokenizer knows no lone carriage return.
    lines = (module.line_text(n).rstrip("\r\n") + "\n" for n in range(1, count + 1))
    return tokenize.generate_tokens(lambda: next(lines, ""))
