"""Which formatter a project declares, and how it is set."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.source.formatting.settings import Style, style_of


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n", Style(100, 4, '"')),
        ("pyproject.toml", "[tool.ruff.format]\nquote-style = 'single'\n", Style(88, 4, "'")),
        ("ruff.toml", "line-length = 79\nformat.quote-style = 'preserve'\n", Style(79, 4, None)),
        (".ruff.toml", "indent-width = 2\n", Style(88, 2, '"')),
        ("pyproject.toml", "[tool.black]\nline-length = 120\n", Style(120, 4, '"')),
        ("pyproject.toml", "[tool.black]\nskip-string-normalization = true\n", Style(88, 4, None)),
        ("pyproject.toml", "[tool.black]\nline-length = 99\n[tool.ruff]\n", Style(99, 4, '"')),
        ("pyproject.toml", "[tool.black]\n[tool.ruff.format]\n[tool.ruff]\nline-length = 70\n",
         Style(70, 4, '"')),
        ("pyproject.toml", "[tool.ruff]\nline-length = 'wide'\n", Style(88, 4, '"')),
        ("ruff.toml", "format.indent-style = 'tab'\n", None),
        ("ruff.toml", "exclude = ['old', 'a*.py']\n", None),
        ("pyproject.toml", "[tool.black]\nskip-magic-trailing-comma = true\n", None),
        ("pyproject.toml", "[tool.mypy]\nstrict = true\n", None),
        ("pyproject.toml", "[tool\n", None),
    ],
)  # fmt: skip
def test_the_nearest_settings_are_those(
    tmp_path: Path, name: str, text: str, expected: Style | None
):
    (tmp_path / "outer").mkdir()
    (tmp_path / "outer" / name).write_text(text)
    (tmp_path / "outer" / "inner").mkdir()
    assert style_of(tmp_path / "outer" / "inner" / "a.py") == expected
