"""Small lists and arrays under one name that stands for several things in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import Refusal

IN_STEPS = {
    "a list that is divided by its norm": ("q = [x[i], y[i]]", "q = q / np.linalg.norm(q)"),
    "by a norm with a name": ("q = [x[i], y[i]]", "r = np.linalg.norm(q)", "q = q / r"),
    "a tuple": ("q = x[i], y[i]", "s = np.sum(np.square(q))", "q = np.divide(q, s)"),
    "a list of what has names": ("a, b = x[i] * 2, y[i]", "q = [x[i] - a, b / 2]", "q = q - c[i]"),
    "a list of names alone": ("a = x[i] * 2", "b = y[i]", "q = [a, b]", "q = np.abs(q)"),
    "a list that is added to a row": ("q = [y[i], x[i]]", "q = c[i] + q"),
    "a list that is stored": ("p = [x[i], 0.5]", "q = np.maximum(p, c[i])", "q[0] += p[1]"),
    "a list of either branch": (
        "if x[i] > 1:",
        "    p = [x[i], y[i]]",
        "else:",
        "    p = [y[i], x[i]]",
        "q = p / np.float64(2)",
    ),
    "an array of a list": ("q = [x[i], y[i]]", "q = np.array(q)", "q /= np.sum(np.abs(q)) + 1"),
    "a list of a list's": ("q = [x[i], y[i]]", "q = [q[1] / 2, q[0]]", "q = np.sqrt(np.abs(q))"),
    "arrays of other lengths": (
        "p = np.array([x[i], 1.0])",
        "p = np.array([p[0], p[1], y[i]])",
        "q = np.array([p.sum(), p[2]])",
    ),
    "lists that functions are given": (
        "q = np.array([x[i], np.linalg.norm([x[i], y[i]])])",
        "q[0] += np.dot([x[i], 1.0], [y[i], 2.0]) - np.max([x[i], y[i], 0.25])",
    ),
    "in a loop inside": (
        "q = np.zeros(2)",
        "for k in range(3):",
        "    v = [x[i] * k, y[i] + 1]",
        "    v = v / (np.linalg.norm(v) + 1)",
        "    q += v",
    ),
}

LEFT = {
    "a list that is repeated": ("q = [x[i], y[i]]", "q = q * 2", "q = q[2:]"),
    "lists one after another": ("q = [x[i], y[i]]", "q = q + [1.0]", "q = q[1:]"),
    "a list in a list": ("q = [x[i], y[i]]", "q = [q[0] / 2, *q[1:]]"),
    "a number of Python's": ("q = [x[i], y[i]]", "r = math.sqrt(q[0] ** 2)", "q = q / r"),
    "of whole numbers": ("q = [i, n]", "q = np.sqrt(q) + c[i]"),
    "numbers of another type": ("a = np.float32(x[i])", "q = [a, a / 2]", "q = np.sqrt(q)"),
    "a list with another name": (
        "q = [x[i], y[i]]",
        "p = q",
        "p[0] = 5.0",
        "q = np.negative(q)",
    ),
}


def text_of(lines: tuple[str, ...]) -> str:
    text = "\n".join(f"        {line}" for line in (*lines, "out[i] = q"))
    return f"def step(x, y, c, out):\n    n = len(x)\n    for i in range(n):\n{text}\n"


@pytest.mark.parametrize("lines", IN_STEPS.values(), ids=IN_STEPS)
def test_steps_become_one_kernel(run: Any, lines: tuple[str, ...]) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(-8, 9, 12) / 4 + 0.125, rng.integers(-8, 9, 12) / 4
    c, out = rng.integers(-8, 9, (12, 2)) / 4, np.zeros((12, 2))
    run(text_of(lines), x=x, y=y, c=c, out=out).same(ulp=1)


@pytest.mark.parametrize("lines", LEFT.values(), ids=LEFT)
def test_what_lists_do_themselves_is_left(planned: Any, lines: tuple[str, ...]) -> None:
    """And ``list / float``, which raises TypeError."""
    known = {name: ArrayFact("float64", 1) for name in "xy"}
    known |= {name: ArrayFact("float64", 2) for name in ("c", "out")}
    found = planned(text_of(lines), **known)
    assert all(isinstance(one, Refusal) for one in found)
