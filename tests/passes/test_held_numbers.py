"""Numbers of records, classes and enumerations in loops: passed to kernels, or why not."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.runtime import reset_stats, stats

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
        ("p: Pair", "p.rate * x[i] + p.shift", "float p.rate, float p.shift"),
        ("p", "p.rate * x[i] + p.shift", "float p.rate, float p.shift"),
        ("p: 'Step'", "x[i] * p.dt + p.cells", "float p.dt, int p.cells"),
        ("p", "x[i] ** 2 * p.gain", "float p.gain"),
        ("p", "x[i] * p.weight - p.offset", "float p.weight, float p.offset"),
        ("a", "x[i] * a + Settings.scale", "Settings.scale"),
    ],
)
def test_fields_are_passed_where_the_class_is_the_one_that_has_them(parameter, value, asked):
    report = port(_program(parameter, f"y[i] = {value}"))
    assert report.after is not None
    assert asked in report.after
    assert "_f(x, " in report.after
    assert "launchable" not in report.after


def test_the_first_parameter_of_a_function_is_no_instance_of_its_own():
    head = f"{CLASSES}\ndef f(p: Model, x: np.ndarray):\n"
    report = port(f"{head}    for i in range(p.order, len(x)):\n        x[i] *= p.gain\n")
    assert "float p.gain, int p.order" in (report.after or "")
    assert "    _f(p, x)\n" in (report.after or "")


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
        ("x[i] * p['dt']", "float p['dt']"),
        ("x[i] ** 2 if p['on'] else -x[i]", "p['on']"),
        ("sum(x[k] for k in range(2))", None),
        ("x[i] * p['u'][i]", None),
        ("x[i] * p['dt']\n        p['dt'] = 2.0", None),
        ("x[i] * p.get('dt')", None),
    ],
)
def test_entries_are_those_of_a_dictionary(value, asked):
    report = port(_program("p", f"y[i] = {value}"))
    text = " ".join((report.after or "").split())
    assert (asked is not None) == ("@kernel(" in text)
    assert asked is None or asked in text


def test_how_often_a_loop_runs_may_be_an_entry():
    head = "import numpy as np\n\n\ndef f(x: np.ndarray, p):\n"
    report = port(f"{head}    for i in range(p['n']):\n        x[i] += p['a']\n")
    assert "float p['a'], int p['n']" in (report.after or "")


OWNERS = {
    "Model(2.5)": 1,
    "Model(gain=np.float64(2.5))": 1,
    "Inherited(2.5)": 1,
    "Gained(2.5)": 1,
    "Frozen(2.5)": 1,
    "Doubled()": 0,
    "Doubled(y)": 0,
    "Slow()": 0,
    "Model(np.float32(2.5))": 0,
    "Model(2.5 + 0j)": 0,
}
"""Objects that a loop may read a gain of, and how many of its launches are made."""

DERIVED = """
class Inherited(Model):
    @property
    def other(self):
        raise AssertionError


class Gained(NamedTuple):
    gain: object


class Frozen:
    __slots__ = ("gain",)

    def __init__(self, gain):
        self.gain = gain


class Doubled:
    def __init__(self, of=None):
        self.of = of

    @property
    def gain(self):
        return 2.5 if self.of is None else 1.0 + float(self.of.sum())


class Slow:
    def __getattr__(self, name):
        return 2.5


def f(x: np.ndarray, y: np.ndarray, p: Model, n: int):
    for i in range(n):
        y[i] = x[i] * p.gain + y[i]


def g(x: np.ndarray, y: np.ndarray, p):
    for i in range(p["from"], len(x)):
        y[i] = x[i] * p["gain"]
"""


@pytest.fixture
def both(emulated, monkeypatch):
    """What the original and the port make of a call, and how many kernels were launched."""

    def run(text, dtype, call, owner):
        spaces = []
        for one in (text, port(text).after):
            module = ModuleType("held")
            monkeypatch.setitem(sys.modules, "held", module)
            exec(compile(one, "held.py", "exec"), vars(module))
            spaces.append(vars(module))
        reset_stats()
        found = [
            _outcome(space, xp, dtype, call, owner)
            for space, xp in zip(spaces, (np, emulated), strict=True)
        ]
        launched = sum(one.device for name, one in stats().items() if name.startswith("held._"))
        return (*found, launched)

    return run


def _outcome(space, xp, dtype, call, owner):
    x, y = (xp.asarray(np.linspace(a, 2.0, 6).astype(dtype)) for a in (0.1, 0.7))
    try:
        result = call(space, x, y, eval(owner, {**space, "y": y, "np": np}))
    except Exception as error:
        result = type(error)
    return result, y.dtype, y.tolist()


@pytest.mark.filterwarnings("ignore:.*runs on the CPU", "ignore:.*discards the imag")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("owner", "launches"), OWNERS.items())
def test_fields_give_what_the_loop_gives_whatever_has_them(owner, launches, dtype, both):
    def call(space, x, y, p):
        return space["f"](x, y, p, 5)

    original, ported, launched = both(CLASSES + DERIVED, dtype, call, owner)
    assert ported == original
    assert launched == launches - (dtype == "float32" and "np.float64" in owner)


@pytest.mark.filterwarnings("ignore:.*runs on the CPU")
@pytest.mark.parametrize(
    ("owner", "launches"),
    [
        ("{'gain': 2.5, 'from': 1}", 1),
        ("{'gain': 2, 'from': 0}", 1),
        ("type('Own', (dict,), {'__getitem__': lambda self, key: 3})()", 0),
        ("{'gain': 2.5}", 0),
        ("{'gain': y, 'from': 0}", 0),
        ("np.array([(2.5, 1)], [('gain', 'f8'), ('from', 'i8')])[0]", 0),
    ],
)
def test_entries_give_what_the_loop_gives_whatever_has_them(owner, launches, both):
    def call(space, x, y, p):
        return space["g"](x, y, p)

    original, ported, launched = both(CLASSES + DERIVED, "float64", call, owner)
    assert ported == original
    assert launched == launches


def test_names_of_a_class_alone_stay_in_it():
    report = port(NESTED.replace("self.grid", "self.__grid"))
    told = [one.message for one in report.findings if one.code == "GP201"]
    assert report.after is None
    assert any("the name `self.__grid.dx` is one of its class alone" in one for one in told), told


NESTED = """\
import numpy as np


class Grid:
    def __init__(self, n, dx):
        self.n = n
        self.dx = dx


class Solver:
    def __init__(self, grid):
        self.grid = grid
        self.a = 2.0

    def step(self, u, v):
        for i in range(1, self.grid.n - 1):
            v[i] = self.a * (u[i + 1] - u[i - 1]) / self.grid.dx
"""


def test_fields_of_what_an_instance_has(both):
    def call(space, x, y, grid):
        space["Solver"](grid).step(x, y)

    for owner, launches in (("Grid(6, 0.5)", 1), ("Grid(9, 0.5)", 0), ("Grid(6, 0.0)", 1)):
        original, ported, launched = both(NESTED, "float64", call, owner)
        assert ported == original
        assert launched == launches


NAMESAKES = """\
from dataclasses import dataclass

import numpy as np


@dataclass
class Par:
    T: float = 2.0
    x: float = 3.0
    i: int = 1
    n: int = 4


def f(x: np.ndarray, y: np.ndarray, n: int, p: Par):
    for i in range(p.i, n - p.i):
        y[i] = x[i - p.i] * p.x + p.T * i - p.n % 3 + n
"""


def test_fields_may_be_called_as_other_things_of_the_loop_are(both):
    def call(space, x, y, p):
        space["f"](x, y, 5, p)

    original, ported, launched = both(NAMESAKES, "float64", call, "Par()")
    assert ported == original
    assert launched == 1


ITEMS = """\
import numpy as np


class Frame:
    def __init__(self, shape):
        self.shape = shape

    def cut(self, x, y):
        for i in range(len(x)):
            if i < self.shape[0] and i != self.shape[1]:
                y[i] = x[i] * 2.0


def run(x, y):
    Frame((3, 1)).cut(x, y)


run(np.zeros(3), np.zeros(3))
"""


def test_items_of_a_tuple_are_numbers_where_it_is_one(both):
    def call(space, x, y, shape):
        space["Frame"](shape).cut(x, y)

    assert "int self.shape[0], int self.shape[1]" in (port(ITEMS).after or "")
    for owner in ("(3, 1)", "(9, 9)", "[3, 1]", "(3, 1, 2)", "(2.5, y[0])", "x.reshape(2, 3)[0]"):
        original, ported, _ = both(ITEMS, "float64", call, owner)
        assert ported == original
