"""Lists of instances that are printed, shortened and extended, and generators that run at once."""

from __future__ import annotations

import pytest

PROGRAM = """\
import heapq
import math
from collections import Counter, deque

import numpy as np


class Cell:
    def __init__(self, n):
        self.x = np.linspace(0.0, 1.0, n)
        self.n = n
        self.inner = []

    def __repr__(self):
        return f"Cell({{self.n}})"

    def grow(self, h):
        for _ in range(50):
            self.x *= np.exp(-h * np.cos(self.x))
        return self

    def split(self, text):
        self.inner.append(Cell(self.n // 2))
        self.inner.append(Cell(self.n // 3))
        waiting = [self.inner[0]]
{line}
        return waiting


cell = Cell(1000)
cell.grow(0.1)
for part in cell.split("pi * 2"):
    part.grow(0.2)
print(cell.x.sum())
"""

LINES = {
    "a list is printed": "print(self.inner)",
    "a list is written into a text": 'text = f"{self.inner} of {self.n}"',
    "a list is formatted": 'text = "{} of {}".format(self.inner, self.n)',
    "a dict of lists is printed": 'print({"cells": [self.inner], "n": self.n})',
    "a list is cut": "del self.inner[1:]",
    "an item is taken out": "del waiting[-1]",
    "a generator extends a list": "waiting.extend(one for one in self.inner)",
    "instances are counted": "print(Counter(one.n + self.n for one in self.inner))",
    "a tuple has stars": "print((1, *(one.n + self.n for one in self.inner)))",
    "a set is made": "print(set(one.n + self.n for one in self.inner))",
    "a sum is exact": "print(math.fsum(one.n / self.n for one in self.inner))",
    "the greatest are asked for": "heapq.nlargest(1, (one.n - self.n for one in self.inner))",
    "a text is read with names of its own": 'print(eval(text, {"pi": math.pi}))',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_the_class_is_followed(port, line: str) -> None:
    after = port(PROGRAM.format(line=f"        {line}")).after
    assert after is not None
    assert "self.x = cp.linspace(0.0, 1.0, n)" in after


REFUSED = {
    "what waits may be asked at any time": "waiting = (one.x for one in self.inner)",
    "a deque holds arrays": "waiting = deque(one.x for one in self.inner)",
    "a text may name anything": "print(eval(text))",
    "a text is given all names": 'print(eval(text, {"own": self}))',
}


@pytest.mark.parametrize("line", REFUSED.values(), ids=REFUSED)
def test_the_class_stays_on_the_host(port, line: str) -> None:
    after = port(PROGRAM.format(line=f"        {line}")).after
    assert after is None


MEMBERS = {
    "a class body imports": "    from math import pi",
    "nothing happens at the end": '    def __del__(self):\n        """Nothing."""',
}


@pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS)
def test_members_that_hold_no_arrays_keep_none_on_the_host(port, member: str) -> None:
    text = PROGRAM.format(line="").replace("class Cell:\n", f"class Cell:\n{member}\n\n")
    assert "self.x = cp.linspace(0.0, 1.0, n)" in (port(text).after or "")


def test_what_happens_at_the_end_of_an_instance_is_not_followed(port) -> None:
    member = "    def __del__(self):\n        print(self.x)"
    text = PROGRAM.format(line="").replace("class Cell:\n", f"class Cell:\n{member}\n\n")
    assert "cp." not in (port(text).after or "")
