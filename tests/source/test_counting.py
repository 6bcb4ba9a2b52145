"""Powers that are counted from 0 or more upwards are no negative ones."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

POWERS = """import numpy as np

def powers(x: np.ndarray, c, n: int, low: int):
    total = np.zeros(len(x))
{body}
    return total
"""


def is_told(body: str) -> bool:
    text = POWERS.format(body="\n".join(f"    {line}" for line in body.split("\n")))
    found = port(text)
    assert found.after is not None  # the power is on the device
    return "GP504" in {one.code for one in found.findings}


@pytest.mark.parametrize(
    "body",
    [
        "for k in range(n + 1):\n    total += c[k] * x ** k",
        "for i, v in enumerate(c):\n    total += x ** i",
        "for k in range(5, -1, -1):\n    total += np.power(x, k)",
        "for k in range(1, n, 2):\n    x **= k",
        "for k in range(n):\n    for j in range(k):\n        total += x ** (j + 2 * k)",
        "total = sum(x ** k for k in range(n))",
        "orders = range(4)\nfor k in orders:\n    total += x ** k",
        "for k in np.arange(1, 5):\n    total += x ** k",
        "for k in (1, 2, 4):\n    total += x ** k",
        "total += x ** len(c)",
    ],
)
def test_counted_upwards(body: str) -> None:
    assert not is_told(body)


@pytest.mark.parametrize(
    "body",
    [
        "for k in range(-2, n):\n    total += x ** k",
        "for k in range(low, n):\n    total += np.power(x, k)",
        "for i, v in enumerate(c, low):\n    total += x ** i",
        "for k in range(5, -3, -1):\n    total += x ** k",
        "for k in range(n):\n    total += x ** (k - 1)",
        "for k in range(n):\n    k -= 2\n    total += x ** k",
        "for k in range(n):\n    k = low\n    total += x ** k",
        "for n in range(n):\n    pass\ntotal += x ** n",
        "e = np.arange(4)\ne[0] = low\ntotal += x ** e",
        "for k in (1, -2):\n    total += x ** k",
        "total += x ** low",
    ],
)
def test_what_may_be_negative(body: str) -> None:
    assert is_told(body)
