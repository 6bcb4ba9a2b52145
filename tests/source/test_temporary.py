"""What a killed run left is deleted; nothing else is."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpuport.source import temporary
from gpuport.source.temporary import new_temporary, remove_leftovers

LONG_AGO = time.time() - 7 * 86400


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """What a process left that is there no longer."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    path = tmp_path / f".x.py.{temporary._host()}-{process.pid}-abcd_123.gpuport-tmp"
    path.write_text("half")
    return path


def removed(folder: Path) -> list[Path]:
    return list(remove_leftovers([folder, folder / "not there"]))


def test_what_a_process_left_that_is_gone_is_deleted(left: Path):
    assert removed(left.parent) == [left]
    assert not left.exists()


def test_a_file_that_is_being_written_is_kept(tmp_path: Path):
    path = new_temporary(tmp_path / "x.py")
    assert removed(tmp_path) == []
    os.utime(path, (LONG_AGO, LONG_AGO))  # its process has a number that was given out again
    assert removed(tmp_path) == [path]


def test_what_other_machines_and_versions_left_is_deleted_when_it_is_old(tmp_path: Path):
    for name in (".x.py.00000000-999999-abcd1234.gpuport-tmp", ".x.py.abcd123_.gpuport-tmp"):
        path = tmp_path / name
        path.touch()
        assert removed(tmp_path) == []
        os.utime(path, (LONG_AGO, LONG_AGO))
        assert removed(tmp_path) == [path]


@pytest.mark.parametrize(
    "name",
    [
        "x.gpuport-tmp",
        ".x.gpuport-tmp",
        ".x.py.abcd.gpuport-tmp",
        ".x.py.ABCD1234.gpuport-tmp",
        ".x.py.abcd1234.gpuport-tmp.py",
    ],
)
def test_a_name_that_is_not_ours_is_kept(tmp_path: Path, name: str):
    path = tmp_path / name
    path.touch()
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert removed(tmp_path) == []
    assert path.exists()


def test_links_folders_and_files_with_other_names_are_kept(left: Path, tmp_path: Path):
    os.link(left, tmp_path / "kept.py")
    assert removed(tmp_path) == []
    left.unlink()
    left.symlink_to("kept.py")
    assert removed(tmp_path) == []
    left.unlink()
    left.mkdir()
    assert removed(tmp_path) == []


def test_a_long_name_has_a_temporary_one(tmp_path: Path):
    path = tmp_path / ("\N{GREEK SMALL LETTER ALPHA}" * 120 + ".py")
    made = new_temporary(path)
    assert made.exists()
    assert temporary._OURS.fullmatch(made.name)
