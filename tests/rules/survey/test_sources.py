"""Modules that cannot be imported are described by their source."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.rules.survey import sources


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
    monkeypatch.setattr(sources.importlib.util, "find_spec", lambda _: Found(tmp_path))
    monkeypatch.setattr(sources, "_BINDINGS", {})
    entries: dict[str, dict[str, object]] = {}
    assert sources.describe_source("cupyx.tool", entries)
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
