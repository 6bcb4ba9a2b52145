"""What stands around the launch of a kernel."""

from __future__ import annotations

import contextlib
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from gpuport.runtime import launchable, on_host
from gpuport.runtime.fallback import FallbackWarning


@pytest.fixture
def cp(emulated):
    return emulated


def test_arrays_of_the_named_dtypes_can_be_launched(cp):
    x, k = cp.zeros(3), cp.zeros(3, dtype=cp.int32)
    assert launchable(float64=x, int32=k)
    assert not launchable(float32=x)
    assert not launchable(float64=(x, k))


def test_arrays_of_the_host_cannot(cp):
    assert not launchable(float64=(cp.zeros(3), np.zeros(3)))
    assert not launchable(float64=[0.0, 0.0])


@pytest.mark.parametrize(("shape", "fits"), [((3,), True), ((1, 3), False), ((), False)])
def test_the_rank_counts_where_it_is_named(cp, shape, fits):
    assert launchable(float64=cp.zeros(shape), ndim=1) is fits


@pytest.mark.parametrize(
    ("kind", "accepted", "refused"),
    [
        ("int", [0, -5, 2**60], [True, 2**60 + 1, 2**63, 1.0, np.int64(1)]),
        ("float", [0.5, float("nan")], [1, np.float64(1), np.float32(1)]),
        ("bool", [True], [1, np.True_]),
        ("whole", [3, np.int64(3)], [np.int32(3), 3.0, True, 2**64]),
        ("real", [0.5, np.float64(2), 2**24], [2**24 + 1, np.float32(1), True, 1j]),
        ("python_real", [0.5, 7], [np.float64(2), None, "7"]),
        ("floating", [0.5, np.float64(2)], [1, np.float32(1), None]),
        ("float32_scalar", [np.float32(1)], [np.float64(1), 1.0]),
    ],
)
def test_numbers_are_of_the_named_kind(cp, kind, accepted, refused):
    assert all(launchable(**{kind: value}) for value in accepted)
    assert not any(launchable(**{kind: value}) for value in refused)


def test_a_written_array_shares_memory_with_no_other(cp):
    x = cp.zeros(6)
    first, second = x[:3], x[3:]
    assert launchable(float64=(first, second), writes=first)
    head, tail = x[:4], x[3:]
    assert not launchable(float64=(head, tail), writes=tail)
    assert launchable(float64=(head, tail))
    assert not launchable(float64=(x, x), writes=x)


def test_the_loop_runs_on_copies_that_come_back(cp):
    x, y = cp.arange(3.0), cp.zeros(3)

    def loop():
        with on_host(x, writes=(y,)) as (a, b):
            assert type(a) is type(b) is np.ndarray
            b[:] = a + 1
            a[:] = -1

    with pytest.warns(FallbackWarning):
        loop()
    assert cp.asnumpy(y).tolist() == [1, 2, 3]
    assert cp.asnumpy(x).tolist() == [0, 1, 2]


def test_what_a_failing_loop_wrote_stays_written(cp):
    y = cp.zeros(3)

    def loop():
        with on_host(writes=(y,)) as (b,):
            b[0] = 1
            b[3] = 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(IndexError):
            loop()
    assert cp.asnumpy(y).tolist() == [1, 0, 0]


def test_overlaps_stay_overlaps(cp):
    memory = cp.arange(8.0)
    even, tail = memory[::2], memory[3:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with on_host(even, writes=(tail,)) as (a, b):
            b[1] = 40  # memory[4], which is even[2]
            assert a.tolist() == [0, 2, 40, 6]
    assert cp.asnumpy(memory).tolist() == [0, 1, 2, 3, 40, 5, 6, 7]


def test_overlaps_stay_overlaps_beside_arrays_of_their_own(cp):
    x, memory = cp.arange(8.0), cp.arange(8.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with on_host(x, memory, writes=(memory[::-1],)) as (a, b, c):
            a[:] = -1
            c[0] = 70  # memory[7]
            assert b.tolist() == [0, 1, 2, 3, 4, 5, 6, 70]
    assert cp.asnumpy(memory).tolist() == [0, 1, 2, 3, 4, 5, 6, 70]


def test_values_of_the_host_pass_as_they_are():
    x, y = np.zeros(2), [0.0]
    with on_host(x, writes=(y,)) as (a, b):
        assert a is x
        assert b is y


@pytest.mark.parametrize("raises", [False, True])
def test_attributes_hold_the_copies_until_the_loop_ends(cp, raises: bool):
    x = cp.arange(3.0)
    model = SimpleNamespace(x=x, k=2.0)
    with warnings.catch_warnings(), contextlib.suppress(ZeroDivisionError):
        warnings.simplefilter("ignore")
        with on_host(writes=(x,), held=((model, "x"),)) as (a,):
            assert model.x is a
            model.x[0] = 7.0
            if raises:
                raise ZeroDivisionError
    assert model.x is x
    assert float(x[0]) == 7.0


def test_functions_read_the_copies_until_the_loop_ends(cp):
    """Through the variables of the function around them, and through each other."""
    x, y = cp.arange(3.0), cp.zeros(3)

    def at(k):
        return x[k]

    def near(k):
        assert isinstance(y, np.ndarray) == isinstance(x, np.ndarray)
        return at(k) + y[k - 1]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with on_host(x, writes=(y,), calls=(near,)) as (a, b):
            for k in range(3):
                assert type(near(k)) is np.float64
                b[k] = near(k)
            assert x is a
    assert isinstance(x, cp.ndarray)
    assert isinstance(y, cp.ndarray)
    assert cp.asnumpy(y).tolist() == [0, 1, 3]


def test_functions_read_the_arrays_again_when_a_loop_fails(cp):
    x = cp.arange(3.0)

    def at(k):
        return x[k]

    with warnings.catch_warnings(), contextlib.suppress(IndexError):
        warnings.simplefilter("ignore")
        with on_host(x, calls=(at,)):
            at(3)
    assert isinstance(x, cp.ndarray)
