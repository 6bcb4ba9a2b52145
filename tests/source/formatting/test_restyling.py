"""A port of a formatted file is formatted; no other file is touched."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gpuport.config import Config
from gpuport.engine import run
from gpuport.source.formatting.restyling import restyled
from gpuport.source.formatting.settings import Style

RUFF = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
PROGRAM = """\
import numpy as np


def relaxed(u: np.ndarray, source: np.ndarray, h: float, steps: int) -> np.ndarray:
    v = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] - h * source[i, j])
        u, v = v, u
    return u


if __name__ == "__main__":
    x = np.linspace(0.0, 1.0, 100000)
    y = np.sin(3.0 * x) * np.exp(-x)
    field, heat = np.outer(y[:99], y[:99]), np.outer(y[:99], y[9:108])
    print("mean:", relaxed(field, heat, 0.1, 20).mean(), np.sort(y)[10:90000:10].sum())
    np.savez("a.npz", x=np.fft.rfft(y), heat=relaxed(heat, field, 0.2, 40))
    np.savez("b.npz", first=np.fft.rfft(y) * 2.0, second=np.cumsum(y), third=np.sort(y))
    np.save("c.npy", np.fft.rfft(y)[10:20] * np.cumsum(y)[10:20])
"""
SETTINGS = [
    "line-length = 72\n", "line-length = 100\n", "format.quote-style = 'single'\nline-length = 80\n"
]  # fmt: skip


def ported(folder: Path, text: str, settings: str | None) -> str:
    folder.mkdir()
    (folder / "a.py").write_text(text)
    if settings is not None:
        (folder / "ruff.toml").write_text(settings)
    (file,) = run([str(folder / "a.py")], Config()).files
    assert file.changed
    return (folder / "a.py").read_text()


def ruff(file: Path, text: str) -> str:
    assert RUFF is not None
    return subprocess.run(
        [RUFF, "format", "--stdin-filename", str(file), "-"],
        input=text, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


@pytest.mark.skipif(RUFF is None, reason="needs ruff")
@pytest.mark.parametrize("settings", SETTINGS)
def test_ruff_changes_nothing_in_the_port_of_a_formatted_file(tmp_path: Path, settings: str):
    (tmp_path / "ruff.toml").write_text(settings)
    text = ruff(tmp_path / "a.py", PROGRAM)
    plain = ported(tmp_path / "plain", text, "exclude = ['*']\n")
    made = ported(tmp_path / "styled", text, settings)
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(plain))
    assert ruff(tmp_path / "a.py", made) == made
    assert ruff(tmp_path / "a.py", plain) != plain


def test_a_file_that_is_not_formatted_keeps_its_own_lines():
    before = "x = f(a,\n      b)\ny = g(c,\n      d)\n"
    after = before.replace("f(a,", "cp.asarray(f(a,").replace("b)", "b))")
    assert restyled(before, after, Style(88)) == after


def test_what_did_not_change_stays_and_what_is_too_long_is_split():
    before = "x = 1\ny = f( a )  # mine\nz = f(alpha, beta)\n"
    after = before.replace("z = f(alpha, beta)", "z = cp.asnumpy(f(alpha, beta))")
    assert restyled(before, after, Style(24)) == (
        "x = 1\ny = f( a )  # mine\nz = cp.asnumpy(\n    f(alpha, beta)\n)\n"
    )


def test_strings_have_the_quotes_of_the_project():
    before = "x = f()\n"
    after = 'x = g("a", "it\'s", f"{x}", r"b")\nk = h(\n    "c",\n    """\n"d"\n""",\n)\n'
    made = restyled(before, after, Style(88, 4, "'"))
    assert made == after.replace('"a"', "'a'").replace('r"b"', "r'b'").replace('"c"', "'c'")
    assert restyled(before, after, Style(88, 4, None)) == after


def test_strings_side_by_side_are_one_where_there_is_room():
    after = 'k = h(\n    "a, "\n    "b, "\n    "c",\n    """\n    d\n    """,\n)\n'
    one = after.replace('"a, "\n    "b, "\n    "c"', '"a, b, c"')
    assert restyled("x = 1\n", after, Style(14)) == one
    assert restyled("x = 1\n", after, Style(13)) == after


def test_windows_lines_stay():
    text = "x = f(a)\r\n"
    assert restyled("x = a\r\n", text, Style(4)) == text
