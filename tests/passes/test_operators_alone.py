"""Functions that name nothing of NumPy: ported where they are given arrays, else it is told."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

RELAX = """\
def relax(A, B, steps):
    for _ in range(1, steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
"""
HEAD = "import numpy as np\n\n\n"
CALLED = "\n\na = np.random.rand(9)\nrelax(a, a.copy(), 5)\n"


def told(text: str, **config: object) -> list[tuple[str, str, str]]:
    findings = port(HEAD + text, **config).findings
    return [(f.function, f.severity.value, f.message) for f in findings if f.code == "GP901"]


def test_what_works_as_with_arrays_is_ported_where_calls_or_annotations_say_so():
    report = port(HEAD + RELAX + CALLED)
    status = {f.name: f.status.value for f in report.functions}
    assert (status["relax"], told(RELAX + CALLED)) == ("ported", [])
    annotated = RELAX.replace("(A, B,", "(A: np.ndarray, B: np.ndarray,")
    assert "@device(" in (port(HEAD + annotated).after or "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (RELAX, "`B`, `A`"),
        ("def heat(T, k):\n    T[1:, 1:] += k * (T[:-1, 1:] - T[1:, 1:])\n", "`T`"),
        ("def upwind(u, c):\n    return u[1:] - c * (u[1:] - u[:-1])\n", "`u`"),
        ("def norm(a, b):\n    return (a * a + b * b).sum()\n", "`a`, `b`"),
        ("def scaled(u):\n    return (u[1:] + u[:-1]) / 2 * np.pi\n", "`u`"),
        ("def share(u, k):\n    return (u == 0).mean(axis=1) <= k\n", "`u`"),
        ("def low(u, k):\n    return u[u < k]\n", "`u`"),
        (
            "class Field:\n    def energy(self):\n        return 0.5 * (self.u ** 2).sum()\n",
            "`self.u`",
        ),
    ],
)
def test_it_is_told_what_would_have_to_be_an_array(text: str, names: str):
    ((function, severity, message),) = told(text)
    assert severity == "warning"
    assert f"`{function}` works with {names} as with arrays" in message
    (report,) = [f for f in port(HEAD + text).functions if f.name == function]
    assert (report.status.value, report.reasons) == ("refused", ("GP901",))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def lerp(a, b, t):\n    return a * (1 - t) + b * t\n", "`a`, `b`, `t`"),
        ("def total(u):\n    return u.sum()\n", "`u`"),
        ("def scaled(u):\n    return u * np.pi\n", "`u`"),
    ],
)
def test_arithmetic_that_may_be_of_numbers_is_told_on_request(text: str, names: str):
    ((_, severity, message),) = told(text)
    assert severity == "info"
    assert f"calculates with {names}, and nothing tells" in message


@pytest.mark.parametrize(
    "text",
    [
        "def area(width: float, height: float):\n    return width * height\n",
        "def halves(n=3):\n    return n / 2\n",
        "def head(s):\n    return s[:3]\n",
        "def named(path, n):\n    return '%s/%d' % (path, n)\n",
        "def lerp(a, b):\n    return (a + b) / 2\n\n\nprint(lerp(1.0, 2.0))\n",
        "class Count:\n    def more(self):\n        self.n = self.n + 1\n",
    ],
)
def test_of_what_is_no_array_nothing_is_told(text: str):
    assert told(text) == []
