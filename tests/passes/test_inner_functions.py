"""Functions that a function defines for itself, which read its arrays, in loops that call them."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

SMOOTH = """\
import numpy as np


def f(x: np.ndarray, width):
    n = len(x)
    mean = x.mean()

    def window(i):
        total = 0.0
        for k in range(max(i - width, 0), min(i + width + 1, n)):
            total += x[k]
        return total - mean

    y = np.zeros(n)
    for i in range(n):
        y[i] = window(i) * 0.5
    return y{after}
"""
MIRROR = """\
import numpy as np


def f(x: np.ndarray, y: np.ndarray):
    n = len(x)
    {function}
    for i in range(n):
        y[i] = at(i + 1) - x[i]
"""


def test_the_statements_are_in_the_kernel_and_the_function_stays_as_it_is():
    report = port(SMOOTH.format(after=""))
    assert report.after is not None
    assert report.after.count("@kernel(") == 1
    assert "total_ += x[k_];" in report.after
    assert "            total += x[k]\n        return total - mean\n" in report.after
    assert "    _f(x, width, n, mean, window, y)\n" in report.after
    assert "mean = cp.asnumpy(mean)[()]" in report.after


@pytest.mark.parametrize(
    "after", [", window(2)", ", window", " if n else [window(k) for k in range(n)]"]
)
def test_what_code_that_runs_later_reads_stays_on_the_host(after):
    report = port(SMOOTH.format(after=after))
    assert report.after is None
    assert any(one.code == "GP909" for one in report.findings)


def test_so_does_what_a_loop_reads_that_calls_the_function_and_is_no_kernel():
    text = SMOOTH.format(after="").replace("= window(i) * 0.5", "= y[i - 1] * 0.9 + window(i)")
    report = port(text)
    assert report.after is None
    assert any(one.code == "GP202" for one in report.findings)


@pytest.mark.parametrize(
    ("function", "ported"),
    [
        ("at = lambda i: x[i] if i < n else x[2 * n - 2 - i]", True),
        ("def at(i):\n        return x[i % n]", True),
        ("def at(i):\n        x[0] = 1.0\n        return x[i % n]", False),
        ("def at(i):\n        return x.sum() + i", False),
        ("def at(i):\n        return [x][0][i % n]", False),
    ],
)
def test_what_a_function_may_do_with_arrays(function, ported):
    report = port(MIRROR.format(function=function))
    assert ("@kernel(" in (report.after or "")) == ported
    assert ported or any(one.code in ("GP201", "GP203") for one in report.findings)
