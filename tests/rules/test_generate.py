"""The generator: deterministic, and the committed files are what it writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gpuport._data import rules_folder
from gpuport.rules.apipage import render_page
from gpuport.rules.generate import compile_policy, glob_pattern, main, render, table_paths

API = rules_folder() / "api"


@pytest.mark.parametrize("path", table_paths(API), ids=lambda path: path.stem)
def test_rendering_a_table_again_gives_its_bytes(path: Path) -> None:
    text = path.read_text("utf-8")
    table = json.loads(text)
    shuffled = {**table, "entries": dict(reversed(table["entries"].items()))}
    assert render(shuffled) == text
    assert len(text.splitlines()) == len(table["entries"]) + 3


@pytest.mark.parametrize("path", table_paths(API), ids=lambda path: path.stem)
def test_tables_say_nothing_of_the_machine_they_were_made_on(path: Path) -> None:
    assert not re.search(r"site-packages|/lib/python| at 0x", path.read_text("utf-8"))


def test_the_policy_is_compiled_from_the_reviewed_files() -> None:
    assert compile_policy(API) == (API / "policy.json").read_text("utf-8")


def test_the_page_says_what_the_tables_say() -> None:
    page = API.parents[1] / "docs" / "api-tables.md"
    assert render_page(API) == page.read_text("utf-8")


def test_writing_from_tables_alone_changes_nothing(tmp_path: Path) -> None:
    for path in API.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert main(["--from-tables", "--output", str(tmp_path)]) == 0
    for path in API.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_nothing_to_do_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--output", str(tmp_path)]) == 2
    assert "--cupy VERSION" in capsys.readouterr().err


def test_a_glob_spans_dots_and_matches_whole_names() -> None:
    assert re.match(glob_pattern("numpy.*.test"), "numpy.a.b.test")
    assert not re.match(glob_pattern("numpy.save"), "numpy.savez")
    assert not re.match(glob_pattern("numpy.save"), "numpyxsave")
