"""Calls of functions that kernels cannot call: their statements stand where the calls stood."""

from __future__ import annotations

import ast
import textwrap

import pytest
from tests.passes.conftest import port

from gpuport.loops.forms.returns import with_one_exit

pytest.importorskip("islpy")

FUNCTIONS = """\
import math
import numpy as np

LIMIT = 0.5
TABLE = [1.0, 2.0]


def polar(x, y):
    r = math.hypot(x, y)
    return r, math.atan2(y, x)


def ordered(a, b):
    if a < b:
        return a, b
    return b, a


def around(u, i, j):
    n, m = u.shape
    return u[i - 1, j] + u[(i + 1) % n, j] + u[i, j - 1] + u[i, (j + 1) % m]


def apart(p, q):
    s = 0.0
    for k in range(len(p)):
        s += (p[k] - q[k]) ** 2
    return s


def bin_of(edges, v):
    for k in range(len(edges)):
        if edges[k] >= v:
            return k
    return -1


def above(v):
    return v - LIMIT, LIMIT


def stored(x, k, v):
    x[k] = v
    return v


def looked_up(x, k):
    return x[k] * TABLE[0]


def maybe(a, b):
    if a < b:
        return a, b


def mixed(a, b):
    if a < b:
        return a
    return a, b
"""

KERNELS = {
    "several numbers": "for i in range(n):\n    out[i], x[i] = polar(x[i], y[i])",
    "by names": "for i in range(n):\n    r, t = polar(y=x[i], x=y[i])\n    out[i] = r * t",
    "of several returns": "for i in range(n):\n    lo, hi = ordered(x[i], y[i])\n"
    "    out[i] = hi - lo",
    "an array and places": "for i in range(len(u)):\n    for j in range(u.shape[1]):\n"
    "        v[i, j] = around(u, i, j) - 4 * u[i, j]",
    "rows": "for i in range(len(u)):\n    for j in range(len(u)):\n"
    "        v[i, j] = apart(u[i], u[j])",
    "the first of a list": "for i in range(n):\n    out[i] = bin_of(y, x[i])",
    "a number of the module": "for i in range(n):\n    out[i], x[i] = above(x[i])",
    "under a condition": "for i in range(n):\n    if bin_of(y, x[i]) > 3:\n        out[i] = 1.0",
    "stores alone": "for i in range(n):\n    out[i] = stored(x, i, y[i])",
}
LOOPS = {
    "no value at the end": ("for i in range(n):\n    out[i], x[i] = maybe(x[i], y[i])", "maybe"),
    "of two kinds": ("for i in range(n):\n    out[i], x[i] = mixed(x[i], y[i])", "mixed"),
    "stores, and what is read before it": (
        "for i in range(n):\n    out[i] = x[i] + stored(x, i, y[i])", "stored"
    ),
    "a list of the module": ("for i in range(n):\n    out[i] = looked_up(x, i)", "looked_up"),
    "a name that means another thing here": (
        "LIMIT = n\nfor i in range(n):\n    out[i], x[i] = above(x[i])", "above"
    ),
    "where it may not be called": (
        "for i in range(n):\n    out[i] = 1.0 if x[i] > 0 or bin_of(y, x[i]) > 2 else 2.0",
        "bin_of",
    ),
}  # fmt: skip


def module(loop: str) -> str:
    head = "\n\ndef program(x: np.ndarray, y: np.ndarray, u: np.ndarray, n: int):\n"
    body = f"n = len(x)\nout = np.zeros(n)\nv = np.zeros(u.shape)\n{loop}\nreturn out, x, v\n"
    return FUNCTIONS + head + textwrap.indent(body, "    ")


@pytest.mark.parametrize("loop", KERNELS.values(), ids=KERNELS)
def test_the_loop_is_a_kernel(loop: str) -> None:
    after = port(module(loop)).after or ""
    assert "_program = cp.ElementwiseKernel(" in after or "def _program(" in after


@pytest.mark.parametrize(("loop", "name"), LOOPS.values(), ids=LOOPS)
def test_the_loop_stays_and_the_reason_names_the_function(loop: str, name: str) -> None:
    report = port(module(loop))
    assert "_program = cp.ElementwiseKernel(" not in (report.after or "")
    assert "def _program(" not in (report.after or "")
    told = [one.message for one in report.findings if one.code.startswith("GP2")]
    assert any(name in text for text in told)


def test_extents_under_names_are_those_of_the_arrays() -> None:
    """A place that is taken modulo an extent is known to be within it."""
    after = port(module(KERNELS["an array and places"])).after or ""
    assert "checked(" not in after
    assert "len(u.shape) == 2" in after


def test_a_function_that_reads_an_array_around_it_is_a_part_of_the_kernel() -> None:
    report = port(
        "import numpy as np\n\n\ndef program(x: np.ndarray, c: np.ndarray):\n"
        "    def moved(v):\n        return v - c[0], v - c[1]\n"
        "    out = np.zeros(len(x))\n    for i in range(len(x)):\n"
        "        out[i], x[i] = moved(x[i])\n    return out\n"
    )
    assert "    _program(c, moved, out, x)\n" in (report.after or "")


def test_a_function_that_writes_an_array_around_it_is_told_what_to_do() -> None:
    report = port(
        "import numpy as np\n\n\ndef program(x: np.ndarray, c: np.ndarray):\n"
        "    def moved(v):\n        c[0] = v\n        return v - c[1]\n"
        "    for i in range(len(x)):\n        x[i] = moved(x[i])\n"
    )
    told = [one.message for one in report.findings if one.code == "GP203"]
    assert any("`moved` reads `c` of the function around it" in text for text in told)


def test_a_function_of_statements_that_reads_numbers_around_it() -> None:
    report = port(
        "import numpy as np\n\n\ndef program(x: np.ndarray, width: int):\n"
        "    scale = 2.0 / width\n"
        "    def weight(k):\n        if k > width:\n            return 0.0\n"
        "        w = k * scale\n        return w * w\n"
        "    out = np.zeros(len(x))\n    for i in range(len(x)):\n"
        "        out[i] = weight(i) * x[i]\n    return out\n"
    )
    assert "_program(x, width, scale, weight, out)" in (report.after or "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return a", "a"),
        ("b = a\nreturn b, a", "b = a\n(b, a)"),
        (
            "if a:\n    return 1\nreturn 2",
            "if a:\n    one = 1\nelse:\n    one = 2\none",
        ),
        (
            "for k in a:\n    if k:\n        return k\nreturn -1",
            "one = -1\nfor k in a:\n    if k:\n        one = k\n        break\none",
        ),
        ("if a:\n    return 1", None),
        ("if a:\n    return 1\nreturn 1, 2", None),
        ("for k in a:\n    for j in k:\n        return j\nreturn 0", None),
        ("for k in a:\n    if k:\n        return 1\nreturn k", None),
        ("return", None),
    ],
)
def test_one_exit(text: str, expected: str | None) -> None:
    found = with_one_exit(ast.parse(text).body, lambda _: "one")
    assert (found is None) == (expected is None)
    if found is not None:
        assert "\n".join(map(ast.unparse, [*found[0], found[1]])) == expected
