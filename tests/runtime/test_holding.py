"""Objects that hold arrays which a call, or a loop, writes: what they compute of them follows."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.runtime import device, reset_stats, stats
from gpuport.runtime.holding import held_arrays
from gpuport.runtime.kernels.copies import on_copies

PROGRAM = """\
from dataclasses import dataclass

import numpy as np


@dataclass
class Params:
    dx: float


class Odd(Params):
    def __init__(self, y):
        self.y = y

    @property
    def dx(self):
        return 1.0 + float(self.y[0])

    @dx.setter
    def dx(self, value):
        pass


def scale(x: np.ndarray, y: np.ndarray, params: Params):
    for i in range(x.shape[0]):
        y[i] = x[i] * params.dx
    return y


def push(y: np.ndarray, params: Params):
    y += np.sin(y) * 0.1 + np.cos(y) * np.exp(-y)
    y *= 1.0 + 0.001 * params.dx
    return y
"""


@pytest.fixture
def functions(emulated):
    original, ported = {"__name__": __name__}, {"__name__": __name__}
    exec(PROGRAM, original)
    exec(port(PROGRAM).after or "", ported)
    return original, ported


@pytest.mark.filterwarnings("ignore:.*runs on the CPU")
@pytest.mark.parametrize("kind", ["numpy", "cupy"])
def test_a_property_of_another_class_follows_what_is_written(functions, emulated, kind):
    original, ported = functions
    moved = np.asarray if kind == "numpy" else emulated.asarray
    x = np.random.default_rng(5).random(50)
    for which in (lambda space, y: space["Odd"](y), lambda space, y: space["Params"](0.5)):
        expected, found = np.linspace(0.0, 1.0, 50), moved(np.linspace(0.0, 1.0, 50))
        original["scale"](x, expected, which(original, expected))
        ported["scale"](moved(x), found, which(ported, found))
        original["push"](expected, which(original, expected))
        ported["push"](found, which(ported, found))
        np.testing.assert_allclose(emulated.asnumpy(found), expected, rtol=1e-13)


@pytest.mark.parametrize("written", [True, False])
def test_a_written_array_that_an_object_holds_runs_on_the_host(emulated, written):
    said = {"writes": "y"} if written else {}

    @device("y", **said)
    def changed(y, owner):
        if written:
            y += 1.0
        return y + float(owner.inner["y"].sum())

    reset_stats()
    y = np.ones(5)
    assert changed(y, SimpleNamespace(inner={"y": y[1:]}))[0] == (10.0 if written else 5.0)
    (found,) = stats().values()
    assert (found.device, found.host) == ((0, 1) if written else (1, 0))


def test_on_the_host_path_objects_hold_the_copies_as_well(emulated):
    @device("y", "k", require="k", writes="y")
    def changed(y, k, owner):
        y += k
        owner.other = 3 * owner.y
        return float(owner.y.sum())

    y = emulated.ones(5)
    owner = SimpleNamespace(y=y, other=y[:2])
    assert changed(y, 1.0, owner) == 10.0  # a number where an array is required
    assert owner.y is y
    assert owner.other.tolist() == [6.0] * 5
    assert float(y.sum()) == 10.0


def test_objects_of_a_loop_hold_the_copies_until_it_raises(emulated):
    y = emulated.zeros(3)
    owner = SimpleNamespace(parts=[y[1:]])

    def loop(y_host):
        y_host[1] = 7.0
        assert owner.parts[0][0] == 7.0
        assert type(owner.parts[0]) is np.ndarray
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        on_copies(emulated, loop, (y,), (y,), (owner,), name="loop")
    assert type(owner.parts[0]) is emulated.ndarray
    assert float(y[1]) == 7.0


def test_what_is_held_is_found_and_no_code_runs():
    class Slotted:
        __slots__ = ("__dict__", "a", "empty")

    @dataclass
    class Whole:
        part: object
        again: object = None

        def __getattribute__(self, name):
            raise AssertionError(name)

    a, b, c = (np.zeros(n) for n in (1, 2, 3))
    slotted = Slotted()
    slotted.a, slotted.own = a, (b, {"c": [c]})
    whole = Whole(slotted)
    object.__setattr__(whole, "again", whole)
    found = {(name, array.size) for _, name, array in held_arrays([whole, None, np, 3], np.ndarray)}
    assert found == {("a", 1), (None, 2), (0, 3)}
