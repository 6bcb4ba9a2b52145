"""Kernels do what the loops do that they were made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.loops.names import kernel_name
from gpuport.parallel.cuda.rules import functions
from gpuport.runtime.kernels.text import word_of

RNG = np.random.default_rng(11)


def test_an_elementwise_loop_is_written_without_subscripts(run: Any) -> None:
    both = run(
        """
        def axpy(a, x, y):
            for i in range(len(y)):
                y[i] = a * x[i] + y[i]
        """,
        a=2.5,
        x=RNG.normal(size=40),
        y=RNG.normal(size=40),
    )
    both.same()


def test_stencil_over_two_axes_with_offsets(run: Any) -> None:
    both = run(
        """
        def smooth(u, c):
            v = np.zeros((u.shape[0], u.shape[1]))
            for i in range(1, u.shape[0] - 1):
                for j in range(1, u.shape[1] - 1):
                    v[i, j] = u[i, j] + c * (u[i - 1, j] + u[i + 1, j] - 2 * u[i, j])
            return v
        """,
        u=RNG.normal(size=(7, 9)),
        c=0.25,
    )
    both.same()
    assert "u[{i - 1, j}]" in both.ported.text


def test_conditions_chains_and_breaks_in_a_thread(run: Any) -> None:
    both = run(
        """
        def classify(x, limit):
            out = np.zeros(len(x), dtype=np.int64)
            for i in range(len(x)):
                v = x[i]
                k = 0
                while True:
                    if not -1.0 < v < 1.0 or k > limit:
                        break
                    v = v * 3.0 + 0.25
                    k += 1
                if k == 0:
                    continue
                elif k % 2 == 0:
                    out[i] = k // 2
                else:
                    out[i] = -k // 2
            return out
        """,
        x=RNG.normal(size=60),
        limit=12,
    )
    both.same()


def test_tuple_assignment_reads_the_old_values(run: Any) -> None:
    both = run(
        """
        def rotate(x, y, c, s):
            for i in range(len(x)):
                a, b = x[i], y[i]
                for k in range(3):
                    a, b = c * a - s * b, s * a + c * b
                x[i], y[i] = b, a
        """,
        x=RNG.normal(size=20),
        y=RNG.normal(size=20),
        c=0.6,
        s=0.8,
    )
    both.same()


def test_negative_subscripts_count_from_the_end(run: Any) -> None:
    both = run(
        """
        def mirror(x):
            y = np.zeros(len(x))
            for i in range(len(x)):
                y[-1 - i] = x[i] - x[-1]
            return y
        """,
        x=RNG.normal(size=20),
    )
    both.same()


def test_functions_of_the_project_are_device_functions(run: Any) -> None:
    both = run(
        """
        LIMIT = 0.5

        def clip(v, top):
            '''Clamp.'''
            if v > top:
                return top
            while v < -LIMIT:
                v = v + 0.25
            return v

        def clipped(x):
            y = np.empty(len(x))
            for i in range(len(x)):
                y[i] = clip(clip(x[i], 1.5), LIMIT + 0.1)
            return y
        """,
        x=RNG.normal(size=50),
    )
    both.same()
    assert both.ported.text.count("__device__") == 1


def test_sums_keep_the_type_that_the_loop_gives(run: Any) -> None:
    both = run(
        """
        def moments(x):
            total = 0.0
            count = 0
            for i in range(len(x)):
                if x[i] > 0:
                    total += x[i] * x[i]
                    count += 1
            return total, count
        """,
        x=RNG.normal(size=50),
    )
    both.same(ulp=20)
    assert type(both.found[0]) is type(both.expected[0])
    assert type(both.found[1]) is int


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint16", "int64"])
def test_integer_sums_wrap_as_numpy_does(run: Any, dtype: str) -> None:
    both = run(
        """
        def total(x):
            s = 0
            for i in range(len(x)):
                s += x[i] * x[i]
            return s
        """,
        x=np.arange(90).astype(dtype),
    )
    both.same()
    assert type(both.found) is type(both.expected)


def test_extremes_and_their_positions(run: Any) -> None:
    values = np.round(RNG.normal(size=200), 1)
    values[7] = np.nan
    both = run(
        """
        def ends(x):
            lo = np.inf
            top = x[0]
            best = 0
            low = x[0]
            last = 0
            for i in range(1, len(x)):
                lo = min(lo, x[i])
            for i in range(1, len(x)):
                if x[i] > top:
                    top = x[i]
                    best = i
            for i in range(1, len(x)):
                if x[i] <= low:
                    low = x[i]
                    last = i
            return lo, top, best, low, last
        """,
        x=values,
    )
    both.same()


def test_what_is_made_of_a_count_is_divided(run: Any) -> None:
    both = run(
        """
        def ranks(x, y):
            for i in range(len(x)):
                less = equal = 0
                for j in range(len(x)):
                    if x[j] < x[i]:
                        less += 1
                    elif x[j] == x[i]:
                        equal += 1
                y[i] = less + (equal + 1) / 2 + 2 * less / 3
        """,
        x=RNG.integers(0, 9, 20).astype(float),
        y=np.zeros(20),
    )
    both.same()
    assert not both.ported.refusals


def test_scatter_adds_atomically(run: Any) -> None:
    both = run(
        """
        def counts(labels, weights, bins):
            h = np.zeros(bins, dtype=np.int64)
            w = np.zeros(bins)
            for i in range(len(labels)):
                h[labels[i]] += 1
            for i in range(len(labels)):
                w[labels[i]] += weights[i]
            return h, w
        """,
        labels=RNG.integers(-4, 4, 300),
        weights=RNG.integers(0, 9, 300).astype(float),
        bins=5,
    )
    both.same()
    assert "atomicAdd" in both.ported.text


def test_an_index_out_of_range_is_seen_and_undone(run: Any) -> None:
    source = """
        def scatter(h, labels):
            for i in range(len(labels)):
                h[labels[i]] += 1
        """
    with pytest.raises(IndexError) as error:
        run(source, h=np.zeros(4, np.int64), labels=np.array([0, 1, 7, 2]))
    assert error.value.__notes__ == ["undone"]


def test_reads_of_old_values_come_from_a_copy(run: Any) -> None:
    both = run(
        """
        def shift(a):
            for i in range(len(a) - 1):
                a[i] = a[i + 1] * 0.5
        """,
        a=RNG.normal(size=30),
    )
    both.same()
    assert "a_old = a.copy()" in both.ported.text


def test_time_loop_stays_in_python(run: Any) -> None:
    both = run(
        """
        def march(u, v, steps):
            for t in range(steps):
                for i in range(1, len(u) - 1):
                    v[i] = 0.5 * (u[i - 1] + u[i + 1]) + t
                for i in range(1, len(u) - 1):
                    u[i] = v[i]
        """,
        u=RNG.normal(size=30),
        v=np.zeros(30),
        steps=4,
    )
    both.same()
    assert len(both.ported.kernels) == 2


def test_complex_arithmetic(run: Any) -> None:
    both = run(
        """
        def escape(xs, ys, limit):
            out = np.zeros((len(ys), len(xs)), dtype=np.int32)
            for i in range(len(ys)):
                for j in range(len(xs)):
                    c = complex(xs[j], ys[i])
                    z = 0j
                    k = 0
                    while abs(z) <= 2.0 and k < limit:
                        z = z * z + c
                        k += 1
                    out[i, j] = k
            return out
        """,
        xs=np.linspace(-2, 0.6, 12),
        ys=np.linspace(-1.2, 1.2, 9),
        limit=30,
    )
    both.same()


def test_reserved_words_and_names_are_changed(run: Any) -> None:
    both = run(
        """
        def odd(n, new, x):
            y = np.zeros(len(x))
            for i in range(len(x)):
                double = x[i] * n
                exp = np.exp(-double * double)
                _this = exp + new
                y[i] = _this if double > 0 else min(exp, _this)
            return y
        """,
        n=2.0,
        new=0.5,
        x=RNG.normal(size=20),
    )
    both.same(ulp=2)


@pytest.mark.parametrize("name", ["main", "norm", "exp", "short", "y0", "größe"])
def test_a_kernel_is_not_called_as_what_headers_declare(run: Any, name: str) -> None:
    both = run(
        f"""
        def {name}(x):
            y = np.zeros(len(x))
            for i in range(len(x)):
                y[i] = x[i] * 2
            return y
        """,
        x=RNG.normal(size=5),
    )
    both.same()
    word = word_of(both.ported.kernels[0].name)
    assert word not in functions().declared | functions().reserved


CELLS = """
        def f(x, cells, out):
            for p in range(len(x)):
                i = int(x[p] * cells)
                out[p] = i * cells + p
        """


def test_what_is_truncated_is_small_enough_to_count_with(run: Any) -> None:
    x = np.random.default_rng(1).uniform(-3.0, 3.0, 50)
    run(CELLS, x=x, cells=12, out=np.zeros(50, np.int64)).same()


def test_what_is_truncated_may_be_too_large_to_count_with(run: Any) -> None:
    with pytest.raises(OverflowError) as error:
        run(CELLS, x=np.array([1.0, 2e12]), cells=2**31 - 1, out=np.zeros(2, np.int64))
    assert error.value.__notes__ == ["undone"]


@pytest.mark.parametrize("bad", [np.nan, 1e300, -3.0])
def test_integers_that_do_not_fit_are_left_to_the_loop(run: Any, bad: float) -> None:
    source = """
        def whole(v):
            return int(v * 2.0)

        def bytes_of(x, out):
            for i in range(len(x)):
                out[i] = whole(x[i]) + int(x[i])
        """
    x = np.abs(RNG.normal(size=20)) * 20
    run(source, x=x, out=np.zeros(20, np.uint8)).same()
    x[3] = bad
    with pytest.raises((OverflowError, ValueError)) as error:
        run(source, x=x, out=np.zeros(20, np.uint8))
    assert error.value.__notes__ == ["undone"]


@pytest.mark.parametrize("by", [9, 255, 256, -1])
def test_numbers_that_have_to_fit_a_narrow_type_are_asked(run: Any, by: int) -> None:
    source = """
        def brighten(x, y, by):
            for i in range(len(x)):
                y[i] = (x[i] + by) >> 1
        """
    x = RNG.integers(0, 255, 20).astype(np.uint8)
    if 0 <= by < 256:
        run(source, x=x, y=np.zeros_like(x), by=by).same()
        return
    with pytest.raises(OverflowError):
        run(source, x=x, y=np.zeros_like(x), by=by)


@pytest.mark.parametrize("values", [[-np.inf, -np.inf], [np.nan, np.nan], [1.0, 1.0], [0.0, 5.0]])
def test_positions_of_extremes_where_nothing_or_everything_is_equal(
    run: Any, values: list[float]
) -> None:
    both = run(
        """
        def ends(x, top, low):
            best = -7
            last = -7
            for i in range(len(x)):
                if x[i] > top:
                    top = x[i]
                    best = i
            for i in range(len(x)):
                if x[i] >= low:
                    low = x[i]
                    last = i
            return top, best, low, last
        """,
        x=np.array(values),
        top=1.0,
        low=-np.inf,
    )
    both.same()


def test_whether_any_is_found(run: Any) -> None:
    source = """
        def found(x, limit):
            hit = 3
            for i in range(len(x)):
                if x[i] > limit:
                    hit = 8
            return hit
        """
    assert run(source, x=np.arange(9.0), limit=4.0).found == 8
    assert run(source, x=np.arange(9.0), limit=40.0).found == 3


def test_lengths_of_arrays_that_the_kernel_does_not_read(run: Any) -> None:
    both = run(
        """
        def ramp(x, y, z):
            for i in range(len(y)):
                y[i] = i / x.shape[0] + z.shape[1]
        """,
        x=np.zeros(7),
        y=np.zeros(12),
        z=np.zeros((2, 5)),
    )
    both.same()
    assert "int x.shape[0]" in both.ported.text


@pytest.mark.filterwarnings("error")
def test_a_number_beyond_float32_is_no_warning(ported: Any) -> None:
    source = """
        def least(x, y):
            for i in range(len(y)):
                best = 1e300
                for j in range(len(x)):
                    if x[j] < best:
                        best = x[j]
                y[i] = best
        """
    ported(source, x=np.ones(3, np.float32), y=np.ones(3, np.float32))


def test_kernels_are_named_after_their_function():
    assert [kernel_name(name) for name in ("relax", "_relax", "__init__", "_")] == [
        "_relax", "_relax", "_init", "_kernel",
    ]  # fmt: skip
