"""A function as the new core sees it, stage by stage."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gpuport.cli.explain import command
from gpuport.report.stages import STAGES, stage_text

TEXT = """import numpy as np


def turned(points, R):
    out = np.zeros((len(points), 2))
    for i in range(len(points)):
        p = np.array([points[i, 0], 1.0])
        out[i] = R @ p
    return out


def summed(x):
    for row in x:
        print(row)


print(turned(np.ones((5, 2)), np.eye(2)))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_each_stage_shows_the_function_around_a_line(program):
    shown = {stage: stage_text(program, 8, stage) for stage in STAGES}
    assert "function turned(" in shown["lower"]
    assert "turned(points: array float64[5, 2]" in shown["facts"]
    assert "Map(" in shown["canonical"]
    assert "raw float64 R" in shown["kernels"]
    assert "R[{" in shown["kernels"]
    assert 'over="i in range(' in shown["kernels"]
    assert "  kernel(points, R, out)" in shown["kernels"]


def test_what_stays_is_told(program):
    assert "line 13 stays" in stage_text(program, 14, "canonical")


def test_the_module_is_a_function_too(program):
    assert "function <module>" in stage_text(program, 17, "lower")


def test_wrong_places_are_told(program):
    for words, told in (
        ((f"{program}:99", "--stage", "facts"), "has no line 99"),
        (("GP101", "--stage", "facts"), "is for a place"),
        ((f"{program.parent / 'none.py'}:1", "--stage", "facts"), "none.py"),
    ):
        result = CliRunner().invoke(command, words, standalone_mode=False)
        assert told in str(result.exception) + result.output
