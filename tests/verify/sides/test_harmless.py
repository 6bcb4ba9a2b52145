"""Recorded values are judged by looking alone: nothing that they name is called or imported."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import functools
import importlib
import logging
import pathlib
import random
import re
import sys
import threading
import zoneinfo
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gpuport.recording.describe import describe, describe_all
from gpuport.recording.grammar import FormError, check
from gpuport.verify.inputs.described import slot_of
from gpuport.verify.inputs.drawing import build
from gpuport.verify.sides.allowed import allowed
from gpuport.verify.sides.harmless import Harmless
from gpuport.verify.sides.sides import Side
from gpuport.verify.slots import Trial

MODULE = """
import abc, collections, dataclasses, enum, functools, os, subprocess
from os import system
from subprocess import Popen
import numpy as np

HITS = []
literal = "a text of the program"


class Plain:
    def __init__(self, gain):
        HITS.append("init")
        self.gain = gain

    def double(self, x):
        HITS.append("double")
        return 2 * x

    @property
    def computed(self):
        HITS.append("property")

    def __setattr__(self, name, value):
        HITS.append("setattr")
        super().__setattr__(name, value)

    def __eq__(self, other):
        HITS.append("eq")

    def __hash__(self):
        HITS.append("hash")
        return 1


class Slotted:
    __slots__ = ("low", "high")


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    low: float
    high: float


@dataclasses.dataclass
class Table(dict):
    unit: str = "m"


class Kept(abc.ABC):
    pass


class Stateful:
    def __setstate__(self, state):
        HITS.append("setstate")


class Ended:
    def __del__(self):
        HITS.append("del")


class Built:
    def __new__(cls, *args):
        HITS.append("new")
        return object.__new__(cls)


class Asked:
    def __getattribute__(self, name):
        HITS.append("getattribute")
        return object.__getattribute__(self, name)


class Hidden:
    @property
    def __dict__(self):
        HITS.append("dict")
        return {}


class Meta(type):
    def __call__(cls, *args):
        HITS.append("meta")


class WithMeta(metaclass=Meta):
    pass


class Filled(list):
    def append(self, item):
        HITS.append("append")


class Keyed(dict):
    def __setitem__(self, key, value):
        HITS.append("setitem")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Odd(enum.Enum):
    ONE = 1

    @classmethod
    def _missing_(cls, value):
        HITS.append("missing")


State = collections.namedtuple("State", "u v")


class Typed(State):
    __slots__ = ()

    def __new__(cls, *args):
        HITS.append("new")
        return State.__new__(cls, *args)


def hit(*args, **options):
    HITS.append("hit")


@functools.lru_cache
def cached(x):
    return x


def outer(gain):
    def inner(x):
        return gain * x

    return inner
"""


@pytest.fixture(scope="module")
def side(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Side]:
    folder = tmp_path_factory.mktemp("harmless")
    (folder / "own_model.py").write_text(MODULE)
    (folder / "own_other.py").write_text("raise SystemExit('imported')\n")
    (folder / "own_third.py").write_text("class Held:\n    pass\n")
    (folder / "pytz.py").write_text("raise SystemExit('imported')\n")
    made = Side(folder, "own_model", folder / "own_model.py", folder)
    here = Path.cwd()
    made.load()
    yield made
    import os

    os.chdir(here)


def needs(side: Side, *nodes: Any) -> list[str]:
    before = set(sys.modules)
    for node in nodes:
        check(node, "x")
    found = list(Harmless(side).judged(nodes).needs)
    assert side.module is not None
    assert side.module.HITS == []
    assert not {name for name in set(sys.modules) - before if name.startswith(("own_", "pytz"))}
    return found


def rebuilt(side: Side, node: Any) -> Any:
    """What is made of a node that was judged to be data, on this side."""
    assert needs(side, node) == []
    base: dict[str, int] = {}
    slot = slot_of("x", node, base)
    assert slot is not None
    trial = Trial((slot,), sizes=base, family="recorded")
    with side.entered():
        return build((slot,), trial, resolve=side.resolve)["x"]


def instance(name: str, **attributes: Any) -> Any:
    nodes = {key: describe(value, ()) for key, value in attributes.items()}
    return {"object": {"class": f"own_model:{name}", "attributes": nodes}}


def pickled(call: str, *arguments: Any, state: Any = None, items: Any = (), pairs: Any = ()) -> Any:
    form = {"call": call, "arguments": list(arguments), "state": state or {"none": True}}
    return {"reduced": {**form, "items": list(items), "pairs": list(pairs)}}


def new(name: str, *arguments: Any, **more: Any) -> Any:
    return pickled("copyreg:__newobj__", {"callable": f"own_model:{name}"}, *arguments, **more)


ONE, TEXT = {"int": 1}, {"text": "touch hit"}
HOSTILE = {
    "os:system": pickled("os:system", TEXT),
    "builtins:exec": pickled("builtins:exec", TEXT),
    "posix:system": {"made": {"call": "posix:system", "arguments": {"command": TEXT}}},
    "subprocess:Popen": {"made": {"call": "subprocess:Popen", "arguments": {"args": TEXT}}},
    "own_model:system": {"callable": "own_model:system"},
    "own_model:os.system": pickled("own_model:os.system", TEXT),
    "own_model:subprocess.run": {"callable": "own_model:subprocess.run"},
    "own_model:Popen": {"object": {"class": "own_model:Popen", "attributes": {}}},
    "own_model:np.save": {"callable": "own_model:np.save"},
    "numpy:load": {"callable": "numpy:load"},
    "numpy:ndarray.tofile": {"callable": "numpy:ndarray.tofile"},
    "numpy.ctypeslib:load_library": {"callable": "numpy.ctypeslib:load_library"},
    "builtins:eval": {"callable": "builtins:eval"},
    "builtins:getattr": pickled("builtins:getattr", instance("Plain"), TEXT),
    "operator:attrgetter": pickled("operator:attrgetter", TEXT),
    "own_model:hit": pickled("own_model:hit", TEXT),
    "own_model:Plain": pickled("own_model:Plain", ONE),
    "own_model:Odd": pickled("own_model:Odd", {"int": 7}),
    "own_model:Stateful.__setstate__": new("Stateful", state={"dict": [["a", ONE]]}),
    "own_model:Ended.__del__": instance("Ended", path=1),
    "own_model:Built.__new__": instance("Built"),
    "own_model:Typed.__new__": new("Typed", ONE, ONE),
    "own_model:Asked.__getattribute__": instance("Asked"),
    "own_model:Hidden.__dict__": instance("Hidden", a=1),
    "own_model:WithMeta.its metaclass": instance("WithMeta"),
    "own_model:Filled.append": new("Filled", items=[ONE]),
    "own_model:Keyed.__setitem__": new("Keyed", pairs=[["a", ONE]]),
    "own_model:Plain.computed": new(
        "Plain", state={"tuple": [{"none": True}, {"dict": [["computed", ONE]]}]}
    ),
    "own_model:State.__new__": new("State", ONE),
    "own_other:Plain": {"object": {"class": "own_other:Plain", "attributes": {}}},
    "own_other:f": {"callable": "own_other:f"},
    "pytz:timezone": {"made": {"call": "pytz:timezone", "arguments": {"zone": TEXT}}},
    "antigravity:fly": {"callable": "antigravity:fly"},
    "subprocess:Popen.__init__": {"callable": "subprocess:Popen.__init__"},
    "subprocess:run.<locals>.f": {
        "inner": {"place": "subprocess:run.<locals>.f", "cells": [], "defaults": {"none": True}}
    },
    "own_model:Colour.GREEN": {"member": "own_model:Colour.GREEN"},
    "own_model:Plain.double": {"member": "own_model:Plain.double"},
    "own_model:Plain.gain": {"bound": {"of": instance("Plain"), "name": "gain"}},
    "own_model:Plain.__init_subclass__": {
        "bound": {"of": instance("Plain"), "name": "__init_subclass__"}
    },
    ".tofile": {"bound": {"of": describe(np.ones(2), ()), "name": "tofile"}},
    "an object in a set": {"set": [instance("Plain")]},
    "pandas:Series of other things": {
        "made": {"call": "pandas:Series", "arguments": {"data": instance("Plain")}}
    },
    "numpy.random.mtrand:RandomState of other things": pickled(
        "numpy.random.mtrand:RandomState", state={"dict": []}
    ),
    "functools:partial of other things": pickled("functools:partial", ONE),
    "logging:getLogger of other things": pickled("logging:getLogger", {"callable": "numpy:sin"}),
    "the key '/home/me/.bashrc'": {"dict": [["/home/me/.bashrc", ONE]]},
    "the key '../up'": instance("Plain", **{"../up": 1}),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_more_than_data_is_named(side: Side, what: str) -> None:
    if what.startswith("pandas"):
        pytest.importorskip("pandas")
    assert what in needs(side, HOSTILE[what])
    around = {"list": [{"dict": [["a", {"tuple": [HOSTILE[what]]}]]}]}
    assert what in needs(side, ONE, around)
    held = instance("Plain")
    held["object"]["attributes"]["gain"] = HOSTILE[what]
    assert what in needs(side, held)


def test_functions_of_the_project_and_pure_ones_are_handed_on(side: Side) -> None:
    for place in ("own_model:hit", "__main__:cached", "own_model:Plain.double", "own_model:Plain",
                  "numpy:sin", "numpy:float32", "numpy.linalg:norm", "builtins:max",
                  "math:sqrt", "own_model:np.sin"):  # fmt: skip
        expected = [] if place != "own_model:np.sin" else [place]
        assert needs(side, {"callable": place}) == expected
    assert rebuilt(side, {"callable": "numpy:sin"}) is np.sin
    cells = [["gain", {"float": (2.0).hex()}]]
    place = "own_model:outer.<locals>.inner"
    node = {"inner": {"place": place, "cells": cells, "defaults": {"none": True}}}
    assert rebuilt(side, node)(3.0) > 0
    bound = {"bound": {"of": instance("Plain", gain=2), "name": "double"}}
    assert rebuilt(side, bound).__name__ == "double"


def test_instances_of_the_project_are_filled_without_its_code(side: Side) -> None:
    module: Any = side.module
    assert rebuilt(side, instance("Plain", gain=-3)).gain == -3
    slots = {"tuple": [{"none": True}, {"dict": [["low", {"int": -1}], ["high", {"int": -2}]]}]}
    made = rebuilt(side, new("Slotted", state=slots))
    assert (made.low, made.high) == (-1, -2)
    frozen = new("Frozen", state={"list": [{"int": -1}, {"int": -2}]})
    assert rebuilt(side, frozen) == module.Frozen(-1, -2)
    named = rebuilt(side, new("State", {"int": -1}, {"int": -2}))
    assert (type(named), named) == (module.State, (-1, -2))
    table = instance("Table")
    table["object"]["items"] = [["a", {"int": -1}]]
    assert dict(rebuilt(side, table)) == {"a": -1}
    assert rebuilt(side, {"member": "own_model:Colour.BLUE"}) is module.Colour.BLUE
    assert module.HITS == []


def test_instances_of_modules_that_are_verified_too(side: Side) -> None:
    held = {"object": {"class": "own_third:Held", "attributes": {}}}
    assert needs(side, held) == ["own_third:Held"]
    for verified in (["own_third"], ["own_third", "own_other"]):
        assert list(Harmless(side, verified).judged([held]).needs) == []
    other = {"object": {"class": "own_other:Held", "attributes": {}}}
    assert list(Harmless(side, ["own_other"]).judged([other]).needs) == ["own_other:Held"]
    assert type(rebuilt(side, held)).__name__ == "Held"


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    "value",
    [
        datetime.timedelta(2, 3), datetime.timezone(datetime.timedelta(hours=2)),
        datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC),
        datetime.time(3), decimal.Decimal("1.25e-7"), fractions.Fraction(-2, 3),
        pathlib.PurePosixPath("/somewhere/else"), threading.Lock(), threading.RLock(),
        random.Random(3), np.random.default_rng(3), np.random.RandomState(3),
        re.compile("a+", re.IGNORECASE), zoneinfo.ZoneInfo("Etc/GMT+7"), np.dtype(">f4"),
        np.complex64(1 + 2j), np.polynomial.Polynomial([1.0, 2.0]),
        functools.partial(np.sum, axis=0), logging.getLogger("a.b"), slice(1, 9, 2), range(4),
        OrderedDict(b=1.0, a=2.0), defaultdict(list, a=[1.0]), Counter("aab"), deque([1, 2], 4),
        {"a": (1, [2.0], {3}, frozenset({"b"}))}, np.float32, max,
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_values_of_libraries_need_no_trust(side: Side, value: Any) -> None:
    node = describe(value, ("a", "b"))
    made = rebuilt(side, node)
    if not isinstance(value, pathlib.PurePath):
        assert type(made) is type(value)
    if isinstance(value, datetime.timedelta | decimal.Decimal | fractions.Fraction | OrderedDict):
        assert list(made) == list(value) if isinstance(value, dict) else made == value


def test_members_of_enumerations_are_described_by_name() -> None:
    assert describe(Colour.RED, ()) == {"member": f"{__name__}:Colour.RED"}


def test_tables_need_no_trust(side: Side) -> None:
    pandas = pytest.importorskip("pandas")
    times = pandas.date_range("2021-03-01", periods=4, freq="D", tz="Europe/Berlin")
    frame = pandas.DataFrame({"speed (m/s)": [1.0, 2, 3, 4], "when": times}, index=times)
    assert list(rebuilt(side, describe(frame, ())).columns) == ["speed (m/s)", "when"]


def test_texts_that_the_program_does_not_hold_are_told(side: Side) -> None:
    def foreign(**values: Any) -> list[str]:
        texts = [v for v in values.values() if isinstance(v, str)]
        nodes = describe_all(values, texts)
        return list(Harmless(side).judged(nodes.values()).foreign)

    assert foreign(a="a text of the program", b="gain") == []
    assert foreign(a="/home/me/.bashrc") == ["/home/me/.bashrc"]
    assert foreign(a="height", b={"height": 1.0}) == []
    assert foreign(a="os.system('x')", b={"os.system('x')": 1.0}) == ["os.system('x')"]


def test_all_that_is_allowed_is_there(side: Side) -> None:
    """A place that a library has no longer is no use, and no danger."""
    harmless = Harmless(side)
    gone = []
    for place in (*allowed().types, *allowed().functions, *allowed().makers):
        module, _, name = place.partition(":")
        try:
            target: Any = importlib.import_module(module)
            for part in name.split("."):
                target = getattr(target, part)
        except ImportError:
            continue
        except AttributeError:
            gone.append(place)
            continue
        assert callable(target), place
    assert gone == []
    assert harmless.judged([{"callable": p} for p in allowed().functions]).needs == {}


PLACES = st.sampled_from(
    [
        *(f"own_model:{name}" for name in (
            "hit", "Plain", "system", "os.system", "Built", "Ended", "Meta", "Stateful", "Frozen",
            "State", "Slotted", "Filled", "Keyed", "Odd", "Asked", "Hidden",
        )),
        "os:system", "builtins:exec", "builtins:eval", "numpy:load", "numpy:sin", "own_other:f",
        "copyreg:__newobj__", "copyreg:__newobj_ex__", "copyreg:_reconstructor", "this:c",
        "functools:partial", "collections:defaultdict", "collections:deque", "builtins:slice",
    ]
)  # fmt: skip
NAMES = st.sampled_from(["low", "high", "gain", "__class__", "__dict__", "computed", "double"])
LEAVES = st.one_of(
    st.builds(lambda: {"none": True}), st.builds(lambda n: {"int": n}, st.integers(-3, 3)),
    st.builds(lambda p: {"callable": p}, PLACES), st.builds(lambda p: {"member": p}, PLACES),
    st.builds(lambda t: {"text": t}, st.sampled_from(["touch hit", "gain", "1"])),
    st.builds(lambda: describe(np.ones((2, 2)), ())), st.builds(lambda: {"ref": 0}),
)  # fmt: skip


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several, named = st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=2)
    pairs = st.lists(st.tuples(NAMES, inner).map(list), max_size=2)
    return st.one_of(
        st.builds(lambda k, v: {k: v}, st.sampled_from(["list", "tuple", "set"]), several),
        st.builds(lambda v: {"dict": v}, pairs),
        st.builds(lambda c, a: {"object": {"class": c, "attributes": a, "id": 0}}, PLACES, named),
        st.builds(lambda c, a: {"made": {"call": c, "arguments": a}}, PLACES, named),
        st.builds(
            lambda c, a, s, i, p: {
                "reduced": {"call": c, "arguments": a, "state": s, "items": i, "pairs": p}
            },
            PLACES, several, inner, several, pairs,
        ),
        st.builds(lambda o, n: {"bound": {"of": o, "name": n}}, inner, NAMES),
        st.builds(
            lambda c, d: {"inner": {"place": "own_model:outer.<locals>.inner", "cells": c,
                                    "defaults": d}}, pairs, inner,
        ),
    )  # fmt: skip


FORBIDDEN = {"os.system", "subprocess.Popen", "exec", "os.posix_spawn", "os.fork", "os.exec"}
_WATCHED: list[str] | None = None


def _watch(event: str, _: Any) -> None:
    if _WATCHED is not None and event in FORBIDDEN:
        _WATCHED.append(event)


@settings(
    max_examples=150, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@example(pickled("copyreg:__newobj__", {"callable": "own_model:Frozen"}, state={"list": []}))
@given(st.recursive(LEAVES, composed, max_leaves=12))
def test_what_is_judged_to_be_data_calls_nothing_when_it_is_made(side: Side, node: Any) -> None:
    global _WATCHED
    try:
        check(node, "x")
    except FormError:
        return
    if needs(side, node):
        return
    base: dict[str, int] = {}
    slot = slot_of("x", node, base)
    if slot is None:
        return
    module: Any = side.module
    trial, _WATCHED = Trial((slot,), sizes=base, family="recorded"), []
    try:
        with side.entered():
            build((slot,), trial, resolve=side.resolve)
    except Exception:
        pass  # no value of this kind: the original is not called
    finally:
        seen, _WATCHED = _WATCHED, None
    # compiling the text of a function that another one made runs nothing of it
    assert [event for event in seen if event != "exec"] == []
    assert module.HITS == []


sys.addaudithook(_watch)
