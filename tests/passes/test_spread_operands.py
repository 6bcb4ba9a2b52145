"""What is spread over a call of NumPy's: ``np.hypot(*(a - b).T)``, ``np.meshgrid(*axes)``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


class Path:
    def __init__(self, n):
        self.p = np.linspace(0.0, 3.0, 2 * n).reshape(n, 2)
        self.q = np.cos(self.p)
        self.axes = [np.linspace(0.0, 1.0, 20), np.linspace(0.0, 2.0, 30)]
        self.options = {"indexing": "ij"}

    def moved(self):
        x, y = np.atleast_1d(*[np.arange(3.0), np.ones(3)])
        x += y
        return x.sum()

    def lengths(self):
        p, q = self.p, self.q
        return {made}


def main(n=3000):
    path = Path(n)
    for _ in range(3):
        found = path.lengths()
        path.p = path.p + 0.01 * np.sin(path.p)
    print(found.sum())
    return found


if __name__ == "__main__":
    main()
"""


def both(made: str) -> tuple[str, Any, Any]:
    text = PROGRAM.replace("{made}", made)
    after = port(text).after or text
    found = []
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names)
        result = names["main"]()
        found.append(result.get() if hasattr(result, "get") else result)
    return after, found[0], found[1]


@pytest.mark.parametrize(
    "made",
    [
        "np.hypot(*(p - q).T)",
        "np.arctan2(*(p - q).T[::-1])",
        "np.hypot(*np.diff(p, axis=0).T)",
        "np.maximum(p[:, 0], *(p - q)[:, 1:].T)",
        "np.sqrt(*np.abs(p[:, :1] - q[:, 1:]).T)",
    ],
)
def test_runs_on_the_device(made: str, emulated: Any) -> None:
    after, expected, found = both(made)
    assert made.replace("np.", "cp.") in after
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "made",
    [
        "np.stack(np.meshgrid(*self.axes, indexing='ij'))",
        "np.stack(np.meshgrid(*[np.arange(k) * 0.5 for k in (20, 30)], indexing='ij'))",
        "np.stack(np.meshgrid(*(p[:9, 0], q[:7, 1]), sparse=False))",
    ],
)
def test_lists_of_arrays_are_spread(made: str, emulated: Any) -> None:
    after, expected, found = both(made)
    assert made.replace("np.", "cp.") in after
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "made",
    [
        "np.stack(np.broadcast_arrays(*[p, q[:, :1]])) * 2.0",
        "p[np.ix_(*[np.arange(30), np.arange(2)])]",
        "np.add(*np.atleast_1d(*[p[:, 0], 2.0]))",
        "np.add(*np.meshgrid(*self.axes))",
        "np.stack(np.meshgrid(*[p[:3, 0], q[:3, 0]], copy=False)) + self.moved()",
        "np.stack(np.meshgrid(*[], indexing='ij') or [p[0]])",
        "np.stack(np.meshgrid(*self.axes, **self.options))",
        "np.stack(np.meshgrid(*self.axes, *self.axes))",
    ],
)
def test_others_give_what_they_gave(made: str, emulated: Any) -> None:
    _, expected, found = both(made)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("made", ["np.hypot(*p.T)", "np.add(*np.stack([p, q, p * 2.0]))"])
def test_what_may_be_written_to_gives_what_it_gave(made: str, emulated: Any) -> None:
    """A row more than the ufunc reads is its output."""
    _, expected, found = both(made)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
