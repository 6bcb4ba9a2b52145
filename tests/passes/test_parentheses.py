"""What is moved keeps its own parentheses as those of the transfer."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """\
import numpy as np


def f(n):
    rng = np.random.default_rng(0)
    x = np.sin(rng.normal(size=n)) * np.exp(np.linspace(0.0, 1.0, n))
    y = {made}
    return np.sqrt(np.abs(y)) * np.cos(x) + np.exp(-x)
"""


@pytest.mark.parametrize(
    ("made", "moved"),
    [
        ("(rng.normal(size=n)) / 3 + x", "cp.asarray(rng.normal(size=n)) / 3 + x"),
        ("x * (rng.normal(size=n))", "x * cp.asarray(rng.normal(size=n))"),
        ("abs(rng.normal(size=n)) + x", "abs(cp.asarray(rng.normal(size=n))) + x"),
        ("x + np.cos((rng.normal(size=n)))", "x + cp.cos(cp.asarray(rng.normal(size=n)))"),
        ("x + np.cos(rng.normal(size=n))", "x + cp.cos(cp.asarray(rng.normal(size=n)))"),
        ("x + ( rng.normal(size=n) )", "x + cp.asarray(rng.normal(size=n))"),
    ],
)
def test_no_parentheses_around_parentheses(made: str, moved: str):
    after = port_module(parse("f.py", PROGRAM.format(made=made)), Config()).after
    assert after is not None
    assert f"y = {moved}\n" in after


DIVIDED = """\
import numpy as np


def f(x: np.ndarray):
    x = np.sin(np.cos(x))
    {statement}
"""


@pytest.mark.parametrize(
    ("statement", "ported"),
    [
        ("return (x // 0.1).sum()", "return floor_divide(x, 0.1).sum()"),
        ("return np.exp((x // 0.1))", "return cp.exp(floor_divide(x, 0.1))"),
        ("return (x % 0.3) % 0.1", "return remainder(remainder(x, 0.3), 0.1)"),
        ("return np.exp(x % 0.1)", "return cp.exp(remainder(x, 0.1))"),
        ("return(x % 0.1)", "return(remainder(x, 0.1))"),
        ("return [(x %\n            0.1).sum()]", "return [remainder(x, 0.1).sum()]"),
        (
            "return (  # why\n        x % 0.1).sum()",
            "return (  # why\n        remainder(x, 0.1)).sum()",
        ),
        ("x[(x % 0.1 > 0)] = 0.0; return x", "x[(remainder(x, 0.1) > 0)] = 0.0; return x"),
    ],
)
def test_a_call_needs_none_of_the_operators(statement: str, ported: str) -> None:
    config = Config(boundary="device")
    report = port_module(parse("m.py", DIVIDED.format(statement=statement)), config)
    assert report.after is not None
    assert ported in report.after
