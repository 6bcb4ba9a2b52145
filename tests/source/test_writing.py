import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.source import writing
from gpuport.source.reading import SourceError, read_source
from gpuport.source.writing import with_newlines_of, write_copy, write_source


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_bytes(b"\xef\xbb\xbfs = '\xc3\xa9'\r\n")
    path.chmod(0o750)
    return path


def test_encoding_mark_and_mode_are_kept(file: Path):
    write_source(file, read_source(file), "s = 'è'\r\n")
    assert file.read_bytes() == b"\xef\xbb\xbfs = '\xc3\xa8'\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o750
    assert os.listdir(file.parent) == ["program.py"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_failing_disk_leaves_the_original_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
):
    before = file.read_bytes()

    def fail(*arguments: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(writing.os, call, fail)
    with pytest.raises(SourceError, match=os.strerror(code)):
        write_source(file, read_source(file), "other")
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == ["program.py"]


def test_an_unwritable_folder_leaves_the_original(file: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(**options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(writing.tempfile, "mkstemp", refuse)
    with pytest.raises(SourceError, match="Permission denied"):
        write_source(file, read_source(file), "other")
    assert file.read_bytes().startswith(b"\xef\xbb\xbfs")


def test_a_read_only_file_is_not_replaced(file: Path, monkeypatch: pytest.MonkeyPatch):
    # The superuser may write any file; what is asked for is what this user may do.
    monkeypatch.setattr(writing.os, "access", lambda path, mode: False)
    with pytest.raises(SourceError, match="read-only"):
        write_source(file, read_source(file), "other")
    assert file.read_bytes().startswith(b"\xef\xbb\xbfs")


def test_a_file_that_changed_meanwhile_is_not_replaced(file: Path):
    source = read_source(file)
    file.write_bytes(b"mine = 1\n")
    with pytest.raises(SourceError, match="changed on disk"):
        write_source(file, source, "other")
    assert file.read_bytes() == b"mine = 1\n"


def test_a_link_is_kept_and_its_target_replaced(file: Path):
    link = file.with_name("link.py")
    link.symlink_to(file.name)
    write_source(link, read_source(link), "other")
    assert link.is_symlink()
    assert file.read_bytes() == b"\xef\xbb\xbfother"


def test_what_the_encoding_cannot_hold_is_not_written(tmp_path: Path):
    path = tmp_path / "x.py"
    path.write_bytes(b"# coding: latin-1\n")
    with pytest.raises(SourceError, match="iso-8859-1") as caught:
        write_source(path, read_source(path), "# coding: latin-1\nab€")
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_copies_make_their_folders_and_keep_the_mode(file: Path, tmp_path: Path):
    copy = tmp_path / "a" / "b" / "program.py"
    write_copy(copy, read_source(file), "x")
    assert copy.read_bytes() == b"\xef\xbb\xbfx"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o750


@given(st.text(st.sampled_from("ab\r\n"), max_size=20))
def test_newlines_of_a_text_are_its_own(text: str):
    assert with_newlines_of(text, text) == text


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_inserted_lines_follow_a_uniform_file(ending: str):
    before = f"a{ending}b{ending}"
    assert with_newlines_of(before, f"a{ending}new\nb{ending}") == f"a{ending}new{ending}b{ending}"


def test_mixed_endings_are_left_as_they_are():
    assert with_newlines_of("a\r\nb\n", "a\r\nnew\nb\n") == "a\r\nnew\nb\n"
