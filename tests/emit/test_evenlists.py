"""Lists of one number beside arrays of the device are made there: nothing crosses for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.host import count

PROGRAM = """\
import numpy as np


class Line:
    def __init__(self, n):
        self.x = np.linspace(0.0, 3.0, n)
        self.first = 0.25
        self.n = n

    def step(self, k):
        x, first = np.sin(self.x), np.float32(0.5)
        return {made}


def main(n=3000):
    line = Line(n)
    found = [line.step(k) for k in range(3)]
    print(found[0].sum())
    return found[-1]


if __name__ == "__main__":
    main()
"""


def both(made: str) -> tuple[str, np.ndarray, np.ndarray, int]:
    text = PROGRAM.replace("{made}", made)
    after = port(text).after or text
    found = []
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names)
        with count() as counters:
            result = names["main"]()
        found.append(result.get() if hasattr(result, "get") else result)
    return after, found[0], found[1], counters.h2d


@pytest.mark.parametrize(
    ("made", "written"),
    [
        ("np.concatenate([[0.0], np.cumsum(x)])", "cp.zeros(1)"),
        ("np.concatenate(([1.0, 1.0], x))", "cp.ones(2)"),
        ("np.concatenate(([-0.0], x))", "cp.full(1, -0.0)"),
        ("np.concatenate([[-np.inf], x, [np.inf]])", "cp.full(1, -np.inf)"),
        ("np.hstack([[k], np.arange(self.n)])", "cp.full(1, k)"),
        ("np.concatenate([[self.first], x])", "cp.full(1, self.first)"),
        ("np.hstack([[first], x.astype(np.float32)])", "cp.full(1, first)"),
        ("np.concatenate([[True], x[1:] != x[:-1]])", "cp.full(1, True)"),
        ("np.concatenate([[-1, -1], np.flatnonzero(x > 0.5)])", "cp.full(2, -1)"),
    ],
)
def test_is_made_there(made: str, written: str, emulated: Any) -> None:
    after, expected, found, uploads = both(made)
    assert written in after
    assert uploads == 0
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6 if found.dtype == np.float32 else 1e-12)
    np.testing.assert_array_equal(np.signbit(found[:1]), np.signbit(expected[:1]))


@pytest.mark.parametrize(
    "made",
    [
        "np.concatenate([[0.0, 1.0], x])",
        "np.concatenate([[k, k], x])",
        "np.concatenate([[0, 0.0], x])",
        "np.concatenate([[0.0, -0.0], x])",
        "np.concatenate([[k + 0.5], x])",
        "np.concatenate([[], x])",
    ],
)
def test_others_are_moved(made: str, emulated: Any) -> None:
    _, expected, found, _ = both(made)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_array_equal(np.signbit(found[:2]), np.signbit(expected[:2]))
