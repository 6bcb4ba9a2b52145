"""Where imports lead, and what a text imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.source.layout import Files, Layout, imports_of, root_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "main.py": "import tools\n",
        "tools.py": "",
        "package/__init__.py": "from .grid import step\n",
        "package/grid.py": "from . import shapes\n",
        "package/shapes.py": "from .inner import deep\n",
        "package/inner/__init__.py": "",
        "package/inner/deep.py": "from ..grid import step\n",
        "plain/part.py": "",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("importer", "dotted", "found", "rest"),
    [
        ("main.py", "tools.helper", "tools.py", ("helper",)),
        ("main.py", "package.grid.step", "package/grid.py", ("step",)),
        ("main.py", "package.step", "package/__init__.py", ("step",)),
        ("main.py", "package", "package/__init__.py", ()),
        ("main.py", "plain.part.f", "plain/part.py", ("f",)),
        ("package/grid.py", ".shapes.area", "package/shapes.py", ("area",)),
        ("package/grid.py", ".step", "package/__init__.py", ("step",)),
        ("package/inner/deep.py", "..grid.step", "package/grid.py", ("step",)),
        ("package/grid.py", "package.inner.deep.f", "package/inner/deep.py", ("f",)),
    ],
)
def test_imports_lead_to_files(
    project: Path, importer: str, dotted: str, found: str, rest: tuple[str, ...]
):
    assert Layout().locate(project / importer, dotted) == (project / found, rest)


@pytest.mark.parametrize(
    ("importer", "dotted"),
    [
        ("main.py", "numpy.sin"),
        ("main.py", "nothing"),
        ("main.py", "plain.f"),
        ("package/grid.py", "tools.helper"),  # a package does not see what lies beside it
        ("main.py", "."),
    ],
)
def test_what_is_no_module_of_the_project_is_not_found(project: Path, importer: str, dotted: str):
    assert Layout().locate(project / importer, dotted) is None


def test_a_run_tells_where_other_packages_lie(project: Path):
    elsewhere = project / "examples" / "run.py"
    elsewhere.parent.mkdir()
    elsewhere.write_text("")
    layout = Layout.of([project / "package" / "grid.py", elsewhere])
    assert layout.locate(elsewhere, "package.grid.step") == (
        project / "package" / "grid.py",
        ("step",),
    )
    assert Layout().locate(elsewhere, "package.grid.step") is None


def test_the_root_is_above_the_outermost_package(project: Path):
    assert root_of(project / "package" / "inner" / "deep.py") == project
    assert root_of(project / "plain" / "part.py") == project / "plain"


def test_imports_are_found_without_parsing():
    text = '''"""
from docs import nothing
"""
import a, b.c as d
from .x import (  # why
    one,
    two as three,
)
from . import y; from z import *
if True:
    from ..up import here
text = "import no"
# import neither
'''
    assert list(imports_of(text)) == ["a", "b.c", ".x.one", ".x.two", ".y", "z.*", "..up.here"]


def test_what_a_file_reaches(project: Path):
    files = Files()
    reached = files.reached(project / "package" / "shapes.py")
    names = {file.relative_to(project).as_posix() for file in reached}
    assert names == {
        "package/inner/deep.py",
        "package/grid.py",
        "package/shapes.py",
    }


def test_a_text_of_the_run_stands_for_the_file(project: Path):
    files = Files()
    files.ported[project / "tools.py"] = "x = 1\n"
    assert files.text(project / "tools.py") == "x = 1\n"
    assert files.text(project / "absent.py") is None
