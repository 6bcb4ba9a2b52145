"""Loops over rows are loops over vectors: what an item is, not how the head says it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.parallel.across.ports import assert_same, loaded, on_device, outcome, ported

TURNED = [
    "for t, row in enumerate(x):\n    v = rate * v + row\n    out[t] = v",
    "for row in x:\n    v = rate * v + row",
    "for row in x[1:]:\n    v = rate * v + row",
    "for row in x[2:-1]:\n    v = rate * v + row",
    "for row in x[::-1]:\n    v = rate * v + row",
    "for row in reversed(x):\n    v = rate * v + row",
    "for row in x[1::2]:\n    v = rate * v + row",
    "for row, more in zip(x, y):\n    v = rate * v + row * more",
    "for row, more in zip(x, y[2:]):\n    v = rate * v + row * more",
    "for row, more in zip(x, y, strict=True):\n    v = rate * v + row * more",
    "for t, (row, c) in enumerate(zip(x, w), start=1):\n    v = rate * v + row * c * t",
    "for t, row in enumerate(x[1:], 1):\n    v = rate * v + row\n    out[t] = v - x[t - 1]",
    "for t, row in enumerate(x):\n    row = row * 2\n    v = rate * v + row",
    "for t, row in enumerate(x):\n    t = t * 2\n    v = rate * v + row * t",
    "for row in x:\n    for c in w:\n        v = v + row * c",
    "for c in w:\n    v = rate * v + c",
    "for t in reversed(range(len(x))):\n    v = rate * v + x[t]",
    "for t, row in enumerate(x):\n    fired = row > 0.5\n    v[fired] += 1.0\n    out[t] = v",
    "for t in range(len(x)):\n    row = x[t]\n    v = rate * v + row",
    "for row in x:\n    v = v + row\n    row += 1.0",
    "for row, more in zip(x, y):\n    v = rate * v + row * more\n    more -= v",
    "for t, row in enumerate(x):\n    v = rate * v + row\n    row[:] = v\n    out[t] = row",
    "for row in x:\n    row[row > 0.5] = 0.5\n    v = rate * v + row",
    "for row in x:\n    row[...] = row * rate + v\n    row -= 0.1",
    "for t in range(1, len(x)):\n    row = x[t]\n    row += rate * x[t - 1]",
    "for c in w:\n    c += 1.0\n    v = v + c",
    "for row in x:\n    x[2] = 1.0\n    v = v + row",
]
STAY = [
    "for t in range(2, len(x)):\n    v = x[t - 1]\n    x[t] = 0.5",
    "for t, c in reversed(list(enumerate(w))):\n    v = rate * v + x[t] * c",
    "for t, row in enumerate(x):\n    v = v + row\nout[0] = row",
    "for t, row in enumerate(x):\n    v = v + row\nv = v * t",
    "for row in x:\n    v = v + row\n    x = x * 0.5",
    "for row in x:\n    v = v + row\n    row += 1.0\n    row = row * 2",
    "for row in x:\n    v += row\n    row = x[0]\n    row += 1.0",
    "for c in w:\n    c += 1.0\n    w[0] = 2.0\n    v = v + c",
    "for x in x:\n    v = v + x",
    "for v in x:\n    out[0] = v",
    "for t, row in enumerate(x, n):\n    n = 2\n    v = v + row * t",
    "for row in x.tolist():\n    v = v + row",
    "for row in (x, y):\n    v = v + row[0]",
]
TEXT = """\
import numpy as np


def f(x: np.ndarray, y: np.ndarray, w: np.ndarray, rate: float):
    v = np.ones(x.shape[1])
    out = np.zeros_like(x)
    n = 1
{loop}
    return v, out


def main():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(70, 9000)), rng.normal(size=(70, 9000))
    return f(x, y, rng.normal(size=70), 0.5)
"""


SIZES = ((7, 7), (7, 5), (5, 7), (0, 0), (1, 4), (6, 0))
"""How many rows the two arrays have; they are one where the second has none."""


def arguments(rows: int, more: int) -> list[Any]:
    """Arrays of so many rows; where there are none to be of the second, the first one again."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(rows, 5))
    y = rng.normal(size=(more, 5)) if more or not rows else x
    return [x, y, rng.normal(size=7), 0.75]


@pytest.mark.parametrize("loop", TURNED + STAY)
def test_rows(emulated: Any, tmp_path: Path, loop: str) -> None:
    text = TEXT.format(loop=textwrap.indent(loop, "    "))
    made = ported(text) or text
    head = loop.partition("\n")[0]
    assert (head in made.partition("def f(")[0]) == (loop in TURNED), made
    original, port = loaded(text, tmp_path / "m.py"), loaded(made, tmp_path / "port_of_rows.py")
    for sizes in SIZES:
        given = arguments(*sizes)
        there = given if made is text else on_device(emulated, given)
        given = arguments(*sizes)
        expected, found = outcome(original["f"], given), outcome(port["f"], there)
        assert_same(emulated, found, expected, f"{sizes}\n{made}")
        assert_same(emulated, there[:3], given[:3], f"{sizes}\n{made}")


@pytest.mark.parametrize(("count", "whole"), [(6, False), (600, True)])
def test_a_few_numbers_of_the_host_do_not_cross_for_one_kernel(count: int, whole: bool) -> None:
    text = f"""\
import numpy as np


def lines(wave: np.ndarray):
    centres = np.linspace(0.5, 2.3, {count})
    widths = np.linspace(0.05, 0.25, {count})
    s = np.zeros(len(wave))
    for c, w in zip(centres, widths):
        s += np.exp(-0.5 * ((wave - c) / w) ** 2)
    return s


print(lines(np.linspace(0.0, 3.0, 90_000)).sum())
"""
    after = ported(text) or ""
    for_each = "for c, w in zip(centres, widths):\n        s = _lines" in after
    assert for_each != whole
