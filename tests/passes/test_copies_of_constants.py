"""An array of the module that loops of the host read too crosses once: beside where it is bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.host import count

PROGRAM = """\
import numpy as np

C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]])


class Flow:
    def __init__(self, n):
        self.f = np.linspace(0.0, 3.0, 5 * n * n).reshape(5, n, n)

    def speed(self, f, rho):
        return np.tensordot(C[:, 0], f, axes=1) / rho, np.tensordot(C[:, 1], f, axes=1) / rho

    def force(self, f):
        return np.tensordot(C[1:, 0], f[1:], axes=1)

    def step(self):
        f = self.f
        rho = f.sum(axis=0)
        ux, uy = self.speed(f, rho)
        out = np.zeros_like(f)
        {loop}
        self.f = 0.1 * out + 0.01 * self.force(out)


def main(n=40):
    flow = Flow(n)
    for _ in range(5):
        flow.step()
    print(flow.f.sum(), C.sum())
    return flow.f


if __name__ == "__main__":
    main()
"""

SHIFTED = "out[i] = np.roll(rho * (1.0 + 0.1 * (cx * ux + cy * uy)), ({shift}), axis=(0, 1))"


def both(loop: str) -> tuple[str, np.ndarray, np.ndarray, int]:
    text = PROGRAM.replace("{loop}", loop.replace("; ", "\n            "))
    after = port(text).after or text
    found, uploads = [], 0
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        with count() as counters:
            exec(compile(one, "m.py", "exec"), names)
            result = names["main"]()
        found.append(result.get() if hasattr(result, "get") else result)
        uploads = counters.h2d
    return after, found[0], found[1], uploads


@pytest.mark.parametrize(
    "loop",
    [
        "for i, (cx, cy) in enumerate(C):; " + SHIFTED.format(shift="cx, cy"),
        "for i in range(5):; cx, cy = C[i]; " + SHIFTED.format(shift="-cx, -cy"),
        "for i, (cx, cy) in enumerate(C):; "
        + SHIFTED.format(shift="cx, cy").replace("(cx, cy),", "tuple(C[i]),"),
        "for (cx, cy), i in zip(C, range(5)):; " + SHIFTED.format(shift="cx, cy"),
    ],
)
def test_there_is_one_copy(loop: str, emulated: Any) -> None:
    after, expected, found, uploads = both(loop)
    assert after.count("\nC_on_device = cp.asarray(C)\n") == 1
    assert "C_on_device[1:, 0]" in after
    assert uploads == 1
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "loop",
    [
        "for i, row in enumerate(C):; row += i % 2; cx, cy = row; "
        + SHIFTED.format(shift="cx, cy"),
        "for rows in [list(C)]:; rows[0][1] = 1; cx, cy, i = 1, 0, 2; "
        + SHIFTED.format(shift="cx, cy"),
        "for i, (cx, cy) in enumerate(C):; C[i, 0] = cx + 1; " + SHIFTED.format(shift="cx, cy"),
    ],
)
def test_what_changes_is_read_as_it_is(loop: str, emulated: Any) -> None:
    after, expected, found, _ = both(loop)
    assert "C_on_device" not in after
    np.testing.assert_allclose(found, expected, rtol=1e-12)
