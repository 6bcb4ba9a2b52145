"""Attributes of classes: one place with those of their instances."""

import pytest
from tests.analysis.conftest import GUARD, analysed, place_of

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


def test_what_a_class_body_makes_of_its_own_names_is_unknown():
    text = SHARED.replace("made = 0\n", "made = 0\n    state = taps * 2.0\n")
    project = analysed(text.format(use="pass"), GUARD)
    assert place_of(project, "Filter", "state") is Place.HOST
