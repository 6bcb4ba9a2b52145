"""The decorator on ported functions: what callers with NumPy and with CuPy arrays see."""

from __future__ import annotations

import inspect
import pickle
import sys
import threading
import types
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from gpuport.runtime import FallbackError, FallbackWarning, device, reset_stats, stats


def counts(function):
    return stats()[f"program.{function.__qualname__}"]


@pytest.fixture(autouse=True)
def _fresh_stats():
    reset_stats()


def outcome(function, *args):
    """What a call gives or raises, as text."""
    try:
        return repr(function(*args))
    except Exception as error:
        return repr(error)


SCALE = """
@device("x")
def scale(x, factor=2.0):
    '''Scale x.'''
    assert isinstance(x, cp.ndarray) or np.isscalar(x), type(x)
    return x * factor
"""


def test_numpy_in_numpy_out(ported):
    scale = ported(SCALE).scale
    x = np.arange(3.0)
    out = scale(x)
    assert type(out) is np.ndarray
    np.testing.assert_array_equal(out, [0, 2, 4])
    assert (counts(scale).device, counts(scale).host) == (1, 0)


def test_cupy_in_cupy_out_without_any_transfer(ported, cp):
    scale = ported(SCALE).scale
    x = cp.asarray(np.arange(3.0))
    cp.moves.clear()
    for _ in range(3):
        assert type(scale(x, factor=3.0)) is cp.ndarray
        assert type(scale(x)) is cp.ndarray
    assert cp.moves == []
    assert counts(scale).device == 6


def test_all_scalars_run_on_the_host(ported):
    scale = ported(SCALE).scale
    assert scale(3) == 6.0
    assert type(scale(np.float32(3), 2)) is np.float32
    assert counts(scale).host == 2
    assert counts(scale).fallbacks == 0
    assert "no argument" in counts(scale).reason


@pytest.mark.parametrize(
    "x",
    [
        np.ma.array([1.0, 2.0], mask=[0, 1]),
        np.array([1, "a"], dtype=object),
        np.arange(0, 3).astype("datetime64[D]"),
        np.arange(3.0).astype(np.longdouble),
        np.arange(3.0).astype(">f8"),
        [1.0, 2.0],
        "text",
    ],
    ids=lambda x: type(x).__name__ + str(getattr(x, "dtype", "")),
)
def test_what_cupy_cannot_hold_runs_as_the_original(ported, x):
    program = ported(
        "@device('x')\ndef f(x):\n    return cp.sqrt(x[:1]), type(x), isinstance(x, cp.ndarray)\n"
    )

    def original(x):
        return np.sqrt(x[:1]), type(x), isinstance(x, np.ndarray)

    assert outcome(program.f, x) == outcome(original, x)
    assert counts(program.f).host == 1


def test_scalar_results_are_numpy_scalars(ported):
    program = ported("@device('x')\ndef f(x):\n    return x.sum(), x[0], cp.max(x), len(x), None\n")
    out = program.f(np.arange(4.0))
    assert [type(one) for one in out] == [np.float64, np.float64, np.float64, int, type(None)]
    assert out[:3] == (6.0, 0.0, 3.0)


@pytest.mark.parametrize("order", ["C", "F", "strided", "reversed", "transposed"])
def test_writes_reach_the_caller_in_every_layout(ported, order):
    program = ported("@device('x', writes='x')\ndef f(x):\n    x[0, 1:] = x[1, 1:] + 10\n")
    base = np.arange(48.0).reshape(6, 8)
    layouts = {
        "C": base[:3].copy(),
        "F": np.asfortranarray(base),
        "strided": base[::2, ::3],
        "reversed": base[::-1, ::-1],
        "transposed": base.T,
    }
    x = layouts[order]
    expected = x.copy()
    expected[0, 1:] = expected[1, 1:] + 10
    untouched = base.copy()
    assert program.f(x) is None
    np.testing.assert_array_equal(x, expected)
    if order == "strided":
        np.testing.assert_array_equal(base[1::2], untouched[1::2])


def test_written_even_when_the_body_raises(ported):
    program = ported(
        "@device('x', writes=('x',))\ndef f(x):\n    x += 1\n    raise KeyError('midway')\n"
    )
    x = np.zeros(2)
    with pytest.raises(KeyError, match="midway"):
        program.f(x)
    np.testing.assert_array_equal(x, [1, 1])


def test_returned_argument_is_the_callers_own_object(ported):
    program = ported("@device('x', writes='x')\ndef f(x):\n    x += 1\n    return x, [x]\n")
    x = np.zeros(2)
    first, (second,) = program.f(x)
    assert first is x
    assert second is x
    np.testing.assert_array_equal(x, [1, 1])


@pytest.mark.parametrize("index", ["[1:]", "[::-1]", "[:, 1]", ".T", "[1:, ::-2]", ".reshape(-1)"])
@pytest.mark.parametrize("layout", ["C", "F", "strided", "reversed"])
def test_returned_views_are_views_of_the_callers_array(ported, index, layout):
    program = ported(f"@device('x')\ndef f(x):\n    return x{index}\n")
    base = np.arange(60.0).reshape(6, 10)
    x = {"C": base, "F": np.asfortranarray(base), "strided": base[::2, ::3]}.get(layout)
    x = base[::-1, ::-1] if x is None else x
    expected = eval(f"x{index}", {"x": x})
    got = program.f(x)
    np.testing.assert_array_equal(got, expected)
    assert np.shares_memory(got, x) == np.shares_memory(expected, x)
    if np.shares_memory(expected, x):
        assert got.strides == expected.strides
        got[...] = -1
        assert (eval(f"x{index}", {"x": x}) == -1).all()


def test_new_results_share_no_memory_with_arguments(ported):
    program = ported("@device('x')\ndef f(x):\n    return x * 1\n")
    x = np.arange(4.0)
    out = program.f(x)
    out[...] = 9
    assert x.max() == 3


@pytest.mark.parametrize("order", ["C", "F"])
def test_results_that_share_memory_still_do(ported, order):
    program = ported(
        "@device('x')\ndef f(x):\n    y = cp.sin(x)\n"
        "    return y[1:], [y.T, {'a': y.reshape(-1)[::2]}], y[0, 0], cp.cos(y)\n"
    )
    x = np.arange(12.0).reshape(3, 4, order=order)
    rows, (turned, named), first, other = program.f(x)
    y = np.sin(x)
    np.testing.assert_array_equal(turned, y.T)
    np.testing.assert_array_equal(rows, y[1:])
    assert first == y[0, 0]
    turned[...] = 7
    assert (rows == 7).all()
    assert np.shares_memory(named["a"], turned) == (order == "C")
    assert (other != 7).all()


def test_numbers_out_of_one_array_cross_together(ported, cp):
    program = ported(
        "@device('x')\ndef f(x):\n    sums = cp.sum(x, axis=1)\n"
        "    return [sums[0], sums[2]], {'last': sums[-1]}, sums[1:3]\n"
    )
    cp.moves.clear()
    (first, third), named, part = program.f(np.arange(12.0).reshape(4, 3))
    assert [kind for kind, _ in cp.moves].count("d2h") == 2
    assert [first, third, named["last"]] == [3.0, 21.0, 30.0]
    assert type(first) is np.float64
    np.testing.assert_array_equal(part, [12.0, 21.0])


def test_two_numbers_of_a_large_array_cross_without_it(ported, cp):
    program = ported("@device('x')\ndef f(x):\n    y = x * 2\n    return y[0], y[-1]\n")
    cp.moves.clear()
    assert program.f(np.arange(200_000.0)) == (0.0, 399_998.0)
    assert [kind for kind, _ in cp.moves].count("d2h") == 2  # each by itself


def test_one_object_moves_once_and_stays_one_object(ported, cp):
    program = ported("@device('x', 'y')\ndef f(x, y):\n    return x is y, x + y\n")
    x = np.arange(3.0)
    cp.moves.clear()
    same, total = program.f(x, x)
    assert same
    assert [kind for kind, _ in cp.moves] == ["h2d", "d2h"]
    np.testing.assert_array_equal(total, 2 * x)


def test_overlapping_written_arguments_run_on_the_host(ported):
    program = ported(
        "@device('x', 'y', writes='y')\ndef f(x, y):\n    y += 1\n    return x.sum()\n"
    )
    base = np.zeros(6)
    assert program.f(base[:4], base[2:]) == 2.0
    assert "shares memory" in counts(program.f).reason
    assert program.f(base[::2], base[1::2]) == base[::2].sum()
    assert counts(program.f).device == 1


SHIFTED = "def f(x, y, *more, k=1):\n    x[1:] += y[:-1] * k\n    return y.sum()\n"


def shifted(x, y):
    x[1:] += y[:-1]
    return y.sum()


@pytest.mark.parametrize("parts", [(slice(1, None), slice(None, -1)), (slice(None, None, -1), ...)])
def test_device_arrays_share_memory_on_the_host_path_too(ported, cp, parts):
    program = ported("@device('x', 'y', 'k', require='k', writes='x')\n" + SHIFTED)
    base, on_device = np.arange(6.0), cp.asarray(np.arange(6.0))
    expected = shifted(*[base[part] for part in parts])
    assert program.f(*[on_device[part] for part in parts]) == expected
    np.testing.assert_array_equal(cp.asnumpy(on_device), base)
    assert counts(program.f).host == 1


def test_device_arrays_that_share_memory_and_are_wanted_on_the_host(ported, cp):
    program = ported(
        "@device('x', host=('p', 'q'))\ndef f(x, p, q):\n    p[:] = 7\n    return q[0]\n"
    )
    held = cp.asarray(np.zeros(6))
    assert program.f(cp.asarray(np.zeros(2)), held[:4], held[3:]) == 7.0


def test_written_device_arrays_that_share_memory_run_on_the_host(ported, cp, monkeypatch):
    program = ported("@device('x', 'y', 'more', writes='x')\n" + SHIFTED)
    base, on_device = np.arange(6.0), cp.asarray(np.arange(6.0))
    apart = cp.asarray(np.ones(5))
    program.f(on_device[1:], apart)
    program.f(on_device[1:], on_device[1:])  # the same elements are no trouble
    assert (counts(program.f).device, counts(program.f).host) == (2, 0)
    shifted(base[1:], np.ones(5))
    shifted(base[1:], base[1:])
    with pytest.warns(FallbackWarning, match="shares memory with another"):
        got = program.f(on_device[1:], on_device[:-1])
    assert got == shifted(base[1:], base[:-1])
    np.testing.assert_array_equal(cp.asnumpy(on_device), base)
    assert counts(program.f).fallbacks == 1
    program.f(apart, on_device[1:], on_device)  # none that is written to
    assert counts(program.f).fallbacks == 1
    program.f(on_device[1:], apart, on_device[:2])
    assert counts(program.f).fallbacks == 2
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")  # forbids no call that the host has to take
    program.f(on_device[1:], on_device[:-1])
    assert counts(program.f).fallbacks == 3


@pytest.mark.parametrize("kind", ["read-only", "broadcast"])
def test_arrays_that_cannot_be_written_run_on_the_host(ported, kind):
    program = ported("@device('x', writes='x')\ndef f(x):\n    x += 1\n")
    x = np.zeros((2, 2))
    if kind == "read-only":
        x.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            program.f(x)
    else:
        program.f(np.lib.stride_tricks.as_strided(x, (4, 2), (0, 8)))
    assert counts(program.f).host == 1


def test_array_in_an_unnamed_argument_runs_on_the_host(ported):
    program = ported(
        "@device('x')\ndef f(x, *rest, y=None, **more):\n    return type(x).__name__\n"
    )
    x = np.zeros(2)
    assert program.f(x, "label", y=[1, 2], more=np.float64) == "FakeArray"
    for call in (lambda: program.f(x, x), lambda: program.f(x, y=[x]), lambda: program.f(x, z=x)):
        assert call() == "ndarray"


def test_cupy_arguments_visit_the_host_where_the_call_has_to_run_there(ported, cp):
    program = ported(
        "@device('x', 'y', writes='x')\ndef f(x, y):\n    x += np.array(y)\n    return x, x * 2\n"
    )
    x = cp.asarray(np.zeros(2))
    same, double = program.f(x, [1.0, 2.0])
    assert same is x
    assert type(double) is cp.ndarray
    np.testing.assert_array_equal(x._host, [1, 2])
    np.testing.assert_array_equal(double._host, [2, 4])


def test_mixed_arguments_give_cupy_and_write_back(ported, cp):
    program = ported(
        "@device('x', 'y', writes='y')\ndef f(x, y):\n    y += x\n    return y, y * 2\n"
    )
    x, y = cp.asarray(np.ones(2)), np.zeros(2)
    first, second = program.f(x, y)
    assert type(first) is cp.ndarray
    assert type(second) is cp.ndarray
    np.testing.assert_array_equal(y, [1, 1])


def test_containers_convert_leaf_by_leaf(ported):
    program = ported(
        "@device('xs', containers='xs', writes='xs')\n"
        "def f(xs):\n"
        "    xs['b'][1] += 1\n"
        "    xs['c'] = xs['a'] * 2\n"
        "    xs['b'].append(xs['a'] + 1)\n"
        "    return xs, xs['b'][1], (xs['a'].sum(),)\n"
    )
    a, b = np.arange(2.0), np.zeros(2)
    xs = {"a": a, "b": [1, b, None]}
    inner = xs["b"]
    same, second, (total,) = program.f(xs)
    assert same is xs
    assert xs["a"] is a
    assert xs["b"] is inner
    assert second is b
    assert inner[1] is b
    np.testing.assert_array_equal(b, [1, 1])
    np.testing.assert_array_equal(xs["c"], [0, 2])
    np.testing.assert_array_equal(inner[3], [1, 2])
    assert type(total) is np.float64
    assert counts(program.f).device == 1


def test_a_container_where_an_array_is_expected_goes_to_the_host(ported):
    program = ported("@device('x')\ndef f(x):\n    return cp.abs(x[:1])\n")
    np.testing.assert_array_equal(program.f([np.array([-1.0, 2.0]), np.zeros(2)]), [[1, 2]])
    assert "x is a list, not an array" in counts(program.f).reason


def test_named_tuples_keep_their_type(ported):
    pair = namedtuple("pair", "left right")
    program = ported(
        "@device('p', containers='p')\ndef f(p):\n    return p._replace(left=p.left + p.right)\n"
    )
    out = program.f(pair(np.ones(2), 1))
    assert type(out) is pair
    np.testing.assert_array_equal(out.left, [2, 2])


def test_a_body_that_makes_arrays_runs_on_the_device_for_numbers_too(ported):
    program = ported(
        "@device('t', creates=True)\ndef f(t):\n    w = cp.ones(3)\n    return w * t, type(w)\n"
    )
    for argument in (2.0, np.float64(2.0), np.full(3, 2.0)):
        out, kind = program.f(argument)
        assert type(out) is np.ndarray
        np.testing.assert_array_equal(out, [2, 2, 2])
        assert kind.__name__ == "FakeArray"


def test_a_body_that_takes_no_arrays_leaves_them_to_the_host(ported):
    program = ported(
        "@device(creates=True)\ndef f(n, dt):\n    return cp.asnumpy(cp.ones(n)) * dt\n"
    )
    np.testing.assert_array_equal(program.f(2, 0.5), [0.5, 0.5])
    np.testing.assert_array_equal(program.f(2, np.arange(2.0)), [0, 1])
    assert (counts(program.f).device, counts(program.f).host) == (1, 1)


def test_who_asks_for_floating_point_errors_gets_them(ported, cp):
    program = ported("@device('x')\ndef f(x):\n    return cp.log(x)\n")
    device_x = cp.asarray(np.zeros(2))
    program.f(device_x)
    for x in (np.zeros(2), device_x):
        with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
            program.f(x)
    with np.errstate(divide="ignore"):
        program.f(np.zeros(2))
    assert (counts(program.f).device, counts(program.f).host) == (2, 2)


def test_required_arrays(ported):
    program = ported(
        "@device('x', 'y', require=('x', 'y'))\ndef f(x, y=None):\n    return type(x).__name__\n"
    )
    x = np.zeros(2)
    assert program.f(x) == "FakeArray"
    assert program.f(x, None) == "FakeArray"
    assert program.f(x, 2.0) == "ndarray"
    assert "not an array" in counts(program.f).reason


@pytest.mark.parametrize(("given", "total"), [("U", 6.0), ("U[:3]", 6.0), ("np.zeros(3)", 0.0)])
def test_arrays_of_the_module_that_are_read_are_not_copied_to_be_written(ported, given, total):
    """The body reads what it has written, by the other name."""
    program = ported(
        "import numpy as np\nU = np.zeros(6)\n"
        "@device('x', writes='x')\ndef f(x):\n    x += 2\n    return float(U[:3].sum())\n"
    )
    assert program.f(eval(given, {"U": program.U, "np": np})) == total
    shared = "one of the module" in str(counts(program.f).reason)
    assert shared is (total > 0)


def test_host_parameters_stay_on_the_host(ported, cp):
    program = ported(
        "@device('x', host='p', writes='p')\n"
        "def f(x, p):\n"
        "    p[0] = 7\n"
        "    return type(x).__name__, type(p).__name__, p\n"
    )
    p = np.zeros(2)
    assert program.f(np.zeros(2), p)[:2] == ("FakeArray", "ndarray")
    assert p[0] == 7
    p = cp.asarray(np.zeros(2))
    names = program.f(np.zeros(2), p)
    assert names[:2] == ("FakeArray", "ndarray")
    assert p._host[0] == 7


def test_memory_that_is_wanted_on_both_sides_stays_on_the_host(ported):
    """Nothing says what the body does with an array that it wants on the host."""
    program = ported("@device('x', host='p')\ndef f(x, p):\n    p[-1] = 7\n    return x.sum()\n")
    base = np.zeros(6)
    assert program.f(base[3:], base[:4]) == 7.0
    assert "shares memory" in counts(program.f).reason
    assert program.f(base, base) == 14.0
    assert program.f(base[:3], base[3:]) == 0.0
    assert counts(program.f).device == 1


def test_a_container_in_two_places_of_a_result_is_one(ported):
    program = ported("@device('x')\ndef f(x):\n    y = [x + 1]\n    return y, (y, {'k': y})\n")
    first, (second, third) = program.f(np.zeros(2))
    assert type(first[0]) is np.ndarray
    assert first is second is third["k"]


def test_boundary_device_gives_cupy(ported, cp):
    program = ported("@device('x', boundary='device')\ndef f(x):\n    return x + 1, x\n")
    out = program.f(np.zeros(2))
    assert [type(one) for one in out] == [cp.ndarray, cp.ndarray]


@pytest.mark.parametrize("stacked", ["", "@staticmethod", "@classmethod", "@property"])
def test_methods(ported, stacked):
    first = {"@staticmethod": "", "@classmethod": "cls, "}.get(stacked, "self, ")
    body = (
        f"    {stacked}\n    @device('x')\n    def f({first}x=np.ones(2)):\n        return x + 1\n"
    )
    program = ported(f"class Model:\n{body}")
    model = program.Model()
    out = model.f if stacked == "@property" else model.f()
    np.testing.assert_array_equal(out, [2, 2])
    assert type(out) is np.ndarray


ROWS = """
@device("x", matrices="x")
def rows(x):
    return x + x.shape[0]
"""


@pytest.mark.parametrize("shape", [(2, 3), (0, 3), (4, 2, 2)])
def test_matrices_and_stacks_of_them(ported, cp, shape):
    rows = ported(ROWS).rows
    x = np.ones(shape)
    np.testing.assert_array_equal(rows(x), x + shape[0])
    assert type(rows(cp.asarray(x))) is cp.ndarray
    assert (counts(rows).device, counts(rows).host) == (2, 0)


def test_vectors_where_a_matrix_is_wanted_run_on_the_host(ported, cp):
    rows = ported(ROWS).rows
    vector = np.arange(3.0)
    np.testing.assert_array_equal(rows(vector), [3, 4, 5])
    rows(cp.asarray(np.ones((2, 2))))  # of the same type as what follows
    assert type(rows(cp.asarray(vector))) is cp.ndarray
    assert (counts(rows).device, counts(rows).host) == (1, 2)


def test_none_where_it_is_the_default_is_no_vector(ported):
    f = ported("@device('x', 'y', matrices=('x', 'y'))\ndef f(x, y=None):\n    return x + 1\n").f
    f(np.ones((2, 2)))
    assert counts(f).device == 1


NORM = """
class Norm:
    def __init__(self, a):
        self.a = a

    @device("z", numbers="a")
    def scaled(self, z):
        assert isinstance(z, cp.ndarray) or not isinstance(self.a, (int, float))
        return z * self.a
"""


@pytest.mark.parametrize("a", [2, 2.5, True, 1j, np.float32(0.5)])
def test_attributes_that_are_numbers(ported, a):
    norm = ported(NORM).Norm(a)
    np.testing.assert_array_equal(norm.scaled(np.arange(3.0)), np.arange(3.0) * a)
    assert (counts(norm.scaled).device, counts(norm.scaled).host) == (1, 0)


def test_an_attribute_that_becomes_an_array_sends_calls_to_the_host(ported, cp):
    norm = ported(NORM).Norm(2.0)
    resident = cp.asarray(np.arange(3.0))
    norm.scaled(resident)
    norm.a = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(norm.scaled(np.arange(3.0)), [0, 2, 6])
    assert type(norm.scaled(resident)) is cp.ndarray
    assert (counts(norm.scaled).device, counts(norm.scaled).host) == (1, 2)


@pytest.mark.parametrize(
    "member", ["a = property(lambda self: 2.0, lambda self, value: None)", "__slots__ = ('a',)"]
)
def test_attributes_that_run_code_are_not_asked(ported, member):
    norm = ported(NORM.replace("class Norm:", f"class Norm:\n    {member}\n")).Norm(2.0)
    np.testing.assert_array_equal(norm.scaled(np.arange(3.0)), [0, 2, 4])
    assert (counts(norm.scaled).device, counts(norm.scaled).host) == (0, 1)


def test_attributes_of_the_class_are_numbers_too(ported):
    norm = ported(NORM + "    b = 2\nNorm.__init__ = lambda self: None\nNorm.a = 3.0\n").Norm()
    np.testing.assert_array_equal(norm.scaled(np.arange(3.0)), [0, 3, 6])
    assert counts(norm.scaled).device == 1


def test_kinds_of_parameters(ported):
    program = ported(
        "@device('a', 'rest', 'k', 'more')\n"
        "def f(a, /, *rest, k=None, **more):\n"
        "    return [type(v).__name__ for v in (a, *rest, k, *more.values())]\n"
    )
    x = np.zeros(1)
    names = program.f(x, x, 1.0, k=x, z=x, w=2)
    assert names == ["FakeArray", "FakeArray", "float", "FakeArray", "FakeArray", "int"]
    assert program.f(x) == ["FakeArray", "NoneType"]


def test_wrong_arguments_raise_the_functions_own_error(ported):
    scale = ported(SCALE).scale
    with pytest.raises(TypeError, match=r"scale\(\) missing 1 required positional argument: 'x'"):
        scale()


def test_looks_like_the_function(ported, monkeypatch):
    scale = ported(SCALE).scale
    assert str(inspect.signature(scale)) == "(x, factor=2.0)"
    assert inspect.getfullargspec(scale).args == ["x", "factor"]
    assert scale.__defaults__ == (2.0,)
    assert scale.__doc__ == "Scale x."
    module = types.ModuleType("program")
    module.scale = scale
    monkeypatch.setitem(sys.modules, "program", module)
    assert pickle.loads(pickle.dumps(scale)) is scale


def test_singular_matrix_raises_as_in_numpy(ported, cp):
    program = ported(
        "@device('x')\ndef inner(x):\n    return cp.linalg_setting()\n"
        "@device('x')\ndef f(x):\n    return inner(x), cp.linalg_setting()\n"
        "@device('x')\ndef bad(x):\n    raise ValueError\n"
    )
    assert program.f(np.ones(1)) == ("raise", "raise")
    assert program.f(cp.asarray(np.ones(1))) == ("raise", "raise")
    assert cp.linalg_setting() == "ignore"
    with pytest.raises(ValueError):  # noqa: PT011
        program.bad(np.ones(1))
    assert cp.linalg_setting() == "ignore"


def test_calls_from_threads_are_counted(ported):
    scale = ported(SCALE).scale
    x = np.ones(4)

    def work():
        for _ in range(50):
            np.testing.assert_array_equal(scale(x), 2 * x)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(scale).device == 200


@pytest.mark.parametrize("trouble", ["no device", "memory"])
def test_fallback_warns_once_and_is_counted(ported, cp, recwarn, monkeypatch, trouble):
    scale = ported(SCALE).scale
    if trouble == "memory":
        cp.full = True
    else:
        cp.cuda.available = False
    with pytest.warns(FallbackWarning, match=r"program\.scale runs on the CPU") as warned:
        outs = [scale(np.ones(2)), scale(np.ones(2))]
    np.testing.assert_array_equal(outs, [[2, 2], [2, 2]])
    assert len(warned) == 1
    assert warned[0].filename == __file__
    assert counts(scale).fallbacks == 2
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    with pytest.raises(FallbackError, match=r"program\.scale cannot run on the GPU"):
        scale(np.ones(2))
    assert scale(3) == 6


@pytest.mark.parametrize("argument", [[1.0], np.ones(2)], ids=["host", "device"])
def test_errors_of_the_body_come_alone(ported, argument):
    program = ported("@device('x')\ndef f(x):\n    raise KeyError('body')\n")
    with pytest.raises(KeyError) as raised:
        program.f(argument)
    assert raised.value.__context__ is None
    assert str(raised.traceback[-1].path).endswith("program.py")


def test_memory_full_inside_the_body_is_not_run_again(ported, cp):
    program = ported(
        "log = []\n@device('x')\ndef f(x):\n    log.append(1)\n"
        "    raise cp.cuda.memory.OutOfMemoryError('full')\n"
    )
    with pytest.raises(MemoryError):
        program.f(np.ones(2))
    assert program.log == [1]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("@device('y')\ndef f(x): pass", r"f\(x\) has no parameter 'y'"),
        ("@device\ndef f(x): pass", "name the parameters"),
        ("@device(host='x')\ndef f(x): pass", "name the parameters"),
        ("@device('x')\ndef f(x): yield x", "generator function"),
        ("@device('x')\nasync def f(x): pass", "coroutine function"),
        ("@device('x')\nasync def f(x): yield x", "asynchronous generator"),
        ("@device('x')\ndef f(x):\n    global g\n    g = x", "global names"),
        ("class A:\n    @device('x')\n    @staticmethod\n    def f(x): pass", "plain function"),
        ("@device('x', require='y')\ndef f(x, y): pass", "not among the named arrays"),
        ("@device('x', host='x')\ndef f(x): pass", "for the device and for the host"),
        ("@device(numbers='a', creates=True)\ndef f(): pass", "no parameter whose attributes"),
        ("@device('x', boundary='none')\ndef f(x): pass", "'match' or 'device'"),
    ],
)
def test_refused_at_decoration(ported, source, message):
    with pytest.raises(TypeError, match=message):
        ported(source)


def test_device_needs_no_cupy_to_decorate():
    @device("x")
    def f(x):
        return x

    assert f(1) == 1


@dataclass
class Case:
    step: float = 0.5
    name: str = ""


def test_an_array_in_a_field_annotated_as_a_number_takes_the_host_path(ported):
    scaled = ported('@device("x")\ndef scaled(x, case):\n    return x / case.step').scaled
    x, steps = np.arange(3.0), np.array([1.0, 2.0, 4.0])
    np.testing.assert_array_equal(scaled(x, Case()), x / 0.5)
    np.testing.assert_array_equal(scaled(x, Case(steps)), x / steps)
    assert (counts(scaled).device, counts(scaled).host) == (1, 1)


def test_each_call_brings_what_is_made_on_the_host_to_where_the_arguments_are(ported, cp):
    """The later calls too, whose arguments nothing has to be done for."""
    made = ported(
        '@device("x")\ndef made(x):\n    kept = np.zeros(2)\n    return kept, {"sum": x.sum()}'
    ).made
    for _ in range(3):
        kept, others = made(cp.arange(3.0))
        assert type(kept) is type(others["sum"]) is cp.ndarray


AXES = """
@device("x", axes={"x": 1})
def doubled(x):
    return x * (3.0 if isinstance(x, cp.ndarray) and x.ndim == 1 else 2.0)
"""


def test_arrays_with_other_axes_than_asked_run_on_the_host(ported, cp):
    doubled = ported(AXES).doubled
    assert doubled(np.ones((1, 2))).tolist() == [[2, 2]]
    for _ in range(3):
        assert cp.asnumpy(doubled(cp.asarray(np.ones(2)))).tolist() == [3, 3]
        assert type(doubled(cp.asarray(np.ones((1, 2))))) is cp.ndarray
    assert (counts(doubled).device, counts(doubled).host) == (3, 4)


REQUIRED_ON_HOST = """
@device("x", host="w", require="w")
def weighed(x, w):
    return (x * 2, type(w).__name__)
"""


def test_numbers_where_arrays_of_the_host_are_moved_run_on_the_host(ported):
    weighed = ported(REQUIRED_ON_HOST).weighed
    for w in (2.0, np.float64(2), np.array(2.0), [1.0]):
        weighed(np.ones(2), w)
    assert (counts(weighed).device, counts(weighed).host) == (0, 4)
    assert weighed(np.ones(2), np.ones(1))[1] == "ndarray"
    assert (counts(weighed).device, counts(weighed).host) == (1, 4)
