"""Loops through a row of an array, ``for b in links[c]``, go over its elements."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """
import numpy as np


def total(links: np.ndarray, v: np.ndarray):
    out = np.zeros(len(links))
    for c in range(len(links)):
        k = c
        e = 0.0
        for {head}:
            e += {term}
        out[c] = e
    return out
"""


@pytest.mark.parametrize(
    ("head", "term", "element"),
    [
        ("b in links[c]", "v[b]", "links[{c, i_}]"),
        ("b in links[c - 1]", "v[b]", ", i_}]"),
        ("q, b in enumerate(links[c])", "q * v[b]", "links[{c, q}]"),
        ("a, b in zip(links[c], links[c])", "v[a] * v[b]", "links[{c, i_}]"),
        ("a, b in links[c]", "v[a] * v[b]", "links[{c, i_, 1}]"),
        ("row in links[c]", "v[row[0]]", "links[{c, i_, 0}]"),
        ("b in links[v > 0]", "v[b]", None),
        ("b in links[c][:]", "v[b]", None),
    ],
)
def test_each_row_is_as_long_as_the_next_axis(head: str, term: str, element: str | None):
    after = port(PROGRAM.format(head=head, term=term)).after or ""
    assert ("@kernel(" in after) is (element is not None)
    assert element is None or (element in after and "links.shape[1]" in after)


def test_a_row_is_taken_before_its_elements():
    """`k` is another place after the first element, and the row is the same."""
    after = port(PROGRAM.format(head="b in links[k]", term="v[b]\n            k = 0")).after or ""
    assert "@kernel(" not in after
    after = port(PROGRAM.format(head="b in links[k]", term="v[b]")).after or ""
    assert "@kernel(" in after
