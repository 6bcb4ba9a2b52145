"""``gpuport explain FILE:LINE``."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gpuport.cli.explain import command
from gpuport.config import Config
from gpuport.host.kernels import nvrtc
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

pytest.importorskip("islpy")

PROGRAM = textwrap.dedent(
    """\
    import numpy as np

    def diffuse(u: np.ndarray, v: np.ndarray, steps, alpha):
        n = len(u)
        for t in range(steps):
            for i in range(1, n - 1):
                v[i] = u[i] + alpha * (u[i - 1] + u[i + 1])
            for i in range(1, n - 1):
                for k in range(3):
                    u[i] = u[i] + v[i] * k
        return u

    def decay(a: np.ndarray, b: np.ndarray):
        for i in range(2, len(a)):
            a[i] = 0.5 * a[i - 2] + b[i]
        return a

    def count(k: np.ndarray):
        h = np.zeros(9)
        for i in range(len(k)):
            h[k[i]] += 1
        return h

    def shout(a: np.ndarray):
        for i in range(len(a)):
            print(a[i])
        for word in ["a", "b"]:
            print(word)

    def quiet(a: np.ndarray):
        for i in range(len(a)):  # gpuport: skip
            a[i] = 1.0
        return a
    """
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def explained(place: str, *options: str, status: int = 0) -> str:
    result = CliRunner().invoke(command, [place, *options], standalone_mode=False)
    if status:
        assert result.exception is not None
        return str(result.exception.format_message())  # type: ignore[attr-defined]
    assert result.exception is None, result.exception
    return result.stdout


def line_of(text: str, after: int = 0) -> int:
    return next(k for k, line in enumerate(PROGRAM.splitlines(), 1) if text in line and k > after)


def loops(program: Path, line: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        explained(f"{program}:{line}", "--output-format", "json")
    )["loops"]
    return found


def test_a_kernel_is_the_one_that_rewrite_makes(program: Path):
    module = parse(str(program), PROGRAM)
    port = port_module(module, Config()).after
    assert port is not None
    outer, inner = loops(program, line_of("v[i] = u[i]"))
    assert outer["outcome"] == "python"
    assert inner["outcome"] == "kernel"
    for kernel in inner["kernels"]:
        assert "\n".join(kernel["lines"]) in port
    for line in (*inner["condition"], *inner["launch"]):
        assert line.strip() in port


def test_the_space_says_where_each_loop_runs(program: Path):
    outer, middle, inner = loops(program, line_of("u[i] = u[i] + v[i] * k"))
    assert [axis["runs"] for axis in middle["examination"]["space"]] == [
        "python",
        "threads",
        "serial",
    ]
    assert inner["outcome"] == "in-kernel"
    assert outer["outcome"] == "python"
    carried = {d["variable"] for d in middle["examination"]["dependences"]}
    assert carried == {"k"}


def test_a_carried_dependence_has_its_distance(program: Path):
    (found,) = loops(program, line_of("a[i] = 0.5"))
    assert found["code"] == "GP202"
    (one,) = found["examination"]["dependences"]
    assert (one["kind"], one["distance"], one["write"], one["other"]) == (
        "flow",
        2,
        "a[i]",
        "a[i - 2]",
    )
    assert one["witness"][1] - one["witness"][0] == 2
    text = explained(f"{program}:{line_of('a[i] = 0.5')}")
    assert "distance 2" in text
    assert "line 15: reads a[i - 2]" in text


def test_what_is_added_to_atomically(program: Path):
    text = explained(f"{program}:{line_of('h[k[i]]')}")
    assert "adds to h[k[i]]" in text
    assert "`h` changed atomically" in text
    assert "depends on data" in text


def test_refusals_before_the_subscripts_and_loops_over_other_things(program: Path):
    (printing,) = loops(program, line_of("print(a[i])"))
    assert printing["code"] == "GP206"
    assert printing["examination"]["accesses"] == []
    (words,) = loops(program, line_of("print(word)"))
    assert words["outcome"] == "python"
    assert words["examination"] is None


def test_a_suppressed_loop(program: Path):
    (found,) = loops(program, line_of("a[i] = 1.0"))
    assert found["outcome"] != "kernel"
    assert found["kernels"] == []


def test_what_nvrtc_says(program: Path):
    text = explained(f"{program}:{line_of('v[i] = u[i]')}")
    if nvrtc.available():
        assert "registers, no spills" in text
        assert "does not compile" not in text
    else:
        assert "not asked: NVRTC is not installed" in text


@pytest.mark.parametrize(
    ("line", "words"), [(1, "no loop is at line 1"), (999, "no loop is at line 999")]
)
def test_lines_without_a_loop(program: Path, line: int, words: str):
    assert words in explained(f"{program}:{line}", status=2)


def test_files_that_cannot_be_read(tmp_path: Path):
    assert "nothing.py" in explained(f"{tmp_path / 'nothing.py'}:3", status=2)
    broken = tmp_path / "broken.py"
    broken.write_text("for i in\n")
    assert "broken.py:1" in explained(f"{broken}:1", status=2)
