"""What is stored at a mask in a row of an array is a kernel: nobody waits for how many it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.host import count

PROGRAM = """\
import numpy as np

OPPOSITE = [0, 2, 1, 4, 3]


class Flow:
    def __init__(self, n):
        self.f = np.linspace(0.0, 3.0, 5 * n * n).reshape(5, n, n)
        self.wall = np.linspace(0.0, 1.0, n * n).reshape(n, n) > 0.4
        self.edge = np.linspace(0.0, 1.0, n) > 0.4
        self.n = n
        self.v = np.cos(self.f)

    def step(self):
        f, wall, g = self.f, self.wall, self.f + 1.0
        {body}
        self.f = f + g


def main(n=40):
    flow = Flow(n)
    for _ in range(3):
        flow.step()
    print(flow.f.sum())
    return flow.f


if __name__ == "__main__":
    main()
"""


def both(body: str) -> tuple[str, np.ndarray, np.ndarray, int]:
    text = PROGRAM.replace(
        "{body}", body.replace("): ", "):\n            ").replace("E: ", "E:\n            ")
    )
    after = port(text).after or ""
    found = []
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names)
        with count() as counters:
            result = names["main"]()
        found.append(result.get() if hasattr(result, "get") else result)
    return after, found[0], found[1], counters.syncs


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(5): g[i][wall] = f[OPPOSITE[i]][wall]",
        "for i in range(5): g[i][wall] = 0.5 * f[OPPOSITE[i]][wall] + self.n",
        "for i, k in enumerate(OPPOSITE): g[k][~wall] -= f[i][~wall] * f[k][~wall]",
        "g[-1][self.wall] = self.f[4][self.wall] + 0.25 * self.f[0][self.wall]",
        "g[1, 2][self.edge] = 2.0 * f[0, 1][self.edge]",
        "f[-1][wall] = -f[4][wall]",
        "for i in range(5): g[i][f[i] > 1.0] = f[0][f[i] > 1.0] / 3.0",
        "self.f[self.v > 0.9] *= 0.5",
        "self.f[self.v > 0.9] = 0.0\n        low = self.v < 0.4\n        g[low] = 0.5 * g[low]",
    ],
)
def test_it_is_a_kernel(body: str, emulated: Any) -> None:
    after, expected, found, syncs = both(body)
    assert "? " in after
    assert syncs <= 2  # the sum that is printed, and the result
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(1, 5): f[i][wall] = 0.5 * f[i - 1][wall]",
        "for i in range(5): g[i][self.edge] = f[i][self.edge] * 2.0",
        "for i in range(5): g[i:][:, wall] = f[i:][:, wall] * 2.0",
        "for i in range(5): g[i][wall] = (f[i] * 2.0)[wall][::-1]",
        "for i in range(5): g[[i, 0]][:, wall] = 0.0",
        "for i in range(5): g[i][wall] = g[OPPOSITE[i]][wall] + 1.0",
    ],
)
def test_others_give_what_they_gave(body: str, emulated: Any) -> None:
    _, expected, found, _ = both(body)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
