"""Who imports a module, told by the lines of the files around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.source.importing import lines_importing, mentions, taken_from
from gpuport.source.layout import Files


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from tools import grid\n", True),
        ("x = 1\nimport tools", True),
        ("if x:\n\timport os, tools\n", True),
        ("x = 1\rimport tools\r", True),
        ("x = 1\r\n  from tools import (\r\n", True),
        ("# import tools\n", False),
        ("import toolset\n", False),
        ("important = tools\n", False),
        ('s = "import tools"\n', False),
        ("", False),
    ],
)
def test_a_line_that_imports_the_module_is_found(tmp_path: Path, text: str, found: bool) -> None:
    file = tmp_path / "other.py"
    file.write_bytes(text.encode())
    assert mentions(file, lines_importing("tools")) is found


def test_a_notebook_imports_in_quotes(tmp_path: Path) -> None:
    file = tmp_path / "other.ipynb"
    file.write_text('{"source": [\n   "import tools\\n"]}', "utf-8")
    assert mentions(file, lines_importing("tools", before=r'"?[ \t\f\v]*'))
    assert not mentions(file, lines_importing("tools"))


def test_a_file_that_cannot_be_read_may_import_anything(tmp_path: Path) -> None:
    assert mentions(tmp_path / "none.py", lines_importing("tools"))


def test_names_that_other_files_take_are_those_of_the_module(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    module = tmp_path / "tools.py"
    module.write_text("a = b = c = 1\n", "utf-8")
    (tmp_path / "one.py").write_text("from tools import a\n", "utf-8")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "two.py").write_text("import numpy\nprint(numpy.c)\n", "utf-8")
    (tmp_path / "three.py").write_text("import tools as t\nprint(t.b)\n", "utf-8")
    assert taken_from(Files(), module) == {"a", "b"}
