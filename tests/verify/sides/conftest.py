"""Modules of a project with all that may run when an instance of its classes is made."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gpuport.recording.grammar import check
from gpuport.verify.inputs.described import slot_of
from gpuport.verify.inputs.drawing import build
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
def own_side(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Side]:
    folder = tmp_path_factory.mktemp("harmless")
    (folder / "own_model.py").write_text(MODULE)
    (folder / "own_other.py").write_text("raise SystemExit('imported')\n")
    (folder / "own_third.py").write_text("class Held:\n    pass\n")
    (folder / "pytz.py").write_text("raise SystemExit('imported')\n")
    made = Side(folder, "own_model", folder / "own_model.py", folder)
    here = Path.cwd()
    made.load()
    yield made
    os.chdir(here)


@pytest.fixture
def needs(own_side: Side) -> Callable[..., list[str]]:
    """What is named of nodes that are more than data."""

    def needed(*nodes: Any) -> list[str]:
        before = set(sys.modules)
        for node in nodes:
            check(node, "x")
        found = list(Harmless(own_side).judged(nodes).needs)
        assert own_side.module is not None
        assert own_side.module.HITS == []
        assert not {name for name in set(sys.modules) - before if name.startswith(("own_", "pytz"))}
        return found

    return needed


@pytest.fixture
def rebuilt(own_side: Side, needs: Callable[..., list[str]]) -> Callable[[Any], Any]:
    """What is made of a node that was judged to be data, on this side."""

    def made(node: Any) -> Any:
        assert needs(node) == []
        base: dict[str, int] = {}
        slot = slot_of("x", node, base)
        assert slot is not None
        trial = Trial((slot,), sizes=base, family="recorded")
        with own_side.entered():
            return build((slot,), trial, resolve=own_side.resolve)["x"]

    return made
