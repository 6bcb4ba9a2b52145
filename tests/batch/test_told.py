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
        i += {step}
    return out
"""

HANDED_ON = """import numpy as np
from itertools import starmap

def fit(x, y):
    return np.linalg.solve(x.T @ x, x.T @ y)

def each(xs: list[np.ndarray], ys: list[np.ndarray]):
    return list({call})
"""

MOVED = """import numpy as np

def each(ms: list[np.ndarray], show):
    for m in ms:
        w = np.linalg.eigvalsh(m)
        show(w)
"""


def codes(text: str) -> list[str]:
    report = port_module(parse("program.py", text), Config())
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize("call", ["np.cov(m, v)", "np.tensordot(m, v, axes=([1, 2], [0, 1]))"])
def test_a_comprehension_without_a_stacked_form(call: str) -> None:
    assert {"GP301", "GP303"}.intersection(codes(COMPREHENSION.format(call=call)))


def test_a_contraction_over_one_axis_is_a_product() -> None:
    found = codes(COMPREHENSION.format(call="np.tensordot(m, v, axes=1)"))
    assert "GP310" in found
    assert not {"GP301", "GP303"}.intersection(found)


def test_a_loop_that_counts_by_hand() -> None:
    found = codes(COUNTED.format(call="np.linalg.inv(ms[i])", step=2))
    assert "GP301" in found
    assert "GP203" not in found


def test_a_loop_that_counts_all_items_is_stacked() -> None:
    found = codes(COUNTED.format(call="np.linalg.inv(ms[i])", step=1))
    assert "GP310" in found
    assert not {"GP301", "GP203"}.intersection(found)


@pytest.mark.parametrize(
    "call", ["map(fit, xs, ys)", "map(lambda x: np.linalg.inv(x), xs)", "starmap(fit, zip(xs, ys))"]
)
def test_functions_of_the_module_that_are_mapped(call: str) -> None:
    assert "GP301" in codes(HANDED_ON.format(call=call))


def test_a_mapped_function_without_linear_algebra_is_nothing_to_tell() -> None:
    assert "GP301" not in codes(HANDED_ON.format(call="map(lambda x: x.sum(), xs)"))


def test_what_is_moved_for_each_item() -> None:
    """The loop goes on handing single results to a function that nobody knows."""
    assert "GP301" in codes(MOVED)


def test_a_counted_loop_without_linear_algebra_is_no_loop_over_matrices() -> None:
    assert "GP301" not in codes(COUNTED.format(call="np.roll(ms[i], 1)", step=1))


def test_a_refusal_without_a_place_of_its_own_is_that_of_the_loop() -> None:
    text = """import numpy as np

def each(X, Y, iters=8):
    n, m = Y.shape
    coef = np.zeros((X.shape[1], m))
    for k in range(m):
        beta = np.zeros(X.shape[1])
        for _ in range(iters):
            beta = np.linalg.solve(X.T @ X, X.T @ (Y[:, k] - X @ beta))
        coef[:, k] = beta
    return coef
"""
    report = port_module(parse("program.py", text), Config())
    (told,) = [f for f in report.findings if f.code == "GP301"]
    assert "(line 1)" not in told.message
