"""Numbers of the device in a list or a tuple that a function takes for an array are one there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


class Scaled:
    def __init__(self, n):
        self.x = np.linspace(0.0, 3.0, n, dtype=np.{dtype})

    def step(self, k):
        y = np.cos(self.x)
        lo, hi = y.min(), y.max()
        self.x = self.x * 0.99 + 0.001 * y
        return {made}


def main(n=3000):
    scaled = Scaled(n)
    for k in range(3):
        found = scaled.step(k)
    print(scaled.x.sum())
    return found


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "made",
    [
        "np.interp(y, (lo, hi), (0.0, 1.0))",
        "np.interp(y, [lo, 0.5 * (lo + hi), hi], [0.0, self.x.max(), 1])",
        "np.interp(y, [lo, hi], [k, k + 1])",
        "np.searchsorted([lo, 0.0, hi], y)",
        "np.digitize(y, [lo, 0.01 * k, hi])",
        "np.polyval([lo, hi, 1], self.x)",
        "np.dot([lo, hi, 2.0], [self.x.sum(), 1, 0.5])",
        "np.diff([lo, 0.2, hi])",
        "np.sort([hi, 0, lo])",
        "np.argsort([hi, 0.1, lo])",
        "np.outer([lo, hi], self.x)",
        "np.cross([lo, hi, 1.0], [hi, lo, 2.0])",
    ],
)
def test_is_made_there(made: str, dtype: str, emulated: Any) -> None:
    text = PROGRAM.replace("{made}", made).replace("{dtype}", dtype)
    after = port(text).after or ""
    assert "self.x = cp.linspace" in after
    found = []
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names)
        result = names["main"]()
        found.append(result.get() if hasattr(result, "get") else np.asarray(result))
    assert found[1].dtype == found[0].dtype
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12 if dtype == "float64" else 2e-5)
