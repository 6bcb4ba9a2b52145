"""Another choice of singular or eigenvectors is as right: what does not depend on it counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.verify.execution.gaugefreedom import chosen_anew
from gpuport.verify.records import Verdict

SHAPES = st.sampled_from([(3, 3), (5, 3), (3, 5), (1, 4), (0, 3), (2, 4, 3)])


def symmetric(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    size = min(shape[-2:])
    vectors = np.linalg.qr(rng.normal(size=(size, size)))[0]
    return vectors @ np.diag(np.sort(rng.integers(0, 3, size)).astype(float)) @ vectors.T


@given(SHAPES, st.integers(0, 99), st.booleans())
def test_singular_vectors_give_the_matrix_again(
    shape: tuple[int, ...], seed: int, full: bool
) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=shape)
    u, s, v = chosen_anew("svd", list(np.linalg.svd(matrix, full_matrices=full)), rng) or []
    count = s.shape[-1]
    made = (u[..., :count] * s[..., None, :]) @ v[..., :count, :]
    np.testing.assert_allclose(made, matrix, atol=1e-12)
    unit = np.broadcast_to(np.eye(u.shape[-1]), (*u.shape[:-2], u.shape[-1], u.shape[-1]))
    np.testing.assert_allclose(u.swapaxes(-1, -2) @ u, unit, atol=1e-12)


@given(SHAPES, st.integers(0, 99))
def test_eigenvectors_of_clusters_give_the_matrix_again(shape: tuple[int, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = symmetric(shape, rng)
    values, vectors = chosen_anew("eigh", list(np.linalg.eigh(matrix)), rng) or []
    np.testing.assert_allclose((vectors * values) @ vectors.T, matrix, atol=1e-11)


def test_equal_values_have_turned_vectors() -> None:
    parts = list(np.linalg.eigh(np.eye(3)))
    values, vectors = chosen_anew("eigh", parts, np.random.default_rng(0)) or []
    assert values.tolist() == [1.0, 1.0, 1.0]
    assert np.abs(np.abs(vectors) - np.abs(parts[1])).max() > 0.1


def test_orthogonal_and_triangular_factors_give_the_matrix_again() -> None:
    matrix = np.random.default_rng(0).normal(size=(5, 3))
    for mode in ("reduced", "complete"):
        q, r = chosen_anew("qr", list(np.linalg.qr(matrix, mode)), np.random.default_rng(1)) or []
        np.testing.assert_allclose(q @ r, matrix, atol=1e-12)


def test_vectors_of_equal_eigenvalues_of_a_general_matrix_are_not_turned() -> None:
    parts = list(np.linalg.eig(np.eye(2)))
    assert chosen_anew("eig", parts, np.random.default_rng(0)) is None


EQUAL_VALUES = """
def f(n: int):
    h = np.diag(np.full(abs(n) % 7 + 2, 1.5))
    values, vectors = np.linalg.eigh(h)
    return {}
"""


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ("values * 2.0", "values * 3.0"),
        ("values + n", "values - n"),
        ("np.sum(values) * n", "np.sum(values[1:]) * n"),
        ("vectors @ np.diag(values) @ vectors.T + n", "vectors @ np.diag(values) @ vectors.T - n"),
    ],
)
def test_what_no_choice_moves_is_told_apart(result: str, fault: str, verify: Any) -> None:
    wrong = verify(EQUAL_VALUES.format(result), EQUAL_VALUES.format(fault))["f"]
    assert wrong.verdict is Verdict.DIFFERS, wrong


def test_what_a_choice_moves_proves_nothing(verify: Any) -> None:
    text = EQUAL_VALUES.format("vectors[0] * n")
    found = verify(text, text.replace("vectors[0] * n", "vectors[1] * n"))["f"]
    assert found.verdict is Verdict.UNTESTED, found
