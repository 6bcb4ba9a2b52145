"""Inputs are reproducible and as described; types are read from annotations and docstrings."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.verify.aftermath.leaves import Observation, leaves_of
from gpuport.verify.inputs.drawing import build
from gpuport.verify.inputs.layouts import LAYOUTS
from gpuport.verify.inputs.values import FAMILIES
from gpuport.verify.signatures.docstrings import documented_types, slots_from_text
from gpuport.verify.signatures.moved import jittered
from gpuport.verify.signatures.signatures import signatures_of
from gpuport.verify.slots import Slot, Trial

TRIALS = st.builds(
    Trial,
    slots=st.just(
        (
            Slot("x", "array", dims=("n", "m")),
            Slot("y", "array", dims=("n", "m")),
            Slot("k", "int"),
            Slot("items", "list", items=(Slot("a", "array", dims=("n",)),)),
        )
    ),
    sizes=st.fixed_dictionaries({"n": st.integers(0, 6), "m": st.integers(0, 6)}),
    seed=st.tuples(st.integers(0, 99)),
    family=st.sampled_from(FAMILIES),
    dtype=st.sampled_from(["float64", "float32", "int64", "complex128", "mixed"]),
    layout=st.sampled_from(LAYOUTS),
    alias=st.sampled_from(["", "same", "overlap"]),
    tied=st.booleans(),
)


def seen(arguments: dict[str, object]) -> Observation:
    leaves = tuple(leaf for k, v in arguments.items() for leaf in leaves_of(k, v, lambda _: None))
    return Observation(leaves)


@given(TRIALS)
def test_a_trial_gives_the_same_arguments_twice_and_through_json(trial: Trial) -> None:
    first = build(trial.slots, trial)
    again = Trial.from_json(trial.to_json())
    assert seen(first).agrees(seen(build(again.slots, again)))
    assert first["x"].shape == (trial.sizes["n"], trial.sizes["m"])


@given(TRIALS)
def test_jitter_moves_floats_by_one_ulp(trial: Trial) -> None:
    slots = trial.slots[:1]
    before, after = (
        build(slots, trial)["x"],
        jittered(build(slots, trial), np.random.default_rng(0)),
    )
    moved = after["x"]
    if before.dtype.kind == "f" and before.size:
        normal = np.isfinite(before) & (before != 0) & np.isfinite(moved)
        # one ULP upwards of a power of two is twice the one downwards
        limit = np.spacing(np.abs(before[normal]))
        assert (np.abs(moved[normal] - before[normal]) <= limit).all()
        assert (moved[normal] != before[normal]).all()


@pytest.mark.parametrize(
    ("annotation", "kind", "dtype", "rank"),
    [
        ("np.ndarray", "array", None, 1),
        ("NDArray[np.float32]", "array", "float32", 1),
        ("npt.NDArray[np.int64]", "array", "int64", 1),
        ("'np.ndarray'", "array", None, 1),
        ("Float[Array, 'n 3']", "array", "float64", 2),
        ("np.ndarray | None", "array", None, 1),
        ("Optional[int]", "int", None, 0),
        ("float", "float", None, 0),
        ("Literal['a', 'b']", "choice", None, 0),
        ("list[np.ndarray]", "list", None, 0),
        ("tuple[int, float]", "tuple", None, 0),
        ("np.random.Generator", "generator", None, 0),
    ],
)
def test_annotations(annotation: str, kind: str, dtype: str | None, rank: int) -> None:
    tree = ast.parse(f"def f(x: {annotation}): pass")
    (signature,) = signatures_of(tree)
    (parameter,) = signature.parameters
    first = parameter.candidates[0]
    assert parameter.source == "annotated"
    assert (first.kind, first.dtype, len(first.dims)) == (kind, dtype, rank)


def test_docstring_types() -> None:
    text = (
        "Sum.\n\nParameters\n----------\npoints : ndarray of float, shape (n, 3)\n    Where.\n"
        "n, m : int\n    Sizes.\n\nReturns\n-------\nfloat\n    The sum.\n"
    )
    found = documented_types(text)
    assert set(found) == {"points", "n", "m"}
    (slot,) = slots_from_text("points", found["points"])
    assert (slot.kind, slot.dtype, slot.dims) == ("array", "float64", ("n", "=3"))


def test_use_orders_the_guesses() -> None:
    code = "def f(x, n):\n    for i in range(n):\n        x[i, 0] = 1\n"
    (signature,) = signatures_of(ast.parse(code))
    x, n = signature.parameters
    assert len(x.candidates[0].dims) == 2
    assert n.candidates[0].kind == "int"
    assert signature.source == "guessed"


def test_a_parameter_that_decides_is_a_number_first() -> None:
    text = (
        "def f(x, level):\n    if level > 1.0 and x.size:\n        return x\n    return x * level\n"
    )
    (signature,) = signatures_of(ast.parse(text))
    assert signature.parameters[0].candidates[0].kind == "array"
    assert signature.parameters[1].candidates[0].kind == "float"


def test_the_constructor_may_be_a_bases() -> None:
    text = "class A:\n    def __init__(self, n): pass\nclass B(A):\n    def f(self, x): return x\n"
    found = {signature.name: signature for signature in signatures_of(ast.parse(text))}
    assert [p.name for p in found["B.f"].init or ()] == ["n"]


@pytest.mark.parametrize(
    ("recorded", "written", "seldom"),
    [(12, (3.0, 1000.0, 2.5), {3, 4}), (2.0, (0.75, 1e9), {0.75}), (-1.0, (2.0,), set())],
)
def test_a_recorded_number_is_now_and_then_one_of_the_texts(
    recorded: float, written: tuple[float, ...], seldom: set[float]
) -> None:
    slots = (Slot("n", "near", choices=(recorded,)),)
    trials = (
        Trial(slots=slots, sizes={}, seed=(k,), family="normal", literals=written)
        for k in range(300)
    )
    drawn = {build(slots, trial)["n"] for trial in trials}
    usual = (
        {12, 1, 2, 3, 6, 11, 13} if recorded == 12 else {recorded * f for f in (1, 0.5, 1.25, 0.9)}
    )
    assert {v for v in drawn - usual if not any(abs(v - s) < 1e-6 for s in seldom)} == set()
    assert seldom <= drawn
    assert recorded in drawn
