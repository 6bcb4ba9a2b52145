"""Calls of what ``np.vectorize`` made become kernels where a loop over the elements does."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = """\
import math
import numpy as np


def soft(x, t=0.5):
    if x > t:
        return x - t
    if x < -t:
        return x + t
    return 0.0


def mixed(x):
    return x if x > 0 else 0


def pair(x):
    return x, -x


def told(x):
    print(x)
    return x + 1.0


vsoft = np.vectorize(soft)


@np.vectorize
def clipped(x):
    return x if x < 1.0 else 1.0


@np.vectorize
def darkened(r):
    if r >= 1.0:
        return 0.0
    mu = math.sqrt(1.0 - r * r)
    return 1.0 - 0.4 * (1.0 - mu)


"""


def ported(line: str, parameters: str = "x: np.ndarray") -> str:
    return port(f"{HEAD}def f({parameters}):\n    {line}\n").after or ""


@pytest.mark.parametrize(
    "called",
    [
        "vsoft(x)",
        "vsoft(x, 0.25)",
        "vsoft(x, t=0.25)",
        "clipped(x)",
        "darkened(x)",
        "np.vectorize(soft)(x)",
        "np.vectorize(lambda v: v * v if v > 0.0 else 0.0)(x)",
        "np.vectorize(math.erf)(x)",
        "np.vectorize(soft, otypes=[float])(x - 1.0)",
        "np.vectorize(lambda v: v > 0.0, otypes='?')(x)",
    ],
)
def test_a_kernel_for_each(called: str) -> None:
    assert "@kernel(" in ported(f"return np.sin(x) + {called}")


@pytest.mark.parametrize(
    "called",
    [
        "np.vectorize(mixed)(x)",  # the first element tells the type of all
        "np.vectorize(told)(x)",
        "np.vectorize(soft, otypes=[int])(x)",
        "np.vectorize(soft, excluded=[1])(x, 0.25)",
        "np.vectorize(soft, signature='(),()->()')(x, 0.25)",
        "np.vectorize(soft)(x, y)",  # perhaps a number
    ],
)
def test_others_stay(called: str) -> None:
    text = ported(f"return np.sin(x) + {called}", "x: np.ndarray, y")
    assert "ernel(" not in text


def test_the_type_that_is_not_known_is_asked_for() -> None:
    text = ported("return vsoft(x) * 2.0")
    assert "if x.dtype == np.float64 and x.size:" in text
    assert "vsoft(cp.asnumpy(x))" in text


def test_what_is_known_is_not() -> None:
    text = ported("x = np.linspace(0.0, 1.0, n)\n    y = vsoft(x)\n    return x * y", "n: int")
    assert "    if x.size:" in text
    text = ported(
        "x = np.ones(n)\n    y = np.vectorize(soft, otypes=[float])(x)\n    return x * y", "n: int"
    )
    assert "@kernel(" in text
    assert "dtype == " not in text


@pytest.mark.parametrize("dtype", ["np.float32", "np.int32", "np.bool_"])
def test_numbers_of_numpy_that_tell_another_type_stay(dtype: str) -> None:
    lines = f"x = np.ones(n, dtype={dtype})\n    return np.sin(x) + vsoft(x)"
    assert "ernel(" not in ported(lines, "n: int")


def test_arrays_are_broadcast() -> None:
    lines = "x = np.ones(n)\n    y = np.ones((n, 1))\n    return np.sqrt(x * y) + vsoft(x, y)"
    text = ported(lines, "n: int")
    assert "x_wide, y_wide = cp.broadcast_arrays(x, y)" in text
    assert ".reshape(x_wide.shape)" in text


def test_the_other_branch_costs_nothing() -> None:
    lines = "x = np.linspace(0.0, 1.0, n)\n    y = vsoft(x) + clipped(x)\n    return x * y"
    text = ported(lines, "n: int")
    assert "_on_host = cp.asnumpy(x)" not in text
    assert text.count("cp.asnumpy(x)") == 2


def test_a_number_without_a_name_gets_one() -> None:
    text = f"""{HEAD}class Curve:
    def __init__(self, level):
        self.level = level + 0.5

    def at(self, x):
        return np.sin(x) + vsoft(x, self.level)


print(Curve(1.0).at(np.linspace(0.0, 1.0, 50)).sum())
"""
    made = port(text).after or ""
    assert "level_ = self.level" in made
    assert '"raw float64 x_flat, float64 level_"' in made
    assert "vsoft(cp.asnumpy(x), level_)" in made


def test_the_reason_is_that_of_the_loop() -> None:
    text = f"{HEAD}def f(x: np.ndarray):\n    return np.sin(x) + np.vectorize(told)(x)\n"
    found = [one.message for one in port(text).findings if one.code == "GP203"]
    assert any("`told` has a side effect: `print(x)`" in one for one in found)


def test_what_gives_several_arrays_is_not_known() -> None:
    text = f"{HEAD}def f(x: np.ndarray):\n    u, v = np.vectorize(pair)(x)\n    return u * v\n"
    assert "cp." not in (port(text).after or "")


def test_what_comes_of_it_is_an_array() -> None:
    """Work behind a call that stays on the host is not lost."""
    text = ported("y = np.vectorize(told)(x)\n    return np.sin(y) * np.exp(y) + np.cos(y * x)")
    assert "cp.asarray(np.vectorize(told)(cp.asnumpy(x)))" in text


PAIRS = """\
import numpy as np


def wrapped(x):
    low, high = -1.0, 1.0
    if x > high:
        low, high = high, low + 3.0
    return min(max(x, low), high)


def both(x):
    pair = low, high = x, 1.0
    return pair


def starred(x):
    low, *rest = x, 1.0
    return low


def taken_apart(x):
    low, high = x
    return low


def f(x: np.ndarray):
    return np.sin(x) + np.vectorize({function})(x)
"""


@pytest.mark.parametrize(
    ("function", "becomes"),
    [("wrapped", True), ("both", False), ("starred", False), ("taken_apart", False)],
)
def test_names_that_are_bound_together(function: str, becomes: bool) -> None:
    made = port(PAIRS.format(function=function))
    assert ("@kernel(" in (made.after or "")) == becomes
    several = any("whether the result of" in one.message for one in made.findings)
    assert several == (not becomes)


def why(line: str, parameters: str) -> tuple[str, str | None]:
    text = f"{HEAD}def f({parameters}):\n    {line}\n"
    (found,) = {
        (one.message, one.help)
        for one in port(text).findings
        if one.code == "GP203" and "for each element" in one.message
    }
    return found


@pytest.mark.parametrize(("called", "open_"), [("vsoft(z)", "z"), ("vsoft(x, t)", "t")])
def test_what_is_not_known_of_an_argument_is_told(called: str, open_: str) -> None:
    message, help = why(f"return np.sin(x) + {called}", f"x: np.ndarray, {open_}")
    assert f"it is not known whether `{open_}` is an array or a number" in message
    assert help is not None
    assert f"annotate the parameter `{open_}`" in help


def test_the_reason_is_told_in_words_of_the_user() -> None:
    message, _ = why(
        "first = np.vectorize(mixed)(x)\n    return np.sin(x) + first", "x: np.ndarray"
    )
    assert "as a loop, the array that it makes gets items of type float or int" in message
    assert "first_items" not in message
