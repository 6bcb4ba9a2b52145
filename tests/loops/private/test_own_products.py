"""Products of small arrays that iterations make, with vectors and with matrices."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.records import LoopPlan, Refusal

VECTORS = {
    "a matrix on the left": "R @ v",
    "a matrix on the right": "v @ R",
    "np.dot": "np.dot(R, v)",
    "np.dot, on the right": "np.dot(v, R)",
    "np.matmul": "np.matmul(R, v)",
    "np.inner sums over the last axes of both": "np.inner(v, R)",
    "scaled": "2.0 * (R @ v) / 4",
    "of a formula": "R @ (v - 2 * u)",
}
NUMBERS = {
    "a quadratic form": "v @ R @ u",
    "a quadratic form, scaled": "0.5 * v @ R @ v",
    "np.dot in np.dot": "np.dot(u, np.dot(R, v))",
    "the norm of a product": "np.sum((R @ v) * (R @ v))",
    "vectors alone": "v @ u + np.vdot(u, v)",
    "an element beside a product": "v[0] * (u @ v)",
}
ARRAYS = {"x": ArrayFact("float64", 2), "out": ArrayFact("float64", 2)}
KNOWN: dict[str, Fact] = ARRAYS | {"R": ArrayFact("float64", 2)}
OPEN: dict[str, Fact] = ARRAYS | {"R": ArrayFact("float64")}


def function(*lines: str) -> str:
    head = (
        "v = np.array([x[i, 0] - 1.0, x[i, 1]])",
        "u = np.array([2.0 * x[i, 1], float(i)])",
    )
    body = "\n".join(f"        {line}" for line in (*head, *lines))
    return f"def program(x, out, R, n):\n    for i in range(n):\n{body}\n    return (n,)\n"


def inputs(dice: random.Random) -> dict[str, Any]:
    rng = np.random.default_rng(dice.randrange(2**32))
    n = dice.choice([0, 1, 4])
    whole = [rng.integers(-4, 5, shape).astype(float) for shape in ((n, 2), (n, 2), (2, 2))]
    return {**dict(zip(("x", "out", "R"), whole, strict=True)), "n": n}


@pytest.mark.parametrize("facts", [KNOWN, OPEN], ids=["known", "open"])
@pytest.mark.parametrize("name", VECTORS)
def test_products_with_matrices_are_vectors(same, name: str, facts: dict[str, Fact]) -> None:
    """Summed over the axis that NumPy sums over: a square matrix would not tell by its shape."""
    text = function(f"q = {VECTORS[name]}", "out[i, 0] = q[0]", "out[i, 1] = 3 * q[1]")
    assert same(text, inputs, **facts)


@pytest.mark.parametrize("name", VECTORS)
def test_products_are_stored_as_rows(same, name: str) -> None:
    assert same(function(f"out[i] = {VECTORS[name]} + u"), inputs, **KNOWN)


@pytest.mark.parametrize("facts", [KNOWN, OPEN], ids=["known", "open"])
@pytest.mark.parametrize("name", NUMBERS)
def test_products_of_vectors_are_numbers(same, name: str, facts: dict[str, Fact]) -> None:
    assert same(function(f"out[i, 1] = {NUMBERS[name]}"), inputs, **facts)


def test_a_vector_becomes_its_own_image(same) -> None:
    text = function("for _ in range(3):", "    v = R @ v + u", "out[i] = v")
    assert same(text, inputs, **KNOWN)


def test_the_launch_asks_for_the_axes(planned) -> None:
    """A matrix of another width, and a vector in its place, are left to the loop."""
    (plan,) = planned(function("q = R @ v", "out[i, 0] = q[0] - q[1]"), **OPEN)
    assert isinstance(plan, LoopPlan), plan
    assert {"R.ndim == 2", "R.shape[1] == 2"} <= {*plan.guards}


REFUSED = {
    "a matrix is added to a vector": "q = R + v",
    "np.vdot takes matrices for long vectors": "out[i, 0] = np.vdot(R, v)",
    "a product with a number is none of vectors": "q = np.dot(v, 2.0)",
    "np.cross of a matrix goes through its rows": "q = np.cross(R, v)",
    "np.outer gives a matrix": "q = np.outer(v, u)",
    "an element is no vector": "v[0] = R @ u",
    "a product in an array makes a matrix": "w = np.array([R @ v, 1.0])\n        q = w - u",
    "a row in an array makes a matrix": "w = np.array([x[i] * 1.0, x[i]])\n        q = w - u",
}


@pytest.mark.parametrize("name", REFUSED)
def test_operations_on_other_axes_are_left(planned, name: str) -> None:
    first, *_ = planned(function(REFUSED[name], "out[i, 1] = q[1]"), **KNOWN)
    assert isinstance(first, Refusal)


def test_a_row_under_a_name_is_no_number(planned) -> None:
    """Were it one, each element of the difference would be a whole row."""
    text = function("row = x[i] * 2", "q = R @ (row - v)", "out[i, 0] = q[0]")
    first, *_ = planned(text, **KNOWN)
    assert isinstance(first, Refusal)


def test_no_launch_asks_of_what_an_iteration_binds(planned) -> None:
    text = function("S = out[:, :]", "q = S[:, 0] @ v", "out[i, 0] = q")
    for found in planned(text, **KNOWN):
        assert isinstance(found, Refusal) or not any("S." in one for one in found.guards)
