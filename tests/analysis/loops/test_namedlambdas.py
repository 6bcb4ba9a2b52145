"""Lambdas that a module names are its functions."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """import numpy as np

{define}

def values(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = cost(x[i], 0.5) + 1.0
    return out

x = np.linspace(0, 1, 50000)
print(values(x).sum())
"""


@pytest.mark.parametrize(
    "define",
    [
        "cost = lambda x, y: x**2 + y**2",
        "square = lambda x: x * x\ncost = lambda x, y=1.0: square(x) + y",
        "def square(x):\n    return x * x\n\ncost = lambda x, y: square(x) + y",
    ],
)
def test_loops_that_call_them_are_kernels(define: str) -> None:
    found = port(TEXT.format(define=define))
    assert "@kernel(" in (found.after or "")


@pytest.mark.parametrize(
    "define",
    [
        "cost = lambda x, y: x**2 + y**2\nif len(__name__) > 3:\n    cost = lambda x, y: x",
        "cost = other = lambda x, y: x**2 + y**2\nother = None",
        "cost = lambda x, y: print(x)",
    ],
)
def test_others_are_known_at_run_time_alone(define: str) -> None:
    found = port(TEXT.format(define=define))
    assert "@kernel(" not in (found.after or "")
    assert [one for one in found.findings if one.code[:3] == "GP2"]


def test_loops_of_the_module_itself_call_them() -> None:
    text = (
        "import numpy as np\n\ncost = lambda x: x**2 + 1.0\n\nx = np.linspace(0, 1, 50000)\n"
        "out = np.zeros(50000)\nfor i in range(50000):\n    out[i] = cost(x[i])\nprint(out.sum())\n"
    )
    assert "@kernel(" in (port(text).after or "")
