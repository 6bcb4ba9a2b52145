"""Loops of kernels that run on the host: on copies, which come back."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import numpy as np
import pytest

from gpuport.runtime.kernels.copies import on_copies
from gpuport.runtime.lent import lent


def run(cp, call, args, **more):
    return on_copies(cp, call, args, more.pop("written", ()), name="loop", **more)


def test_the_loop_runs_on_copies_that_come_back(cp):
    x, y = cp.arange(3.0), cp.zeros(3)

    def loop(a, b):
        assert type(a) is type(b) is np.ndarray
        b[:] = a + 1
        a[:] = -1

    run(cp, loop, (x, y), written=(y,))
    assert cp.asnumpy(y).tolist() == [1, 2, 3]
    assert cp.asnumpy(x).tolist() == [0, 1, 2]


def test_what_a_failing_loop_wrote_stays_written(cp):
    y = cp.zeros(3)

    def loop(b):
        b[0] = 1
        b[3] = 1

    with pytest.raises(IndexError):
        run(cp, loop, (y,), written=(y,))
    assert cp.asnumpy(y).tolist() == [1, 0, 0]


def test_overlaps_stay_overlaps(cp):
    memory = cp.arange(8.0)
    even, tail = memory[::2], memory[3:]

    def loop(a, b):
        b[1] = 40  # memory[4], which is even[2]
        assert a.tolist() == [0, 2, 40, 6]

    run(cp, loop, (even, tail), written=(tail,))
    assert cp.asnumpy(memory).tolist() == [0, 1, 2, 3, 40, 5, 6, 7]


def test_overlaps_stay_overlaps_beside_arrays_of_their_own(cp):
    x, memory = cp.arange(8.0), cp.arange(8.0)
    back = memory[::-1]

    def loop(a, b, c):
        a[:] = -1
        c[0] = 70  # memory[7]
        assert b.tolist() == [0, 1, 2, 3, 4, 5, 6, 70]

    run(cp, loop, (x, memory, back), written=(back,))
    assert cp.asnumpy(memory).tolist() == [0, 1, 2, 3, 4, 5, 6, 70]


def test_values_of_the_host_pass_as_they_are(cp):
    x, y = np.zeros(2), [0.0]
    a, b = run(cp, lambda *given: given, (x, y), back=False)
    assert a is x
    assert b is y


@pytest.mark.parametrize("raises", [False, True])
def test_attributes_hold_the_copies_until_the_loop_ends(cp, raises: bool):
    x = cp.arange(3.0)
    model = SimpleNamespace(x=x, k=2.0)

    def loop(a):
        assert model.x is a
        model.x[0] = 7.0
        if raises:
            raise ZeroDivisionError

    with contextlib.suppress(ZeroDivisionError):
        run(cp, loop, (x,), written=(x,), objects=(model,))
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

    def loop(a, b):
        for k in range(3):
            assert type(near(k)) is np.float64
            b[k] = near(k)
        assert x is a

    run(cp, loop, (x, y), written=(y,), objects=(near,))
    assert isinstance(x, cp.ndarray)
    assert isinstance(y, cp.ndarray)
    assert cp.asnumpy(y).tolist() == [0, 1, 3]


def test_functions_read_the_arrays_again_when_a_loop_fails(cp):
    x = cp.arange(3.0)

    def at(k):
        return x[k]

    with contextlib.suppress(IndexError):
        run(cp, lambda a: at(3), (x,), objects=(at,))
    assert isinstance(x, cp.ndarray)


def test_rows_that_a_loop_took_for_elements_come_back_where_they_changed(cp):
    x, y = cp.ones((2, 3)), cp.zeros((2, 3))

    def loop(a, b):
        for row in a:
            row += 1

    run(cp, loop, (x, y), rows=(x, y))
    assert cp.asnumpy(x).tolist() == [[2.0] * 3] * 2


def test_rows_of_what_nobody_gives_back_are_not_changed(cp):
    x = cp.ones((2, 3))
    begin = x.data.ptr
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lent, "copies", ((begin, begin + x.nbytes, "f", "x"),))
        assert run(cp, lambda a: float(a.sum()), (x,), rows=(x,)) == 6.0
        with pytest.raises(TypeError, match="loop writes to 'x', an argument of f"):
            run(cp, lambda a: a.fill(2.0), (x,), rows=(x,))
