import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.source import temporary, writing
from gpuport.source.reading import SourceError, read_source
from gpuport.source.writing import with_newlines_of, write_copy, write_source, write_text


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
    monkeypatch.setattr(writing, "exchange", lambda *paths: False)
    with pytest.raises(SourceError, match=os.strerror(code)):
        write_source(file, read_source(file), "other")
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == ["program.py"]


def test_an_unwritable_folder_leaves_the_original(file: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(**options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(temporary.tempfile, "mkstemp", refuse)
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


def saved_meanwhile(file: Path, save: Callable[[], object], monkeypatch: pytest.MonkeyPatch):
    """Let somebody save the file after the last look at it, just before it is replaced."""
    source, whole = read_source(file), writing.exchange

    def exchanged(one: Path, other: Path) -> bool:
        if not os.path.exists(file.with_name("saved")):
            file.with_name("saved").touch()
            save()
        return whole(one, other)

    monkeypatch.setattr(writing, "exchange", exchanged)
    with pytest.raises(SourceError, match="changed on disk"):
        write_source(file, source, "other")
    file.with_name("saved").unlink()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="files cannot be exchanged here")
def test_an_edit_in_the_last_moment_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch):
    saved_meanwhile(file, lambda: file.write_bytes(b"mine = 1\n"), monkeypatch)
    assert file.read_bytes() == b"mine = 1\n"
    other = file.with_name("new")
    other.write_bytes(b"mine = 2\n")
    saved_meanwhile(file, lambda: other.replace(file), monkeypatch)  # as most editors save
    assert file.read_bytes() == b"mine = 2\n"
    assert os.listdir(file.parent) == ["program.py"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="files cannot be exchanged here")
def test_of_two_edits_in_the_last_moment_both_are_kept(file: Path, monkeypatch: pytest.MonkeyPatch):
    source, whole, edits = read_source(file), writing.exchange, [b"first", b"second"]

    def exchanged(one: Path, other: Path) -> bool:
        file.write_bytes(edits.pop(0))
        return whole(one, other)

    monkeypatch.setattr(writing, "exchange", exchanged)
    with pytest.raises(SourceError, match="changed on disk"):
        write_source(file, source, "other")
    assert sorted(p.read_bytes() for p in file.parent.iterdir()) == [b"first", b"second"]
    assert not list(file.parent.glob("*.gpuport-tmp"))


def test_the_last_look_is_after_the_writing(file: Path, monkeypatch: pytest.MonkeyPatch):
    source = read_source(file)
    monkeypatch.setattr(writing, "exchange", lambda *paths: False)
    monkeypatch.setattr(writing.os, "fsync", lambda _: file.write_bytes(b"mine = 1\n"))
    with pytest.raises(SourceError, match="changed on disk"):
        write_source(file, source, "other")
    assert file.read_bytes() == b"mine = 1\n"
    assert os.listdir(file.parent) == ["program.py"]


def test_other_names_of_a_file_keep_the_original_and_are_told(file: Path):
    os.link(file, file.with_name("same.py"))
    (told,) = write_source(file, read_source(file), "other")
    assert "1 other name of this file (hard links) keeps the original" in told
    assert file.with_name("same.py").read_bytes() == b"\xef\xbb\xbfs = '\xc3\xa9'\r\n"
    assert write_source(file, read_source(file), "again") == ()


def test_the_owner_is_kept_or_told(file: Path, monkeypatch: pytest.MonkeyPatch):
    given = []
    monkeypatch.setattr(writing.os, "chown", lambda path, *owner: given.append(owner))
    assert write_source(file, read_source(file), "other") == ()
    assert given == [(file.stat().st_uid, file.stat().st_gid)]

    def refuse(path: Path, *owner: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(writing.os, "chown", refuse)
    assert write_source(file, read_source(file), "again") == ()  # it was this user's already
    status = file.stat()
    fields = [*status]
    fields[4] = status.st_uid + 1
    temporary = file.with_name("temporary")
    temporary.touch()
    (told,) = writing._made_like(temporary, file, os.stat_result(fields))
    assert "your own" in told


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="files have no such attributes here")
def test_further_attributes_are_kept(file: Path):
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError:
        pytest.skip("this disk keeps no attributes")
    write_source(file, read_source(file), "other")
    assert os.getxattr(file, "user.note") == b"kept"


def test_a_report_keeps_the_mode_of_the_file_in_its_place(tmp_path: Path):
    path = tmp_path / "report"
    path.write_text("old")
    path.chmod(0o600)
    write_text(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    mask = os.umask(0o077)
    try:
        write_text(tmp_path / "other", "new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "other").stat().st_mode) == 0o600


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
