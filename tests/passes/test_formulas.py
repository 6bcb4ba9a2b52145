"""Formulas that are given arrays in one call and numbers in another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

PROGRAM = """\
import math

import numpy as np

G = 9.81
W = np.linspace(0.5, 1.5, 3000)


def speed(h, a={default}):
    {body}


class Tank:
    def __init__(self, n):
        self.h = np.linspace(0.1, 3.0, n)
        self.ref = speed(1.5)

    def step(self, dt):
        v = speed(self.h)
        self.h = np.sqrt(self.h * self.h + dt * v * v / self.ref) + np.sin(v)
        return np.max(v / speed(2.0))


def program():
    tank, out = Tank(3000), []
    for k in range(5):
        out.append(float(tank.step(0.1)))
    told = [{told}]
    return np.array([*out, tank.h.sum(), *told])


def main():
    print(program())


if __name__ == "__main__":
    main()
"""

TOLD = (
    "float(speed(2)), math.sqrt(speed(3.0)), round(float(speed(1.0)), 6), "
    "1.0 if speed(0.2) > 3.0 else 2.0, len({speed(1.0): 'one'}), "
    "isinstance(tank.ref, np.float64)"
)


def after_and_results(body: str, told: str = TOLD, default: str = "0.5") -> tuple[str, Any, Any]:
    text = PROGRAM.replace("{body}", body).replace("{told}", told).replace("{default}", default)
    after = port(text).after or text
    found = []
    for one in (text, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names)
        result = names["program"]()
        found.append(result.get() if hasattr(result, "get") else result)
    return after, found[0], found[1]


@pytest.mark.parametrize(
    "body",
    [
        "return np.sqrt(2.0 * G * h)",
        '"""A formula."""\n    s = np.sqrt(2.0 * G * h)\n    return s * a + np.pi',
        "return np.maximum(h, 0.5) * np.exp(-h) + a",
        "return np.sqrt(h)",
    ],
)
def test_numbers_do_not_keep_the_arrays_on_the_host(body: str, emulated: Any) -> None:
    after, expected, found = after_and_results(body)
    assert "self.h = cp.linspace(0.1, 3.0, n)" in after
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "body",
    [
        "return np.sqrt(h) * W",  # an array, whatever it is given
        "return 2.0 * h + a",  # of a number Python's
        "return np.where(h > 1.0, np.sqrt(h), a)",
        "return np.sqrt(h) if a > 0.0 else h",
        "global G\n    G = G + 0.0\n    return np.sqrt(h * G)",
        "return np.sqrt(np.sum(h) + h)",
        "return np.sqrt(h, dtype=np.float64)",
    ],
)
def test_what_is_no_formula_is_as_before(body: str, emulated: Any) -> None:
    told = "speed(2.0).max(), speed(1)[4]" if "W" in body else "float(speed(2)), float(speed(3.0))"
    _, expected, found = after_and_results(body, told)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_default_may_be_an_array(emulated: Any) -> None:
    told = "speed(2.0).max(), speed(1)[4]"
    _, expected, found = after_and_results("return np.sqrt(h) * a", told, "W")
    np.testing.assert_allclose(found, expected, rtol=1e-12)
