"""Functions that call themselves are placed with their callers."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = """import numpy as np

"""
MAIN = """
def main():
    u = np.linspace(0.0, 1.0, 4096)
    print(level(u, 5).sum())

main()
"""


@pytest.mark.parametrize(
    "functions",
    [
        """def level(u, n):
    if n == 0:
        return np.exp(u)
    return np.repeat(level(u[::2], n - 1), 2) + np.sin(u)
""",
        """def level(u, n):
    if n > 0:
        return level(np.sin(u), n - 1)
    return np.exp(u)
""",
        """def level(u, n):
    if n == 0:
        return u
    return other(u + 0.1 * np.sin(u), n - 1)

def other(u, n):
    if n == 0:
        return u
    u[1:-1] = 0.5 * (u[:-2] + u[2:])
    return level(u, n - 1)
""",
    ],
)
def test_no_boundary_is_crossed_at_each_call(functions):
    found = port(HEAD + functions + MAIN).after or ""
    assert "cp.linspace" in found
    assert "@device" not in found
    assert found.count("cp.asnumpy") + found.count("print(float(") == 1


def test_what_is_known_of_no_result_is_not_claimed():
    text = HEAD + "def level(u, n):\n    return level(np.sin(u), n - 1)\n" + MAIN
    found = port(text)
    assert "asnumpy" not in (found.after or "")
    assert found.findings
