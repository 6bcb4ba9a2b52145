"""Statements whose errors something catches, and what names are behind them."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = """import contextlib
from contextlib import contextmanager, suppress
import numpy as np

class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return kind is not None

class Open:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        print("closed")

@contextmanager
def tolerant():
    try:
        yield
    except KeyError:
        pass

@contextmanager
def timed():
    yield

"""
BODY = """
def f(x: np.ndarray, k):
    y = np.cos(x)
    with MANAGER:
        y = np.sin(x) * np.exp(x) + np.sqrt(np.abs(x) + k)
    return np.tanh(y) + np.sqrt(y)
"""
CALLED = """
def row(x: np.ndarray, k: np.ndarray):
    return np.exp(np.sin(x) + np.cos(x))[k] * 2.0

def g(x, k):
    with suppress(ERROR):
        return row(x, k)
"""


@pytest.mark.parametrize(
    "manager",
    ["suppress(IndexError)", "contextlib.suppress(ValueError, OSError)", "Quiet()", "tolerant()"],
)
def test_what_a_manager_takes_back_is_raised_by_numpy(manager):
    report = port(HEAD + BODY.replace("MANAGER", manager))
    found = [f.message for f in report.findings if f.code == "GP903"]
    assert found == [
        f"exception handling: `{manager}` takes back what NumPy raises here; "
        "CuPy does not raise where NumPy does"
    ]
    assert "cp.sin" not in (report.after or "")


@pytest.mark.parametrize("manager", ["Open()", "timed()", "open('log')"])
def test_other_managers_change_nothing(manager):
    report = port(HEAD + BODY.replace("MANAGER", manager))
    assert "GP903" not in {finding.code for finding in report.findings}
    assert "y = _f_y(x, k)" in (report.after or "")


@pytest.mark.parametrize(("error", "waits"), [("IndexError", True), ("KeyError", False)])
def test_a_function_that_is_called_under_such_a_manager_is_waited_for(error, waits):
    text = HEAD + CALLED.replace("ERROR", error)
    with_line = text[: text.index("    with ")].count("\n") + 1
    found = [f.message for f in port(text).findings if f"line {with_line} waits" in f.message]
    told = (
        f"exception handling: the `with` on line {with_line} waits for what `row` raises here; "
        "CuPy does not raise where NumPy does"
    )
    assert found == ([told] if waits else [])
