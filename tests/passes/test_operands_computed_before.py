"""What other launches compute is an argument of a kernel's call: ``x - np.mean(x)``, ``a @ u``."""

from __future__ import annotations

from typing import Any

import pytest
from tests.passes.conftest import gives_the_same, port

HEAD = """\
import numpy as np


def pure(x):
    return np.sort(x, axis=0)


def grown(x):
    x *= 1.5
    return np.cumsum(x, axis=0)


def whole(x):
    return x


GAIN = 2.0


def louder(x):
    global GAIN
    GAIN = GAIN + 1.0
    return np.cumsum(x, axis=0)


class Box:
    def __init__(self, x):
        self.x = x

    def moved(self, y):
        self.x = self.x + y
        return np.cumsum(self.x, axis=0)


def f(x, a):
    for _ in range(3):
        {body}
    return x


def program():
    x = np.random.default_rng(3).normal(size=(60, 50))
    return f(x, x.T @ x * 1e-3)


if __name__ == "__main__":
    print(program().sum())
"""


def made(body: str, emulated: Any) -> str:
    """The port of a loop with this body, which has been run beside the original."""
    text = HEAD.replace("{body}", body.replace("; ", "\n        "))
    after = port(text).after or ""
    gives_the_same(text, after)
    return after[after.index("def f(") :]


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("x = (x - np.mean(x, axis=0)) / (1.0 + np.std(x, axis=0))",
         "x = _f(x, cp.mean(x, axis=0), cp.std(x, axis=0))"),
        ("x = (x @ a - x) / (1.0 + x * x)", "x = _f(x @ a, x)"),
        ("x = x / np.linalg.norm(x) + 0.5 * x.sum(axis=0) * x",
         "x = _f(x, cp.linalg.norm(x), x.sum(axis=0))"),
        ("x += 0.1 * (x @ a) * (1.0 - x)", "x = _f(x @ a, x)"),
        ("x = (pure(x) - x) * 0.5 + x", "x = _f(pure(x), x)"),
        ("x = (grown(x) - x) * 0.5 + x", "x = _f(grown(x), x)"),
        ("y = 2.0 * x + a[:1]; x = np.exp(-np.abs(y)) * np.max(a) - y",
         "x = _f(x, a[:1], cp.max(a))"),
    ],
)  # fmt: skip
def test_it_is_an_argument(body: str, called: str, emulated: Any) -> None:
    assert called in made(body, emulated)


@pytest.mark.parametrize(
    "body",
    [
        "x = 2.0 * x + grown(x) * x - 1.0",  # it changes what was read before
        "x = pure(x) * 2.0 + whole(x) - pure(x)",
        "x[:] = 2.0 * x - 1.0; x = np.cumsum(x, axis=0) * 0.5 - x",  # it reads what was stored
        "x = GAIN * louder(x) * 1e-3 - x",  # the factor is read before it is changed
        "b = Box(x); x = 2.0 * b.x + b.moved(x) * 0.5 - b.x",
    ],
)
def test_what_may_see_the_operations_before_it_is_none(body: str, emulated: Any) -> None:
    after = made(body, emulated)
    assert not any(f"{name}(" in line for line in after.splitlines() if "_f(" in line
                   for name in ("grown", "whole", "moved", "cumsum", "louder"))  # fmt: skip


def test_arrays_of_other_shapes_are_none_where_shapes_are_asked_for(emulated: Any) -> None:
    after = made("y = 2.0 * x - a[0, 0]; x = x - np.mean(x, axis=0) * 0.5 + 1.0; x += y", emulated)
    assert "cp.mean(x, axis=0)" in after


def test_a_number_beside_what_is_shifted_is_no_output(emulated: Any) -> None:
    """It got the shape of the arrays."""
    body = (
        "s = np.sum(a) * 0.1 + 1.0; y = np.roll(x, 1, axis=0) * 0.5 + x * x + 1.0; "
        "x = np.sort(y, axis=0) / s"
    )
    after = made(body, emulated)
    assert "s = cp.sum(a) * 0.1 + 1.0" in after
