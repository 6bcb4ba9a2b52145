"""Numbers that arguments of a kernel store: read where no code runs for it, else on the host."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from tests.runtime.kernels.conftest import counts, way

from gpuport.runtime import FallbackError, stats

ATTRIBUTES = """
@kernel("raw T x, float p.rate, float p.shift", "raw T y", "y[i] = x[i] * p.rate + p.shift;",
        over="i in range(len(x))")
def scaled(x, p, y):
    for i in range(len(x)):
        y[i] = x[i] * p.rate + p.shift
"""
ENTRIES = """
@kernel("raw T x, float p['rate'], int p['cut']", "raw T y", 'y[i] = x[i] * p["rate"];',
        over="i in range(p['cut'], len(x))", where="p['cut'] != 2")
def scaled(x, p, y):
    for i in range(p["cut"], len(x)):
        y[i] = x[i] * p["rate"]
"""
NESTED = """
@kernel("raw T x, float s.grid.dx, float s.of['a'].b", "raw T y",
        "y[i] = x[i] * s.grid.dx + s.of['a'].b;", over="i in range(len(x))")
def scaled(x, s, y):
    for i in range(len(x)):
        y[i] = x[i] * s.grid.dx + s.of["a"].b
"""


@dataclass
class Whole:
    rate: float = 1.5
    shift: float = 0.25


@dataclass(frozen=True, slots=True)
class Slotted:
    rate: float
    shift: float


class Plain:
    shift = 0.25

    def __init__(self):
        self.rate = 1.5


class Derived(Plain):
    @property
    def other(self):
        raise AssertionError


class Kept:
    def __init__(self):
        self.shift = 0.25

    @cached_property
    def rate(self):
        return 1.5


class Typed(NamedTuple):
    rate: float
    shift: float


class Computed(Whole):
    @property
    def rate(self):
        return 1.5

    @rate.setter
    def rate(self, value):
        pass


class Guessed:
    shift = 0.25

    def __getattr__(self, name):
        if name != "rate":
            raise AttributeError(name)
        return 1.5


class Watched(Plain):
    def __getattribute__(self, name):
        return 9.0 if name == "rate" else object.__getattribute__(self, name)


class Elsewhere(Plain):
    @property
    def __dict__(self):
        return {"rate": 9.0}


class Half:
    __slots__ = ("rate", "shift")

    def __init__(self):
        self.rate = 1.5


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("owner", "expected"),
    [
        (Whole(), "device"),
        (Whole(rate=2), "device"),
        (Slotted(1.5, 0.25), "device"),
        (Plain(), "device"),
        (Derived(), "device"),
        (Typed(1.5, 0.25), "device"),
        (namedtuple("Pair", "rate shift")(1.5, 0.25), "device"),
        (SimpleNamespace(rate=1.5, shift=0.25), "device"),
        (Whole(rate="no"), "host"),  # type: ignore[arg-type]
        (Computed(), "host"),
        (Guessed(), "host"),
        (Watched(), "host"),
        (Elsewhere(), "host"),
        (Half(), "host"),
        ({"rate": 1.5, "shift": 0.25}, "host"),
        (3.0, "host"),
    ],
)
def test_attributes_are_numbers_where_they_are_stored(
    program, alike, emulated, owner, expected, dtype
):
    scaled = program(ATTRIBUTES).scaled
    x = emulated.asarray(np.linspace(0.1, 2.0, 7).astype(dtype))
    alike(scaled, expected, x, owner, emulated.zeros(7, dtype))


@pytest.mark.parametrize(
    ("owner", "expected"),
    [
        ({"rate": 1.5, "cut": 1}, "device"),
        ({"rate": 1.5, "cut": 2}, "host"),  # of which where= says so
        ({"rate": 1.5, "cut": 1.0}, "host"),
        ({"rate": 1.5}, "host"),
        (OrderedDict(rate=1.5, cut=1), "host"),
        (SimpleNamespace(rate=1.5, cut=1), "host"),
    ],
)
def test_entries_are_numbers_of_dictionaries(program, alike, emulated, owner, expected):
    scaled = program(ENTRIES).scaled
    alike(scaled, expected, emulated.arange(5.0), owner, emulated.zeros(5))
    if owner == {"rate": 1.5, "cut": 2}:
        assert counts(scaled).reason == "not p['cut'] != 2"


def test_what_is_stored_may_lie_deep(program, alike, emulated):
    scaled = program(NESTED).scaled
    owner = SimpleNamespace(grid=SimpleNamespace(dx=2.0), of={"a": SimpleNamespace(b=3.0)})
    alike(scaled, "device", emulated.arange(5.0), owner, emulated.zeros(5))
    owner.of["a"] = Kept()
    alike(scaled, "host", emulated.arange(5.0), owner, emulated.zeros(5))


def test_what_is_computed_once_is_stored_from_then_on(program, alike, emulated):
    scaled, owner = program(ATTRIBUTES).scaled, Kept()
    scaled(emulated.ones(1), owner, emulated.zeros(1))
    assert way(scaled) == "host"
    alike(scaled, "device", emulated.arange(5.0), owner, emulated.zeros(5))


def test_a_number_is_what_it_is_at_each_call(program, emulated):
    scaled, owner, y = program(ATTRIBUTES).scaled, Whole(), emulated.zeros(1)
    for rate in (2.0, 3.0):
        owner.rate = rate
        scaled(emulated.ones(1), owner, y)
        assert float(y[0]) == rate + 0.25
    with patch.object(Whole, "rate", property(lambda _: 5.0)):  # its class may change, too
        scaled(emulated.ones(1), owner, y)
    assert float(y[0]) == 5.25
    assert way(scaled) == "device host"


@pytest.mark.filterwarnings("ignore:.*runs on the CPU")
def test_what_is_computed_of_a_written_array_follows_the_loop(program, emulated):
    class Last:
        shift = 1.0

        def __init__(self, of):
            self.of = of

        @property
        def rate(self):
            return float(self.of.sum())

    scaled = program(ATTRIBUTES).scaled
    expected, y = np.ones(5), emulated.ones(5)
    scaled.__wrapped__(np.ones(5), Last(expected), expected)
    owner = Last(y)
    scaled(emulated.ones(5), owner, y)
    assert y.tolist() == expected.tolist()
    assert owner.of is y
    reasons = [one.reason for name, one in stats().items() if name.endswith("scaled")]
    assert reasons == ["p.rate is nothing that p stores: reading it may run code"]


def test_no_code_runs_for_what_is_an_error(program, emulated, monkeypatch):
    class Loud:
        shift = 1.0

        @property
        def rate(self):
            raise AssertionError

    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    with pytest.raises(FallbackError, match=r"p\.rate is nothing that p stores"):
        program(ATTRIBUTES).scaled(emulated.ones(2), Loud(), emulated.ones(2))


def test_an_array_that_is_stored_meets_no_written_one(program, emulated):
    scaled, y = program(ATTRIBUTES).scaled, emulated.ones(3)
    scaled(emulated.ones(3), SimpleNamespace(rate=emulated.full((), 2.0), shift=0.0), y)
    assert way(scaled) == "device"
    assert y.tolist() == [2.0] * 3


@pytest.mark.filterwarnings("ignore:.*runs on the CPU")
def test_a_stored_element_of_what_is_written_changes_with_it(program, emulated):
    scaled, results = program(ATTRIBUTES).scaled, []
    for xp, function in ((np, scaled.__wrapped__), (emulated, scaled)):
        y = xp.ones(4)
        function(xp.ones(4), SimpleNamespace(rate=y[1:2].reshape(()), shift=1.0), y)
        results.append(y.tolist())
    assert results == [[2.0, 2.0, 3.0, 3.0]] * 2
    assert way(scaled) == "host"


@pytest.mark.parametrize(
    ("inputs", "parameters", "message"),
    [
        ("raw T p.u", "p", "p.u of f can be no more than a number"),
        ("float p.a, float p", "p", "p.a of f can be no more than a number"),
        ("float p.a, float p.a", "p", "has p.a twice"),
        ("float p.a, raw T q", "q", "no parameter 'p'"),
        ("float p['a b']", "p", "is not of the form"),
    ],
)
def test_what_a_parameter_cannot_store_is_refused(program, inputs, parameters, message):
    text = (
        f'@kernel("{inputs}", "raw T y", "y[i] = 1;", over="i in range(len(y))")\n'
        f"def f({parameters}, y):\n    for i in range(len(y)):\n        y[i] = 1\n"
    )
    with pytest.raises(TypeError, match=message):
        program(text)
