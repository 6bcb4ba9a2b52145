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
import threading
import zoneinfo
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpuport.recording.describe import describe, describe_all
from gpuport.verify.sides.allowed import allowed
from gpuport.verify.sides.harmless import Harmless
from gpuport.verify.sides.sides import Side

Needs = Callable[..., list[str]]
Rebuilt = Callable[[Any], Any]


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
    "pathlib:Path of other things": pickled("pathlib:Path", new("Plain")),
    "fractions:Fraction of other things": {
        "made": {
            "call": "fractions:Fraction",
            "arguments": {
                "numerator": {
                    "made": {
                        "call": "collections:deque",
                        "arguments": {"iterable": {"list": [instance("Plain")]}},
                    }
                }
            },
        }
    },
    "functools:partial of other things": pickled("functools:partial", ONE),
    "logging:getLogger of other things": pickled("logging:getLogger", {"callable": "numpy:sin"}),
    "the key '/home/me/.bashrc'": {"dict": [["/home/me/.bashrc", ONE]]},
    "the key '../up'": instance("Plain", **{"../up": 1}),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_more_than_data_is_named(needs: Needs, what: str) -> None:
    if what.startswith("pandas"):
        pytest.importorskip("pandas")
    assert what in needs(HOSTILE[what])
    around = {"list": [{"dict": [["a", {"tuple": [HOSTILE[what]]}]]}]}
    assert what in needs(ONE, around)
    held = instance("Plain")
    held["object"]["attributes"]["gain"] = HOSTILE[what]
    assert what in needs(held)


def test_functions_of_the_project_and_pure_ones_are_handed_on(
    needs: Needs, rebuilt: Rebuilt
) -> None:
    for place in ("own_model:hit", "__main__:cached", "own_model:Plain.double", "own_model:Plain",
                  "numpy:sin", "numpy:float32", "numpy.linalg:norm", "builtins:max",
                  "math:sqrt", "own_model:np.sin"):  # fmt: skip
        expected = [] if place != "own_model:np.sin" else [place]
        assert needs({"callable": place}) == expected
    assert rebuilt({"callable": "numpy:sin"}) is np.sin
    cells = [["gain", {"float": (2.0).hex()}]]
    place = "own_model:outer.<locals>.inner"
    node = {"inner": {"place": place, "cells": cells, "defaults": {"none": True}}}
    assert rebuilt(node)(3.0) > 0
    bound = {"bound": {"of": instance("Plain", gain=2), "name": "double"}}
    assert rebuilt(bound).__name__ == "double"


def test_instances_of_the_project_are_filled_without_its_code(
    rebuilt: Rebuilt, own_side: Side
) -> None:
    module: Any = own_side.module
    assert rebuilt(instance("Plain", gain=-3)).gain == -3
    slots = {"tuple": [{"none": True}, {"dict": [["low", {"int": -1}], ["high", {"int": -2}]]}]}
    made = rebuilt(new("Slotted", state=slots))
    assert (made.low, made.high) == (-1, -2)
    frozen = new("Frozen", state={"list": [{"int": -1}, {"int": -2}]})
    assert rebuilt(frozen) == module.Frozen(-1, -2)
    named = rebuilt(new("State", {"int": -1}, {"int": -2}))
    assert (type(named), named) == (module.State, (-1, -2))
    table = instance("Table")
    table["object"]["items"] = [["a", {"int": -1}]]
    assert dict(rebuilt(table)) == {"a": -1}
    assert rebuilt({"member": "own_model:Colour.BLUE"}) is module.Colour.BLUE
    assert module.HITS == []


def test_instances_of_modules_that_are_verified_too(
    needs: Needs, rebuilt: Rebuilt, own_side: Side
) -> None:
    held = {"object": {"class": "own_third:Held", "attributes": {}}}
    assert needs(held) == ["own_third:Held"]
    for verified in (["own_third"], ["own_third", "own_other"]):
        assert list(Harmless(own_side, verified).judged([held]).needs) == []
    other = {"object": {"class": "own_other:Held", "attributes": {}}}
    assert list(Harmless(own_side, ["own_other"]).judged([other]).needs) == ["own_other:Held"]
    assert type(rebuilt(held)).__name__ == "Held"


class Colour(enum.Enum):
    RED = 1


class Mode(enum.StrEnum):
    FULL = "full"


class Level(enum.IntFlag):
    LOW, HIGH = 1, 2


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
def test_values_of_libraries_need_no_trust(rebuilt: Rebuilt, value: Any) -> None:
    node = describe(value, ("a", "b"))
    made = rebuilt(node)
    if not isinstance(value, pathlib.PurePath):
        assert type(made) is type(value)
    if isinstance(value, datetime.timedelta | decimal.Decimal | fractions.Fraction | OrderedDict):
        assert list(made) == list(value) if isinstance(value, dict) else made == value


def test_members_of_enumerations_are_described_by_name() -> None:
    for member in (Colour.RED, Mode.FULL, Level.HIGH):
        place = f"{__name__}:{type(member).__name__}.{member.name}"
        assert describe(member, ()) == {"member": place}
    assert "member" not in describe(Level.LOW | Level.HIGH, ())


def test_tables_need_no_trust(rebuilt: Rebuilt) -> None:
    pandas = pytest.importorskip("pandas")
    times = pandas.date_range("2021-03-01", periods=4, freq="D", tz="Europe/Berlin")
    frame = pandas.DataFrame({"speed (m/s)": [1.0, 2, 3, 4], "when": times}, index=times)
    assert list(rebuilt(describe(frame, ())).columns) == ["speed (m/s)", "when"]


def test_texts_that_the_program_does_not_hold_are_told(own_side: Side) -> None:
    def foreign(**values: Any) -> list[str]:
        texts = [v for v in values.values() if isinstance(v, str)]
        nodes = describe_all(values, texts)
        return list(Harmless(own_side).judged(nodes.values()).foreign)

    assert foreign(a="a text of the program", b="gain") == []
    assert foreign(a="/home/me/.bashrc") == ["/home/me/.bashrc"]
    assert foreign(a="height", b={"height": 1.0}) == []
    assert foreign(a="os.system('x')", b={"os.system('x')": 1.0}) == ["os.system('x')"]


def test_all_that_is_allowed_is_there(own_side: Side) -> None:
    """A place that a library has no longer is no use, and no danger."""
    harmless = Harmless(own_side)
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
