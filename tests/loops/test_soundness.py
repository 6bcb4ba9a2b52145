"""Plans carried out in Python, in any order, against the loops themselves."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

PROGRAMS = 300
FOUND_WRONG = {
    "a break in a loop that joined the grid": """
def program(a, b, c, p, e, n, m, d):
    for i in range(n):
        for k in range(i):
            if b[i] > 3:
                break
            a[k] -= b[k]
    return (n,)
""",
    "a guard that asked for a variable of the loop": """
def program(a, b, c, p, e, n, m, d):
    for i in range(n):
        x = a[i]
        for k in range(i):
            u = b[-i]
    return (i,)
""",
    "a sum that is read between the heads of two loops": """
def program(a, b, c, p, e, n, m, d):
    s = 0
    for i in range(n):
        x = s + 1
        for j in range(n):
            s += a[i] + j
            c[i, j] = x
    return (s,)
""",
    "several indices bound at once, or none": """
def program(a, b, c, p, e, n, m, d):
    s = 0
    for i, j in np.ndindex(c.shape):
        if j <= s:
            s = j
    return s, i
""",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("part", range(6))
def test_random_programs(programs: ModuleType, part: int) -> None:
    """No random nest's plan gives another result than the nest, in any order."""
    planned = ran = 0
    for seed in range(part, PROGRAMS, 6):
        outcome = programs.one(seed)
        assert outcome.wrong is None, f"seed {seed}\n{outcome.text}{outcome.wrong}"
        planned += outcome.planned
        ran += outcome.ran
    # A generator that no plan comes out of would prove nothing.
    assert ran > PROGRAMS // 6 // 10


@pytest.mark.parametrize("text", FOUND_WRONG.values(), ids=FOUND_WRONG)
def test_programs_once_found_wrong(programs: ModuleType, text: str) -> None:
    """Each program that ever gave a wrong result."""
    for seed in range(12):
        outcome = programs.attempt(text, random.Random(seed))
        assert outcome.wrong is None, outcome.wrong


def test_the_comparison_can_fail(programs: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the dependence test, wrong results are seen."""
    for room in ("planning.tied", "dependence.grid_choice"):
        monkeypatch.setattr(f"gpuport.loops.{room}.conflicts", lambda *arguments: [])
    wrong = [seed for seed in range(40) if programs.one(seed).wrong is not None]
    assert wrong


def sized(dice: random.Random) -> dict[str, Any]:
    """Arrays of one size, whole numbers in them."""
    n = dice.choice([1, 2, 5, 8])
    rng = np.random.default_rng(dice.randrange(2**32))
    return {"x": rng.integers(-9, 9, n), "y": rng.integers(-9, 9, n), "n": n}


TREATED = {
    "sum": """
def program(x, y, n):
    s = 3
    for i in range(n):
        if x[i] > 0:
            s = s + x[i] - y[i]
    return (s,)
""",
    "first of equal greatest": """
def program(x, y, n):
    top, best = x[0], 0
    for i in range(1, n):
        if x[i] > top:
            top = x[i]
            best = i
    return top, best
""",
    "last of equal least": """
def program(x, y, n):
    low, best = x[0], 0
    for i, v in enumerate(x):
        if low >= v:
            best = i
            low = v
    return low, best
""",
    "flag": """
def program(x, y, n):
    found = False
    for v, w in zip(x, y):
        if v == w + 1:
            found = True
    return (found,)
""",
    "flag beside other statements": """
def program(x, y, n):
    found = 0
    for i in range(n):
        if x[i] > y[i]:
            y[i] = x[i]
            found = 1
    return (found,)
""",
    "sweeps until nothing changes": """
def program(x, y, n):
    rounds, changed = 0, True
    while changed:
        changed = False
        z = x.copy()
        for i in range(1, n):
            if x[i - 1] > x[i]:
                z[i] = x[i - 1]
                changed = True
        x = z
        rounds += 1
    return (rounds,)
""",
    "histogram": """
def program(x, y, n):
    h = np.zeros(10, dtype=np.int64)
    for i in range(n):
        h[x[i] % 10] += y[i]
    return h
""",
    "snapshot": """
def program(x, y, n):
    for i in range(n - 1):
        x[i] = x[i + 1] * 2
    return (n,)
""",
    "running sum through the array": """
def program(x, y, n):
    for i in range(1, n):
        y[i] = y[i - 1] + x[i]
    return (n,)
""",
    "running sum backwards": """
def program(x, y, n):
    for i in range(n - 2, -1, -1):
        y[i] = x[i] + y[i + 1]
    return (n,)
""",
    "running extreme in a name": """
def program(x, y, n):
    high = x[0]
    for i in range(n):
        if x[i] > high:
            high = x[i]
        y[i] = high - x[i]
    return (high,)
""",
    "counter": """
def program(x, y, n):
    k = 0
    for v in x:
        y[k] = v
        k += 1
    return (k,)
""",
    "counting while": """
def program(x, y, n):
    k = 0
    while k < n - 1:
        y[k // 2] = x[k] + x[k + 1]
        k += 2
    return (k,)
""",
    "triangle": """
def program(x, y, n):
    a = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        for j in range(i, n, 2):
            a[i, j] = x[i] - y[j]
    return a.ravel()
""",
    "red and black": """
def program(x, y, n):
    a = np.add.outer(x, y)
    for colour in (0, 1):
        for i in range(1, n - 1):
            for j in range(1 + (i + colour) % 2, n - 1, 2):
                a[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]
    return a.ravel()
""",
    "neighbours on a ring": """
def program(x, y, n):
    for i in range(n):
        y[i] = x[(i - 1) % n] + x[(i + 1) % n]
    return (n,)
""",
    "last values": """
def program(x, y, n):
    for i in range(n):
        y[i] = x[i]
    return (i,)
""",
    "last value of a name": """
def program(x, y, n):
    for i in range(n):
        t = x[i] - y[i]
        if t < 0:
            t = -t
        y[i] = t
    return (t,)
""",
    "window": """
def program(x, y, n):
    z = np.zeros(n)
    for i in range(n - 3):
        z[i] = z[i] + np.dot(x[i:i + 3], y[i + 1:i + 4])
    return z
""",
    "index pairs": """
def program(x, y, n):
    import itertools
    a = np.add.outer(x, y)
    for i in range(n)[::-1]:
        a[i, 0] = a[i, 0] + i
    return a.ravel()
""",
}


@pytest.mark.parametrize("text", TREATED.values(), ids=TREATED)
def test_each_treatment(same: Callable[..., int], text: str) -> None:
    """Every treatment gives what the loop gives, and is used."""
    assert same(text, sized) > 0
