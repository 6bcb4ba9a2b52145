"""A number of a loop for which the host waits twice is brought to the host once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.host import count

PROGRAM = """\
import numpy as np


def main(n=60, tol=1e-7):
    x = np.linspace(0.0, 1.0, n * n).reshape(n, n)
    history = []
    for k in range(30):
        new = np.sin(x) + 0.1 * np.cos(x) * x
        change = np.abs(new - x).max()
        {body}
        x = new
    print(x.sum(), len(history))
    return x.sum(), history


if __name__ == "__main__":
    main()
"""


def both(body: tuple[str, ...]) -> tuple[str, Any, Any, int]:
    text = PROGRAM.replace("{body}", "\n        ".join(body))
    after = port(text).after or text
    found = []
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names)
        with count() as counters:
            found.append(names["main"]())
    return after, found[0], found[1], counters.syncs


@pytest.mark.parametrize(
    "body",
    [
        ("history.append(float(change))", "if change < tol:", "    break"),
        ("print(f'{change:.3e}')", "if change > 1e3:", "    raise ValueError(f'{change}')"),
        ("if change < tol:", "    break", "if change > 9.0:", "    x = x / change"),
        ("history.append(float(change))", "new = new / (1.0 + change)", "if change < tol: break"),
    ],
)
def test_it_is_brought_once(body: tuple[str, ...], emulated: Any) -> None:
    after, expected, found, syncs = both(body)
    assert "        change = float(cp." in after or "        change = cp.asnumpy(cp." in after
    assert syncs <= 30 + 2  # a trip, and what is made of `x` at the end
    np.testing.assert_allclose(float(found[0]), expected[0], rtol=1e-12)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)


@pytest.mark.parametrize(
    "body",
    [
        ("if change < tol:", "    break"),
        ("if change < tol * np.abs(x).max():", "    break"),
        ("new = new / (1.0 + change)",),
    ],
)
def test_one_that_is_asked_once_stays(body: tuple[str, ...], emulated: Any) -> None:
    after, expected, found, _ = both(body)
    assert "change = cp.abs(new - x).max()" in after or "change = terms.max()" in after
    np.testing.assert_allclose(float(found[0]), expected[0], rtol=1e-12)
