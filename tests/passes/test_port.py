"""Passes are made until nothing changes, and what they report is said of the user's file."""

from __future__ import annotations

from tests.passes.conftest import port

CHAIN = """\
import numpy as np

def inplace(v, w):
    v += np.sin(w) * 0.5

def first(v0, v1):
    v2 = v0
    v3 = v1 * 2.0
    inplace(v3, v2)

def main(v0, v1):
    kept = []
    named = {}
    v2 = v0
    v3 = v1 * 2.0
    s1 = 2
    if np.any(v0 > 1.0):
        s0 = float(v3.sum())
    v0 = first(v3, s0)
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.arange(6.0)
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
"""


def test_a_port_is_not_ported_again():
    report = port(CHAIN)
    assert report.changed
    assert not port(report.after or "").changed


def test_every_function_is_reported_once_and_where_it_stands():
    report = port(CHAIN)
    lines = {f.name: f.line for f in report.functions}
    assert lines == {"inplace": 3, "first": 6, "main": 11, "<module>": 1}
    assert len(report.functions) == 4
    text = CHAIN.splitlines()
    for found in report.findings:
        assert found.span.line <= len(text)
        if found.code == "GP101":
            call = found.message.split("`")[1]
            start = found.span.column - 1
            assert text[found.span.line - 1][start:].startswith(call)


def test_every_call_is_counted_once():
    calls = port(CHAIN).calls
    assert calls.seen == CHAIN.count("np.") == calls.ported + calls.host


def test_an_import_is_added_before_the_decorator_of_the_next_line():
    report = port("import numpy as np\ndef f(x: np.ndarray): return np.exp(np.sin(x))\n")
    assert report.after == (
        "import cupy as cp\nimport numpy as np\nfrom gpuport.runtime import device\n"
        '@device("x", from_size=1_000_000)\ndef f(x: np.ndarray): return cp.exp(cp.sin(x))\n'
    )


def test_an_array_that_may_have_no_dimension_is_brought_back_as_one():
    """The boundary makes scalars of those: ``np.where`` of elements never gives one."""
    report = port(
        "import numpy as np\n\n\ndef f(x: np.ndarray):\n    a = np.sin(x).sum()\n"
        "    return np.exp(x), np.where(a > 1, x[0], x[1])\n"
    )
    assert report.after is not None
    assert "cp.asnumpy(cp.where(a > 1, x[0], x[1]))" in report.after
