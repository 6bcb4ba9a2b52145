"""Attributes of classes: one place with those of their instances."""

import pytest
from tests.analysis.conftest import GUARD, analysed, place_of
from tests.passes.conftest import port

from gpuport.analysis.placement.graph import Place

SHARED = """
import numpy as np


class Filter:
    taps = np.hanning(64)
    made = 0

    def __init__(self, n):
        self.state = np.zeros(n)
        Filter.made += 1

    def apply(self, x):
        self.state = self.state + np.sin(x) * np.sum(self.taps)
        return np.sqrt(np.abs(self.state))


class Wide(Filter):
    pass


def main():
    one = Wide(512)
    x = np.arange(512.0)
    for _ in range(10):
        x = one.apply(x)
    np.save("x.npy", x)
    {use}
"""


@pytest.mark.parametrize(
    "use",
    [
        "print(Filter.made, Wide.made)",
        "Filter.made = 0",
        "type(one).made += 1",
        "print(type(one).__name__, one.__class__.__qualname__)",
        "print(type(one) is Wide, one.__class__ == Filter)",
        "one.state = Filter.taps * 2.0",
    ],
)
def test_attributes_of_a_class_are_followed(use: str):
    project = analysed(SHARED.format(use=use), GUARD)
    assert place_of(project, "Filter", "state") is Place.DEVICE
    assert place_of(project, "Filter", "taps") is Place.DEVICE


@pytest.mark.parametrize(
    ("use", "word"),
    [
        ("print(vars(Filter))", "unsupported syntax"),
        ("kind = type(one)", "goes to other code"),
        ("Filter.apply = None", "is bound anew"),
        ("del Filter.made", "itself is handed on"),
        ("print(Filter.__dict__)", "is asked of a class"),
        ("Filter.unheard = 1", "itself is handed on"),
    ],
)
def test_other_uses_of_a_class_open_it(use: str, word: str):
    project = analysed(SHARED.format(use=use), GUARD)
    assert word in project.opened_classes["Filter"].message


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ("state = taps * 2.0", Place.DEVICE),
        ("half = 0.5\n    state = taps * half", Place.DEVICE),
        ("half = [k for k in range(made)]\n    state = taps + made", Place.DEVICE),
        ("half = 0.5\n    half = [1, 2]\n    state = taps * half", Place.HOST),
        ("state = sum(t for t in taps)", Place.HOST),
        ("one, two = np.split(taps, 2)", Place.HOST),
        ("def first(self, taps=taps): return taps[0]", Place.HOST),
        ("state = (lambda t: t * 2)(taps)", Place.HOST),
    ],
)
def test_a_class_body_works_with_the_names_that_it_has_bound_once(more: str, place: Place):
    text = SHARED.replace("made = 0\n", f"made = 0\n    {more}\n")
    project = analysed(text.format(use="pass"), GUARD)
    if place is Place.HOST:
        assert "is not followed" in project.opened_classes["Filter"].message
    else:
        assert place_of(project, "Filter", "state") is place


READ = """
def read():
    return Filter.taps[3] * 2
"""


@pytest.mark.parametrize(
    ("reader", "ported"),
    [
        (READ, "return cp.asnumpy(Filter.taps[3])[()] * 2"),
        ("\nread = lambda: Filter.taps[3] * 2\n", "lambda: cp.asnumpy(Filter.taps[3])[()] * 2"),
        (f"{READ.replace('return', 'yield')}", "yield Filter.taps[3] * 2"),
    ],
)
def test_what_reads_an_attribute_by_the_name_of_its_class_is_looked_into(reader: str, ported: str):
    text = SHARED.format(use="print(repr(read()))").replace("\ndef main", f"{reader}\n\ndef main")
    text += "\n\nmain()\n"
    after = port(text).after or text
    assert ported in after
    assert ("= hanning(" in after) is ("cp.asnumpy(Filter.taps" in after)


NAMESPACE = """
import numpy as np


class Grid:
    n = 400
    width = 2.0
    x = np.linspace(0, width, n)
    k = 2 * np.pi * np.fft.fftfreq(n, d=width / n)


def derivative(u):
    return np.fft.ifft(1j * Grid.k * np.fft.fft(u)).real


u = np.sin(Grid.x)
for _ in range(10):
    u = u - 0.01 * derivative(u)
print(u.sum())
"""


def test_a_class_that_nothing_is_made_of_keeps_arrays_under_its_names():
    after = port(NAMESPACE).after or ""
    assert "x = cp.linspace(0, width, n)" in after
    assert "cp.fft.ifft(1j * Grid.k * cp.fft.fft(u)).real" in after


NUMBERS = """
import numpy as np


class Air:
    gas = 287.0
    power = {power}


def density(p, t):
    return p / (Air.gas * t) * np.exp(-p) ** Air.power


p = np.linspace(1.0, 2.0, 4000)
t = np.sqrt(p) + np.sin(p)
for _ in range(9):
    print(density(p, t).sum())
{later}
"""


@pytest.mark.parametrize("power", ["3", "2.0 / 7.0", "2.0 * gas ** 2 / (gas + 1)"])
def test_a_class_that_nothing_is_made_of_keeps_numbers_under_its_names(power: str):
    after = port(NUMBERS.format(power=power, later="")).after or ""
    assert "return _density(p, t, Air.gas, Air.power)" in after


@pytest.mark.parametrize("later", ["setattr(Air, 'gas', p)", "for one in (Air,):\n    one.gas = p"])
def test_what_else_may_be_stored_in_a_class_is_not_taken_for_a_number(later: str):
    after = port(NUMBERS.format(power="3", later=later)).after or ""
    assert "Air.gas," not in after
    assert "Air.gas)" not in after
