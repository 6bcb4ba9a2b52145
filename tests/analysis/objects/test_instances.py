"""Which classes are followed, and where the arrays in their attributes live."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.conftest import GUARD, analysed, place_of
from tests.passes.conftest import port

from gpuport.analysis.objects.namedtuples import made_tuples
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import Array, Number, Object, Scalar, join
from gpuport.analysis.values.lattice import Sequence as SequenceValue
from gpuport.source.importers import why_imported
from gpuport.source.reading import parse
from gpuport.source.scoping import build_scopes

CLASS = """
import copy
import pickle
import sys
from dataclasses import dataclass

import numpy as np


class Heat:
    def __init__(self, n):
        self.u = np.zeros(n)
        self.steps = 0

    def step(self, dt):
        self.u += dt * np.sin(self.u) + np.cos(self.u)
        self.steps += 1
        return self.u
"""

USE = """
def main():
    model = Heat(1000)
    for _ in range(10):
        model.step(0.1)
    np.save("u.npy", model.u)
"""

KEEP = """
    def keep(self, x, y):
        self.u = x
        return y + 1


def main():
    model = Heat(10)
    x, y = np.ones(10), np.ones(10)
    model.keep(x, y)
    x[0] = 3
    model.step(0.1)
"""


def test_an_attribute_of_a_program_lives_on_the_device():
    project = analysed(CLASS, USE, GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "Heat", "u") is Place.DEVICE
    objects = project.members[0].objects
    assert objects is not None
    assert objects.now.attributes["Heat", "u"] == Array("float64", 1)
    assert objects.now.attributes["Heat", "steps"] == Scalar("int")


def test_functions_that_see_all_their_calls_have_no_boundary():
    project = analysed(CLASS, USE, GUARD)
    step = next(unit for unit in project.members if unit.name == "Heat.step")
    assert not step.decorated
    assert step.parameters.nodes == {}


@pytest.mark.parametrize(
    ("use", "word"),
    [
        ("pickle.dump(model, open('f', 'wb'))", "goes to other code"),
        ("other = copy.deepcopy(model, {})", "goes to other code"),
        ("pickle.dumps([model])", "goes to other code"),
        ("u = getattr(model, 'u')", "goes to other code"),
        ("d = model.__dict__", "handed on"),
        ("kind = type(model)", "goes to other code"),
        ("setattr(model, 'u', 3)", "goes to other code"),
        ("print(model.step)", "goes to other code"),
        ("print(sorted([1], key=lambda k: model.step(k)))", "runs later"),
        ("later = (model.u[i] for i in range(3))", "runs later"),
        ("sys.models = {'a': model}", "goes to other code"),
        ("step = Heat.step", "itself is handed on"),
        ("Heat.step(None, 0.1)", "handed on"),
        ("model.step = None", "bound anew"),
        ("same = model == model", "goes to other code"),
        ("model = model if model.steps else 3", "mixed with other things"),
        ("def inner():\n        yield model", "runs later"),
    ],
)
def test_an_instance_that_goes_anywhere_else_opens_its_class(use: str, word: str):
    project = analysed(CLASS, USE, f"    {use}\n", GUARD)
    assert word in project.opened_classes["Heat"].message


@pytest.mark.parametrize(
    "use",
    [
        "print(model, str(model))",
        "print([model], {'a': (model, 3)})",
        "print(f'{model} {model!r}', '%s' % model, '{}'.format(model))",
        "models = [model, Heat(3)]\n    for one in models:\n        one.step(0.2)",
        "by_name = {'a': model}\n    by_name['a'].step(0.1)",
        "other = model\n    other.step(0.1)",
        "known = isinstance(model, Heat)",
        "other = copy.deepcopy(model)\n    other.step(0.1)",
        "twin = type(model)(3)\n    twin.step(0.1)",
        "call = model.step\n    call(0.1)",
        "none = model is None",
        "model = model if model is not None else Heat(4)",
        "pair = (model, 3)\n    first, second = pair\n    first.step(0.3)",
    ],
)
def test_an_instance_is_followed_through(use: str):
    project = analysed(CLASS, USE, f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "Heat", "u") is Place.DEVICE


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("class Heat(Base):", "base class"),
        ("class Heat(metaclass=Base):", "base class"),
        ("@register\nclass Heat:", "decorator"),
    ],
)
def test_classes_that_are_made_in_other_ways_are_open(text: str, word: str):
    project = analysed(CLASS.replace("class Heat:", text), USE, GUARD)
    assert word in project.opened_classes["Heat"].message


@pytest.mark.parametrize(
    "method",
    ["__getattr__(self, name)", "__eq__(self, other)", "__next__(self)", "__del__(self)"],
)
def test_methods_that_python_calls_by_itself_open_a_class(method: str):
    project = analysed(CLASS, f"\n    def {method}:\n        return print(1)\n", USE, GUARD)
    assert "Python itself" in project.opened_classes["Heat"].message


def test_a_module_that_is_imported_keeps_its_attributes():
    project = analysed(CLASS)
    assert "imports this module" in project.opened_classes["Heat"].message
    assert project.members == []


def test_what_a_method_keeps_of_its_arguments_is_not_copied():
    project = analysed(
        CLASS,
        KEEP,
        GUARD,
    )
    objects = project.members[0].objects
    assert objects is not None
    keep = objects.classes["Heat"].exactly("Heat", "keep")
    assert (id(keep), "x") in objects.now.shared
    assert (id(keep), "y") not in objects.now.shared


def test_a_claim_of_instances_is_joined_with_none_alone():
    one = Object("A")
    assert join(one, Scalar("None")) == Object("A", optional=True)
    assert objects_in(join(one, Object("B"))) == frozenset()
    assert objects_in(join(one, Number())) == frozenset()
    assert objects_in(SequenceValue(one)) == {"A"}


def imported(path: Path, text: str) -> str | None:
    module = parse(str(path), text)
    return why_imported(module, build_scopes(module.tree))


def test_a_program_is_a_file_that_runs(tmp_path):
    assert imported(tmp_path / "a.py", "def f(): pass\nf()\n") is None
    assert imported(tmp_path / "a.py", f"def main(): pass\n{GUARD}") is None
    assert imported(tmp_path / "a.py", "import warnings\nwarnings.warn('x')\n") is not None
    assert imported(tmp_path / "a.py", f"from . import b\n{GUARD}") is not None
    assert imported(tmp_path / "a.py", f"__all__ = ['f']\n{GUARD}") is not None


def test_a_program_that_a_file_beside_it_imports_is_none(tmp_path):
    program = tmp_path / "model.py"
    program.write_text("def main(): pass\n" + GUARD)
    (tmp_path / "unrelated.py").write_text("import numpy\nmodel = 3\n")
    assert imported(program, program.read_text()) is None
    other = tmp_path / "other" / "model.py"
    other.parent.mkdir()
    other.write_text(program.read_text())
    (other.parent / "run.py").write_text("import sys\nfrom model import Heat\n")
    assert "`run.py`" in (imported(other, other.read_text()) or "")


def test_a_file_of_a_package_is_no_program(tmp_path):
    (tmp_path / "__init__.py").touch()
    assert imported(tmp_path / "a.py", GUARD) is not None


STATE = """
import sys
from collections import namedtuple
from typing import NamedTuple

import numpy as np

class State(NamedTuple):
    x: np.ndarray
    v: np.ndarray
    t: float = 0.0

def start(n):
    return State(np.linspace(0, 1, n), np.zeros(n))

def step(s):
    v = np.cos(s.v) - 0.1 * np.sin(s.x)
    return State(s.x + v, v, s.t + 1)

def main():
    s = start(1000)
    for _ in range(20):
        s = step(s)
"""

MADE = STATE.replace(
    "class State(NamedTuple):\n    x: np.ndarray\n    v: np.ndarray\n    t: float = 0.0\n",
    'State = namedtuple("State", "x v t")\n',
).replace("np.zeros(n))", "np.zeros(n), 0.0)")


@pytest.mark.parametrize("text", [STATE, MADE])
@pytest.mark.parametrize(
    "use",
    [
        "x, v, t = s\n    print(np.sum(x))",
        "s = s._replace(x=s.x + 1.0)",
        "print(np.sum(s[0]), s[-1], len(s))",
        "states = [s, start(3)]\n    print(np.sum(states[0].v))",
        "known = isinstance(s, tuple)",
    ],
)
def test_a_named_tuple_is_followed_through(text: str, use: str):
    project = analysed(text, f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "State", "x") is Place.DEVICE
    assert place_of(project, "State", "v") is Place.DEVICE


@pytest.mark.parametrize("text", [STATE, MADE])
@pytest.mark.parametrize("use", ["sums = [np.sum(f) for f in s]", "for f in s:\n        print(f)"])
def test_a_named_tuple_that_is_gone_through_is_followed(text: str, use: str):
    project = analysed(text, f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "State", "x") is Place.HOST  # arrays and a number, gone through as one
    without = text.replace("    t: float = 0.0\n", "").replace('"x v t"', '"x v"')
    without = without.replace(", s.t + 1)", ")").replace("np.zeros(n), 0.0)", "np.zeros(n))")
    project = analysed(without, f"    {use}\n", GUARD)
    assert place_of(project, "State", "x") is place_of(project, "State", "v") is Place.DEVICE


@pytest.mark.parametrize("text", [STATE, MADE])
@pytest.mark.parametrize(
    ("use", "word"),
    [
        ("print(*s)", "is unpacked"),
        ("print(s)", "goes to other code"),
        ("other = s + (1,)", "goes to other code"),
        ("known = s in [s]", "goes to other code"),
        ("x = s[:2]", "goes to other code"),
        ("k = 1\n    x = s[len(s.x) % 2]", "goes to other code"),
        ("d = s._asdict()", "as a tuple"),
        ("d = dict(zip(s._fields, s))", "as a tuple"),
        ("s = State._make(s)", "is handed on"),
        ("a = np.stack(s)", "goes to other code"),
        ("x, *rest = s", "is unpacked"),
        ("x, v = s", "is unpacked"),
    ],
)
def test_a_named_tuple_that_is_taken_for_a_tuple_opens_its_class(text: str, use: str, word: str):
    project = analysed(text, f"    {use}\n", GUARD)
    assert word in project.opened_classes["State"].message


@pytest.mark.parametrize(
    "made",
    [
        'State = namedtuple("State", ["x", "v"])',
        'State = namedtuple("State", ("x", "v"))',
        'State = namedtuple("State", "x, v")',
        'State = NamedTuple("State", [("x", np.ndarray), ("v", np.ndarray)])',
    ],
)
def test_the_fields_of_a_named_tuple_are_read_as_python_reads_them(made: str):
    project = analysed(STATE[: STATE.index("class State")], made, GUARD)
    names = dict(made_tuples(project.root))["State"][1]
    assert names == ["x", "v"]


@pytest.mark.parametrize(
    "made",
    [
        'State = namedtuple("State", "x v", defaults=(1,))',
        'State = namedtuple("Other", "x v")',
        'State = namedtuple("State", FIELDS)',
        'State = namedtuple("State", "x v")\nState = 3',
    ],
)
def test_other_ways_to_make_a_named_tuple_are_not_followed(made: str):
    project = analysed(STATE[: STATE.index("class State")], made, GUARD)
    assert "State" not in dict(made_tuples(project.root))


PAIR = """
class Pair(NamedTuple):
    a: State
    b: State

def start"""


def test_fields_may_hold_instances_of_other_records():
    use = "p = Pair(s, start(9))\n    q = p._replace(a=step(p.b))\n    print(np.sum(q.a.x))"
    project = analysed(STATE.replace("\ndef start", PAIR, 1), f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "State", "x") is Place.DEVICE


METHODS = """
import sys
from functools import cached_property

import numpy as np

class Signal:
    def __init__(self, data):
        self._data = np.sqrt(data)

    @classmethod
    def ramp(cls, n):
        return cls(np.arange(1.0, n))

    @classmethod
    def wide(cls):
        return cls.ramp(2000)

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, value):
        self._data = np.cos(value)

    @cached_property
    def power(self):
        return np.exp(self._data) ** 2

def main():
    s = Signal.wide()
    for _ in range(9):
        s.data = np.sin(s.data)
"""


@pytest.mark.parametrize("use", ["print(np.sum(s.power))", "s.data = s.data + s.power", "pass"])
def test_class_methods_setters_and_cached_properties_are_followed(use: str):
    project = analysed(METHODS, f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "Signal", "_data") is Place.DEVICE


@pytest.mark.parametrize(
    ("use", "word"),
    [
        ("s.power = 3", "bound anew"),
        ("s.data += 1", "bound anew"),
        ("make = Signal.ramp", "is handed on"),
        ("p = Signal.power", "is handed on"),
        ("t = s.ramp", "handed on"),
    ],
)
def test_other_uses_of_them_open_the_class(use: str, word: str):
    project = analysed(METHODS, f"    {use}\n", GUARD)
    assert word in project.opened_classes["Signal"].message


def test_what_a_cached_property_gives_is_kept_by_the_instance():
    project = analysed(
        METHODS, "    p = s.power\n    p[0] = 3.0\n    print(np.sum(s.power))\n", GUARD
    )
    unit = next(u for u in project.members if u.name == "main")
    assert unit.env["p"].view


@pytest.mark.parametrize(
    "change",
    ["cls = Signal\n        return cls(np.ones(3))", "return made(cls)", "return [cls]",
     "return type(cls)", "return (lambda: cls)()"],
)  # fmt: skip
def test_a_class_that_a_class_method_hands_on_is_not_followed(change: str):
    text = METHODS.replace("return cls.ramp(2000)", change)
    assert "is handed on" in analysed(text, GUARD).opened_classes["Signal"].message


def test_a_named_tuple_that_is_added_to_opens_its_class():
    assert "State" in analysed(STATE, "    s += (1,)\n", GUARD).opened_classes


FAMILY = """
import sys
from abc import ABC, abstractmethod

import numpy as np

class Base(ABC):
    rate = 0.5

    def __init__(self, n):
        self.x = np.linspace(0, 1, n)

    @abstractmethod
    def change(self, y):
        ...

    @classmethod
    def large(cls):
        return cls(3000)

    def step(self):
        self.x = self.change(self.x)

class Sine(Base):
    def change(self, y):
        return np.sin(y) * self.rate

class Decay(Base):
    rate = 0.25

    def __init__(self, n):
        super().__init__(n)
        self.total = np.zeros(n)

    def change(self, y):
        self.total = self.total + y
        return np.exp(-y) * self.rate

class Fast(Decay):
    def change(self, y):
        return super().change(y) ** 2

def run(one):
    for _ in range(9):
        one.step()
    return np.sum(one.x)

def main():
    d = Fast.large()
    print(run(Sine(1000)), run(d), run(Decay(9)))
"""


@pytest.mark.parametrize(
    "use",
    [
        "pass",
        "print(d.total)",
        "known = isinstance(d, Decay)",
        "models = [d, Sine(3)]\n    models[0].step()",
    ],
)
def test_a_class_is_followed_with_those_that_are_made_of_it(use: str):
    project = analysed(FAMILY, f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "Base", "x") is Place.DEVICE
    assert place_of(project, "Base", "total") is Place.DEVICE
    names = {unit.name for unit in project.members}
    assert {"Sine.change", "Decay.change", "Fast.change", "Base.large"} <= names


def test_super_may_say_the_class_and_the_instance():
    text = FAMILY.replace("super().", "super(Fast, self).").replace(
        "super(Fast, self).__init__", "super(Decay, self).__init__"
    )
    project = analysed(text, GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "Base", "total") is Place.DEVICE


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ("class Sine(Base):", "class Sine(Base, Other):", "base class"),
        ("class Sine(Base):", "class Sine(Base, metaclass=Other):", "base class"),
        ("class Base(ABC):", "class Base(Other):", "base class"),
        ("class Fast(Decay):", "@other\nclass Fast(Decay):", "decorator"),
        ("super().change(y) ** 2", "super(Decay, self).change(y)", "more than to call"),
        ("super().change(y) ** 2", "super(Fast, other).change(y)", "more than to call"),
        ("super().change(y) ** 2", "super(Fast).change(y)", "more than to call"),
        ("super().change(y) ** 2", "super().x ** 2", "more than to call"),
        ("super().change(y) ** 2", "Decay.change(*[self, y])", "is mixed with"),
        ("    rate = 0.25\n", "    def rate(self):\n        return 1\n", "of another kind"),
        ("    def step(self):", "    @property\n    def change2(self):", "goes to other code"),
        ("def main():\n", "class Inner:\n    made = Fast\n\ndef main():\n", "itself is handed on"),
        ("def main():\n", "def main():\n    class Own(Base):\n        pass\n", "handed on"),
    ],
)
def test_what_opens_one_class_opens_all_of_its_family(before: str, after: str, word: str):
    assert before in FAMILY
    text = FAMILY.replace(before, after, 1)
    if "change2" in after:
        text = text.replace("one.step()", "print(one.change)")
    opened = analysed(text, GUARD).opened_classes
    assert {"Base", "Sine", "Decay", "Fast"} <= set(opened)
    assert all(word in opened[name].message for name in ("Base", "Sine", "Decay", "Fast"))


def test_a_property_that_only_another_class_of_the_family_has_opens_it():
    text = FAMILY.replace(
        "    def change(self, y):\n        return np.sin",
        "    @property\n    def level(self):\n        return self.x\n\n"
        "    def change(self, y):\n        return np.sin",
    )
    project = analysed(text, "    print(Decay(3).level)\n", GUARD)
    assert "property of another class" in project.opened_classes["Base"].message


def test_an_argument_has_one_place_whatever_definition_of_a_method_runs():
    project = analysed(FAMILY, GUARD)
    objects = project.members[0].objects
    assert objects is not None
    given = [objects.nodes[id(f), "y"].root() for f in objects.classes["Sine"].methods("change")]
    assert len(given) == 3
    assert len(set(map(id, given))) == 1


ALGEBRA = """
import sys

import numpy as np

class Series:
    def __init__(self, c):
        self.c = c

    def __add__(self, other):
        return Series(self.c + other.c)

    def __mul__(self, k):
        return Series(np.sin(self.c * k))

    __rmul__ = __mul__

    def __neg__(self):
        return Series(-self.c)

    def __getitem__(self, index):
        return self.c[index]

    def __len__(self):
        return self.c.size

def main():
    a, b = Series(np.linspace(0, 1, 3000)), Series(np.ones(3000))
    for _ in range(9):
        a = 0.5 * (a * 0.5 + -b)
    print(np.sum(a[2:]), len(a))
"""
OWN = "    def __rmul__(self, k):\n        return Series(self.c * k)\n"


@pytest.mark.parametrize(
    "use",
    ["c = 2.0 * a", "c = -a + b", "print(np.sum(a[3:]))", "print(len(a))", "c = (a + b) * 3"],
)
def test_operators_and_items_of_instances_are_followed(use: str):
    text = ALGEBRA.replace("    __rmul__ = __mul__\n", OWN)
    project = analysed(text, f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "Series", "c") is Place.DEVICE


@pytest.mark.parametrize(
    "use",
    [
        "a += b", "c = sum([a, b])", "c = np.ones(3) * a", "c = a - b", "c = a == b",
        "c = np.float64(2) * a", "c = [x for x in a]", "c = 1.0 in a", "c = np.array(a)",
        "a[0] = 1.0", "x, *y = a", "c = unknown() * a", "c = list(a)", "c = a % b",
        "c = pow(a, 2)", "c = b * a", "c = list(zip(a, b))", "c = max(a)", "print(*a)",
    ],
)  # fmt: skip
def test_operators_that_are_not_certain_open_the_class(use: str):
    text = ALGEBRA.replace("    __rmul__ = __mul__\n", OWN)
    assert "Series" in analysed(text, f"    {use}\n", GUARD).opened_classes


@pytest.mark.parametrize("alias", ["__rmul__", "scaled"])
def test_a_method_may_have_another_name(alias: str):
    text = ALGEBRA.replace("__rmul__ =", f"{alias} =")
    use = "c = 2.0 * a" if alias == "__rmul__" else "a = 2.0 * np.sum(a.scaled(3).c)"
    text = text.replace("0.5 * (a * 0.5 + -b)", "a * 0.5 + -b")
    project = analysed(text, f"    {use}\n", GUARD)
    assert project.opened_classes == {}
    assert place_of(project, "Series", "c") is Place.DEVICE


@pytest.mark.parametrize("alias", ["__next__ = __mul__", "__eq__ = __add__"])
def test_a_special_name_that_python_calls_by_itself_opens_the_class(alias: str):
    text = ALGEBRA.replace("__rmul__ = __mul__", alias).replace("0.5 * (a", "1 * (a")
    assert "another name" in analysed(text, GUARD).opened_classes["Series"].message


ADDED_TO = """\
from collections import namedtuple
from dataclasses import dataclass, field
import json
import numpy as np

Bars = namedtuple("Bars", "low close")


@dataclass
class Account:
    cash: float = 1000.0
    held: dict = field(default_factory=dict)

    def buy(self, stock, price):
        self.cash -= (1.0 + price) * price
        self.held[stock] = price


def spread(bars):
    return np.exp(-np.cumsum(np.sqrt(np.abs(bars.close - bars.low)), axis=0))


def trade(bars, account):
    for s in json.loads("[1, 2]"):
        account.buy(s + 1, bars.close[3, s])
    return account.cash


def main():
    x = np.linspace(1.0, 2.0, 90000).reshape(300, 300)
    bars = Bars(np.sin(x), np.cos(x))
    account = Account()
    print(spread(bars).sum(), trade(bars, account))


main()
"""


def test_a_number_that_is_added_to_keeps_no_other_class_from_being_followed():
    """`cash` may be an array after `buy`; it was said and taken back, round after round."""
    after = port(ADDED_TO).after or ""
    assert "cp.exp(-cp.cumsum(" in after
    assert "cp.asarray(bars)" not in after


TUPLES = """\
from collections import namedtuple
import numpy as np

Fit = namedtuple("Fit", "slope level")


def fit(x, y):
    return Fit((x * y).sum() / (x * x).sum(), y.mean())


def smooth(fits, x):
    return np.exp(-np.cumsum(np.sin(x)) * fits[0].slope)


def main():
    x = np.linspace(1.0, 2.0, 90000)
    fits = [fit(x, np.sin(x)), fit(x, np.cos(x))]
    print(smooth(fits, x).sum(), {use})


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("use", ["np.array(fits[0]).sum()", "np.array(fits)", "np.mean(fits[1])"])
def test_numpy_takes_a_named_tuple_of_numbers_for_a_plain_one(use: str):
    ported = port(TUPLES.format(use=use))
    assert "cp.linspace(" in (ported.after or "")
    assert not [one for one in ported.findings if one.code in ("GP901", "GP913")]


FRAME = """\
import numpy as np


class Frame:
    def __init__(self, bays, span):
        xy, self.number = [], {}

        def node(x, y):
            key = (round(x, 6), round(y, 6))
            if key not in self.number:
                self.number[key] = len(xy)
                xy.append(key)
            return self.number[key]

        ends = [(node(0, 0), node(span, 1)) for b in range(bays)]
        ends += [(node(b * span, 1.5), node((b + 1) * span, 0)) for b in range(bays)]
        self.xy = np.array(xy)
        self.start = np.array([one[0] for one in ends])
        self.length = np.hypot(self.xy[self.start, 0], self.xy[self.start, 1])

    def stiffness(self):
        k = np.zeros((self.length.size, 2, 2))
        k[:, 0, 0] = k[:, 1, 1] = 3 / (1 + self.length) ** 3
        k[:, 0, 1] = k[:, 1, 0] = -np.exp(-self.length)
        return k


def main():
    frame = Frame(5000, 2.5)
    print(frame.stiffness().sum(), sum([0.5, 1]))


if __name__ == "__main__":
    main()
"""


def test_what_ints_and_floats_are_given_for_is_a_number():
    after = port(FRAME).after or ""
    assert "self.xy = cp.array(xy)" in after
    assert "cp.hypot(self.xy[self.start, 0]" in after
    assert "k = cp.zeros(" in after
