"""Files of a program are verified together, and what is taken back is so in all of them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gpuport.config import Config
from gpuport.engine import run
from gpuport.porter import port_texts
from gpuport.records import FileReport
from gpuport.source.layout import Files, Layout
from gpuport.source.reading import read_source
from gpuport.verify.sessions.gate import NOT_EQUIVALENT, take_back_together

RATES = """import numpy as np


def decay(y: np.ndarray, rate: float):
    return -rate * np.sqrt(np.abs(y))


def spread(y: np.ndarray):
    return np.var(y, ddof=1)
"""

PROGRAM = """import numpy as np

from rates import decay, spread


def advance(y: np.ndarray, steps: int):
    for _ in range(min(max(steps, 0), 3)):
        y = y + 0.01 * decay(y, 0.5)
    return y


if __name__ == "__main__":
    end = advance(np.linspace(1.0, 2.0, 50), 3)
    print(round(float(end.sum()), 9), round(float(spread(end)), 9))
"""


def program(folder: Path) -> list[Path]:
    (folder / "rates.py").write_text(RATES, encoding="utf-8")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    return [folder / "program.py", folder / "rates.py"]


def gated(folder: Path, fault: tuple[str, str]) -> list[FileReport] | str:
    paths = program(folder)
    sources = [read_source(path) for path in paths]
    config, files = Config(root=folder), Files(Layout.of(paths))
    named = [(str(path), source) for path, source in zip(paths, sources, strict=True)]
    reports = port_texts(named, config, files)
    assert not isinstance(reports, str), reports
    assert any(fault[0] in (report.after or "") for report in reports)
    faulty = [
        replace(r, after=r.after.replace(*fault)) if r.after is not None else r for r in reports
    ]
    return take_back_together(paths, sources, faulty, config, files)


def printed(folder: Path) -> str:
    command = [sys.executable, "-m", "gpuport.host", "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def verdicts(reports: list[FileReport]) -> dict[str, str | None]:
    return {f.name: f.verdict for report in reports for f in report.functions}


def test_the_files_of_a_program_are_written_as_one(tmp_path: Path) -> None:
    program(tmp_path)
    found = run(
        [str(tmp_path)], Config(root=tmp_path), warn=lambda _: None, gate=take_back_together
    )
    said = verdicts(list(found.files))
    assert said["decay"] == said["spread"] == said["advance"] == "EQUIVALENT"
    assert "_decay(y, rate)" in (tmp_path / "rates.py").read_text(encoding="utf-8")
    before = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("from rates", RATES + "\n#")],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert printed(tmp_path) == before


@pytest.mark.parametrize(
    ("fault", "name", "before"),
    [
        (("cp.var(y, ddof=1)", "cp.var(y)"), "spread", "return np.var(y, ddof=1)"),
        (("sqrt(fabs(y))", "sqrt(fabs(y) + 1)"), "decay", "return -rate * np.sqrt(np.abs(y))"),
    ],
)
def test_a_function_of_another_file_is_taken_back(
    tmp_path: Path, fault: tuple[str, str], name: str, before: str
) -> None:
    found = gated(tmp_path, fault)
    assert not isinstance(found, str), found
    said = verdicts(found)
    assert said[name] == "DIFFERS"
    findings = [f for report in found for f in report.findings if f.code == NOT_EQUIVALENT]
    assert name in {f.function for f in findings}
    text = {Path(report.path).name: report.after or report.before or "" for report in found}
    assert f"def {name}(y: np.ndarray" in text["rates.py"]
    assert before in text["rates.py"]
    assert f"_{name}(" not in text["rates.py"]
    for file, after in text.items():
        if after:
            (tmp_path / file).write_text(after, encoding="utf-8")
    expected = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("from rates", RATES + "\n#")],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert printed(tmp_path) == expected
