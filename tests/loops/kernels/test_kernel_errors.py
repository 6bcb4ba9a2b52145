"""Loops of Python's own numbers that raise, or whose numbers keep their type: as the loop does."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest

from gpuport.parallel.cuda.rules import functions

OPERATORS = ["i / k", "i // k", "i % k", "(i + 0.5) / k", "2.5 // k", "(i - 7) % k", "pow(k, -1.0)"]


@pytest.mark.parametrize("text", OPERATORS)
@pytest.mark.parametrize("zero", [0, 0.0])
def test_a_number_from_outside_that_divides_is_guarded(run: Any, text: str, zero: Any) -> None:
    source = f"""
    def divided(x, y, k):
        for i in range(len(x)):
            y[i] = x[i] * ({text})
    """
    arguments = {"x": np.arange(1.0, 5.0), "y": np.zeros(4)}
    found = run(source, **arguments, k=type(zero)(3))
    found.same(ulp=1)
    assert {"k != 0", "k > 0"} & set(found.ported.kernels[0].guards)
    assert not found.ported.kernels[0].checked
    with pytest.raises(ZeroDivisionError) as error:
        run(source, **arguments, k=zero)
    assert not hasattr(error.value, "__notes__")


def test_guards_of_divisors_stand_in_the_order_of_their_evaluation(run: Any) -> None:
    source = """
    def twice(y, a, b):
        for i in range(len(y)):
            y[i] = i / (a / b - 1)
    """
    found = run(source, y=np.zeros(3), a=3, b=2)
    found.same()
    assert found.ported.kernels[0].guards[-2:] == ("b != 0", "a / b - 1 != 0")


def test_divisors_that_cannot_be_zero_are_not_guarded(run: Any) -> None:
    source = """
    def divided(x, y, n):
        for i in range(n):
            y[i] = i / n + i / (i + 1) + i // 3 + 1.0 / 0.5 + x[i] / (n - 4) + 2 / x[i]
    """
    found = run(source, x=np.zeros(4), y=np.zeros(4), n=4)
    found.same()
    assert not any("!= 0" in guard for guard in found.ported.kernels[0].guards)
    assert not found.ported.kernels[0].checked


@pytest.mark.parametrize(
    "text", ["1 / (i - k)", "7 // (i - k)", "i % (i - k)", "2.5 / float(x[i])", "turned(i - k)"]
)
def test_a_divisor_that_changes_is_seen_and_undone(run: Any, text: str) -> None:
    source = f"""
    def turned(d):
        return 1 / d

    def divided(x, y, k):
        for i in range(len(x)):
            y[i] = {text}
    """
    x = np.arange(1.0, 5.0)
    run(source, x=x, y=np.zeros(4), k=9).same()
    with pytest.raises(ZeroDivisionError) as error:
        run(source, x=x - 3, y=np.full(4, 7.0), k=2)
    assert error.value.__notes__ == ["undone"]


def test_a_divisor_that_changes_in_a_sum(run: Any) -> None:
    source = """
    def total(x):
        s = 0.0
        for v in x:
            s += 1 / float(v)
        return s
    """
    found = run(source, x=np.arange(1.0, 5.0))
    found.same(ulp=4)
    with pytest.raises(ZeroDivisionError) as error:
        run(source, x=np.arange(4.0))
    assert error.value.__notes__ == ["undone"]


def test_an_augmented_division(run: Any) -> None:
    source = """
    def halved(x, y, k):
        for i in range(len(x)):
            s = i + 0.5
            s /= k
            y[i] = s + x[i]
            y[i] /= i
    """
    found = run(source, x=np.arange(1.0, 5.0), y=np.zeros(4), k=3)
    found.same()
    assert "k != 0" in found.ported.kernels[0].guards
    assert not found.ported.kernels[0].checked


def test_terms_of_a_scan_that_may_raise_stay_a_loop(run: Any) -> None:
    source = """
    def running(x, y):
        r = 0.0
        for i in range(len(y)):
            r += x[i] * (1 / (i - float(x[0])))
            y[i] = r * 2
    """
    with pytest.raises(AssertionError, match=r"of which `r` is made, may raise"):
        run(source, x=np.full(3, 0.5), y=np.zeros(3))


def test_functions_of_math_that_raise_are_noted(run: Any) -> None:
    source = """
    def outer(v):
        return math.log(v)

    def computed(x, y, n):
        for i in range(n):
            y[i] = math.sqrt(x[i]) + math.exp(x[i]) + outer(x[i]) + math.sqrt(i) + math.atan(x[i])
            y[i] += float(x[i]) ** 0.5 + x[i] ** 0.5 + np.sqrt(x[i]) + math.sqrt(2.0)
    """
    found = run(source, x=np.arange(1.0, 5.0), y=np.zeros(4), n=4)
    found.same(ulp=4)
    notes = found.ported.kernels[0].notes
    assert [note.partition(" raises ")[0] for note in notes] == [
        "`math.sqrt(x[i])` (line 7)",
        "`math.exp(x[i])` (line 7)",
        "`float(x[i]) ** 0.5` (line 8)",
        "`math.log(v)` (`outer`, line 3)",
    ]
    assert notes[0].endswith("raises ValueError below 0; the kernel gives nan")


EDGES = [0.0, -0.5, 0.5, 1.0, -1.0, 1.5, -2.0, 3.0, 171, 172, 709, 710, 711, 1023, 1024, 1e308]
EDGES += [-x for x in EDGES] + [math.inf, -math.inf, 2.0**53]


FLOATS = sorted(path for path, rule in functions().floating.items() if "gives" not in rule)


@pytest.mark.parametrize("path", FLOATS)
def test_which_functions_of_math_raise(path: str) -> None:
    rule = functions().floating[path]
    library, _, name = path.rpartition(".")
    function, count = getattr(import_module(library), name), rule.get("arguments", 1)
    raising = []
    for given in product(EDGES, repeat=count):
        try:
            function(*given)
        except (ValueError, OverflowError):
            raising.append(given)
    assert bool(raising) == ("raises" in rule)
    if "safe" in rule:
        low, high = rule["safe"]
        for (value,) in raising:
            outside = (low is not None and value < low) or (high is not None and value > high)
            assert outside or math.isinf(value)


def test_what_nothing_is_added_to_keeps_its_type(run: Any) -> None:
    source = """
    def sums(x, s, p):
        c = 0
        t = 0
        for v in x:
            if v > 0:
                c += 1
                s += v
                p *= v
            if v > 3 and v < 9:
                t += v
        return c, s, p, t
    """
    for x in (np.arange(5.0), -np.ones(3), np.ones(3)):
        for start in (0.0, 0, np.float64(0.5)):
            found = run(source, x=x, s=start, p=1.0)
            found.same()
            assert list(map(type, found.found)) == list(map(type, found.expected))


def test_only_sums_that_may_stay_are_marked(run: Any) -> None:
    source = """
    def sums(x):
        s = 0.0
        c = 0
        r = 0.0
        for v in x:
            s += v
            if v > 0:
                c += 1
                r += float(v)
        return s, c, r
    """
    found = run(source, x=np.arange(5.0))
    found.same()
    assert "added" not in found.ported.text


def test_a_sum_after_a_continue_and_in_an_inner_loop_is_marked(run: Any) -> None:
    source = """
    def sums(x, m):
        s = 0.0
        t = 0.0
        for i in range(len(x)):
            if x[i] < 0:
                continue
            s += x[i]
            for j in range(m):
                t += x[j]
        return s, t
    """
    for x, m in ((np.arange(5.0), 2), (-np.ones(3), 2), (np.ones(3), 0)):
        found = run(source, x=x, m=m)
        found.same()
        assert list(map(type, found.found)) == list(map(type, found.expected))


def test_a_scan_that_may_change_nothing_is_noted(run: Any) -> None:
    source = """
    def running(x, y):
        r = 0.0
        for i in range(len(x)):
            if x[i] > 0:
                r += x[i]
            y[i] = r
        return r
    """
    found = run(source, x=np.arange(5.0), y=np.zeros(5))
    found.same()
    (note,) = found.ported.kernels[0].notes
    assert note.startswith("`r` (line 5) keeps its type where no iteration gives it another")
    assert found.ported.kernels[0].kinds == ("r",)


@pytest.mark.parametrize("stored", ["y[i] = x[i]", "y[i] *= x[i]", "y[i] = x[i] + 1"])
@pytest.mark.parametrize(
    ("held", "given", "told"),
    [
        (np.int32, np.int64, True),  # NumPy raises OverflowError for what does not fit
        (np.int16, np.uint16, True),
        (np.uint8, np.int64, False),  # NumPy wraps it around
        (np.int64, np.int16, False),
        (np.int64, np.int64, False),
    ],
)
def test_integers_that_may_not_fit_a_smaller_array_are_told(
    run: Any, stored: str, held: Any, given: Any, told: bool
) -> None:
    source = f"""
    def kept(x, y):
        for i in range(len(x)):
            {stored}
    """
    found = run(source, x=np.arange(1, 6).astype(given), y=np.ones(5, held))
    found.same()
    assert any("raises OverflowError" in note for note in found.ported.kernels[0].notes) == told


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ("0.5 if x[i] < 0.5 else x[i]", True),
        ("2 * x[i]", False),
        ("x[i] if x[i] > 0 else x[i + 1]", False),
    ],
)
def test_a_sum_that_may_be_a_number_of_pythons_is_told(run: Any, added: str, told: bool) -> None:
    source = f"""
    def total(x, s):
        for i in range(len(x) - 1):
            s += {added}
        return s
    """
    found = run(source, x=np.linspace(0.0, 1.0, 5), s=0.0)
    assert bool(found.ported.kernels[0].kinds) == told


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ("max(x[i], 1)", True),
        ("(1 if x[i] < 1 else x[i]) * 2", True),
        ("max(x[i], 1) * x[i]", False),
    ],
)
@pytest.mark.parametrize("kept", ["s", "s + 1"])
def test_a_running_sum_that_may_be_a_number_of_pythons_is_told(
    run: Any, added: str, told: bool, kept: str
) -> None:
    source = f"""
    def running(x, y):
        s = 0.5
        for i in range(len(x)):
            s += {added}
            y[i] = {kept}
        return s
    """
    found = run(source, x=np.linspace(0.0, 2.0, 5), y=np.zeros(5))
    found.same()
    assert bool(found.ported.kernels[0].kinds) == told
