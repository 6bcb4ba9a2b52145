"""Bytes to text to tree, with errors that name the line and the column."""

from __future__ import annotations

import ast
import io
import re
import stat
import sys
import tokenize
import warnings
from codecs import BOM_UTF8
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gpuport.source.annotations import write_out
from gpuport.source.module import Module

_LINE_END = re.compile(r"\r\n|\r|\n")
# Encodings in which every text that decodes encodes back to the same bytes.
_FAITHFUL = frozenset({"utf-8", "utf-8-sig", "ascii", "us-ascii", "iso-8859-1", "latin-1"})


class SourceError(Exception):
    """A source that cannot be handled, with its place where one is known (both 1-based)."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source as read: its text, and all that is needed to write another text the same way.

    Attributes
    ----------
    data : bytes
        The bytes as read.
    text : str
        Decoded, with the file's own line endings, without a byte order mark.
    encoding : str
        Python's name of the encoding, without the ``-sig`` of UTF-8 with a byte order mark.
    bom : bool
        Whether the bytes begin with a byte order mark.
    mode : int or None
        Permission bits; None for a stream.
    """

    data: bytes
    text: str
    encoding: str
    bom: bool
    mode: int | None = None

    def encode(self, text: str) -> bytes:
        """Bytes of another text in this source's encoding, byte order mark included."""
        try:
            body = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            line, column = _position(text, error.start)
            raise SourceError(
                f"cannot be written as {self.encoding}: {error.reason}", line, column
            ) from None
        return BOM_UTF8 + body if self.bom else body


def read_source(path: Path) -> SourceText:
    """Read a regular file as Python would, keeping its line endings.

    Raises
    ------
    SourceError
        For a file that cannot be read, is not a regular file, or does not decode.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise SourceError("is a folder")
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("is not a regular file")
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}") from None
    return decode(data, stat.S_IMODE(status.st_mode))


def decode(data: bytes, mode: int | None = None) -> SourceText:
    """Decode source bytes by their byte order mark or declared encoding, UTF-8 otherwise.

    Raises
    ------
    SourceError
        For null bytes, an unknown or wrong declared encoding, or bytes that do not decode.
    """
    null = data.find(b"\0")
    if null >= 0:
        line, column = _position(data[:null].decode("latin-1"), null)
        raise SourceError("null byte: this is not Python source", line, column)
    bom = data.startswith(BOM_UTF8)
    body = data[len(BOM_UTF8) :] if bom else data
    encoding = _encoding(data, body)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line, column = _position(body[: error.start].decode(encoding, "replace"), None)
        raise SourceError(
            f"cannot be decoded as {encoding}: byte 0x{body[error.start]:02x}, {error.reason}; "
            "save the file as UTF-8 or declare its encoding in the first line",
            line,
            column,
        ) from None
    except (LookupError, ValueError) as error:
        raise SourceError(f"cannot be decoded as {encoding}: {error}", 1, 1) from None
    source = SourceText(data, text, encoding, bom, mode)
    if encoding not in _FAITHFUL and source.encode(text) != data:
        raise SourceError(f"its bytes cannot be reproduced from {encoding}; save it as UTF-8", 1, 1)
    return source


def parse(path: str, text: str) -> Module:
    """Parse a text, without the parser's warnings.

    Raises
    ------
    SourceError
        For anything that Python's parser refuses, nesting beyond its limits included.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _tree(text)
    except SyntaxError as error:
        raise _syntax_error(error, text) from None
    except (RecursionError, MemoryError):
        line, column = _longest_statement(text)
        raise SourceError("nested too deeply for Python's parser", line, column) from None
    except ValueError as error:
        line, column = _position(text, max(text.find("\0"), 0))
        raise SourceError(str(error), line, column) from None
    return Module(path, text, tree)


@lru_cache(maxsize=64)
def _tree(text: str) -> ast.Module:
    """The tree of a text; nothing changes it, so that who reads the same text shares it.

    A file is read for itself, and for each of those that import it; its port is read again.
    """
    tree = ast.parse(text)
    write_out(tree)
    return tree


def _encoding(data: bytes, body: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if "invalid or missing encoding declaration" in str(error):
            return "utf-8"  # an undecodable first line: decoding says which byte
        raise SourceError(str(error), _cookie_line(body), 1) from None
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _cookie_line(body: bytes) -> int:
    return 1 if b"coding" in body.split(b"\n", 1)[0] else 2


def _position(text: str, offset: int | None) -> tuple[int, int]:
    """1-based line and column of an offset; of the end of the text where it is None."""
    before = text if offset is None else text[:offset]
    ends = [match.end() for match in _LINE_END.finditer(before)]
    return len(ends) + 1, len(before) - (ends[-1] if ends else 0) + 1


_PYTHON_2 = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
)
_PYTHON_2_CODE = re.compile(
    r"^\s*(print\s+[^=(\s]|print\s*>>|exec\s+['\"]|raise\s+\w+\s*,|except\s+\w[\w.]*\s*,)|<>|`"
    r"|\b0[0-7]+\b|\b\d+[lL]\b|\bur['\"]"
)

_NEWER_CODE = (
    ((3, 12), re.compile(r"^\s*(type\s+\w+\s*(\[.*\])?\s*=|(async\s+)?(def|class)\s+\w+\[)")),
    ((3, 14), re.compile(r"\b[tT][rR]?['\"]")),
)
"""Syntax that came with a Python: type parameters, template strings."""


def _syntax_error(error: SyntaxError, text: str) -> SourceError:
    line, column = error.lineno or 1, max(error.offset or 1, 1)
    message = f"syntax error: {error.msg}"
    lines = _LINE_END.split(text)
    code = lines[line - 1] if 0 < line <= len(lines) else ""
    looks_old = _PYTHON_2_CODE.search(code) is not None
    if looks_old or (error.msg or "").startswith(_PYTHON_2):
        message += " (Python 2? gpuport reads Python 3; 2to3 converts it)"
    elif any(sys.version_info < since and p.search(code) for since, p in _NEWER_CODE):
        message += (
            f" (newer than Python {sys.version_info.major}.{sys.version_info.minor}, with which "
            "gpuport runs here: run it with the Python of the program)"
        )
    return SourceError(message, line, column)


def _longest_statement(text: str) -> tuple[int, int]:
    """Where the statement of the most tokens begins: the one that is nested too deeply."""
    best, best_start = 0, (1, 1)
    count, start = 0, (1, 1)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT):
                continue
            if count == 0:
                start = (token.start[0], token.start[1] + 1)
            count += 1
            if count > best:
                best, best_start = count, start
            if token.type == tokenize.NEWLINE:
                count = 0
    except (tokenize.TokenError, SyntaxError, RecursionError, MemoryError):
        pass
    return best_start
