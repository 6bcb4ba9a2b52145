"""An index that is one of several values: it is inside where each of them is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

HEAD = """\
def f(x, y, n):
    for i in range(n):
        {first}
        for k in range({start}, {stop}):
            if x[i, k] < x[i, {read}]:
                {then}
        y[i] = x[i, best]
"""


def loop(
    first: str = "best = 0", start: str = "1", stop: str = "x.shape[1]", then: str = "best = k",
    read: str = "best",
) -> str:  # fmt: skip
    return HEAD.format(first=first, start=start, stop=stop, then=then, read=read)


@pytest.mark.parametrize(
    "source",
    [
        loop(),
        loop(start="0", then="best = k - 1"),
        loop(first="best = -1", start="0"),
        loop(first="best, last = 0, 1", then="best, last = k, best"),
        loop(first="best = min(i, x.shape[1] - 1)"),
        loop(start="2", then="best = k if k % 2 else k - 1"),
    ],
)
def test_it_is_not_checked_where_all_are_inside(source: str, ported: Any):
    made = ported(source, x=np.zeros((4, 5)), y=np.zeros(4), n=3)
    assert len(made.kernels) == 1
    assert "checked" not in made.text


@pytest.mark.parametrize(
    "source",
    [
        loop(then="best = int(x[i, k])"),
        loop(then="best += 1"),
        loop(then="best = best * 2"),
    ],
)
def test_it_is_checked_where_one_is_not_known(source: str, ported: Any):
    made = ported(source, x=np.zeros((4, 5)), y=np.zeros(4), n=3)
    assert "checked" in made.text


def test_it_is_refused_where_there_may_be_none(ported: Any):
    source = loop(first="pass\n        if x[i, 0] > 0.0:\n            best = 0", read="0")
    assert not ported(source, x=np.zeros((4, 5)), y=np.zeros(4), n=3).kernels


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("then", ["best = k", "best = k - 1", "best = -k"])
def test_what_is_chosen_is_the_same(seed: int, then: str, run: Any):
    x = np.random.default_rng(seed).integers(-5, 5, (6, 7)).astype(np.float64)
    run(loop(then=then), x=x, y=np.zeros(6), n=6).same()


def test_a_choice_that_may_seem_beyond_the_array_is_checked(run: Any):
    x = np.random.default_rng(3).normal(size=(4, 5))
    x[:, -1] = 9.0
    both = run(
        loop(stop="x.shape[1] - 1", then="best = k + 1", read="k - 1"), x=x, y=np.zeros(4), n=4
    )
    both.same()
    with pytest.raises(IndexError):
        run(
            loop(then="best = k + 1", read="0"),
            x=-np.arange(12.0).reshape(3, 4),
            y=np.zeros(3),
            n=3,
        )
