"""The generator: deterministic, and the committed files are what it writes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gpuport._data import rules_folder
from gpuport.rules import introspect
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


def test_introspecting_twice_gives_the_same_text() -> None:
    command = [sys.executable, "-I", introspect.__file__, "numpy"]
    runs = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]
    text = render(json.loads(runs[0]))
    assert not re.search(r"0x[0-9a-f]{6}", text)
    entries = json.loads(text)["entries"]
    assert entries["numpy.sum"]["parameters"][0] == ["a", "pk"]


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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("_nd.sort(self, int axis=-1, kind=None)", "self:pk axis:pk=-1 kind:pk=None"),
        ("nd.copy(self, order=u'C')", "self:pk order:pk='C'"),
        ("add(x1, x2, /, out=None, \\*, dtype=None)", "x1:p x2:p out:pk=None dtype:k=None"),
        ("a.view([dtype][, type])", "dtype:pk=None type:pk=None"),
        ("f(x, *args, flag=(1,2), **more) -> None", "x:pk args:* flag:k=(1,2) more:**"),
        ("f(s, sep=',')", "s:pk sep:pk=','"),
        ("f()", ""),
        ("Return the sum of it.", None),
    ],
)
def test_parameters_are_read_off_the_first_line_of_a_docstring(
    line: str, expected: str | None
) -> None:
    found = introspect.from_docstring(f"{line}\n\nMore (text, here).")
    shown = None if found is None else " ".join(map(show, found))
    assert shown == expected


def show(parameter: list[str]) -> str:
    name, kind, *default = parameter
    return f"{name}:{kind}" + "".join(f"={value}" for value in default)


def test_source_is_read_where_a_module_cannot_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "cupyx" / "tool"
    package.mkdir(parents=True)
    (tmp_path / "cupyx" / "__init__.py").write_text("")
    (package / "__init__.py").write_text(
        "import libabsent\n"
        "from cupyx.tool._impl import solve, Base as Model\n"
        "from ._impl import _private, fast\n"
        "alias = solve\nLIMIT = 3\n"
    )
    (package / "_impl.py").write_text(
        "import libabsent\n"
        "def solve(a, /, b=1, *rest, tol: float = 1e-6, **options): ...\n"
        "class Root:\n    def __init__(self, size): ...\n"
        "class Base(Root): ...\n"
        "fast = _core.create_ufunc('fast', ('f->f',), '')\n"
        "def _private(): ...\n"
    )
    monkeypatch.setattr(introspect.importlib.util, "find_spec", lambda _: Found(tmp_path))
    monkeypatch.setattr(introspect, "_BINDINGS", {})
    entries: dict[str, dict[str, object]] = {}
    assert introspect.describe_source("cupyx.tool", entries)
    solve = [["a", "p"], ["b", "pk", "1"], ["rest", "*"], ["tol", "k", "1e-06"], ["options", "**"]]
    assert entries["cupyx.tool.solve"]["parameters"] == solve
    assert entries["cupyx.tool.alias"]["parameters"] == solve
    assert entries["cupyx.tool.Model"]["parameters"] == [["size", "pk"]]
    assert entries["cupyx.tool.fast"]["kind"] == "ufunc"
    assert entries["cupyx.tool.LIMIT"]["value"] == "3"
    assert "cupyx.tool._private" not in entries


class Found:
    """What ``find_spec`` says of a package in a folder."""

    def __init__(self, folder: Path) -> None:
        self.submodule_search_locations = [str(folder / "cupyx")]
