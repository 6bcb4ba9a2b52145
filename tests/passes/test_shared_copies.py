"""One copy before a loop, for as long as nobody else can write to the array."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np
from elsewhere import solve


def invert(path, n):
    G = np.loadtxt(path)
    {before}m = np.zeros(G.shape[1])
    for k in range(n):
        r = 1.0 - G @ m
        m += np.tanh(G.T @ r) * 0.1{inside}
    {after}return m
"""


@pytest.mark.parametrize(
    ("before", "inside", "after", "once"),
    [
        ("", "", "other = solve(G, n)\n    ", True),
        ("other = solve(G, n)\n    ", "", "", False),
        ("", "\n        other = solve(G, n)", "", False),
        ("other = solve(G, n)\n    ", "", "other = solve(G, n)\n    ", False),
        ("later = lambda: G.sum()\n    ", "", "other = solve(G, n)\n    ", False),
    ],
)
def test_a_copy_serves_a_loop_before_others_are_given_the_array(
    before: str, inside: str, after: str, once: bool
):
    text = BODY.format(before=before, inside=inside, after=after)
    made = port(text).after or ""
    assert ("G_on_device = cp.asarray(G)" in made) is once
    assert ("G_on_device.T @ r" in made) is once
