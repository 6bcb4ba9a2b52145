import sys
import warnings
from pathlib import Path

import pytest

from gpuport.source.reading import SourceError, decode, parse, read_source


@pytest.mark.parametrize(
    ("data", "encoding", "bom"),
    [
        (b"", "utf-8", False),
        (b"x = 1\r\ny = 2\n\rz", "utf-8", False),
        (b"\xef\xbb\xbfx = 1\n", "utf-8", True),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'\n", "iso-8859-1", False),
        (b"#!/bin/sh\n# vim: set fileencoding=cp1252 :\ns = '\x80'\n", "cp1252", False),
        (b"# coding: shift_jis\ns = '\x83\x5c'\n", "shift_jis", False),
        ("s = 'é\u2028𝄞'\f\n".encode(), "utf-8", False),
    ],
)
def test_text_encodes_back_to_the_same_bytes(data: bytes, encoding: str, bom: bool):
    source = decode(data)
    assert (source.encoding, source.bom) == (encoding, bom)
    assert not source.text.startswith("\ufeff")
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    ("data", "line", "column", "word"),
    [
        (b"x = 1\r\ns = '\xe9'\n", 2, 6, "utf-8"),
        (b"\xff\xfe", 1, 1, "0xff"),
        (b"# coding: ascii\ns = '\xc3\xa9'\n", 2, 6, "ascii"),
        (b"# coding: klingon\n", 1, 1, "klingon"),
        (b"#!x\n# coding: klingon\n", 2, 1, "klingon"),
        (b"# coding: rot13\n", 1, 1, "rot13"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, 1, "utf-8"),
        (b"a\n\nbc\0d", 3, 3, "null byte"),
    ],
)
def test_bad_bytes_are_named_with_their_place(data: bytes, line: int, column: int, word: str):
    with pytest.raises(SourceError, match=word) as caught:
        decode(data)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "column", "word"),
    [
        ("x = 1\ndef f(:\n", 2, 7, "syntax error"),
        ("x = 1\nprint 'hello'\n", 2, 1, "Python 2"),
        ("try:\n    pass\nexcept A, e:\n    pass\n", 3, 8, "Python 2"),
        ("x = 0777\n", 1, 5, "Python 2"),
        ("if x:\n\ty\n        z\n", 3, 9, "inconsistent|unindent|tabs"),
        ("x = (\n", 1, 5, "never closed"),
        ("x = 'a\0b'\n", 1, 7, "null"),
    ],
)
def test_syntax_errors_have_line_and_column(text: str, line: int, column: int, word: str):
    with pytest.raises(SourceError, match=word) as caught:
        parse("x.py", text)
    assert caught.value.line == line
    assert caught.value.column is not None
    if "tabs" not in word and "null" not in word:
        assert caught.value.column == column


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="known syntax there")
@pytest.mark.parametrize("text", ["type V = int\n", "def f[T](x: T): pass\n", "class A[T]: pass\n"])
def test_syntax_of_newer_pythons_is_called_so(text: str):
    with pytest.raises(SourceError, match="newer than Python"):
        parse("x.py", text)


def test_other_syntax_errors_are_not_called_new():
    with pytest.raises(SourceError) as caught:
        parse("x.py", "type(x) = 3 [\n")
    assert "newer" not in str(caught.value)


@pytest.mark.parametrize(
    "deep",
    [
        "(" * 5000 + ")" * 5000,
        "-" * 100_000 + "1",
        "a" + ".b" * 100_000,
        "1" + "+1" * 100_000,
        "x if x else " * 100_000 + "y",
    ],
    ids=["parentheses", "unary", "attributes", "sum", "conditional"],
)
def test_nesting_beyond_the_parser_is_an_error_with_a_place(deep: str):
    with pytest.raises(SourceError, match=r"deeply|nested") as caught:
        parse("x.py", f"x = 1\nif x:\n    y = {deep}\n")
    assert caught.value.line == 3
    assert caught.value.column is not None


def test_the_parsers_warnings_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse("x.py", "x = '\\d'\nx is 1\n")


def test_what_is_not_a_regular_file_is_refused(tmp_path: Path):
    with pytest.raises(SourceError, match="folder"):
        read_source(tmp_path)
    with pytest.raises(SourceError, match="cannot be read"):
        read_source(tmp_path / "absent.py")
    loop = tmp_path / "loop.py"
    loop.symlink_to(loop)
    with pytest.raises(SourceError, match="cannot be read"):
        read_source(loop)
