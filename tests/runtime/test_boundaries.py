"""``device(where=, from_size=, size=)``: what a call has to be for the device, and the way past."""

from __future__ import annotations

import threading
from contextlib import suppress

import numpy as np
import pytest
from tests.runtime.kernels.conftest import counts, program  # noqa: F401 - a fixture

from gpuport.runtime import device

AXPY = """
import cupy as cp
seen = []

@kernel("T x, float a", "T y", "y += a * x;")
def _axpy(x, a, y):
    y += a * x

@device("x", "y", writes="y", where="x.shape == y.shape and y.dtype.kind == 'f'", from_size=100)
def axpy(x, y, a=2.0):
    seen.append((type(x), type(cp.ones(1))))
    _axpy(x, a, y)
    return helper(y), y

def helper(y):
    seen.append(type(cp.ones(1)))
    return cp.sqrt(y).sum()
"""


@pytest.fixture(autouse=True)
def sizes_as_written(monkeypatch):
    """What a boundary says counts here, and not the environment of the tests."""
    monkeypatch.delenv("GPUPORT_FROM_SIZE", raising=False)


@pytest.fixture
def module(program):  # noqa: F811
    return program(AXPY)


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("size", [1000, 50, 100, 99])
def test_numpy_takes_what_has_fewer_elements(module, emulated, size, named):
    kind = emulated.ndarray if size >= 100 else np.ndarray
    for _ in range(3):  # the second call knows the types of the first
        module.seen.clear()
        x, y = np.ones(size), np.ones(size)
        total, back = module.axpy(x=x, y=y) if named else module.axpy(x, y)
        assert module.seen == [(kind, kind), kind]
        assert back is y
        assert (y == 3).all()
        assert type(total) is np.float64
    found = counts(module.axpy)
    assert (found.device, found.host) == ((3, 0) if size >= 100 else (0, 3))
    assert found.fallbacks == 0


def test_arrays_of_the_device_stay_there(module, emulated):
    for _ in range(3):
        module.seen.clear()
        x, y = emulated.ones(50), emulated.ones(50)
        total, back = module.axpy(x, y)
        assert module.seen[0][0] is emulated.ndarray
        assert back is y
        assert type(total) is emulated.ndarray
    assert counts(module.axpy).device == 3


def test_one_of_each_stays_on_the_device(module, emulated):
    module.axpy(np.ones(50), emulated.ones(50))
    assert counts(module.axpy).device == 1


@pytest.mark.parametrize(("said", "kind"), [("0", "device"), ("1000000", "host"), ("", "host")])
def test_the_environment_says_another_size(module, emulated, monkeypatch, said, kind):
    monkeypatch.setenv("GPUPORT_FROM_SIZE", said)
    for _ in range(2):
        module.axpy(np.ones(50), np.ones(50))
    assert getattr(counts(module.axpy), kind) == 2


def test_the_environment_has_to_say_a_number(module, monkeypatch):
    monkeypatch.setenv("GPUPORT_FROM_SIZE", "many")
    with pytest.raises(ValueError, match="GPUPORT_FROM_SIZE is a number of elements, not 'many'"):
        module.axpy(np.ones(50), np.ones(50))


def test_older_words_go_with_the_new_ones(program, emulated):  # noqa: F811
    module = program("""
@device("x", host="places", require="places", where="x.ndim == 1")
def f(x, places):
    return type(x), type(places)
""")
    assert module.f(np.ones(3), np.ones(3)) == (emulated.ndarray, np.ndarray)
    assert module.f(np.ones(3), 1) == (np.ndarray, int)


def test_the_reason_names_the_part_that_failed(module, emulated):
    x, y = emulated.ones(50), emulated.ones(50)
    module.axpy(x, y)
    for first, second, reason in (
        (x[:1], y, "not x.shape == y.shape"),
        (x.astype(int), y.astype(int), "not y.dtype.kind == 'f'"),
        (np.ones(10), np.ones(10), "10 elements, fewer than 100"),
        (np.ones(100), np.ones(101)[:1], "not x.shape == y.shape"),
        ([1.0], [2.0], "x is or holds a float"),
        (1.0, 2.0, "x is a float, not an array"),
        (None, y, "x is a NoneType, not an array"),
        (np.ma.ones(500), np.ones(500), "x is a numpy.ma.MaskedArray, not an array"),
    ):  # fmt: skip
        with suppress(TypeError, AttributeError, ValueError):  # what the body makes of it in NumPy
            module.axpy(first, second)
        assert counts(module.axpy).reason == reason


def test_what_where_cannot_be_asked_of_is_the_hosts(program):  # noqa: F811
    module = program("""
import cupy as cp
@device("x", where="x.shape[1] == 3")
def rows(x):
    return cp.sum(x)
""")
    assert module.rows(np.ones(3)) == 3.0
    reason = counts(module.rows).reason
    assert reason == ("where= cannot be worked out: x.shape[1] == 3 (tuple index out of range)")


def test_lists_of_arrays_are_counted_by_their_items(program, emulated):  # noqa: F811
    module = program("""
import cupy as cp
@device("images", containers="images", from_size=10)
def blend(images, weights):
    out = cp.zeros_like(images[0])
    for image, weight in zip(images, weights):
        out += weight * image
    return out
""")
    for size, kind in ((9, "host"), (10, "device")):
        found = module.blend([np.ones(size), np.ones(size)], [1.0, 2.0])
        assert type(found) is np.ndarray
        assert found.tolist() == [3.0] * size
        assert getattr(counts(module.blend), kind) == 1


SIMULATE = """
import cupy as cp
@device(size="n * n", from_size=100)
def simulate(n, kind=float):
    T = cp.ones((n, n), dtype=kind)
    return {"T": T, "type": type(T)}

@device()
def main(n):
    return type(cp.ones(n))
"""


def test_functions_that_make_their_arrays(program, emulated):  # noqa: F811
    module = program(SIMULATE)
    for n, kind in ((9, np.ndarray), (10, emulated.ndarray)):
        found = module.simulate(n)
        assert type(found["T"]) is np.ndarray
        assert found["type"] is kind
    assert module.simulate(n=9)["type"] is np.ndarray
    with pytest.raises(TypeError):
        module.simulate("many")
    assert counts(module.simulate).reason == "size= cannot be worked out: n * n"
    assert module.main(3) is emulated.ndarray


def test_nested_boundaries_stay_on_the_host(program, emulated):  # noqa: F811
    module = program("""
import cupy as cp
@device("x")
def inner(x):
    return type(x), cp.sum(x)

@device("x", from_size=100)
def outer(x):
    return inner(x)

@device("x", boundary="device")
def given(x):
    return x + 1

@device("x", from_size=100)
def around(x):
    return type(given(x))
""")
    for _ in range(3):
        assert module.outer(np.ones(9))[0] is np.ndarray
        assert module.around(np.ones(9)) is np.ndarray
        assert module.inner(np.ones(9))[0] is emulated.ndarray
    assert counts(module.inner).reason == "the function that called it runs on the host"
    assert (counts(module.inner).host, counts(module.inner).device) == (3, 3)


def test_other_threads_are_not_nested(program, emulated):  # noqa: F811
    module = program("""
import cupy as cp
@device("x")
def inner(x):
    return type(x)

@device("x", from_size=100)
def outer(x, wait):
    return wait(), inner(x)
""")
    seen = []

    def elsewhere():
        thread = threading.Thread(target=lambda: seen.append(module.inner(np.ones(9))))
        thread.start()
        thread.join()

    assert module.outer(np.ones(9), elsewhere)[1] is np.ndarray
    assert seen == [emulated.ndarray]


def test_an_error_on_the_host_path_leaves_nothing_behind(module, emulated):
    for _ in range(2):
        with pytest.raises(ValueError, match="broadcast"):
            module.axpy(np.ones(3), np.ones(4))
    module.axpy(np.ones(100), np.ones(100))
    assert counts(module.axpy).device == 1


def test_names_of_the_module_are_those_of_the_call(program, emulated, monkeypatch):  # noqa: F811
    module = program("""
import cupy as cp
LEVEL = 1.0
mode = len

def helper(x):
    return cp.sum(x) * LEVEL

def install(function):
    global mode
    mode = function

@device("x", from_size=100)
def f(x, new=None):
    before = mode(x)
    if new is not None:
        install(new)
    return before, mode(x), helper(x), max(len(x), 2)
""")
    x = np.ones(3)
    assert module.f(x) == (3, 3, 3.0, 3)
    module.LEVEL = 2.0
    assert module.f(x, np.ndim) == (3, 1, 6.0, 3)
    monkeypatch.setattr(module, "helper", lambda x: "other")
    monkeypatch.setattr(module, "max", min, raising=False)
    assert module.f(x) == (1, 1, "other", 2)
    monkeypatch.undo()
    assert module.f(x) == (1, 1, 6.0, 3)


SWEEPS = """
@kernel("raw float64 u", "raw float64 v", "v[i] = 0.5 * u[i + 1];", over="i in range(len(u) - 1)")
def _sweep(u, v):
    for i in range(len(u) - 1):
        v[i] = 0.5 * u[i + 1]

@device("u"{})
def relax(u, steps):
    v = u.copy()
    for _ in range(steps):
        _sweep(u, v)
        u, v = v, u
    return u

@device("u")
def part(u):
    v = u + 1
    _sweep(v, u[1:])
    return v
"""


def test_a_kernel_that_writes_to_an_unnamed_argument_raises(program, emulated):  # noqa: F811
    module = program(SWEEPS.format(""))
    u = np.arange(9.0)
    assert module.relax(u, 1).tolist()[:3] == [0.5, 1.0, 1.5]
    with pytest.raises(TypeError, match=r"_sweep writes to 'u', an argument of .*relax"):
        module.relax(u, 2)
    with pytest.raises(TypeError, match=r"writes to 'u', an argument of .*part"):
        module.part(u)
    device_u = emulated.asarray(u)
    module.relax(device_u, 2)  # the caller's own
    named = program(SWEEPS.format(', writes="u"'))
    original = np.arange(9.0)
    expected = named.relax.__wrapped__(original.copy(), 2)
    found = named.relax(original, 2)
    np.testing.assert_array_equal(found, expected)
    assert original.tolist() != np.arange(9.0).tolist()


def f(x, n):
    return x


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"where": "x.ndim =="}, "where='x.ndim ==' of f is not Python"),
        ({"where": "z.ndim == 2"}, "'z' in where= of f is neither a parameter nor a name"),
        ({"from_size": -1}, "from_size= of f is a number of elements, not -1"),
        ({"from_size": "9"}, "from_size= of f is a number of elements, not '9'"),
        ({"size": "n * n"}, "size= of f says what from_size= counts"),
        ({"size": "m", "from_size": 3}, "'m' in size= of f is neither"),
        ({"where": 3}, "are Python in a string"),
    ],
)  # fmt: skip
def test_refused_at_decoration(said, message):
    with pytest.raises(TypeError, match=message):
        device("x", **said)(f)


def test_something_has_to_be_counted():
    with pytest.raises(TypeError, match="names no array to count for from_size=: say size="):
        device(from_size=3)(lambda n: n)


def test_names_in_where_are_read_at_each_call(program, emulated):  # noqa: F811
    module = program("""
LIMIT = 3
@device("x", where="len(x) <= LIMIT")
def f(x):
    return type(x)
""")
    assert module.f(np.ones(3)) is emulated.ndarray
    module.LIMIT = 2
    assert module.f(np.ones(3)) is np.ndarray
    for _ in range(2):
        assert module.f(emulated.ones(2)) is emulated.ndarray
    module.LIMIT = 1
    assert module.f(emulated.ones(2)) is np.ndarray
