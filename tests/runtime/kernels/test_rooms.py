"""Kernels with arrays of their own, with several stages, and with texts that say all types."""

from __future__ import annotations

import numpy as np
import pytest

OLD = """
@kernel(
    "int k",
    "raw {letter} d, raw {letter} d_old",
    "d[{{i, j}}] = py_min(d_old[{{i, j}}], d_old[{{i, k}}] + d_old[{{k, j}}]);",
    over="i in range(len(d)), j in range(len(d))",
    where="(d[k:k + 1, k:k + 1] >= 0).all()",
    work="d_old = d.copy()",
)
def shorter(k, d):
    for i in range(len(d)):
        for j in range(len(d)):
            d[i, j] = min(d[i, j], d[i, k] + d[k, j])
"""


@pytest.mark.parametrize("letter", ["T", "float32"])
def test_what_an_array_was(program, alike, emulated, letter: str):
    dtype = "float64" if letter == "T" else letter
    d = emulated.asarray(np.random.default_rng(3).random((7, 7)).astype(dtype))
    made = program(OLD.format(letter=letter))
    alike(made.shorter, "device", 3, d)
    d[3, 3] = -1.0
    alike(made.shorter, "host", 3, d)


SORTED = """
@kernel(
    "raw float64 x, int n",
    "raw float64 out, raw float64 row",
    \"\"\"
    for (long long k = 0; k < n; ++k) { row[{k, i}] = x[i] * k; }
    out[i] = written(row[{max(n - 1, 0LL), i}], out_of_range[0]);
    \"\"\",
    over="i in range(len(x))",
    where="out.ndim == 1 and len(out) >= len(x)",
    work="row = unwritten(max(n, 1), len(x))",
)
def last(x, n, out):
    row = None
    for i in range(len(x)):
        row = [x[i] * k for k in range(n)]
        out[i] = row[n - 1]
"""


def test_room_of_which_nothing_was_written_is_told(program, alike, emulated):
    made = program(SORTED)
    alike(made.last, "device", emulated.arange(5.0), 3, emulated.zeros(5))
    with pytest.raises(IndexError), pytest.warns(match="runs on the CPU"):
        made.last(emulated.arange(5.0), 0, emulated.zeros(5))


PACKED = """
@kernel(
    "raw float64 x, object k",
    "raw float64 out, int64 k_terms, int64 k_scan",
    "if (x[i] > 0) { out[k_scan] = x[i]; }",
    first="k_terms = x[i] > 0;",
    over="i in range(len(x))",
    where="len(out) >= k + len(x)",
    before="k_terms = running_sum(k_terms, begin=k); k_scan = before_each(k_terms, k)",
    returns="int(k_terms[-1])",
)
def packed(x, k, out):
    for i in range(len(x)):
        if x[i] > 0:
            out[k] = x[i]
            k += 1
    return k
"""


def test_several_outputs_are_made_between_two_launches(program, alike, emulated):
    made = program(PACKED)
    x = emulated.asarray(np.random.default_rng(3).normal(size=40))
    alike(made.packed, "device", x, 2, emulated.zeros(50))
    alike(made.packed, "host", x, 2, emulated.zeros(41))


HELD = """
@kernel(
    "raw float64 x, object last",
    "raw float64 out, float64 last_terms, int64 last_at, int64 last_counts, float64 last_scan",
    "out[i] = last_scan;",
    first=\"\"\"
    last_at = -1;
    last_counts = 0;
    if (x[i] > 1) { last_terms = 7.0; last_at = i; }
    else if (x[i] > 0) { last_counts = 1; }
    \"\"\",
    over="i in range(len(x))",
    where="len(out) >= len(x)",
    before="last_scan = running_latest(last_terms, last_at, last, counts=last_counts)",
    returns="last_scan[-1].get()[()]",
)
def held(x, last, out):
    for i in range(len(x)):
        if x[i] > 1:
            last = 7.0
        elif x[i] > 0:
            last += 1.0
        out[i] = last
    return last
"""


@pytest.mark.parametrize("size", [1, 2, 3, 40])
def test_the_latest_number_and_what_was_added_since(program, alike, emulated, size: int):
    made = program(HELD)
    x = emulated.asarray(np.random.default_rng(size).normal(size=size))
    alike(made.held, "device", x, np.float64(3.0), emulated.zeros(50))


TYPED = """
@kernel(
    "raw float32 x, raw int16 k, float a",
    "raw float32 y",
    "y[i] = x[i] * (float)a + (double)k[i] * 0.1;",
    over="i in range(len(x))",
    where="type(a) is float",
    typed=True,
)
def weighted(x, k, a, y):
    for i in range(len(x)):
        y[i] = x[i] * a + k[i] * 0.1


@kernel("raw T x, float floor, int shape[0]", "raw T y", "y[i] = floor(x[i]) - floor;",
        over="i in range(shape[0])")
def lowered(x, floor, shape, y):
    for i in range(shape[0]):
        y[i] = np.floor(x[i]) - floor
"""


def test_a_text_that_says_its_types(program, alike, emulated):
    made, dice = program(TYPED), np.random.default_rng(4)
    x = emulated.asarray(dice.normal(size=30).astype("float32"))
    k = emulated.asarray(dice.integers(-99, 99, 30).astype("int16"))
    alike(made.weighted, "device", x, k, 0.3, emulated.zeros(30, "float32"))
    alike(made.weighted, "host", x, k, np.float64(0.3), emulated.zeros(30, "float32"))


def test_names_of_functions_and_items_of_tuples(program, alike, emulated):
    made = program(TYPED)
    x = emulated.asarray(np.random.default_rng(4).normal(size=9))
    alike(made.lowered, "device", x, 0.25, (9, 3), emulated.zeros(9))
    alike(made.lowered, "host", x, 0.25, [9, 3], emulated.zeros(9))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('"raw float64 y", work="x = y.copy()"', "of the form"),
        ('"raw float64 y, float64 old", work="old = y.copy()"', "of the form"),
        ('"raw float64 y, raw float64 old"', "have to say over which"),
        ('"raw float64 y, raw float64 old", work="old = room(q)"', "'q' in work="),
    ],
)
def test_arrays_that_cannot_be_made_are_refused(said: str, why: str):
    from gpuport.runtime import kernel

    outputs, _, more = said.partition(", work=")
    words = {"work": more.strip('"')} if more else {}

    def f(x, y):
        for i in range(len(x)):
            y[i] = x[i]

    with pytest.raises(TypeError, match=why):
        kernel(
            "raw float64 x", outputs.strip('"'), "y[i] = x[i];", over="i in range(len(x))", **words
        )(f)
