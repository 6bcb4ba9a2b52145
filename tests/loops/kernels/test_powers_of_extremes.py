"""``max(a, 0) ** 2``: a whole number on one of the paths, which is the same as a float."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

SOURCE = """\
def f(x, y, n):
    for i in range(n):
        y[i] = {value}
"""


@pytest.mark.parametrize(
    "value",
    [
        "max(x[i], 0) ** 2",
        "min(x[i], 0) ** 2 + max(x[i], 0) ** 3",
        "max(x[i], -2) ** 3",
        "min(0, x[i]) ** 1 / 2",
    ],
)
def test_it_is_what_python_makes_of_it(value: str, run: Any) -> None:
    x = np.array([-3.5, -2.0, -1.0, -0.0, 0.0, 1e-200, 2.5, np.inf, -np.inf, np.nan])
    run(SOURCE.format(value=value), x=x, y=np.zeros(10), n=10).same(ulp=1)


@pytest.mark.parametrize("value", ["max(x[i], 0) ** -1", "max(x[i], 0) ** k", "max(x[i], 3) ** 40"])
def test_others_are_refused(value: str, ported: Any) -> None:
    made = ported(
        SOURCE.format(value=value).replace("n)", "n, k=2)", 1), x=np.ones(3), y=np.ones(3), n=3, k=2
    )
    assert not made.kernels
