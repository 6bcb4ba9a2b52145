"""Sorts whose order of equal elements NumPy leaves open are told of, once for a function."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import Severity
from gpuport.source.reading import parse

PROGRAM = """\
import numpy as np

def f(x):
    e = np.exp(x)
    return {body}
"""


def told(body: str) -> list[tuple[int, Severity]]:
    report = port_module(parse("program.py", PROGRAM.format(body=body)), Config())
    assert report.after is not None
    return [(f.span.line, f.severity) for f in report.findings if f.code == "GP519"]


@pytest.mark.parametrize(
    "body", ["np.argsort(e)", "e.argsort(axis=0), np.argsort(-e)", "np.argpartition(e, 2)"]
)
def test_one_finding_for_a_function(body: str) -> None:
    assert told(body) == [(5, Severity.INFO)]


@pytest.mark.parametrize(
    "body", ["np.argsort(e, kind='stable')", "np.argsort(e, kind='mergesort')", "np.sort(e) * 2"]
)
def test_none_where_the_order_is_certain(body: str) -> None:
    assert told(body) == []
