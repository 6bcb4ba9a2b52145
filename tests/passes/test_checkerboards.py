"""Loops over every second cell, where only the caller knows the colour."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def sweep(u, colour):
    n, m = u.shape
    for i in range({first}):
        for j in range({second}):
            if {meant}:
                u[i, j] = {value}
"""
INNER = "1, n - 1", "1, m - 1"
STAR = "u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]"
ROUND = "u[(i + 1) % n, j] + u[i, (j - 1) % n]"


@pytest.mark.parametrize(
    ("bounds", "meant", "value", "guard"),
    [
        (INNER, "(i + j) % 2 == colour", STAR, ""),
        (INNER, "(i + j + colour) % 2 != 0", STAR, ""),
        (("n", "n"), "(i + j) % 2 == colour", ROUND, "n % 2 == 0"),
    ],
)
def test_all_of_a_colour_are_done_at_once(
    bounds: tuple[str, str], meant: str, value: str, guard: str
):
    text = PROGRAM.format(first=bounds[0], second=bounds[1], meant=meant, value=value)
    made = port(text).after or ""
    assert "j in range(" in made.partition("def ")[0]  # a thread for each cell
    assert '"int colour, ' in made
    assert guard in made


def test_those_two_cells_away_have_the_same_colour():
    value = "u[i - 2, j] + u[i, j - 2]"
    text = PROGRAM.format(
        first=INNER[0], second=INNER[1], meant="(i + j) % 2 == colour", value=value
    )
    assert "ernel(" not in (port(text).after or "")
