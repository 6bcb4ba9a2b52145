"""Names that hold None before they hold a number: the number is the host's, arrays stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

HEAD = """\
import numpy as np


def f(n):
    x = np.linspace(0.0, 1.0, n, dtype=np.{dtype})
    old = None
    for k in range(6):
        y = np.sin(x) + 0.1 * x * k
        {body}
        x = y / (1.0 + np.abs(y))
    return x
"""


def results(*texts: str) -> list[Any]:
    found = []
    for text in texts:
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(text, "m.py", "exec"), names)
        found.append(names["f"](3000))
    return found


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "body",
    [
        ("if old is not None and abs(y.sum() - old) > 1e-9:", "    y = y * old", "old = y.mean()"),
        ("if old is not None:", "    y = y * old", "old = y.sum() / n"),
        ("if old is None or y.max() < old:", "    old = y.max()", "x = y + old"),
        ("m = y.min()", "old = m if old is None else np.minimum(old, m)", "y = y - old"),
        ("if old is None:", "    old = y.max()", "    continue", "y = y / old"),
        ("y = y + 1.0 if old is None else y + old", "old = y.mean()"),
        ("if y.max() > 0.9:", "    old = y.max()", "y = y * old if old is not None else y"),
    ],
)
def test_arrays_stay_on_the_device(body: tuple[str, ...], dtype: str, emulated: Any) -> None:
    text = HEAD.replace("{body}", "\n        ".join(body)).replace("{dtype}", dtype)
    report = port(text)
    after = report.after or ""
    assert "cp.linspace" in after
    assert "cp.asarray" not in after
    assert not [one for one in report.findings if one.code == "GP901"]
    expected, found = results(text, after)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-12 if dtype == "float64" else 1e-5)


@pytest.mark.parametrize(
    "added", ["old += y.max()", "old = old + y.max()", "old -= 0.5 * y.mean()"]
)
def test_numbers_that_are_added_to_are_still_numbers(added: str, emulated: Any) -> None:
    body = f"if k == 0:\n            old = np.sqrt(2.0)\n        if k > 0:\n            {added}"
    text = HEAD.replace("{body}", body).replace("{dtype}", "float64")
    text = text.replace("return x", "return [old, x.sum()]")
    expected, found = results(text, port(text).after or text)
    assert [type(one) for one in found] == [np.float64, np.float64]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("use", ["x[0] = old", "y = np.full(n, old)", "y = y[old]", "y = y == old"])
def test_where_none_means_something_it_stays(use: str, emulated: Any) -> None:
    """None is stored as NaN, adds an axis, and equals nothing."""
    text = HEAD.replace("{body}", f"if k > 9:\n            old = y.max()\n        {use}")
    text = text.replace("{dtype}", "float64").replace("x = y / (1.0 + np.abs(y))", "x = x + 1.0")
    report = port(text)
    expected, found = results(text, report.after or text)
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)


ATTRIBUTE = """\
import numpy as np


class Relaxed:
    def __init__(self, n, start=None):
        self.x = np.linspace(0.0, 1.0, n)
        self.last = start

    def damped(self, y, by=None):
        if by is None:
            return y
        return y * by + self.x / (1.0 + by * by)

    def step(self):
        y = self.damped(np.sin(self.x) + 0.1 * self.x, self.last)
        m = y.max()
        if self.last is None or m < self.last:
            self.last = m
        self.x = y / (1.0 + np.abs(y))


def f(n):
    relaxed = Relaxed(n)
    for _ in range(5):
        relaxed.step()
    print(relaxed.x.sum(), relaxed.last)
    return float(relaxed.x.sum()), relaxed.last


if __name__ == "__main__":
    f(100000)
"""


def test_so_do_those_of_instances(emulated: Any) -> None:
    after = port(ATTRIBUTE).after or ""
    assert "self.x = cp.linspace" in after
    assert "cp.asarray" not in after
    expected, found = results(ATTRIBUTE, after)
    assert isinstance(found[1], np.float64)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
