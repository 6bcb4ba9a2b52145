"""A loop over a name that is a range is told so: it is no array, and its numbers are no data."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np


def sweep(u: np.ndarray, n: int, left: bool, given=None):
    {before}
    for k in range(2):
        {inside}
        for i in cells:
            u[i] = 0.5 * (u[i] + u[i - 1])
    return u
"""


def told(before: str = "pass", inside: str = "pass") -> set[str]:
    found = port(BODY.format(before=before, inside=inside)).findings
    return {one.message for one in found if one.code in ("GP201", "GP202")}


def test_a_choice_of_ranges_is_told_as_one():
    choice = "cells = range(1, n) if left else range(n - 1, 0, -1)"
    said = (
        "the loop stays in Python: `cells` is `range(1, n)` or `range(n - 1, 0, -1)`, and which "
        "of them is known only where the loop begins: write a loop for each, with its range in "
        "its head"
    )
    assert told(before=choice) == told(inside=choice) == {said}


def test_a_range_that_has_a_name_belongs_in_the_head():
    said = (
        "the loop stays in Python: `cells` is `range(1, n)`: write the range in the head of the "
        "loop"
    )
    assert told(before="cells = range(1, n)") == told(inside="cells = range(1, n)") == {said}


@pytest.mark.parametrize(
    "before",
    [
        "cells = np.flatnonzero(u)",
        "cells = range(1, n) if left else np.flatnonzero(u)",
        "cells = given\n    if left:\n        cells = range(1, n)",
    ],
)
def test_what_may_be_an_array_is_none(before: str):
    messages = told(before=before)
    assert messages
    assert not any("range" in one for one in messages)
