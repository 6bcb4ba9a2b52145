"""Loops over matrices that stay one call for each item say why, in whatever form they stand."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

COMPREHENSION = """import numpy as np

def each(ms: list[np.ndarray], v: np.ndarray):
    return [{call} for m in ms]
"""

COUNTED = """import numpy as np

def each(ms: np.ndarray):
    out = np.zeros_like(ms)
    i = 0
    while i < len(ms):
        out[i] = {call}
        i += 1
    return out
"""


def codes(text: str) -> list[str]:
    report = port_module(parse("program.py", text), Config())
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize("call", ["np.cov(m)", "np.tensordot(m, v, axes=([1, 2], [0, 1]))"])
def test_a_comprehension_without_a_stacked_form(call: str) -> None:
    assert {"GP301", "GP303"}.intersection(codes(COMPREHENSION.format(call=call)))


def test_a_contraction_over_one_axis_is_a_product() -> None:
    found = codes(COMPREHENSION.format(call="np.tensordot(m, v, axes=1)"))
    assert "GP310" in found
    assert not {"GP301", "GP303"}.intersection(found)


def test_a_loop_that_counts_by_hand() -> None:
    found = codes(COUNTED.format(call="np.linalg.inv(ms[i])"))
    assert "GP301" in found
    assert "GP203" not in found


def test_a_counted_loop_without_linear_algebra_is_no_loop_over_matrices() -> None:
    assert "GP301" not in codes(COUNTED.format(call="np.roll(ms[i], 1)"))
