"""Arguments moved by one ULP: objects that know each other, and dictionaries of a class."""

from __future__ import annotations

import numpy as np

from gpuport.verify.signatures.moved import holds_numbers, jittered, widened


class Table(dict[str, float]):
    """A dictionary with attributes of its own."""


class Node:
    """Knows another one."""


def pair() -> Node:
    first, second = Node(), Node()
    first.other, second.other = second, first  # type: ignore[attr-defined]
    second.gain = np.ones(3, np.float32)  # type: ignore[attr-defined]
    return first


def test_objects_that_know_each_other() -> None:
    given = {"x": pair()}
    assert holds_numbers(given)
    moved = jittered(given, np.random.default_rng(1))["x"].other
    assert moved.other.other is moved
    assert np.all(moved.gain != 1.0)
    assert np.abs(moved.gain - 1.0).max() < 1e-6  # each once
    assert widened(given)["x"].other.gain.dtype == np.float64


def test_a_dictionary_of_a_class_stays_one() -> None:
    table = Table(a=1.0)
    table.scale = 2.0  # type: ignore[attr-defined]
    moved = jittered({"x": table}, np.random.default_rng(1))["x"]
    assert type(moved) is Table
    assert moved["a"] != 1.0
    assert moved.scale != 2.0
    assert type(widened({"x": Table(a=1.0)})["x"]) is Table
