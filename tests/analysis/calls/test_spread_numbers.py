"""Calls that spread numbers, ``f(x, *par)``."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = """\
import numpy as np


class Net:
    def __init__(self):
        self.t = np.linspace(0.0, 1.0, 2000000)


"""

FUNCTIONS = {
    "model": "def model(t, a, b, c=0.5):\n    return a * np.exp(-b * t) + c\n",
    "full": "def full(t, a, b, c):\n    return a * np.exp(-b * t) + c\n",
}

MAIN = """

def main():
    t = np.linspace(0.0, 1.0, 2000000)
    tup, row, table = (1.0, 2.0), np.array([0.5, 1.0, 0.25]), [(0.5, 1.0), (0.25, 0.5)]
    print(CALL.sum())


main()
"""


def program(call: str, *, followed: bool = False) -> str:
    function, main = FUNCTIONS[call.partition("(")[0]], MAIN.replace("CALL", call)
    if followed:
        main = main.replace("t = np.linspace(0.0, 1.0, 2000000)", "t = Net()")
        function = function.replace("* t", "* t.t")
    return HEAD + function + main


CALLS = [
    "model(t, *tup)",
    "model(t, *(0.5, 1.0, 0.25))",
    "model(t, *tup, 0.25)",
    "model(t, *tup, c=0.25)",
    "model(t, 0.5, *table[0])",
    "full(t, *row)",
    "full(t, *(2.0 * row))",
    "full(t, 0.5, *[1.0, 0.25])",
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("followed", [False, True])
def test_numbers_that_are_spread_are_given_one_by_one(call, followed):
    report = port(program(call, followed=followed))
    assert "t = cp.linspace" in (report.after or "")
    assert not {"GP901", "GP902"} & {one.code for one in report.findings}


@pytest.mark.parametrize("call", ["model(t, *np.load('p.npy'))", "full(*[t, *row])"])
def test_what_is_not_known_to_be_numbers_is_not(call):
    report = port(program(call))
    assert "    t = cp.linspace" not in (report.after or "")
