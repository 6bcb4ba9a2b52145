"""Parameters and fields that are annotated as numbers, and as what holds them."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = """
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Optional

import numpy as np
"""

STATE = """
@dataclass
class Grid:
    n: int
    dx: float


@dataclass
class State:
    x: np.ndarray
"""

MAIN = """

def main():
    known = json.loads(input())
    x = np.linspace(0.0, 1.0, 100000)
    print(grow(x, known["k"]).sum())


main()
"""

FOLLOWED = """

def main():
    known = json.loads(input())
    state = State(np.linspace(0.0, 1.0, 100000))
    for _ in range(3):
        state.x = grow(state, known["k"])
    print(state.x.sum())


main()
"""

FORMS = [
    ("float", "k"),
    ("dict[str, float]", "k['a']"),
    ("'dict[str, float]'", "k.get('a', 1.0)"),
    ("list[float]", "sum(k)"),
    ("Sequence[int | float]", "k[0]"),
    ("tuple[int, ...]", "k[-1]"),
    ("tuple[int, float]", "k[0] * k[1]"),
    ("dict[str, tuple[float, float]]", "k['a'][1]"),
    ("Grid", "k.dx"),
    ("list[Grid]", "k[0].dx"),
]


def undecided(text: str) -> bool:
    """Whether something is not known to be an array or a number."""
    return any(one.code == "GP901" for one in port(text).findings)


@pytest.mark.parametrize(("said", "number"), FORMS)
def test_an_annotation_says_what_no_call_tells(said, number):
    plain = f"\n\ndef grow(x: np.ndarray, k: {said}):\n    return np.sin(x) * ({number})\n"
    assert not undecided(HEAD + STATE + plain + MAIN)


@pytest.mark.parametrize(("said", "number"), FORMS)
def test_an_annotation_says_it_of_functions_that_are_followed(said, number):
    followed = f"\n\ndef grow(s: State, k: {said}):\n    return np.sin(s.x) * ({number})\n"
    text = HEAD + STATE + followed + FOLLOWED
    assert not undecided(text)
    assert undecided(text.replace(f", k: {said}", ", k"))


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("float", "s.x * k"),
        ("dict[str, float]", "s.x * k['a']"),
        ("list[float]", "s.x * k[0]"),
    ],
)
def test_where_a_call_gives_arrays_an_annotation_is_not_believed(said, body):
    given = {"f": "s.x", "d": "{'a': s.x}", "l": "[s.x]"}[said[0]]
    text = HEAD + STATE + f"\n\ndef grow(s: State, k: {said}):\n    return {body}\n" + FOLLOWED
    other = text.replace("    print(", f"    s = state\n    state.x = grow(s, {given})\n    print(")
    assert not undecided(text)
    assert undecided(other)


def test_what_is_put_into_a_list_may_be_no_number_of_python():
    grow = """

def grow(s: State, k: list[float]):
    return s.x * k[-1]


def note(s: State, k: list[float]):
    k.append(s.x.max())
"""
    text = HEAD + STATE + grow + FOLLOWED
    noted = text.replace("    print(", "    note(state, known['k'])\n    print(")
    assert undecided(noted)


def test_a_list_that_may_be_none_is_not_known_to_be_one():
    grow = "\n\ndef grow(s: State, k: Optional[list[float]] = None):\n    return s.x * k[0]\n"
    assert undecided(HEAD + STATE + grow + FOLLOWED)


CONFIG = """
@dataclass
class Config:
    grid: Grid = field(default_factory=lambda: Grid(3, 0.5))
    rates: dict[str, float] = field(default_factory=lambda: {"a": 1.0})
    knots: tuple[float, ...] = (1.0, 2.0)
    grids: list[Grid] = field(default_factory=list)


def grow(x, k: Config):
    return np.sin(x) * NUMBER


def main():
    k = Config()
    x = np.linspace(0.0, 1.0, 100000)
    x = x * NUMBER
    print(grow(x, k).sum())


main()
"""

FIELDS = ["k.rates['a']", "(k.rates['a'] * 2)", "k.knots[0]", "k.grid.dx", "k.grids[0].dx"]


@pytest.mark.parametrize("number", FIELDS)
def test_a_field_holds_numbers_as_its_annotation_says(number):
    text = HEAD + STATE + CONFIG.replace("NUMBER", number)
    assert not undecided(text)


@pytest.mark.parametrize("change", ["k.rates['a'] = x", "k.rates.update(a=x)", "k.rates = x"])
def test_a_field_that_is_changed_is_not_believed(change):
    text = HEAD + STATE + CONFIG.replace("NUMBER", "k.rates['a']")
    assert undecided(
        text.replace(
            "    k = Config()\n", f"    k = Config()\n    x = json.loads(input())\n    {change}\n"
        )
    )


GIVEN = """

def read(){said}:
    return json.loads(input())


class Model:
    def __init__(self):
        self.x = np.linspace(0.0, 1.0, 100000)

    def step(self, k):
        self.x = np.sin(self.x) * k["a"]


def pick(d, name):
    return {picked}


def main():
    k{told} = read()
    model = Model()
    for _ in range(3):
        model.step(k)
        print(pick(k, "b"))
    print(model.x.sum())


main()
"""


def given(said: str = "", told: str = "", picked: str = "2.0") -> str:
    return HEAD + GIVEN.replace("{said}", said).replace("{told}", told).replace("{picked}", picked)


def test_what_a_function_gives_and_a_name_is_bound_to_may_be_annotated():
    assert undecided(given())
    assert not undecided(given(said=" -> dict[str, float]"))
    assert not undecided(given(told=": dict[str, float]"))
    assert undecided(given(said=" -> dict"))


@pytest.mark.parametrize(
    ("picked", "stays"),
    [
        ("d[name]", True),
        ("d.get(name, 1.0)", True),
        ("sum(v for v in d.values())", True),
        ("json.dumps(d)", False),
        ("d.update(b=np.ones(3))", False),
        ("[d]", False),
    ],
)
def test_numbers_that_a_function_only_reads_stay_numbers(picked, stays):
    text = given(told=": dict[str, float]", picked=picked)
    assert undecided(text) != stays


NAMED = """
RATES = {"a": 0.5, "b": 0.25}
WEIGHTS = np.array([0.5, 0.25])


def grow(x: np.ndarray, k=RATES):
    return np.sin(x) * k["a"]


def main():
    x = np.linspace(0.0, 1.0, 100000)
    print(grow(x).sum())


main()
"""


def test_a_default_that_has_a_name_in_the_module_is_what_that_is():
    assert not undecided(HEAD + NAMED)
    changed = NAMED.replace("def main():", "def main():\n    RATES['a'] = np.ones(3)")
    assert undecided(HEAD + changed)
    assert undecided(HEAD + NAMED.replace("k=RATES", "k=WEIGHTS"))


ARRAYS = """

def grow(s: State, k: np.ndarray):
    return np.sin(s.x) * k


def keep(s: State, k: np.ndarray):
    KEEP


def main():
    known = json.loads(input())
    state = State(np.linspace(0.0, 1.0, 100000))
    for _ in range(3):
        state.x = np.cos(grow(state, known["k"]))
    keep(state, known["k"])
    print(state.x.sum())


main()
"""


def test_an_array_that_an_annotation_tells_of_is_moved_for_the_call():
    report = port(HEAD + STATE + ARRAYS.replace("KEEP", "pass"))
    assert "grow(state, cp.asarray(known['k']))" in (report.after or "").replace('"', "'")
    assert not any(one.code == "GP901" for one in report.findings)


@pytest.mark.parametrize("keep", ["s.x = k", "k += s.x", "s.x = k[:3]"])
def test_one_that_is_kept_or_changed_is_not(keep):
    report = port(HEAD + STATE + ARRAYS.replace("KEEP", keep))
    assert "keep(state, cp.asarray" not in (report.after or "")
