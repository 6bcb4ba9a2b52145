"""Rows under names of their own, and how many axes arrays are taken to have."""

from __future__ import annotations

import ast

import pytest

from gpuport.loops.context.ranks import shown_ranks
from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import LoopPlan, Refusal

SHOWN = {
    "x[i, j] = y[i]": {"x": 2},
    "x[i][j] = 0": {"x": 2},
    "n, m = x.shape": {"x": 2},
    "n = x.shape[0]": {},
    "m = x.shape[1]\ny = np.zeros_like(x)": {"x": 2, "y": 2},
    "x = np.zeros(n)": {"x": 1},
    "x = np.zeros((n, m))\ny = x.copy()": {"x": 2, "y": 2},
    "s = np.max(x[i])": {"x": 2},
    "s = x[i].sum()": {"x": 2},
    "s = np.sum((x[i] - y[j]) ** 2)": {"x": 2, "y": 2},
    "s = np.sum(w[j] * (x[i] - y[j]))": {"x": 2, "y": 2},
    "d = x[i] - y[j]\ns = d @ d": {"x": 2, "y": 2},
    "d = x[i] - y[j]\ns = d * d": {},
    "dx, dy = x[i] - y[j]": {"x": 2, "y": 2},
    "s = x[..., 0]": {},
    "s = x[i, None]": {},
    "x = np.zeros((n, m))\nx = x.sum(axis=0)\ny = x[i]": {},
}


TOLD = {
    "s = np.sum(x[i])": ({"x": 1}, {"x": 1}),
    "y = np.zeros_like(x)\ny[i] += x[j]": ({"x": 2}, {"x": 2, "y": 2}),
}


@pytest.mark.parametrize("text", TOLD)
def test_what_calls_tell_of_ranks_comes_first(text: str) -> None:
    told, shown = TOLD[text]
    assert dict(shown_ranks(ast.parse(text), tuple(told.items()))) == shown


@pytest.mark.parametrize("text", SHOWN)
def test_shown_ranks(text: str) -> None:
    assert dict(shown_ranks(ast.parse(text))) == SHOWN[text]


WRITTEN_OUT = {
    "a difference": ("d = x[i] - y[i]", "out[i] = np.sum(d * d)"),
    "a row": ("d = x[i]", "out[i] = d[0] - d[1]"),
    "an element of a difference": ("d = x[i] - y[i]", "out[i] = d[-1]"),
    "one of another": ("d = x[i] - y[i]\n        f = 2 * d", "z[i] += f\n        out[i] = d.sum()"),
    "with a number of its own": ("d = x[i] - np.max(x[i])", "out[i] = d.sum()"),
    "step by step": ("d = x[i] - y[i]\n        d -= 2 * np.round(d / 2)", "out[i] = np.dot(d, d)"),
    "bound anew": ("d = x[i]\n        d = d - y[i]\n        d = d * d", "out[i] = d.sum()"),
    "stored where it comes from": ("d = x[i] - y[i]", "x[i, 0] = np.max(d)"),
    "chosen by a condition": ("d = np.where(x[i] > 0, x[i], y[i])", "out[i] = d.sum()"),
    "a row that is written": ("d = x[i]", "d[0] = 1\n        out[i] = d.sum()"),
}


@pytest.mark.parametrize("lines", WRITTEN_OUT.values(), ids=WRITTEN_OUT)
def test_vectors_are_written_out(planned, lines: tuple[str, str]) -> None:
    first, *_ = planned(
        f"def f(x, y, z, out):\n    n, m = z.shape\n    for i in range(n):\n        {lines[0]}\n"
        f"        {lines[1]}\n",
        x=ArrayFact("float64"), y=ArrayFact("float64"), z=ArrayFact("float64"),
        out=ArrayFact("float64"),
    )  # fmt: skip
    assert isinstance(first, LoopPlan), first
    assert "d" not in {n.id for s in first.body for n in ast.walk(s) if isinstance(n, ast.Name)}


LEFT = {
    "its array changes in between": (
        "d = x[i] - y[i]\n        x[i, 0] = 5\n        out[i] = d.sum()"
    ),
    "its index changes in between": (
        "k = 0\n        d = x[k] + 1\n        k = i\n        out[k] = d.sum()"
    ),
    "it is another thing in each branch": (
        "if i > 1:\n            d = x[i] * 2\n        else:\n            d = x[i] * 3\n"
        "        out[i] = d.sum()"
    ),
    "it is changed in one branch": (
        "d = x[i] * 2\n        if i > 1:\n            d -= y[i]\n        out[i] = d.sum()"
    ),
    "a row is changed in place": "d = x[i]\n        d -= y[i]\n        out[i] = d.sum()",
    "another name keeps it": (
        "d = x[i] * 2\n        e = d\n        d -= y[i]\n        out[i] = e.sum() + d.sum()"
    ),
    "an element of a step is changed": (
        "d = x[i] * 2\n        d -= y[i]\n        d[0] = 1\n        out[i] = d.sum()"
    ),
    "it is changed": "d = x[i] * 2\n        d[0] = 1\n        out[i] = d.sum()",
    "it is what the iteration before made": "out[i] = d.sum()\n        d = x[i] * 2",
    "it is read where a condition holds": (
        "d = y[i]\n        out[i] = x[i, 0]\n        if i > 1:\n            out[i] = d.sum()"
    ),
}


@pytest.mark.parametrize("lines", LEFT.values(), ids=LEFT)
def test_what_is_not_the_same_at_its_last_use_is_left(planned, lines: str) -> None:
    first, *_ = planned(
        f"def f(x, y, out):\n    n, m = x.shape\n    for i in range(n):\n        {lines}\n",
        x=ArrayFact("float64"), y=ArrayFact("float64"), out=ArrayFact("float64"),
    )  # fmt: skip
    assert isinstance(first, Refusal)


def test_a_vector_that_is_read_after_the_loop_is_left(planned) -> None:
    first, *_ = planned(
        "def f(x, out):\n    n, m = x.shape\n    for i in range(n):\n        d = x[i] * 2\n"
        "        out[i] = d.sum()\n    return d\n",
        x=ArrayFact("float64"), out=ArrayFact("float64"),
    )  # fmt: skip
    assert isinstance(first, Refusal)


def test_steps_of_narrow_rows_are_left(planned) -> None:
    """What is stored in them stays narrow, what is computed from them does not."""
    first, *_ = planned(
        "def f(x, y, out):\n    n, m = x.shape\n    for i in range(n):\n        d = x[i] * 2\n"
        "        d -= y[i]\n        out[i] = d.sum()\n",
        x=ArrayFact("float32"), y=ArrayFact("float64", 2), out=ArrayFact("float64"),
    )  # fmt: skip
    assert isinstance(first, Refusal)


NEVER_READ = """
def f(y, z, out):
    n, m = z.shape
    for i in range(n):
        out[i] = 1.0
        u = y[i * n + i]
    u = z.copy()
    u[0] = 5.0
    return u
"""


def test_what_is_read_for_nothing_is_read_all_the_same(planned) -> None:
    """An index beyond the end raises there: the launch has to ask for it."""
    first, *_ = planned(
        NEVER_READ, y=ArrayFact("float64"), z=ArrayFact("float64"), out=ArrayFact("float64")
    )
    assert not isinstance(first, Refusal)
    assert "y" in first.reads


def test_the_launch_asks_whether_vectors_are_as_long_as_one_another(planned) -> None:
    """NumPy raises for two lengths, where elements that both have would do."""
    text = "def f(x, y, out, n):\n    for i in range(n):\n        d = x[i] - y[:, 0]\n"
    text += "        out[i] = d[0] - d[1]\n"
    facts = {"x": ArrayFact("float64", 2), "y": ArrayFact("float64", 2)}
    (plan,) = planned(text, **facts, out=ArrayFact("float64", 1))
    assert isinstance(plan, LoopPlan), plan
    assert "x.shape[1] == y.shape[0]" in plan.guards
