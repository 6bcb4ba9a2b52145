"""Each algorithm against what its bound promises, and against LAPACK's direct decomposition."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuport._data import rules_folder
from gpuport.runtime import batched
from gpuport.runtime.batched import algorithms, sizes
from gpuport.runtime.linalg import linalg_errors

related = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def matrix(seed: int, rows: int, columns: int, condition: float, dtype: str) -> np.ndarray:
    """A matrix with singular values from 1 down to ``1 / condition``."""
    rng = np.random.default_rng(seed)
    count = min(rows, columns)

    def orthogonal(size: int) -> np.ndarray:
        parts = rng.normal(size=(2, size, count))
        return np.linalg.qr(parts[0] + 1j * parts[1] if dtype in "FD" else parts[0])[0]

    values = np.geomspace(1, 1 / condition, count)
    return ((orthogonal(rows) * values) @ orthogonal(columns).conj().T).astype(dtype)


@st.composite
def long_matrices(draw):
    """Several matrices of one long shape, of any condition."""
    short = draw(st.integers(1, 12))
    shape = (draw(st.integers(40, 60)), short)
    shape = shape if draw(st.booleans()) else shape[::-1]
    dtype = draw(st.sampled_from("fdFD"))
    conditions = draw(st.lists(st.integers(0, 12), min_size=1, max_size=5))
    return [matrix(seed, *shape, 10.0**e, dtype) for seed, e in enumerate(conditions)]


@related
@given(matrices=long_matrices())
def test_values_of_long_matrices_are_within_the_bound_of_a_decomposition(cp, matrices) -> None:
    found = batched.svd([cp.asarray(m) for m in matrices], compute_uv=False)
    for m, values in zip(matrices, map(cp.asnumpy, found), strict=True):
        exact = np.linalg.svd(m.astype("D"), compute_uv=False)
        assert values.dtype == np.linalg.svd(m, compute_uv=False).dtype
        assert abs(values - exact).max() <= 100 * np.finfo(m.dtype).eps * exact[0]
        assert (np.diff(values) <= 0).all()


@related
@given(matrices=long_matrices())
def test_long_matrices_are_what_their_factors_say(cp, matrices) -> None:
    found = batched.svd([cp.asarray(m) for m in matrices], full_matrices=False)
    for m, factors in zip(matrices, found, strict=True):
        u, s, vh = map(cp.asnumpy, factors)
        expected = np.linalg.svd(m, full_matrices=False)
        assert [a.shape for a in (u, s, vh)] == [a.shape for a in expected]
        assert [a.dtype for a in (u, s, vh)] == [a.dtype for a in expected]
        bound = 100 * np.finfo(m.dtype).eps
        assert np.linalg.norm((u * s) @ vh - m) <= bound * np.linalg.norm(m)
        assert np.linalg.norm(u.conj().T @ u - np.eye(len(s))) <= bound
        assert np.linalg.norm(vh @ vh.conj().T - np.eye(len(s))) <= bound
        assert abs(s - expected.S).max() <= bound * expected.S[0]


def tall(condition: float, dtype: str = "d", seed: int = 0) -> np.ndarray:
    return matrix(seed, 60, 8, condition, dtype)


@pytest.mark.parametrize(
    ("dtype", "condition", "trusted"),
    [("d", 10, True), ("d", 1e3, False), ("f", 1e4, True), ("f", 1e9, False), ("D", 1e12, False)],
)
def test_the_gram_matrix_is_trusted_up_to_a_condition(cp, dtype, condition, trusted) -> None:
    stack = cp.asarray(np.stack([tall(condition, dtype), tall(2, dtype)]))
    assert cp.asnumpy(algorithms._from_gram(cp, stack)[1]).tolist() == [trusted, True]


@pytest.mark.parametrize("scale", [1e-160, 1e-130, 1.0, 1e150, 1e160])
def test_squares_that_leave_the_range_are_not_trusted(cp, scale) -> None:
    a = tall(3) * scale
    (found,) = batched.svd([cp.asarray(a)], compute_uv=False)
    expected = np.linalg.svd(a, compute_uv=False)
    np.testing.assert_allclose(cp.asnumpy(found), expected, rtol=1e-12)


def test_zero_and_rank_deficient_matrices_have_their_values(cp) -> None:
    matrices = [np.zeros((50, 4)), np.ones((50, 4)), tall(1)[:50, :4]]
    found = batched.svd([cp.asarray(m) for m in matrices], compute_uv=False)
    for one, m in zip(found, matrices, strict=True):
        expected = np.linalg.svd(m, compute_uv=False)
        np.testing.assert_allclose(cp.asnumpy(one), expected, atol=1e-13 * max(expected[0], 1))


def test_whole_numbers_are_decomposed_in_double_precision(cp) -> None:
    m = np.arange(200).reshape(50, 4) % 7
    (found,) = batched.svd([cp.asarray(m)], compute_uv=False)
    np.testing.assert_allclose(cp.asnumpy(found), np.linalg.svd(m, compute_uv=False), rtol=1e-12)


def test_a_matrix_that_is_not_finite_raises_as_in_the_loop_and_is_named(cp) -> None:
    bad = tall(2)
    bad[3, 3] = np.nan
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.svd(bad, compute_uv=False)
    given_to = [cp.asarray(m) for m in (tall(2), tall(1e9), bad, bad)]
    with linalg_errors, pytest.raises(np.linalg.LinAlgError) as caught:
        batched.svd(given_to, compute_uv=False)
    assert caught.value.__notes__ == ["for item 2 of 4"]


@pytest.mark.parametrize("name", ["inv", "eigh", "eigvalsh"])
def test_above_the_limit_each_matrix_is_a_call_of_its_own(cp, monkeypatch, name) -> None:
    few = dataclasses.replace(sizes.sizes(), lu_batched=2, eigh_batched=2)
    monkeypatch.setattr(algorithms, "sizes", lambda: few)
    shapes = []
    function = getattr(cp.linalg, name)
    monkeypatch.setattr(
        cp.linalg, name, lambda a, *rest: (shapes.append(a.shape), function(a, *rest))[1]
    )
    hermitian = [m @ m.T + np.eye(3) for m in np.random.default_rng(0).normal(size=(4, 3, 3))]
    found = getattr(batched, name)([cp.asarray(m) for m in hermitian])
    assert shapes == [(3, 3)] * 4
    for one, m in zip(found, hermitian, strict=True):
        expected = getattr(np.linalg, name)(m)
        parts = one if isinstance(one, tuple) else (one,)
        wanted = expected if isinstance(expected, tuple) else (expected,)
        for part, value in zip(parts, wanted, strict=True):
            np.testing.assert_allclose(cp.asnumpy(part), value, rtol=1e-10, atol=1e-12)


def test_no_call_has_more_elements_than_batched_routines_count(cp, monkeypatch) -> None:
    few = dataclasses.replace(sizes.sizes(), elements=20)
    monkeypatch.setattr("gpuport.runtime.batched.grouping.sizes", lambda: few)
    matrices = [cp.asarray(np.eye(3) * (k + 1)) for k in range(5)]
    assert [len(stack) for _, stack in batched.stacks(matrices)] == [2, 2, 1]


def test_every_size_says_where_it_is_from() -> None:
    table = json.loads((rules_folder() / "linalg-sizes.json").read_text(encoding="utf-8"))
    assert all(row.keys() == {"value", "unit", "from"} for row in table.values())
    assert len(table) + 1 == len(dataclasses.fields(sizes.Sizes))
