"""Counts in the loops inside, which Python's integers never outgrow; and numbers that they do."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

FRAME = """
def spells(x, limit, longest):
    for s in range(x.shape[1]):
        run = 0
        for m in range(x.shape[0]):
{body}
            if run > longest[s]:
                longest[s] = run
"""
COUNTS = [
    "run = run + 1 if x[m, s] > limit else 0",
    "run = 0 if x[m, s] <= limit else 1 + run",
    "run = max(0, run + 1 if x[m, s] > limit else run - 2)",
    "if x[m, s] > limit:\n    run = run + 3",
    "run = run - 1 if x[m, s] > limit else run + 2\nrun = min(max(run, 0), 40)",
    "run += 1\nrun = run if x[m, s] > limit else 0",
    "if x[m, s] > limit:\n    run += 1\nelse:\n    run = m",
]
GROWING = [
    "run *= 2\nrun += 1",
    "run = 2 * run\nrun = run + 1",
    "other = run * 3\nrun = other\nrun += 1",
    "if x[m, s] > limit:\n    run += run\nrun += 1",
    "run += 1\nother = run\nrun = other + 1",
]


def _source(body: str) -> str:
    return FRAME.format(body=textwrap.indent(body, " " * 12))


@pytest.fixture
def arguments() -> dict[str, Any]:
    x = np.random.default_rng(3).normal(size=(70, 9))
    return {"x": x, "limit": -0.5, "longest": np.zeros(9, dtype=np.int64)}


@pytest.mark.parametrize("body", COUNTS)
def test_counts_fit_64_bits(run: Any, arguments: dict[str, Any], body: str) -> None:
    found = run(_source(body), **arguments)
    assert found.ported.kernels
    found.same()


@pytest.mark.parametrize("body", GROWING)
def test_numbers_that_are_made_of_themselves_do_not(
    ported: Any, arguments: dict[str, Any], body: str
) -> None:
    found = ported(_source(body), **arguments)
    assert not found.kernels
    assert {one.code for one in found.refusals} == {"GP205"}
