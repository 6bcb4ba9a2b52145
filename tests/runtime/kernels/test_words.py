"""What `then` and `returns` of a kernel say in the runtime's own words."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.host import snapshot

EXTREME = """
@kernel(
    "raw float64 x, object best, object place",
    "float64 best_terms",
    "best_terms = x[i];",
    over="i in range(len(x))",
    returns="{word}((best_terms, i), (best, place){last})",
)
def extreme(x, best, place):
    for i in range(len(x)):
        if x[i] {sign} best:
            best, place = x[i], i
    return best, place
"""


@pytest.mark.parametrize(
    ("word", "last", "sign"),
    [
        ("greatest", "", ">"),
        ("greatest", ", last=True", ">="),
        ("least", "", "<"),
        ("least", ", last=True", "<="),
    ],
)
@pytest.mark.parametrize("start", [-100.0, 0.0, -0.0, 3.0, 100.0, np.nan, 3])
def test_of_equal_numbers_the_first_or_the_last(program, alike, emulated, word, last, sign, start):
    made = program(EXTREME.format(word=word, last=last, sign=sign))
    for values in ([1.0, 3.0, 3.0, 1.0], [0.0, -0.0, 0.0], [-0.0, 0.0], [3.0]):
        alike(made.extreme, "device", emulated.asarray(np.array(values)), start, -1)


GRID = """
@kernel(
    "raw int64 a, object best, object place, object row",
    "int64 best_terms, bool marked",
    "best_terms = a[{i, j}]; marked = a[{i, j}] % 2 == 0;",
    over="i in range(1, a.shape[0]), j in range(a.shape[1])",
    returns="*greatest((best_terms, (i, j)), (best, place), among=marked), "
    "latest(i, row, among=marked)",
)
def even(a, best, place, row):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] % 2 == 0:
                row = i
                if a[i, j] > best:
                    best, place = a[i, j], (i, j)
    return best, place, row
"""


@pytest.mark.parametrize("a", [[[9, 9], [2, 4], [4, 3]], [[8, 8], [1, 3], [5, 7]]])
def test_only_some_indices_count(program, alike, emulated, a):
    made = program(GRID)
    alike(made.even, "device", emulated.asarray(np.array(a)), -1, None, None)


def test_nothing_is_taken_of_no_index(program, alike, emulated):
    made = program(GRID)
    alike(made.even, "host", emulated.zeros((1, 2), dtype=np.int64), -1, None, None)


RUNNING = """
@kernel(
    "raw {type} x, object s",
    "raw {type} y, {type} terms",
    "terms = x[i];",
    over="i in range(len(x))",
    where="y.shape == x.shape",
    then="running_{word}(terms, y[:len(x)], begin=s)",
    returns="y[:len(x)][-1].get()[()]",
)
def running(x, s, y):
    for i in range(len(x)):
        s {sign}= x[i]
        y[i] = s
    return s
"""


@pytest.mark.parametrize(("word", "sign"), [("sum", "+"), ("product", "*")])
@pytest.mark.parametrize("dtype", ["int64", "int32", "float64"])
def test_running_numbers_are_stored(program, alike, emulated, word, sign, dtype):
    made = program(RUNNING.format(type=dtype, word=word, sign=sign))
    x = emulated.asarray(np.array([1, 2, 3, 2]).astype(dtype))
    alike(made.running, "device", x, 2, emulated.zeros(4, dtype=dtype))


def test_an_object_is_none_of_the_kernels(program, alike, emulated):
    """It decides neither about the launch nor about the text that is compiled."""
    made = program(EXTREME.format(word="greatest", last="", sign=">"))
    x = emulated.arange(4.0)
    for place in (None, "nowhere", [1], 2.5):
        alike(made.extreme, "device", x, -1, place)


PYTHONS = """
@kernel(
    "raw float64 x, object a, object b",
    "float64 a_terms, int64 b_terms",
    "a_terms = x[i]; b_terms = 2 * i;",
    over="i in range(len(x))",
    returns="latest(real(a_terms), a), latest(whole(b_terms), b)",
)
def python(x, a, b):
    for i in range(len(x)):
        a, b = float(x[i]), 2 * i
    return a, b
"""


def test_numbers_of_pythons_stay_pythons(program, emulated):
    a, b = program(PYTHONS).python(emulated.arange(3.0), None, None)
    assert (a, b) == (2.0, 4)
    assert type(a) is float
    assert type(b) is int


TWO_STEPS = """
@kernel(
    "raw {type} x, object high",
    "raw {type} y, {type} highs, {type} terms",
    "y[i] = x[i] - highs; terms = highs;",
    first="highs = 2 * x[i];",
    over="i in range(len(x))",
    where="y.shape == x.shape",
    before="highs = running_{word}(highs, begin=high)",
    returns="highs[-1].get()[()], {call}(terms, high)",
)
def two_steps(x, high, y):
    best = high
    for i in range(len(x)):
        high = {python}
        y[i] = x[i] - high
        best = {other}(best, high)
    return high, best
"""


@pytest.mark.parametrize(
    ("word", "python", "call", "other"),
    [
        ("greatest", "max(high, 2 * x[i])", "greatest", "max"),
        ("least", "min(high, 2 * x[i])", "least", "min"),
        ("sum", "high + 2 * x[i]", "greatest", "max"),
        ("product", "high * (2 * x[i])", "least", "min"),
    ],
)
@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_a_kernel_in_two_steps(program, alike, emulated, word, python, call, other, dtype):
    given = {"word": word, "python": python, "call": call, "other": other, "type": dtype}
    made = program(TWO_STEPS.format(**given))
    high = np.dtype(dtype).type(3)
    for values in ([1, 4, 3, 4, -9], [0, 0], [2]):
        x = emulated.asarray(np.array(values, dtype=dtype))
        alike(made.two_steps, "device", x, high, emulated.zeros_like(x))
    nothing = emulated.zeros(0, dtype=dtype)
    alike(made.two_steps, "host", nothing, high, emulated.zeros_like(nothing))


def test_of_zeros_of_two_signs_the_first_stays(program, alike, emulated):
    text = TWO_STEPS.format(
        word="greatest", python="max(high, 2 * x[i])", call="greatest", other="max", type="float64"
    )
    made = program(text)
    for begin in (-1.0, -0.0, 0.0):
        x = emulated.asarray(np.array([-0.0, 0.0, -0.0, np.nan, 0.0]))
        alike(made.two_steps, "device", x, np.float64(begin), emulated.zeros_like(x))


def test_a_number_that_lies_in_an_array_is_one_on_the_host(program, emulated):
    """``s = x[0]`` is a number: what the loop adds to it changes no array."""
    made = program(RUNNING.format(type="float64", word="sum", sign="+"))
    x = emulated.arange(4.0)
    y = emulated.zeros(3)  # which does not fit
    with pytest.warns(RuntimeWarning), pytest.raises(IndexError):
        made.running(x, x[1], y)
    assert emulated.asnumpy(x).tolist() == [0.0, 1.0, 2.0, 3.0]


SEVERAL = """
@kernel(
    "raw {type} x, object best, object place, float s, int n, object p",
    "{type} terms, {type} low, bool marked, int64 counted",
    "marked = x[i] > 1; terms = marked ? x[i] : 0; low = marked ? x[i] : 100; counted = 1;",
    over="i in range(len(x))",
    returns="*least((low, i), (best, place), among=marked), summed(terms, s, among=marked), "
    "summed(whole(counted), n), multiplied(low, p, dtype='{type}')",
)
def several(x, best, place, s, n, p):
    total, some = np.{type}(0), False
    for i in range(len(x)):
        n += 1
        p = p * (x[i] if x[i] > 1 else np.{type}(100))
        if x[i] > 1:
            total, some = total + x[i], True
            if x[i] < best:
                best, place = x[i], i
    return best, place, s + total if some else s, n, p
"""


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
def test_numbers_come_to_the_host_in_one_transfer(program, alike, emulated, dtype):
    made = program(SEVERAL.format(type=dtype))
    for values in ([1, 4, 2, 2], [1, 1], [3]):
        x = emulated.asarray(np.array(values, dtype=dtype))
        given = (x, 9, None, 2.5, 3, np.dtype(dtype).type(1))
        alike(made.several, "device", *given)
        before = snapshot()
        made.several(*given)
        assert snapshot().d2h - before.d2h == 1


SOME = """
@kernel(
    "raw {type} x",
    "{type} terms, bool marks",
    "terms = x[i]; marks = x[i] > 1;",
    over="i in range(len(x))",
    returns="kept(terms, marks)",
)
def some(x):
    return np.array([v for v in x if v > 1])
"""


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_of_no_item_numpy_makes_floating_numbers(program, alike, emulated, dtype):
    made = program(SOME.format(type=dtype))
    for values in ([1, 4, 2], [1, 1], [0]):
        x = emulated.asarray(np.array(values, dtype=dtype))
        alike(made.some, "device", x)
        assert isinstance(made.some(x), emulated.ndarray)
