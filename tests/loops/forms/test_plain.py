"""Loops in plain form: what a plan's grid and body look like for each way to write a loop."""

from __future__ import annotations

import ast
import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.records import Axis, LoopPlan

HEADS = {
    "range": ("for i in range(n):\n        y[i] = x[i]", [Axis("i", "0", "n", "1")], "y[i] = x[i]"),
    "start and step": (
        "for i in range(1, n, 2):\n        y[i] = x[i]",
        [Axis("i", "1", "n", "2")],
        "y[i] = x[i]",
    ),
    "backwards": (
        "for i in range(n - 1, -1, -1):\n        y[i] = x[i]",
        [Axis("i", "n - 1", "-1", "-1")],
        "y[i] = x[i]",
    ),
    "divmod": (
        "for i in range(n):\n        y[i], z[i] = divmod(x[i], 3)",
        [Axis("i", "0", "n", "1")],
        "y[i], z[i] = (x[i] // 3, x[i] % 3)",
    ),
    "reversed": (
        "for i in reversed(range(n)):\n        y[i] = x[i]",
        [Axis("i", "n - 1", "-1", "-1")],
        "y[i] = x[i]",
    ),
    "elements": (
        "for i, v in enumerate(x):\n        y[i] = v",
        [Axis("i", "0", "len(x)", "1")],
        "v = x[i]\ny[i] = v",
    ),
    "enumerate from one": (
        "for i, v in enumerate(x, 1):\n        y[i] = v",
        [Axis("i_", "0", "len(x)", "1")],
        "i = i_ + 1\nv = x[i_]\ny[i] = v",
    ),
    "zip": (
        "for i, (v, w) in enumerate(zip(x, z)):\n        y[i] = v * w",
        [Axis("i", "0", "min(len(x), len(z))", "1")],
        "v = x[i]\nw = z[i]\ny[i] = v * w",
    ),
    "shifted slices": (
        "for i, (v, w) in enumerate(zip(x[:-1], x[1:])):\n        y[i] = w - v",
        [Axis("i", "0", "max(len(x) - 1, 0)", "1")],
        "v = x[i]\nw = x[i + 1]\ny[i] = w - v",
    ),
    "rows": (
        "for i, row in enumerate(a):\n        y[i] = row[0] + row[1]",
        [Axis("i", "0", "len(a)", "1")],
        "y[i] = a[i, 0] + a[i, 1]",
    ),
    "unpacked rows": (
        "for i, (u, v) in enumerate(a):\n        y[i] = u * v",
        [Axis("i", "0", "len(a)", "1")],
        "u = a[i, 0]\nv = a[i, 1]\ny[i] = u * v",
    ),
    "several indices": (
        "for i, j in np.ndindex(a.shape):\n        a[i, j] = i - j",
        [Axis("i", "0", "a.shape[0]", "1"), Axis("j", "0", "a.shape[1]", "1")],
        "a[i, j] = i - j",
    ),
    "brackets one after another": (
        "for i in range(n):\n        for j in range(n):\n            a[i][j] = 0",
        [Axis("i", "0", "n", "1"), Axis("j", "0", "n", "1")],
        "a[i, j] = 0",
    ),
    "assignments between the heads": (
        "for i in range(n):\n        v = x[i]\n        for j in range(n):\n            a[i, j] = v",
        [Axis("i", "0", "n", "1"), Axis("j", "0", "n", "1")],
        "v = x[i]\na[i, j] = v",
    ),
    "counting while": (
        "k = 2\n    while k <= n:\n        y[k] = x[k]\n        k += 3",
        [Axis("k", "2", "n + 1", "3")],
        "y[k] = x[k]",
    ),
    "counting while from anywhere": (
        "while n > 0:\n        y[n] = x[n]\n        n -= 1",
        [Axis("n_", "n", "0", "-1")],
        "y[n_] = x[n_]",
    ),
    "a counter": (
        "k = 0\n    for v in x:\n        y[k] = v\n        k += 1",
        [Axis("i_", "0", "len(x)", "1")],
        "k_ = 0 + i_\nv = x[i_]\ny[k_] = v",
    ),
    "triangle": (
        "for i in range(n):\n        for j in range(i + 1, n):\n            a[i, j] = 0",
        [Axis("i", "0", "n", "1"), Axis("j", "1", "n", "1")],
        "if j >= i + 1:\n    a[i, j] = 0",
    ),
    "every other cell": (
        "for i in range(n):\n        for j in range(i % 2, n, 2):\n            a[i, j] = 0",
        [Axis("i", "0", "n", "1"), Axis("j_", "0", "n", "2")],
        "j = i % 2 + j_\nif j < n:\n    a[i, j] = 0",
    ),
    "values written out, inside": (
        "for i in range(n):\n        for k in (0, 2):\n            a[i, k] = 0",
        [Axis("i", "0", "n", "1")],
        "k = 0\na[i, k] = 0\nk = 2\na[i, k] = 0",
    ),
    "values written out and left out": (
        "for i in range(1, n):\n        for k in (0, 2, 5):\n            if k == i:\n"
        "                continue\n            a[i, k] = 0",
        [Axis("i", "1", "n", "1")],
        "\n".join(f"k = {k}\nif k == i:\n    pass\nelse:\n    a[i, k] = 0" for k in (0, 2, 5)),
    ),
    "values evenly apart": (
        "for i in range(n):\n        for k in (-1, 1):\n            for j in range(3):\n"
        "                a[i, 3 + k * j] = j",
        [Axis("i", "0", "n", "1")],
        "for k in range(-1, 2, 2):\n    for j in range(0, 3, 1):\n        a[i, 3 + k * j] = j",
    ),
    "pairs written out": (
        "for i in range(2, n):\n        for k, j in ((-1, 0), (1, 1)):\n            a[i, j] = k",
        [Axis("i", "2", "n", "1")],
        "k, j = (-1, 0)\na[i, j] = k\nk, j = (1, 1)\na[i, j] = k",
    ),
    "elements backwards": (
        "for i, v in enumerate(x[::-1]):\n        y[i] = v",
        [Axis("i", "0", "len(x)", "1")],
        "v = x[len(x) - 1 - i]\ny[i] = v",
    ),
    "elements at a distance": (
        "for i, v in enumerate(x[1::3]):\n        y[i] = v",
        [Axis("i", "0", "(len(x) + 1) // 3", "1")],
        "v = x[3 * i + 1]\ny[i] = v",
    ),
    "np.arange for indices": (
        "for i in np.arange(1, n):\n        y[i] = x[i - 1]",
        [Axis("i", "1", "n", "1")],
        "y[i] = x[i - 1]",
    ),
    "all indices under one name": (
        "for at in np.ndindex(n, n):\n        a[at] = at[0] - at[1]",
        [Axis("at0_", "0", "n", "1"), Axis("at1_", "0", "n", "1")],
        "a[at0_, at1_] = at0_ - at1_",
    ),
    "indices with elements": (
        "for (i, j), v in np.ndenumerate(a):\n        y[i] = v",
        [Axis("i", "0", "a.shape[0]", "1")],
        "for j in range(0, a.shape[1], 1):\n    v = a[i, j]\n    y[i] = v",
    ),
    "one value, several targets": (
        "for i in range(n):\n        y[i] = x[i] = i * n",
        [Axis("i", "0", "n", "1")],
        "value_ = i * n\ny[i] = value_\nx[i] = value_",
    ),
    "a pair that depends": (
        "for i in range(n):\n        u, v = (1, 2) if x[i] > 0 else (2, 1)\n        y[i] = u - v",
        [Axis("i", "0", "n", "1")],
        "if x[i] > 0:\n    u, v = (1, 2)\nelse:\n    u, v = (2, 1)\ny[i] = u - v",
    ),
    "membership": (
        "for i in range(n):\n        if i in (1, 2):\n            y[i] = 0",
        [Axis("i", "0", "n", "1")],
        "if i == 1 or i == 2:\n    y[i] = 0",
    ),
    "membership of an element": (
        "for i in range(n):\n        if x[i] in [1, 2]:\n            y[i] = 0",
        [Axis("i", "0", "n", "1")],
        "if x[i] == 1 or x[i] == 2:\n    y[i] = 0",
    ),
    "membership in a set": (
        "for i in range(n):\n        if x[i] % 5 not in {1, -2}:\n            y[i] = 0",
        [Axis("i", "0", "n", "1")],
        "if x[i] % 5 != 1 and x[i] % 5 != -2:\n    y[i] = 0",
    ),
    "the loop's variable is assigned": (
        "for i in range(n):\n        i = i + 1\n        y[i] = 0",
        [Axis("i_", "0", "n", "1")],
        "i = i_\ni = i + 1\ny[i] = 0",
    ),
}


@pytest.mark.parametrize(("loop", "grid", "body"), HEADS.values(), ids=HEADS)
def test_plain_form(plan_of, loop: str, grid: list[Axis], body: str) -> None:
    """Each form becomes index ranges, and the elements are loaded at the head of the body."""
    plan = plan_of(f"def f(x, y, z, a, n):\n    {loop}\n")
    assert list(plan.grid) == grid
    assert "\n".join(ast.unparse(statement) for statement in plan.body) == body


def test_positions_are_the_users(plan_of) -> None:
    """Statements of the body keep the lines that the user knows them by."""
    plan = plan_of("def f(x, y):\n    for i, v in enumerate(x):\n\n        y[i] = v\n")
    assert [statement.lineno for statement in plan.body] == [2, 4]


def test_the_users_tree_is_left_alone(plan_of) -> None:
    """Planning works on copies."""
    text = (
        "def f(x, y):\n    k = 0\n    for v in x:\n        y[k] = v\n        k += 1\n    return k\n"
    )
    plan: LoopPlan = plan_of(text)
    assert ast.unparse(plan.nest.function) == ast.unparse(ast.parse(text).body[0])


LAST = {
    "for i in range(3, n):\n        y[i] = 0": ("i", "range(3, n)[-1]"),
    "k = 4\n    while k < n:\n        y[k] = 0\n        k += 2": (
        "k",
        "4 + 2 * len(range(4, n, 2))",
    ),
    "k = 0\n    for v in x:\n        y[k] = v\n        k += 1": ("k", "len(x)"),
}


@pytest.mark.parametrize(("loop", "last"), LAST.items())
def test_last_values(plan_of, loop: str, last: tuple[str, str]) -> None:
    """What the loop leaves behind is computed without it."""
    name, value = last
    plan = plan_of(f"def f(x, y, n):\n    {loop}\n    return {name}\n")
    assert list(plan.last_values) == [last]
    for n in (5, 6, 9):
        names = {"n": n, "x": range(n), "y": {}}
        exec(f"def f(x, y, n):\n    {loop}\n    return {name}", names)
        assert eval(value, dict(names)) == names["f"](names["x"], {}, n)


def test_elementwise_is_claimed_where_it_holds(plan_of) -> None:
    """Full extent, the grid's own variables, in order."""
    whole = (
        "def f(x, n):\n"
        "    y = np.zeros_like(x)\n"
        "    for i in range(len(x)):\n"
        "        y[i] = 2 * x[i]\n"
    )
    assert plan_of(whole).elementwise
    assert not plan_of(whole.replace("range(len(x))", "range(1, len(x))")).elementwise
    assert not plan_of(whole.replace("x[i]", "x[i - 1]")).elementwise
    assert not plan_of(whole.replace("np.zeros_like(x)", "np.zeros(n)")).elementwise


@pytest.mark.parametrize(
    "ranges",
    ["range(0, n, 2), range(n)", "range(n - 1, -1, -2), range(1, n)", "range(m, n, 3), range(9)"],
)
def test_ranges_in_steps_side_by_side(plan_of, same, ranges: str) -> None:
    text = (
        f"def program(a, b, n, m):\n    for i, j in zip({ranges}):\n        b[j] = a[i] * 2 + i\n"
        "    return n, m\n"
    )
    assert len(plan_of(text).grid) == 1

    def inputs(dice: random.Random) -> dict[str, Any]:
        n = dice.choice([0, 1, 2, 5, 6, 8])
        values = {"a": np.arange(n + 1), "b": np.zeros(n + 9, int)}
        return values | {"n": n, "m": dice.choice([0, 1, 3])}

    assert same(text, inputs)
