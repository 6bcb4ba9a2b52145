"""Numbers of records, classes and enumerations in loops: passed to kernels, or why not."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

CLASSES = """\
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import NamedTuple

import numpy as np

Pair = namedtuple("Pair", "rate shift")


class Step(NamedTuple):
    dt: float
    cells: int


@dataclass(frozen=True)
class Model:
    gain: float = 2.0
    order: int = 3


class Written:
    def __init__(self, weight, offset=0.5):
        self.weight = weight
        self.offset = offset


class Computed:
    def __init__(self, of):
        self.of = of

    @property
    def level(self):
        return float(self.of[0])


class Settings:
    scale = 2.5


class State(IntEnum):
    EMPTY = 0
    TREE = auto()
    FIRE = 7


class Colour(Enum):
    RED = 3


"""


def _program(parameter: str, statement: str) -> str:
    return (
        f"{CLASSES}\ndef f(x: np.ndarray, {parameter}):\n    y = np.zeros(len(x))\n"
        f"    for i in range(len(x)):\n        {statement}\n    return y\n"
    )


@pytest.mark.parametrize(
    ("parameter", "value", "asked"),
    [
        ("p: Pair", "p.rate * x[i] + p.shift", "type(p) is Pair"),
        ("p", "p.rate * x[i] + p.shift", "type(p) is Pair"),
        ("p: 'Step'", "x[i] * p.dt + p.cells", "type(p) is Step"),
        ("p", "x[i] ** 2 * p.gain", "type(p) is Model"),
        ("p", "x[i] * p.weight - p.offset", "type(p) is Written"),
        ("a", "x[i] * a + Settings.scale", "Settings.scale"),
    ],
)
def test_fields_are_passed_where_the_class_is_the_one_that_has_them(parameter, value, asked):
    report = port(_program(parameter, f"y[i] = {value}"))
    assert report.after is not None
    assert asked in report.after
    assert "_f(x, " in report.after


def test_the_first_parameter_of_a_function_is_no_instance_of_its_own():
    head = f"{CLASSES}\ndef f(p: Model, x: np.ndarray):\n"
    report = port(f"{head}    for i in range(p.order, len(x)):\n        x[i] *= p.gain\n")
    assert "type(p) is Model" in (report.after or "")


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("y[i] = 1.0 if x[i] == State.FIRE else 0.0", "y[i] = x[i] == 7 ? 1.0 : 0.0;"),
        ("y[i] = State.TREE if x[i] in (State.EMPTY, State.FIRE) else State.FIRE",
         "y[i] = x[i] == 0 || x[i] == 7 ? 1LL : 7LL;"),
        ("y[i] = x[i] * Colour.RED.value", "y[i] = x[i] * 3;"),
    ],
)  # fmt: skip
def test_members_are_the_numbers_behind_them(statement, line):
    report = port(_program("a", statement))
    assert report.after is not None
    assert line in report.after


@pytest.mark.parametrize(
    ("parameter", "statement"),
    [
        ("p", "y[i] = x[i] * p.level"),  # a property: it may read what the loop writes
        ("p", "y[i] = x[i] * State.FIRE"),  # to NumPy an int64, to Python an int
        ("p", "k = State.FIRE\n        y[i] = x[i] * k"),
        ("p", "y[i] = x[i] == Colour.RED"),  # never so
        ("p", "y[i] = x[i] * p.nothing"),
    ],
)
def test_what_may_be_something_else_is_no_number(parameter, statement):
    report = port(_program(parameter, statement))
    assert report.after is None
    assert any(one.code == "GP205" for one in report.findings)


@pytest.mark.parametrize(
    ("value", "asked"),
    [
        ("x[i] * p['dt']", "type(p) is dict and 'dt' in p and launchable("),
        ("x[i] ** 2 if p['on'] else -x[i]", "'on' in p"),
        ("sum(x[k] for k in range(2))", None),
        ("x[i] * p['u'][i]", None),
        ("x[i] * p['dt']\n        p['dt'] = 2.0", None),
        ("x[i] * p.get('dt')", None),
    ],
)
def test_entries_are_those_of_a_dictionary(value, asked):
    report = port(_program("p", f"y[i] = {value}"))
    text = " ".join((report.after or "").split())
    assert (asked is not None) == ("_f = cp.ElementwiseKernel(" in text)
    assert asked is None or asked in text


def test_how_often_a_loop_runs_may_be_an_entry():
    head = "import numpy as np\n\n\ndef f(x: np.ndarray, p):\n"
    report = port(f"{head}    for i in range(p['n']):\n        x[i] += p['a']\n")
    assert "whole=p['n']" in (report.after or "")
