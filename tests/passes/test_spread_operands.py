"""Rows of a matrix as the operands of a ufunc: ``np.hypot(*(a - b).T)``."""

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
    assert "asnumpy(self" not in after
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("made", ["np.hypot(*p.T)", "np.add(*np.stack([p, q, p * 2.0]))"])
def test_what_may_be_written_to_gives_what_it_gave(made: str, emulated: Any) -> None:
    """A row more than the ufunc reads is its output."""
    _, expected, found = both(made)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
