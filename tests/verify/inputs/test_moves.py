"""Changes of an example: each is one that arguments can be made of, and none is too large."""

from __future__ import annotations

import ast
import math

import numpy as np
import pytest

from gpuport.verify.inputs.drawing import build
from gpuport.verify.inputs.moves import Reading, moves
from gpuport.verify.slots import EVERY, Slot, Trial

BASE = Trial(
    (
        Slot("x", "array", None, ("x.0", "x.1")),
        Slot("w", "array", None, ("w.0",)),
        Slot("n", "int"),
        Slot("level", "float"),
        Slot("plain", "bool", omit=True),
        Slot("mode", "choice", choices=("a", "b")),
    ),
    None,
    {"x.0": 4, "x.1": 3, "w.0": 3},
    (0, 1, 2),
)
READING = Reading((41.0,), ("odd",), frozenset())
GROUPS = [{"x.0": 0}, {"x.1": 0, "w.0": 0}]


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_arguments_can_be_made_of_every_change(steps: int) -> None:
    rng = np.random.default_rng(steps)
    trial = BASE
    for _ in range(steps - 1):
        every = [one for _, one in moves(trial, READING, GROUPS, rng)]
        trial = every[int(rng.integers(len(every)))]
    for _, one in moves(trial, READING, GROUPS, rng):
        arguments = build(one.slots, one)
        held = sum(a.size for a in arguments.values() if isinstance(a, np.ndarray))
        assert held <= 40_000


def test_dimensions_that_vary_together_are_changed_together() -> None:
    rng = np.random.default_rng(0)
    sizes = [t.sizes for kind, t in moves(BASE, READING, GROUPS, rng) if kind == "size"]
    assert {"x.0": 41, "x.1": 3, "w.0": 3} in sizes
    assert {"x.0": 4, "x.1": 41, "w.0": 41} in sizes
    assert all(one["x.1"] == one["w.0"] for one in sizes)


def test_all_of_an_array_and_single_elements_are_exchanged() -> None:
    rng = np.random.default_rng(0)
    edits = {t.edits for kind, t in moves(BASE, Reading(), GROUPS, rng) if kind == "value"}
    assert (("x", EVERY, 0.0),) in edits
    assert (("w", 2, 1e160),) in edits
    assert any(len(one) == 1 and math.isnan(one[0][2]) for one in edits)
    assert not build(BASE.slots, next(t for _, t in moves(BASE, Reading(), GROUPS, rng)
                                      if t.edits == (("x", EVERY, 0.0),)))["x"].any()  # fmt: skip


def test_other_ranks_of_one_array_and_of_all() -> None:
    rng = np.random.default_rng(0)
    ranks = {
        tuple(len(s.dims) for s in t.slots[:2])
        for kind, t in moves(BASE, Reading(), GROUPS, rng)
        if kind == "rank"
    }
    assert {(1, 1), (2, 2), (3, 3), (2, 3), (3, 1)} <= ranks


def test_what_a_condition_reads_is_what_is_tried() -> None:
    test = ast.parse("len(x) > 7 and mode == 'wrap' and x.dtype == int", mode="eval").body
    reading = Reading.of(test)
    assert reading == Reading((7.0,), ("wrap",), frozenset({"size", "dtype"}))
    rng = np.random.default_rng(0)
    every = [build(t.slots, t) for kind, t in moves(BASE, reading, GROUPS, rng) if kind == "number"]
    assert any(one["mode"] == "wrap" for one in every)
    assert any(one["n"] == 8 for one in every)
    assert any(one["n"] is None for one in every)
    assert any("plain" not in one for one in every)
