"""Numbers of the module in kernels: by their names, or as what they are where that says more."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np

H = {value}


def weigh(x, y):
    for i in range(len(x)):
        if x[i] > 0.5:
            y[i] = x[i] + {term}


if __name__ == "__main__":
    x, y = np.linspace(0.0, 1.0, 1000), np.zeros(1000)
    for _ in range(10):
        weigh(x, y)
    print(y.sum())
"""


@pytest.mark.parametrize(
    ("value", "term", "held"),
    [
        ("0.1", "3.0 / (np.pi * H ** 5)", True),  # that it is not zero, the kernel would ask
        ("0.1", "3.0 * H ** 2.5", True),  # of a negative number it would be complex
        ("0.1", "3.0 * H", False),
        ("-0.1", "3.0 * H ** 2.5", False),
        ("1e200", "3.0 * H ** 2", False),
    ],
)
def test_values_are_held_where_they_show_that_nothing_is_raised(value: str, term: str, held: bool):
    report = port(PROGRAM.format(value=value, term=term))
    made = report.after or ""
    assert ("H == 0.1" in made) == held
    raised = any(one.code == "GP518" for one in report.findings)
    assert raised == (term != "3.0 * H" and not held)
    assert "out_of_range" not in made


BESIDE = """\
import math
import numpy as np

LAT0 = 47.0


def place(north, east):
    lat = LAT0 + np.degrees(north / 6.0)
    lon = np.degrees(east / (6.0 * math.cos(math.radians(LAT0))))
    return lat, lon
"""


def test_no_parameter_has_the_name_of_a_number_that_the_kernel_reads():
    made = port(BESIDE).after or ""
    assert "lat = LAT0 + np.degrees(north / 6.0)" in made
    assert "(6.0 * LAT0_in)" in made
    assert "float LAT0_in" in made
