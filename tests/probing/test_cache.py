"""What is kept between runs: never an error, never without end, never the wrong thing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from gpuport.probing import cache as module
from gpuport.probing.cache import Cache, folder

KEY, OTHER = b"k" * 16, b"o" * 16


def test_what_one_keeps_another_finds(tmp_path: Path):
    first, second = Cache(tmp_path / "new" / "folder"), Cache(tmp_path / "new" / "folder")
    assert second.get(KEY) is None
    first.put({KEY: ("edition", "[1]")})
    assert second.get(KEY) == "[1]"
    second.put({OTHER: ("edition", "[2]")})
    assert (first.get(KEY), first.get(OTHER)) == ("[1]", "[2]")
    assert (tmp_path / "new" / "folder").stat().st_mode & 0o77 == 0


@pytest.mark.parametrize("content", [b"", b"no database at all " * 100, b"SQLite format 3\0" * 50])
def test_a_damaged_file_is_made_anew(tmp_path: Path, content: bytes):
    (tmp_path / "answers.sqlite3").write_bytes(content)
    Cache(tmp_path).put({KEY: ("edition", "[1]")})
    Cache(tmp_path).put({KEY: ("edition", "[1]")})
    assert Cache(tmp_path).get(KEY) == "[1]"


def test_a_file_of_another_layout_is_made_anew(tmp_path: Path):
    with sqlite3.connect(tmp_path / "answers.sqlite3") as connection:
        connection.execute("CREATE TABLE answers (something TEXT)")
    cache = Cache(tmp_path)
    assert cache.get(KEY) is None
    cache.put({KEY: ("edition", "[1]")})
    assert cache.get(KEY) == "[1]"


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "folder")
    cache.put({KEY: ("edition", "[1]")})
    assert cache.get(KEY) is None


def test_it_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_MOST_BYTES", 200_000)
    cache = Cache(tmp_path)
    for edition in range(6):
        rows = {bytes([edition, k]) * 8: (str(edition), "x" * 500) for k in range(100)}
        cache.put(rows)
    assert (tmp_path / "answers.sqlite3").stat().st_size <= 200_000
    assert cache.get(bytes([5, 7]) * 8) == "x" * 500
    assert cache.get(bytes([0, 7]) * 8) is None


def test_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("GPUPORT_CACHE_DIR")
    found = folder()
    assert found is not None
    assert found.name == "gpuport" or "gpuport" in found.parts
    monkeypatch.setenv("GPUPORT_NO_CACHE", "1")
    assert folder() is None
