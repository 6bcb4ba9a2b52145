"""Loops over `x.ravel()` and `x.flatten()` become kernels over a name of it."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

pytest.importorskip("islpy")

HEAD = """\
import numpy as np


def count(x: np.ndarray):
    found = np.zeros(9, dtype=np.int64)
"""
TAIL = "    return found\n\n\ncount(np.arange(9).reshape(3, 3))\n"


def kernels(lines: str) -> tuple[int, str]:
    report = port_module(parse("module.py", HEAD + lines + TAIL), Config())
    return sum(one.kernels for one in report.functions), report.after or ""


@pytest.mark.parametrize("call", ["ravel", "flatten"])
@pytest.mark.parametrize("head", ["value in x.{}()", "k, value in enumerate(x.{}())"])
def test_all_elements_one_after_another(call: str, head: str) -> None:
    made, after = kernels(f"    for {head.format(call)}:\n        found[value] += 1\n")
    assert made == 1
    assert f"x_{call} = x.ravel()" in after


@pytest.mark.parametrize(
    "lines",
    [
        "    for value in x.ravel():\n        x[0, 0] = 1\n        found[value] += 1\n",
        "    for value in x.flatten():\n        found[value] += x[0, 0]\n        x[0, 0] = 1\n",
        "    for value in x.ravel('K'):\n        found[value] += 1\n",
    ],
)
def test_of_an_array_that_changes_or_another_order_none_is_made(lines: str) -> None:
    made, after = kernels(lines)
    assert made == 0
    assert "x_ravel" not in after
    assert "x_flatten" not in after
