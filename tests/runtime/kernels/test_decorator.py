"""``kernel``: the text on the device gives what the Python below it gives on the host."""

from __future__ import annotations

import inspect
import pickle
import sys
import warnings
from contextlib import nullcontext

import numpy as np
import pytest
from tests.runtime.kernels.conftest import counts, way

from gpuport.runtime import FallbackError, FallbackWarning, KernelError, kernel

RELAX = '''
@kernel(
    "raw T u, raw T source, float h",
    "raw T v",
    """
    const T around = u[{i - 1, j}] + u[{i + 1, j}] + u[{i, j - 1}] + u[{i, j + 1}];
    v[{i, j}] = 0.25 * (around - h * h * source[{i, j}]);
    """,
    over="i in range(1, u.shape[0] - 1), j in range(1, u.shape[1] - 1)",
)
def relax(u, source, h, v=None):
    """One sweep."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            v[i, j] = 0.25 * (around - h * h * source[i, j])
'''

MANDELBROT = '''
@kernel(
    "int width, int height, int limit",
    "raw int64 image",
    """
    const double cx = -2.2 + 3.0 * col / width;
    const double cy = -1.5 + 3.0 * row / height;
    double x = 0.0, y = 0.0;
    long long count = 0;
    while (x * x + y * y <= 4.0 && count < limit) {
        const double next = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = next;
        count += 1;
    }
    image[{row, col}] = count;
    """,
    over="row in range(height), col in range(width)",
)
def mandelbrot(width, height, limit, image):
    for row in range(height):
        for col in range(width):
            cx = -2.2 + 3.0 * col / width
            cy = -1.5 + 3.0 * row / height
            x = y = 0.0
            count = 0
            while x * x + y * y <= 4.0 and count < limit:
                x, y = x * x - y * y + cx, 2.0 * x * y + cy
                count += 1
            image[row, col] = count
'''

NAMED = """
SCALE = 0.5
@kernel("T x, T i, T n", "T _out", "_out = x * i + n * SCALE;")
def named(x, i, n):
    return x * i + n * SCALE
"""

BACKWARDS = """
SHIFT = 3
@kernel("raw float64 x", "raw float64 y", "y[i] = x[i] * i + SHIFT;",
        over="i in range(len(x) - 1, -1, -2)")
def backwards(x, y):
    for i in range(len(x) - 1, -1, -2):
        y[i] = x[i] * i + SHIFT
"""

PRODUCT = '''
@kernel(
    "raw float64 a, raw float64 x",
    "float64 y",
    """
    double s = 0.0;
    for (long long k = 0; k < a.shape[1]; ++k) s += a[{r, k}] * x[k];
    y = s;
    """,
    over="r in range(a.shape[0])",
)
def product(a, x):
    out = []
    for r in range(a.shape[0]):
        s = 0.0
        for k in range(a.shape[1]):
            s += a[r, k] * x[k]
        out.append(s)
    return np.array(out)
'''

GATHER = """
@kernel("raw float64 x, raw int64 at, int shift", "raw float64 y", "y[k] = x[at[k] + shift];",
        over="k in range(len(at))",
        where="len(y) >= len(at) and at.min() + shift >= 0 and at.max() + shift < len(x)")
def gather(x, at, shift, y):
    for k in range(len(at)):
        y[k] = x[at[k] + shift]
"""

CROSSINGS = '''
@kernel(
    "raw T x, float level",
    "T place, bool crosses",
    """
    const T before = x[i - 1] - level, after = x[i] - level;
    crosses = before * after < 0.0;
    place = i - after / (after - before);
    """,
    over="i in range(1, len(x))",
    returns="place[crosses]",
)
def crossings(x, level):
    found = []
    for i in range(1, len(x)):
        before, after = x[i - 1] - level, x[i] - level
        if before * after < 0.0:
            found.append(i - after / (after - before))
    return np.array(found)
'''

HARMONIC = """
@kernel("T a, T b", "T mean", "mean = 2.0 * a * b / (a + b);")
def harmonic(a, b):
    return 2.0 * a * b / (a + b)
"""

ADVANCE = """
@kernel("T rate, float dt", "T t", "t += dt * rate;")
def advance(rate, dt, t):
    t += dt * rate
"""

RNG = np.random.default_rng(39)


@pytest.fixture
def grids(emulated):
    return [emulated.asarray(RNG.random((9, 8))) for _ in range(3)]


def test_a_loop_is_launched_and_says_no_more_than_its_python(program, alike, grids):
    relax = program(RELAX).relax
    u, source, v = grids
    for h in (0.1, 3, np.float64(0.3)):
        alike(relax, "device", u, source, h, v)
    alike(relax, "device", u[::-1, ::-1], source.T[:9].T.copy()[:9, :8], 0.1, v)
    for shape in ((2, 5), (0, 0), (1, 1), (9, 2)):
        alike(relax, "device", u[: shape[0], : shape[1]], source, 0.1, v)


@pytest.mark.parametrize("h", [np.float32(0.3), 2**40, True, None])
@pytest.mark.filterwarnings("ignore::gpuport.runtime.FallbackWarning")
def test_numbers_of_other_kinds_go_to_the_host(program, alike, grids, h):
    relax = program(RELAX).relax
    alike(relax, "host", grids[0], grids[1], h, grids[2])


@pytest.mark.filterwarnings("ignore::gpuport.runtime.FallbackWarning")
def test_arrays_that_do_not_fit_go_to_the_host(program, alike, grids, emulated):
    relax = program(RELAX).relax
    u, source, v = grids
    for first, second in (
        (u.astype("f4"), source), (u.astype(int), source), (u, source[:5]), (u, source[0]),
        (u, emulated.asnumpy(source)),
    ):  # fmt: skip
        alike(relax, "host", first, second, 0.1, v)


def test_the_reason_names_what_does_not_hold(program, grids, emulated):
    relax = program(RELAX).relax
    u, source, v = grids
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for args, reason in (
            ((u, source[:5], 0.1, v),
             "the index i of source goes from 1 to 7, on an axis of 5 elements"),
            ((u.astype(int), source, 0.1, v), "u is of int64, neither float32 nor float64"),
            ((u, source[0], 0.1, v), "source has 1 axes, not 2"),
            ((u, source, 2**40, v), f"h is {2**40}, beyond {2**24}"),
            ((u, source, 0.1, u), "v, which is written to, shares memory with u"),
        ):  # fmt: skip
            with (
                pytest.raises(IndexError) if "axis" in reason or "axes" in reason else nullcontext()
            ):
                relax(*args)
            assert counts(relax).reason == reason
    assert len(told) == 1
    assert "relax runs on the CPU" in str(told[0].message)
    assert told[0].filename == __file__


@pytest.mark.filterwarnings("ignore::gpuport.runtime.FallbackWarning")
def test_what_shares_memory_runs_in_the_loops_order(program, grids, emulated):
    relax = program(RELAX).relax
    host = RNG.random(100)
    device = emulated.asarray(host)
    source = grids[1]
    relax(device[:72].reshape(9, 8), source, 0.1, device[20:92].reshape(9, 8))
    assert counts(relax).host == 1
    relax(host[:72].reshape(9, 8), emulated.asnumpy(source), 0.1, host[20:92].reshape(9, 8))
    np.testing.assert_array_equal(emulated.asnumpy(device), host)


def test_where_nothing_is_computed_memory_may_be_shared(program, grids):
    relax = program(RELAX).relax
    relax(grids[0][:2], grids[1], 0.1, grids[0][:2])
    assert way(relax) == "device"


def test_an_output_whose_elements_share_memory_is_not_launched(program, emulated):
    module = program(ADVANCE)
    memory = emulated.zeros(4)
    wide = emulated.broadcast_to(memory[:1], (4,))
    with pytest.warns(FallbackWarning):
        module.advance(emulated.ones(4), 0.5, wide)
    assert way(module.advance) == "host"
    assert "elements of t, which is written to, share memory" in counts(module.advance).reason


def test_elements_that_share_memory_share_it_in_the_copy(program, emulated):
    relax = program(RELAX).relax
    source, rows = np.ones((4, 5)), np.arange(20.0)
    memory = emulated.asarray(rows)
    overlapping = emulated.lib.stride_tricks.as_strided(memory, (4, 5), (8, 8))
    with pytest.warns(FallbackWarning):
        relax(emulated.ones((4, 5)), emulated.asarray(source), 0.1, overlapping)
    mine = np.lib.stride_tricks.as_strided(rows, (4, 5), (8, 8))
    relax(np.ones((4, 5)), source, 0.1, mine)
    np.testing.assert_array_equal(emulated.asnumpy(memory), rows)


def test_a_number_that_is_an_element_of_what_is_written_is_not_launched(program, grids, emulated):
    relax = program(RELAX).relax
    u, source, v = grids
    expected = emulated.asnumpy(v)
    relax(emulated.asnumpy(u), emulated.asnumpy(source), expected[3, 3], expected)
    with pytest.warns(FallbackWarning):
        relax(u, source, v[3:4, 3:4].reshape(()), v)
    assert counts(relax).reason == "v, which is written to, shares memory with h"


def test_numbers_of_the_device_are_not_fetched(program, grids, emulated):
    relax = program(RELAX).relax
    u, source, v = grids
    expected = emulated.asnumpy(v)
    relax(emulated.asnumpy(u), emulated.asnumpy(source), 0.3, expected)
    relax(u, source, emulated.asarray(0.3), v)
    np.testing.assert_array_equal(emulated.asnumpy(v), expected)
    assert counts(relax).device == 1


def test_float32_takes_weak_numbers_as_numpy_does(program, alike, grids):
    u, source, v = (one.astype("f4") for one in grids)
    relax, named, crossings = (
        program(RELAX).relax, program(NAMED).named, program(CROSSINGS).crossings,
    )  # fmt: skip
    alike(relax, "device", u, source, 0.1, v)
    alike(named, "device", u, source, 2.3)
    alike(named, "device", u, 0.1, 0.7)
    reference = crossings(u.get().ravel(), 0.1)
    np.testing.assert_array_equal(crossings(u.ravel(), 0.1).get(), reference)


def test_two_numbers_of_python_are_computed_in_double_precision_before(program, alike, grids):
    text = """
@kernel("T a, T b, T x", "T y", "y = a * b * x;")
def scaled(a, b, x):
    return a * b * x
"""
    scaled = program(text).scaled
    x = grids[0].astype("f4")
    alike(scaled, "device", 0.1, 0.3, x)
    alike(scaled, "device", x, 0.3, x)


def test_numbers_of_numpy_are_strong(program, alike, grids):
    relax = program(RELAX).relax
    u, source, v = (one.astype("f4") for one in grids)
    with pytest.warns(FallbackWarning):
        alike(relax, "host", u, source, np.float64(0.1), v)
    harmonic = program(HARMONIC).harmonic
    alike(harmonic, "device", u, np.float32(0.7))
    with pytest.warns(FallbackWarning):
        alike(harmonic, "host", u, np.float64(0.7))


def test_declared_float32_takes_weak_numbers_too(program, alike, grids):
    text = """
@kernel("float32 x, float h", "float32 y", "y = h * h * x * 0.1;")
def scaled(x, h):
    return h * h * x * 0.1
"""
    alike(program(text).scaled, "device", grids[0].astype("f4"), 0.3)


def test_whole_numbers_of_arrays_among_float32_are_not_launched(program, alike, emulated):
    text = """
@kernel("raw T x, raw int64 k", "raw T y", "y[i] = k[i] * 0.1 * x[i];", over="i in range(len(x))",
        where="len(k) >= len(x) and len(y) >= len(x)")
def weighted(x, k, y):
    for i in range(len(x)):
        y[i] = k[i] * 0.1 * x[i]
"""
    weighted = program(text).weighted
    x, k = emulated.asarray(RNG.random(50)), emulated.arange(50)
    alike(weighted, "device", x, k, x.copy())
    with pytest.warns(FallbackWarning):
        alike(weighted, "host", x.astype("f4"), k, x.astype("f4"))


def test_i_n_and_underscored_names_are_free(program, alike, grids):
    named = program(NAMED).named
    alike(named, "device", *grids)
    alike(named, "device", grids[0], grids[1], 2.0)


def test_numbers_of_the_module_are_read_at_each_launch(program, alike, grids):
    module = program(NAMED)
    for scale, expected in ((0.25, "device"), (2, "device"), (np.float64(3), "unfused")):
        module.SCALE = scale
        alike(module.named, expected, *grids)


def test_assignments_in_parallel(program, alike, emulated):
    alike(program(MANDELBROT).mandelbrot, "device", 9, 7, 30, emulated.zeros((7, 9), dtype=int))


@pytest.mark.filterwarnings("ignore::gpuport.runtime.FallbackWarning")
def test_negative_steps(program, alike, emulated):
    backwards = program(BACKWARDS).backwards
    x = emulated.asarray(RNG.random(11))
    alike(backwards, "device", x, emulated.zeros(11))
    alike(backwards, "host", x, emulated.zeros(10))
    alike(backwards, "device", x[:0], emulated.zeros(0))


@pytest.mark.filterwarnings("ignore::gpuport.runtime.FallbackWarning")
def test_outputs_that_are_no_parameters_are_made(program, alike, emulated):
    product = program(PRODUCT).product
    a, x = emulated.asarray(RNG.random((4, 11))), emulated.asarray(RNG.random(11))
    alike(product, "device", a, x)
    alike(product, "device", a.T.copy().T, x[::-1])
    alike(product, "host", a, x[:10])
    alike(product, "host", a[:0], x)  # the body says what is made of nothing


@pytest.mark.filterwarnings("ignore::gpuport.runtime.FallbackWarning")
def test_where_stands_for_bounds_that_do_not_follow(program, alike, emulated):
    gather = program(GATHER).gather
    x, at = emulated.asarray(RNG.random(11)), emulated.asarray(RNG.integers(0, 9, 6))
    alike(gather, "device", x, at, 1, emulated.zeros(6))
    alike(gather, "device", x, at[:0], 1, emulated.zeros(6))  # where= would raise
    alike(gather, "host", x, at, 11, emulated.zeros(6))
    assert counts(gather).reason == "not at.max() + shift < len(x)"
    alike(gather, "host", x, at, -3, emulated.zeros(6))  # NumPy counts from the end
    alike(gather, "host", x, at, 2**61, emulated.zeros(6))


def test_returns(program, emulated):
    module = program(CROSSINGS)
    x = np.sin(np.arange(300) / 10.0)
    for values, level in ((x, 0.25), (x, 2.0), (x[:0], 0.0), (x[:1], 0.0)):
        found = module.crossings(emulated.asarray(values), level)
        assert type(found) is emulated.ndarray
        np.testing.assert_array_equal(found.get(), module.crossings(values, level))


def test_element_by_element_with_broadcasting(program, alike, grids, emulated):
    u, other, _ = grids
    harmonic, advance = program(HARMONIC).harmonic, program(ADVANCE).advance
    for a, b in ((u[1:], u[:-1]), (u, 2.0), (u, 3), (u, u[0]), (u[:, :1], u[0]), (u[:0], u[:0])):
        alike(harmonic, "device", a, b)
    alike(advance, "device", u, 0.1, other)
    alike(advance, "device", u[0], 0.1, other)


def test_an_output_may_be_an_input_where_elements_meet_themselves(program, emulated):
    advance = program(ADVANCE).advance
    t = emulated.asarray(np.arange(1.0, 6.0))
    advance(t, 0.5, t)
    assert t.get().tolist() == [1.5, 3.0, 4.5, 6.0, 7.5]
    assert way(advance) == "device"


STORED = """
@kernel("T east, T west, float k", "T u", "u += k * (east - 2.0 * u + west);")
def spread(east, west, k, u):
    u += k * (east - 2.0 * u + west)

@kernel("T a, T b, float k", "T u", "const T t = k * a; u = t + b;")
def stored(a, b, k, u):
    t = k * a
    u[...] = t + b

@kernel("T a, T b, float k", "T u", "u = k * a * (b - u);")
def called(a, b, k, u):
    np.multiply(k * a, b - u, out=u)

@kernel("T a, T b", "T u", "u += a; u *= b;")
def twice(a, b, u):
    u += a
    u *= b
"""


@pytest.mark.parametrize(
    ("name", "slices"),
    [
        ("spread", np.s_[2:, 1:-1, :-2, 1:-1, 1:-1, 1:-1]),
        ("spread", np.s_[1:-1, 2:, 1:-1, :-2, 1:-1, 1:-1]),
        ("stored", np.s_[1:-1, 0, 1:-1, 1, 1:-1, -1]),
        ("stored", np.s_[::-1, 1:, :, 1:, :, :-1]),
        ("stored", np.s_[4, :5, 4, 1:6, 4, 2:7]),
        ("called", np.s_[2:, 1:-1, :-2, 1:-1, 1:-1, 1:-1]),
    ],
)
def test_what_is_read_of_what_is_written_is_copied_before(program, alike, emulated, name, slices):
    function = getattr(program(STORED), name)
    host = RNG.random((9, 8))
    device = emulated.asarray(host)
    a, b, u = (slices[:2], slices[2:4], slices[4:])
    for _ in range(3):
        function.__wrapped__(host[a], host[b], 0.3, host[u])
        function(device[a], device[b], 0.3, device[u])
        np.testing.assert_array_equal(device.get(), host)
    assert way(function) == "device"


def test_parts_of_one_array_are_copied_together(program, emulated):
    from gpuport.host.counters import KERNELS

    spread, u = program(STORED).spread, emulated.asarray(RNG.random((9, 8)))
    before = dict(KERNELS)
    spread(u[2:, 1:-1], u[:-2, 1:-1], 0.1, u[1:-1, 1:-1])
    made = {name: count - before.get(name, 0) for name, count in KERNELS.items()}
    made = {name: count for name, count in made.items() if count}
    assert made == {"cupy_copy": 1, "spread_kernel": 1}


def test_what_is_read_between_two_stores_runs_on_the_host(program, emulated):
    twice, host = program(STORED).twice, RNG.random(9)
    device = emulated.asarray(host)
    with pytest.warns(FallbackWarning):
        twice(device[1:], device[:-1], device[:-1])
    twice(device[:-1], device[1:], device[1:])
    twice(host[1:], host[:-1], host[:-1])
    twice(host[:-1], host[1:], host[1:])
    np.testing.assert_array_equal(device.get(), host)


def test_arrays_of_the_host_are_stored_into_one_of_the_device(
    program, grids, emulated, monkeypatch
):
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    stored, (a, b, u) = program(STORED).stored, grids
    stored(emulated.asnumpy(a), emulated.asnumpy(b), 0.5, u)
    np.testing.assert_array_equal(u.get(), 0.5 * a.get() + b.get())
    assert counts(stored).fallbacks == 0
    with pytest.raises(FallbackError):
        stored(emulated.asnumpy(a), b, 0.5, u)


GIVEN_BACK = """
@kernel("T rate, float dt", "T t, T s", "t += dt * rate; s -= rate;")
def advance(rate, dt, t, s):
    t += dt * rate
    s -= rate
    return t, s

@kernel("T rate, float dt", "T t", "t += dt * rate;")
def one(rate, dt, t):
    t += dt * rate
    return t
"""


def test_what_is_written_may_be_given_back(program, alike, grids, emulated):
    module = program(GIVEN_BACK)
    rate, t, s = grids
    alike(module.advance, "device", rate, 0.5, t, s)
    alike(module.one, "unfused", rate.astype(int), 0.5, t)
    assert module.one(rate, 0.5, t) is t
    assert module.advance(rate, 0.5, t, s)[1] is s
    host = emulated.asnumpy(t)
    with pytest.warns(FallbackWarning):
        assert module.one(rate, np.float32(0.5), t) is t
    assert module.one(emulated.asnumpy(rate), 0.5, host) is host
    assert module.one(2.0, 0.5, 1.0) == 2.0
    alike(module.one, "unfused", rate, 0.5, 1.5)


def test_what_does_not_fit_element_by_element_runs_on_the_device_unfused(program, alike, grids):
    u, other, _ = grids
    harmonic, advance = program(HARMONIC).harmonic, program(ADVANCE).advance
    alike(harmonic, "unfused", u.astype(int) + 1, other)
    alike(harmonic, "unfused", u[:3], u[:4])  # NumPy's ValueError
    alike(advance, "unfused", u, 0.1, other[:4])
    assert "does not go together" in counts(advance).reason or "shape" in counts(advance).reason


def test_functions_before_the_text_call_helpers(program, alike, grids):
    text = """
@kernel("T a, T b", "T r", "r = wrapped(a) * b;",
        preamble="template <class A> __device__ A wrapped(A a) {"
                 " return float_modulo(square(a), 0.3); }")
def modulo(a, b):
    return (a * a) % 0.3 * b
"""
    modulo = program(text).modulo
    alike(modulo, "device", grids[0], grids[1])
    with pytest.warns(FallbackWarning):
        alike(modulo, "host", (grids[0] * 10).astype(int), 3)


def test_functions_that_the_device_has_not_run_on_the_host(program, alike, grids):
    text = """
def of_host(x):
    if type(x).__module__ != "numpy":
        raise TypeError("no array of the host")
    return x * 2

@kernel("T x", "T y", "y = 2 * x;")
def doubled(x):
    return of_host(x)
"""
    doubled = program(text).doubled
    alike(doubled, "device", grids[0])
    with pytest.warns(FallbackWarning):
        alike(doubled, "host unfused", grids[0].astype(int))


def test_a_table_is_looked_up_element_by_element(program, alike, emulated):
    text = """
@kernel(
    "raw T table, int64 at", "T y", "y = 2 * table[at];",
    where="0 <= at.min() <= at.max() < len(table)",
)
def looked_up(table, at):
    return 2 * table[at]
"""
    looked_up = program(text).looked_up
    table, at = emulated.asarray(RNG.random(9)), emulated.asarray(RNG.integers(0, 9, (3, 4)))
    alike(looked_up, "device", table, at)
    alike(looked_up, "device", table.astype("f4"), at)
    alike(looked_up, "unfused", table, at - 4)
    assert looked_up(table, 3).get() == 2 * table.get()[3]
    assert way(looked_up) == "unfused"


def test_where_speaks_for_the_arrays_that_it_names(program, alike, emulated):
    text = """
@kernel("raw T x, raw int64 at, int n", "raw T y", "y[i] = x[at[i]];",
        over="i in range(n)", where="0 <= at[:n].min() <= at[:n].max() < len(x)")
def picked(x, at, n, y):
    for i in range(n):
        y[i] = x[at[i]]

@kernel("raw T x, int n, float d", "raw T y", "y[i] = x[i] / d;",
        over="i in range(n)", where="d != 0")
def divided(x, n, d, y):
    for i in range(n):
        y[i] = x[i] / d
"""
    both = program(text)
    x, y = emulated.asarray(RNG.random(9)), emulated.zeros(6)
    at = emulated.asarray(RNG.integers(0, 9, 6))
    alike(both.picked, "device", x, at, 6, y)
    alike(both.picked, "host", x, at + 9, 6, y)
    alike(both.picked, "host", x, at, 6, y[:4])  # y is not named: 6 does not fit
    alike(both.divided, "device", x, 6, 2.0, y)
    alike(both.divided, "host", x, 6, 0.0, y)
    alike(both.divided, "host", x[:3], 6, 2.0, y)


@pytest.mark.parametrize("name", ["enum", "max", "_new", "float", "sin"])
def test_a_function_may_have_a_name_that_cuda_declares(program, alike, emulated, name):
    head = '@kernel("T x", "T y", "y = x + x;")\n'
    made = getattr(program(f"{head}def {name}(x):\n    return x + x\n"), name)
    alike(made, "device", emulated.asarray(RNG.random(9)))


def test_what_is_brought_to_the_host_is_of_the_host_in_any_call(program, emulated):
    text = """
@kernel("raw T x, float s", "T terms", "terms = x[i];", over="i in range(len(x))",
        returns="s + terms.sum().get()[()]")
def total(x, s):
    for v in x:
        s = s + v
    return s
"""
    total = program(text).total
    assert total(emulated.arange(3.0), 0.5) == 3.5
    rows = total(emulated.arange(6.0).reshape(2, 3), 0.5)
    assert type(rows) is np.ndarray
    assert rows.tolist() == [3.5, 5.5, 7.5]


def test_parameters_may_have_names_that_cpp_keeps_for_itself(program, alike, emulated):
    text = """
@kernel("raw T this, float default", "raw T new", "new[i] = default * this[i];",
        over="i in range(len(this))")
def scaled(this, default, new):
    for i in range(len(this)):
        new[i] = default * this[i]
"""
    scaled = program(text).scaled
    for kind in ("f4", "f8"):
        x = emulated.asarray(RNG.random(9).astype(kind))
        alike(scaled, "device", x, 0.5, emulated.zeros(9, kind))
    alike(scaled, "device", x.astype("f8"), emulated.asarray(0.5), emulated.zeros(9))


def test_whole_numbers_are_none_of_a_dtype_of_fractions(program, alike, emulated):
    text = """
@kernel("raw float64 x, float64 d", "raw float64 y", "y[i] = x[i] * d;", over="i in range(len(x))")
def scaled(x, d, y):
    for i in range(len(x)):
        y[i] = x[i] * d
"""
    scaled = program(text).scaled
    x, y = emulated.asarray(RNG.random(9)), emulated.zeros(9)
    alike(scaled, "device", x, 2.0, y)
    alike(scaled, "device", x, np.float64(2.0), y)
    alike(scaled, "host", x, 2, y)


def test_operators_that_cupy_has_otherwise_run_on_the_host(program, alike, grids):
    text = """
@kernel("T a, T b", "T r", "r = float_modulo(a, b);")
def modulo(a, b):
    return a % b
"""
    modulo = program(text).modulo
    alike(modulo, "device", grids[0], 0.1)
    alike(modulo, "device", grids[0].astype("f4"), 0.1)
    with pytest.warns(FallbackWarning):
        alike(modulo, "host", (grids[0] * 10).astype(int), 3)


def test_helpers_take_numbers_and_elements(program, alike, grids):
    text = """
@kernel("T a, float b", "T r", "r = maximum(minimum(a, b), 0.25) + square(b) * py_max(a, 0.5);")
def clipped(a, b):
    return np.maximum(np.minimum(a, b), 0.25) + b * b * np.maximum(a, 0.5)
"""
    clipped = program(text).clipped
    alike(clipped, "device", grids[0], 0.7)
    alike(clipped, "device", grids[0].astype("f4"), 0.7)


def test_numpy_arrays_run_the_python(program):
    module = program(HARMONIC)
    assert module.harmonic(2.0, 2.0) == 2.0
    assert type(module.harmonic(np.ones(3), 1.0)) is np.ndarray
    assert (counts(module.harmonic).host, counts(module.harmonic).fallbacks) == (2, 0)


def test_with_fallbacks_forbidden(program, alike, grids, monkeypatch):
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    relax, harmonic = program(RELAX).relax, program(HARMONIC).harmonic
    u, source, v = grids
    before = v.get()
    with pytest.raises(FallbackError, match="u is of int64, neither float32 nor float64"):
        relax(u.astype(int), source, 0.1, v)
    np.testing.assert_array_equal(v.get(), before)
    alike(harmonic, "unfused", u.astype(int) + 1, source)
    alike(harmonic, "host", u.get(), source.get())


def test_what_was_written_before_an_error_is_given_back(program, emulated):
    text = """
@kernel("raw float64 x", "raw float64 y", "y[i] = x[i];", over="i in range(len(y))")
def copied(x, y):
    for i in range(len(y)):
        y[i] = x[i]
"""
    y = emulated.zeros(4)
    with pytest.warns(FallbackWarning), pytest.raises(IndexError):
        program(text).copied(emulated.ones(2), y)
    assert y.get().tolist() == [1.0, 1.0, 0.0, 0.0]


def test_it_is_the_function_that_it_was(program):
    relax = program(RELAX).relax
    assert inspect.isfunction(relax)
    assert str(inspect.signature(relax)) == "(u, source, h, v=None)"
    assert (relax.__doc__, relax.__name__, relax.__qualname__) == ("One sweep.", "relax", "relax")
    assert pickle.loads(pickle.dumps(relax)) is relax
    with pytest.raises(TypeError, match=r"relax\(\) missing 2 required positional arguments"):
        relax(1)


def test_arguments_by_name_and_by_default(program, grids, emulated):
    text = """
@kernel("raw float64 x, float a", "raw float64 y", "y[i] = a * x[i];", over="i in range(len(x))")
def scale(x, /, *, y, a=2.0):
    for i in range(len(x)):
        y[i] = a * x[i]
"""
    scale = program(text).scale
    x, y = emulated.ones(3), emulated.zeros(3)
    scale(x, y=y)
    assert y.get().tolist() == [2.0] * 3
    scale(x, a=3, y=y)
    assert y.get().tolist() == [3.0] * 3
    assert counts(scale).device == 2
    with pytest.warns(FallbackWarning):
        scale(x.astype("f4"), y=y)
    assert y.get().tolist() == [2.0] * 3


def test_methods(program, emulated):
    text = """
class Grid:
    n = 3
    @kernel("raw float64 x", "raw float64 y", "y[i] = x[i] + 1;", over="i in range(self.n)")
    def shift(self, x, y):
        for i in range(self.n):
            y[i] = x[i] + 1

    @staticmethod
    @kernel("T a", "T b", "b = a + 1;")
    def more(a):
        return a + 1
"""
    grid = program(text).Grid()
    x, y = emulated.zeros(5), emulated.zeros(5)
    grid.shift(x, y)
    assert y.get().tolist() == [1, 1, 1, 0, 0]
    assert grid.more(x).get().tolist() == [1.0] * 5
    assert counts(type(grid).shift).device == counts(type(grid).more).device == 1
    host = np.zeros(5)
    grid.shift(np.zeros(5), host)
    assert host.tolist() == [1, 1, 1, 0, 0]


def test_a_text_that_does_not_compile_is_shown_with_its_line(program, emulated):
    text = '''
@kernel(
    "T a",
    "T b",
    """
    const T c = a + 1;
    b = c * nowhere;
    """,
)
def wrong(a):
    return a + 1
'''
    module = program(text)
    with pytest.raises(KernelError) as told:
        module.wrong(emulated.ones(3))
    message = str(told.value)
    assert f'File "{module.__file__}", line 9\n    b = c * nowhere;' in message
    assert "error" in message.splitlines()[3]


def test_a_number_and_a_whole_number_of_a_choice_are_not_mixed_up(program, alike, grids):
    text = """
@kernel("T a", "T b", "b = a + (a > 0.5 ? 1.5 : 0.0);")
def chosen(a):
    return a + np.where(a > 0.5, 1.5, 0.0).astype(a.dtype)
"""
    alike(program(text).chosen, "device", grids[0].astype("f4"))


def _function(x, y):
    for i in range(len(x)):
        y[i] = x[i]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"inputs": "raw floot64 x"}, "'floot64', the type of x"),
        ({"inputs": "raw float64"}, "parameter 1 of _function, 'raw float64'"),
        ({"inputs": "raw float64 x,"}, "parameter 2 of _function, ''"),
        ({"inputs": "raw float64 z"}, "has no parameter 'z'"),
        ({"inputs": ""}, "does not name 'x'"),
        ({"inputs": "raw T T"}, "does not name|no parameter"),
        ({"outputs": ""}, "does not name 'y'"),
        ({"outputs": "raw float y"}, "the output y of _function needs a dtype"),
        ({"outputs": "raw float64 z"}, "does not name 'y'|no parameter 'z'"),
        ({"outputs": "float64 y"}, "y of _function has to be raw"),
        ({"body": "y[i, j] = x[i];"}, r"needs braces, y\[\{i, j\}\]"),
        ({"body": "y[i] = x[{i, i}] + x[i];"}, "gives x 2 indices in one place and 1 in another"),
        ({"body": "y[i = x[i];"}, "is not closed"),
        ({"body": "y[i] = x[q];"}, "the index 'q' of x in _function is in bounds does not follow"),
        ({"body": "y[i] = x[i / 2];"}, "'i / 2' of x"),
        ({"body": "const long long i2 = 2 * i; y[i] = x[i2];"}, "'i2' of x"),
        ({"body": "for (int k = 9; k > 0; --k) y[i] = x[k];"}, "'k' of x"),
        ({"body": "for (int k = 0; k < 3; ++k) { k += 9; y[i] = x[k]; }"}, "'k' of x"),
        ({"over": "i in x"}, "'i in x' in over= of _function is not of the form"),
        ({"over": "i in range(len(x)"}, "over=.* of _function is not Python"),
        ({"over": "i in range(width)"}, "'width' in over= of _function is neither a parameter"),
        ({"over": "i in range(3), i in range(3)"}, "names a variable twice"),
        ({"over": "i in range(3), j in range(i)"}, "the range of j in over= .* depends on i"),
        ({"over": "x in range(3)"}, "'x' in over= of _function is a parameter too"),
        ({"over": ""}, "all arrays of _function are raw: say over="),
        ({"where": "len(x) <"}, "where=.* of _function is not Python"),
        ({"where": "width > 3"}, "'width' in where= of _function is neither"),
        ({"inputs": "float64 x", "outputs": "float64 y", "body": "y = x;", "over": "",
          "returns": "y.sum()"}, "makes no output of which returns= could be made"),
        ({"outputs": "raw float64 y, float64 z"}, "writes to y and makes z: over= and returns="),
        ({"then": "running_sum(x,"}, "then=.* of _function is not Python"),
        ({"then": "running_sum(w, y)"}, "'w' in then= of _function is neither"),
        ({"inputs": "float64 x", "outputs": "float64 y", "body": "y = x;", "over": "",
          "then": "running_sum(x, y)"}, "then= goes on with what _function writes"),
        ({"outputs": "object y"}, "the output y of _function needs a dtype"),
        ({"over": "least in range(len(x))", "body": "y[least] = x[least];",
          "returns": "least(x, 0)"}, "'least' of _function is also a word of the runtime's"),
        ({"inputs": 3}, "are strings"),
    ],
)  # fmt: skip
def test_refused_at_decoration(said, message):
    given = {"inputs": "raw float64 x", "outputs": "raw float64 y", "body": "y[i] = x[i];",
                 "over": "i in range(len(x))"}  # fmt: skip
    with pytest.raises(TypeError, match=message):
        kernel(**{**given, **said})(_function)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(x, *rest): pass", "takes \\*args"),
        ("def f(x):\n    yield x", "runs after the call returned"),
        ("def f(x):\n    global g\n    g = x", "assigns to global names"),
        ("f = len", "stands on a plain function"),
    ],
)
def test_functions_that_are_no_kernels(source, message):
    space: dict = {}
    exec(source, space)
    with pytest.raises(TypeError, match=message):
        kernel("T x", "T y", "y = x;")(space["f"])


def test_a_kernel_that_writes_gives_nothing_else():
    def both(x, y):
        y[...] = x
        return x

    with pytest.raises(TypeError, match="returns something, but its outputs are parameters"):
        kernel("T x", "T y", "y = x;")(both)


def test_variables_of_the_function_around_are_parameters():
    width = 3

    def inner(x):
        return x + width

    with pytest.raises(TypeError, match=r"'width' in the text .* make it a parameter"):
        kernel("T x", "T y", "y = x + width;")(inner)


def test_no_import_needs_cupy(program):
    x = np.ones(3)
    with pytest.MonkeyPatch.context() as patch:
        for name in [one for one in sys.modules if one.partition(".")[0] in ("cupy", "cupyx")]:
            patch.delitem(sys.modules, name)
        program(ADVANCE).advance(x, 0.5, x)
        assert "cupy" not in sys.modules
    assert x.tolist() == [1.5] * 3


def test_within_names_arrays_whose_indices_a_condition_keeps(program, alike, emulated):
    text = """
@kernel("raw T x", "raw T y", "y[i] = i > 0 ? x[i - 1] : T(0);",
        over="i in range(len(y))", where="len(x) + 1 >= len(y)", within="x")
def shifted(x, y):
    for i in range(len(y)):
        y[i] = x[i - 1] if i > 0 else 0
"""
    shifted = program(text).shifted
    x = emulated.asarray(RNG.random(9))
    alike(shifted, "device", x, emulated.zeros(10))
    alike(shifted, "host", x, emulated.zeros(11))
    plain = text.replace(', within="x"', "")
    alike(program(plain).shifted, "host", x, emulated.zeros(10))  # i - 1 begins with -1
    with pytest.raises(TypeError, match="'z' in within= of shifted is no raw array"):
        program(text.replace('within="x"', 'within="z"'))


def test_where_python_raises_nothing_stays_of_the_launch(program, alike, emulated):
    text = """
@kernel("raw T x, raw int64 at", "raw T y", '''
    const long long k = at[i];
    if (k < 0 || k >= y.shape[0]) out_of_range[0] = true; else y[k] = x[i];
    ''', over="i in range(len(x))", where="y.ndim == 1 and len(at) >= len(x)")
def put(x, at, y):
    for i in range(len(x)):
        y[at[i]] = x[i]

@kernel("raw T x, raw int64 at, float s", "T terms", '''
    const bool is_in = at[i] >= 0 && at[i] < x.shape[0];
    if (!is_in) out_of_range[0] = true;
    terms = is_in ? x[at[i]] : T(0);
    ''', over="i in range(len(at))", where="x.ndim == 1", returns="s + terms.sum().get()[()]")
def picked(x, at, s):
    for i in range(len(at)):
        s += x[at[i]]
    return s
"""
    both = program(text)
    x, y = emulated.arange(5.0), emulated.zeros(9)
    places = emulated.asarray([3, 1, 4, 0, 7])
    alike(both.put, "device", x, places, y)
    alike(both.put, "device host", x, places - 1, y)  # -1 is the last element
    alike(
        both.put, "device host", x, places + 2, y
    )  # 9 raises, and what was stored before it stays
    alike(both.picked, "device", x, emulated.asarray([1, 2, 2]), 0.5)
    alike(both.picked, "device host", x, emulated.asarray([1, -2, 2]), 0.5)
    with pytest.raises(TypeError, match="out_of_range is for loops"):
        program(
            '@kernel("T x", "T y", "y = x; out_of_range[0] = true;")\ndef f(x):\n    return x\n'
        )


def test_an_index_of_several_variables_goes_less_far_than_each(program, alike, emulated):
    text = """
@kernel("raw T x, int n", "raw T out", '''
    T s = 0;
    for (long long j = i; j < n; ++j) { s += x[j] * x[j - i]; }
    out[i] = s;
    ''', over="i in range(n)", where="len(x) >= n")
def lags(x, n, out):
    for i in range(n):
        s = x.dtype.type(0)
        for j in range(i, n):
            s += x[j] * x[j - i]
        out[i] = s
"""
    lags = program(text).lags
    x = emulated.asarray(RNG.random(9))
    alike(lags, "device", x, 9, emulated.zeros(9))
    alike(lags, "host", x, 10, emulated.zeros(10))
    with pytest.raises(TypeError, match="'j - i' of x in lags is in bounds does not follow"):
        program(text.replace(', where="len(x) >= n"', ""))


def test_a_builtin_in_the_text_is_no_number_of_the_module(program, alike, emulated):
    text = """
@kernel("raw float64 x", "raw complex128 y", "y[i] = complex<double>(x[i], 1.0);",
        over="i in range(len(x))")
def lifted(x, y):
    for i in range(len(x)):
        y[i] = complex(x[i], 1.0)
"""
    alike(program(text).lifted, "device", emulated.arange(3.0), emulated.zeros(3, complex))
