"""Scans: prefix sums, products and extremes around the runtime's running numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact
from gpuport.loops.kernels.kernel import kernel
from gpuport.loops.records import Refusal

RNG = np.random.default_rng(5)


def test_prefix_sum_through_the_element_before(run: Any) -> None:
    both = run(
        """
        def balance(out, flows, start):
            out[0] = start
            for i in range(1, len(out)):
                out[i] = out[i - 1] + flows[i - 1]
        """,
        out=np.zeros(31),
        flows=RNG.integers(-9, 9, 30).astype(float),
        start=100.0,
    )
    both.same()
    assert "running_sum(" in both.ported.text


def test_prefix_product_through_a_number(run: Any) -> None:
    both = run(
        """
        def growth(rates, value):
            factor = 1.0
            for i in range(rates.shape[0]):
                factor *= 1.0 + rates[i]
                value[i] = factor
            return factor
        """,
        rates=RNG.integers(0, 2, 20).astype(float),
        value=np.zeros(20),
    )
    both.same()
    assert "running_product(" in both.ported.text


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32"])
def test_running_totals_keep_their_type(run: Any, dtype: str) -> None:
    both = run(
        """
        def totals(x, out):
            s = 0
            for i, v in enumerate(x):
                s += v
                out[i] = s
            return s
        """,
        x=RNG.integers(0, 9, 40).astype(dtype),
        out=np.zeros(40, dtype),
    )
    both.same()
    assert type(both.found) is type(both.expected)


def test_running_maximum_skips_nan_as_the_comparison_does(run: Any) -> None:
    x = RNG.normal(size=50)
    x[7] = np.nan
    both = run(
        """
        def drawdown(price, peak, loss, high):
            for i in range(len(price)):
                if price[i] > high:
                    high = price[i]
                peak[i] = high
                loss[i] = 1.0 - price[i] / high
        """,
        price=x,
        peak=np.zeros(50),
        loss=np.zeros(50),
        high=-1.0,
    )
    both.same()


def test_a_narrower_array_that_rounds_each_step_is_refused(run: Any) -> None:
    source = """
        def drift(out, x):
            for i in range(1, len(out)):
                out[i] = out[i - 1] + x[i]
        """
    with pytest.raises(AssertionError, match="each step rounds"):
        run(source, out=np.zeros(9, np.float32), x=RNG.normal(size=9))


MADE_OF = {
    "the largest fall": (
        "if x[i] > y:\n                    y = x[i]\n                if y - x[i] > s:\n"
        "                    s = y - x[i]\n                    w = i"
    ),
    "a sum of running extremes": "y = max(y, x[i])\n                s += y - x[i]",
    "a count": "y = min(y, x[i])\n                if y < x[i]:\n                    w += 1",
    "a running sum in two steps": (
        "y += x[i]\n                y -= x[i - 1]\n                s = max(s, y)"
    ),
    "a flag": "y += x[i]\n                if y > 1:\n                    w = 7",
}


@pytest.mark.parametrize("lines", MADE_OF.values(), ids=MADE_OF)
def test_what_is_made_of_scanned_numbers(run: Any, lines: str) -> None:
    """A maximum drawdown: one number is scanned, others are reduced from what that gives."""
    source = f"""
        def fall(x):
            y = 0.0
            s = 0.0
            w = 0
            for i in range(1, len(x)):
                {lines}
            return y, s, w
        """
    x = np.array([3.0, 4.0, 2.5, 6.0, 1.0, np.nan, 7.0, 2.0, 2.0, 8.5]) / 4
    run(source, x=x[[0, 1, 2, 3, 4, 6, 7, 8, 9]]).same()
    if "+=" not in lines:
        run(source, x=x).same()


@pytest.mark.parametrize("start", ["y = 5", "y = 0.0"])
def test_a_number_of_the_type_of_a_scanned_one_is_refused(plan_of: Any, start: str) -> None:
    """Until something exceeds it, ``y`` is Python's, and so is the sum."""
    plan = plan_of(
        f"def total(x):\n    {start}\n    s = 1.0\n    for i in range(len(x)):\n"
        "        y = max(y, x[i])\n        s += y\n    return y, s\n",
        x=ArrayFact("float64"),
    )
    assert plan.scan is not None
    made = kernel(plan, frozenset())
    assert isinstance(made, Refusal)
    assert "`s` takes its type from `y`, which begins as another type" in made.message


@pytest.mark.parametrize(
    ("start", "down", "up"),
    [
        ("0", "s -= 1", "s += 1"),
        ("0.0", "s -= x[i]", "s = s + 2.0"),
        ("1.0", "s *= 0.5", "s *= 2.0"),
    ],
)
def test_one_of_two_terms_by_a_test(run: Any, start: str, down: str, up: str) -> None:
    both = run(
        f"""
        def walk(x, out):
            s = {start}
            for i in range(len(x)):
                if x[i] < 4:
                    {down}
                else:
                    {up}
                out[i] = s
            return s
        """,
        x=RNG.integers(0, 9, 40).astype(float),
        out=np.zeros(40),
    )
    both.same()
    assert f"running_{'product' if start == '1.0' else 'sum'}(" in both.ported.text


def test_three_terms_of_which_one_is_none(run: Any) -> None:
    both = run(
        """
        def walk(x, out):
            s = 0
            for i in range(len(x)):
                if x[i] < 3:
                    s -= 1
                elif x[i] > 6:
                    s += 2
                out[i] = s
            return s
        """,
        x=RNG.integers(0, 9, 40).astype(float),
        out=np.zeros(40, int),
    )
    both.same()
    assert type(both.found) is int


@pytest.mark.parametrize(
    "up", ["s += 1 if x[i] > 2 else 4", "s += 2.5", "if x[i] > 4:\n                    s -= 3"]
)
def test_what_is_made_of_a_number_of_pythons_stays_narrow(run: Any, up: str) -> None:
    """A Python number times float32 is float32, each step of it rounded."""
    both = run(
        f"""
        def scaled(x, out):
            s = {"0.0" if "." in up else "0"}
            for i in range(len(x)):
                {up}
                out[i] = s / 3 * x[i] + x[i] * s
            return s
        """,
        x=(RNG.random(300) * 9).astype(np.float32),
        out=np.zeros(300, np.float32),
    )
    both.same()
    assert "running_sum(" in both.ported.text


def test_the_farthest_of_a_walk_is_a_number_of_pythons(run: Any) -> None:
    both = run(
        """
        def walk(x):
            s = 0
            far = 0
            for i in range(len(x)):
                if x[i] < 4:
                    s -= 1
                else:
                    s += 1
                if s > far:
                    far = s
            return s, far
        """,
        x=RNG.integers(0, 9, 60).astype(float),
    )
    both.same()
    assert [type(one) for one in both.found] == [int, int]


@pytest.mark.parametrize("value", ["s", "s / 2"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("begin", ["0", "0.0", "start"])
def test_sums_from_zero_have_no_negative_zeros(
    run: Any, begin: str, dtype: str, value: str
) -> None:
    """``0.0 + -0.0`` is ``0.0``."""
    both = run(
        f"""
        def walk(x, out, start):
            s = {begin}
            for i in range(len(x)):
                s += x[i]
                out[i] = {value}
            return s
        """,
        x=np.array([-0.0, -0.0, 0.0, -0.0], dtype),
        out=np.ones(4, dtype),
        start=0.0,
    )
    both.same()


@pytest.mark.parametrize("begin", ["-0.0", "start"])
def test_sums_from_negative_zero_keep_it(run: Any, begin: str) -> None:
    both = run(
        f"""
        def walk(x, out, start):
            s = {begin}
            for i in range(len(x)):
                s -= x[i]
                out[i] = s
        """,
        x=np.array([0.0, 0.0, 1.0]),
        out=np.ones(3),
        start=-0.0,
    )
    both.same()
    assert not both.ported.refusals


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
@pytest.mark.parametrize(
    "body", ["x[i] += x[i - 1]", "x[i] = x[i] + x[i - 1]", "x[i] = x[i - 1] + 2 * x[i]"]
)
def test_running_sum_in_the_array_itself(run: Any, body: str, dtype: str) -> None:
    both = run(
        f"""
        def running(x):
            for i in range(1, len(x)):
                {body}
        """,
        x=RNG.integers(-9, 9, 30).astype(dtype),
    )
    both.same()
    assert "running_sum(" in both.ported.text


@pytest.mark.parametrize(
    "body", ["x[i] -= x[i - 1]", "x[i] += x[i - 2]", "x[i] *= 2\n                x[i] += x[i - 1]"]
)
def test_other_recurrences_in_the_array_itself_are_none(body: str) -> None:
    from tests.passes.conftest import port

    text = f"""\
import numpy as np


def running(x: np.ndarray):
    for i in range(2, len(x)):
        {body.replace("                ", "        ")}
    return x


print(running(np.ones(5)))
"""
    made = port(text)
    assert made.after is None
    assert any(one.code == "GP202" for one in made.findings)
