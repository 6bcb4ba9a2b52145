"""Functions of which a cache keeps what they gave: they stay, their arrays are known."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
from functools import cache, lru_cache

import numpy as np


@{decorator}
def basis(n):
    k = np.arange(n)
    return np.cos(np.pi * k[:, None] * (2 * k[None, :] + 1) / (2 * n))


def project(b: np.ndarray):
    c = basis(8)
    {change}
    return np.round(np.exp(np.einsum("ij,rcjk,lk->rcil", c, b, c)) / 3)
"""
READ = 'cp.round(cp.exp(cp.einsum("ij,rcjk,lk->rcil", cp.asarray(c), b, cp.asarray(c))) / 3)'


@pytest.mark.parametrize(
    ("decorator", "change", "ported"),
    [
        ("lru_cache(maxsize=8)", "pass", True),
        ("cache", "pass", True),
        ("cache", "c[0] += 1", False),
        ("unheard(8)", "pass", False),
    ],
)
def test_what_a_cache_keeps_is_read_from_the_host(decorator: str, change: str, ported: bool):
    after = port(PROGRAM.format(decorator=decorator, change=change)).after or ""
    assert (READ in after) is ported
    assert "cp.arange" not in after


def test_what_a_cache_keeps_may_be_of_another_number_that_is_as_large():
    """``steps(4.0)`` gives the integers of ``steps(4)``, if that was asked for before."""
    text = (
        "from functools import cache\n\nimport numpy as np\n\n\n@cache\ndef steps(n):\n"
        "    return np.arange(n)\n\n\ndef scaled(x: np.ndarray):\n"
        "    y = np.exp(np.sin(x)) * np.cos(x)\n    return (y + steps(4.0) * 2) * 3, y\n"
    )
    after = port(text).after or ""
    assert "cp.asarray(steps(4.0))" in after
    assert "float64 steps" not in after
