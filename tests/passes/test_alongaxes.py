"""Calls of ``np.apply_along_axis`` become kernels where a loop over rows or columns does."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = """\
import numpy as np


def spread(row):
    return row.max() - row.min()


def shares(row):
    return row / np.abs(row).sum()


def told(row):
    print(row)
    return row.sum()


"""


def ported(called: str, made: str = "x = a.reshape(20, -1)") -> str:
    text = f"{HEAD}def f(a: np.ndarray):\n    {made}\n    return {called} + np.exp(x).sum()\n"
    return port(text).after or ""


@pytest.mark.parametrize(
    "called",
    [
        "np.apply_along_axis(spread, 1, x)",
        "np.apply_along_axis(spread, axis=-1, arr=x)",
        "np.apply_along_axis(spread, 0, x)",
        "np.apply_along_axis(lambda r: (r * r).sum() / len(r), 0, x)",
    ],
)
def test_a_kernel_for_rows_and_columns(called: str) -> None:
    text = ported(called)
    assert "@kernel(" in text
    assert "and x.size:" in text
    assert "cp.asarray(np.apply_along_axis(" in text
    assert "spread" not in called or '@device("row")\ndef spread' not in text


@pytest.mark.parametrize(
    ("called", "made"),
    [
        ("np.apply_along_axis(shares, 1, x)", "x = a.reshape(20, -1)"),
        ("np.apply_along_axis(told, 1, x)", "x = a.reshape(20, -1)"),
        ("np.apply_along_axis(spread, 1, x)", "x = a.reshape(20, 3, -1)"),
        ("np.apply_along_axis(spread, k, x)", "x, k = a.reshape(20, -1), a.ndim"),
        ("np.apply_along_axis(spread, 1, x)", "x = a"),  # of unknown axes
    ],
)
def test_others_stay(called: str, made: str) -> None:
    assert "raw float64" not in ported(called, made)


def test_the_reason_is_that_of_the_loop() -> None:
    text = f"{HEAD}def f(a: np.ndarray):\n    x = a.reshape(20, -1)\n"
    text += "    return np.apply_along_axis(told, 1, x) + np.exp(x).sum(axis=1)\n"
    found = [one.message for one in port(text).findings if one.code == "GP203"]
    assert any("as a loop, `told` has a side effect: `print(row)`" in one for one in found)


SOFT = """\
def soft(v):
    return v - 0.5 if v > 0.5 else 0.0


"""


@pytest.mark.parametrize(
    ("line", "kernels"),
    [
        ("np.vectorize(soft)(x).sum() + np.apply_along_axis(spread, 1, x).sum()", 2),
        ("np.apply_along_axis(spread, 0, x).max() * np.vectorize(soft)(x).sum()", 2),
        ("np.vectorize(soft)(np.apply_along_axis(spread, 1, x)).sum()", 1),
    ],
)
def test_beside_calls_for_each_element(line: str, kernels: int) -> None:
    function = (
        f"def f(a: np.ndarray):\n    x = a.reshape(20, -1)\n    return {line} + np.exp(x).sum()\n"
    )
    text = port(f"{HEAD}{SOFT}{function}").after or ""
    assert text.count("@kernel(") == kernels


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("x: np.ndarray", "it is not known how many axes `x` has"),
        ("x", "it is not known whether `x` is an array or a number"),
    ],
)
def test_what_is_not_known_of_the_matrix_is_told(parameter: str, said: str) -> None:
    text = f"{HEAD}def f(a: np.ndarray, {parameter}):\n"
    text += "    return np.exp(a) + np.apply_along_axis(spread, 0, x)\n"
    found = [one.message for one in port(text).findings if one.code == "GP203"]
    assert any(said in one for one in found)


def test_the_reason_does_not_name_what_nobody_wrote() -> None:
    text = f"{HEAD}def f(a: np.ndarray):\n    x = a.reshape(20, -1)\n"
    text += "    z = np.apply_along_axis(lambda r: r[0] * sum(r), 0, x)\n"
    text += "    return np.exp(x).sum(axis=0) + z\n"
    (found,) = {one.message for one in port(text).findings if "as a loop" in one.message}
    reason = found.partition("as a loop, ")[2]
    assert reason.startswith("what it is given is a part of the array, not one element")
    assert "i_" not in reason
