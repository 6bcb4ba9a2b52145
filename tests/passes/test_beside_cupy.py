"""NumPy in code that is on CuPy already: told where the two meet, ported where it stands apart."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = "import cupy as cp\nimport numpy as np\nfrom gpuport.runtime import device\n\n\n"
MODEL = """\
class Model:
    def __init__(self, n):
        self.u = cp.zeros(n)
        self.w = np.hanning(n)

    def step(self):
        self.u += cp.roll(self.u, 1)

"""


def told(text: str) -> list[str]:
    """The pieces of text of which it is told that they raise."""
    findings = port(HEAD + text).findings
    return [
        f.message.split("`")[1]
        for f in findings
        if f.code == "GP409" and f.severity.value == "warning"
    ]


ENERGY = "    def energy(self):\n        return self.u @ self.w\n"
F = "def f(n):\n    d, h = cp.ones(n), np.ones(n)\n"
LOOP = "x = cp.ones(3)\nfor k in range(3):\n    x = x * np.ones(3)\n"
MADE = "def g(n):\n    return cp.ones(n)\n\n\n"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (
            '@device("x")\ndef f(x):\n    t = np.arange(9.0)\n    return cp.sin(x) * t\n',
            "cp.sin(x) * t",
        ),
        ('@device("x")\ndef f(x):\n    return x - np.hanning(9)\n', "x - np.hanning(9)"),
        (F + "    d += np.random.rand(n)\n", "d += np.random.rand(n)"),
        (F + "    h[:] = cp.ones(n)\n", "h[:]"),
        (F + "    return cp.maximum(h * 2, d)\n", "cp.maximum(h * 2, d)"),
        (F + "    return np.random.permutation(d)\n", "np.random.permutation(d)"),
        (F + "    return np.concatenate([d, h])\n", "np.concatenate([d, h])"),
        (F + "    return d.dot(h)\n", "d.dot(h)"),
        ("W = np.hanning(64)\n\n\ndef f():\n    return cp.ones(64) * W\n", "cp.ones(64) * W"),
        (MADE + "d = g(5)\nprint(d < np.ones(5), cp.pi)\n", "d < np.ones(5)"),
        (MODEL + ENERGY + "\n\nprint(Model(9).energy())\n", "self.u @ self.w"),
        (MODEL + "\nm = Model(9)\nprint(np.asarray(m.u), cp.pi)\n", "np.asarray(m.u)"),
        (LOOP, "x * np.ones(3)"),
    ],
)
def test_where_the_two_meet_is_told(text: str, where: str):
    assert told(text) == [where]


@pytest.mark.parametrize(
    "text",
    [
        F + "    return cp.asarray(h) * d, cp.array(h)\n",
        F + "    return d.get() + h, cp.asnumpy(d) * h\n",
        F + "    return np.sin(d) + d * np.float64(2.0) * np.pi\n",
        F + "    return float(d.sum()) * h\n",
        F + "    cp.savez('out.npz', d=d, h=h)\n",
        "def f(x, n):\n    xp = cp.get_array_module(x)\n    return xp.sin(x) * np.ones(n)\n",
        "def f(n, gpu):\n    d = cp.ones(n) if gpu else np.ones(n)\n    return d * np.ones(n)\n",
        F + "    d = cp.asnumpy(d)\n    return d * h\n",
        '@device("x")\ndef f(x):\n    return cp.sin(x)\n\n\nprint(f(np.ones(3)) * np.ones(3))\n',
    ],
)
def test_what_does_not_raise_is_no_warning(text: str):
    assert told(text) == []


def test_what_stays_is_told_and_what_names_no_cupy_is_ported_beside_it():
    text = MODEL + "\n\ndef fresh(x: np.ndarray):\n    return np.sqrt(x)\n"
    report = port(HEAD + text)
    assert "return cp.sqrt(x)" in (report.after or "")
    (left,) = [f for f in report.findings if f.code == "GP409"]
    assert (left.severity.value, left.function) == ("info", "Model.__init__")
    assert "`np.hanning` is left alone: on CuPy already" in left.message
