"""What ``x.tolist()`` gives are Python's numbers: what is computed with them stays where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


class Grid:
    def __init__(self, n):
        self.psi = np.linspace(0.0, 1.0, n * n, dtype=np.{dtype}).reshape(n, n)
        self.top = 1.0

    def step(self):
        {made}
        self.psi = np.sin(self.psi) / self.top + 0.1 * self.psi * self.psi


def main(n=40):
    grid = Grid(n)
    for _ in range(5):
        grid.step()
    print(grid.psi.sum(), grid.top)
    return grid.psi, grid.top


if __name__ == "__main__":
    main()
"""


def both(made: str, dtype: str) -> tuple[str, Any, Any]:
    text = PROGRAM.replace("{made}", made.replace("; ", "\n        ")).replace("{dtype}", dtype)
    after = port(text).after or text
    found = []
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names)
        psi, top = names["main"]()
        found.append((psi.get() if hasattr(psi, "get") else psi, top))
    return after, found[0], found[1]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "made",
    [
        "p = self.psi[3:6, 4:7].tolist(); self.top = 1.0 + p[1][1] - 0.25 * (p[0][1] - p[2][1])",
        "(a, b), (c, d) = self.psi[:2, :2].tolist(); self.top = 1.0 + a * d - b * c",
        "row = self.psi[1].tolist(); self.top = 1.0 + row[3] * 0.5 + len(row)",
        "self.top = 1.0 + sum(x * x for x in self.psi[2].tolist() if x > 0.01)",
        "self.top = 1.0 + self.psi.sum().tolist()",
    ],
)
def test_arrays_beside_them_stay(made: str, dtype: str, emulated: Any) -> None:
    after, expected, found = both(made, dtype)
    assert "self.psi = cp.linspace" in after
    assert "cp.asarray" not in after
    assert type(found[1]) is type(expected[1])
    assert found[0].dtype == expected[0].dtype
    rtol = 1e-12 if dtype == "float64" else 1e-5
    np.testing.assert_allclose(found[0], expected[0], rtol=rtol)
    np.testing.assert_allclose(found[1], expected[1], rtol=rtol)


@pytest.mark.parametrize(
    "made",
    [
        "p = self.psi[0].tolist(); p.append(np.sin(self.psi)); self.top = 1.0 + p[-1].max() + p[0]",
        "p = self.psi[:3].tolist(); p[1] = self.psi[1]; self.top = 1.0 + p[1].sum() + p[0][2]",
        "p = [self.psi.tolist(), self.psi]; self.top = 1.0 + p[1].sum() + p[0][2][3]",
    ],
)
def test_lists_that_get_arrays_give_what_they_gave(made: str, emulated: Any) -> None:
    _, expected, found = both(made, "float64")
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    np.testing.assert_allclose(float(found[1]), expected[1], rtol=1e-12)
