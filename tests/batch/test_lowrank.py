"""The largest singular values by a random sample, against its bound."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.runtime import batched
from gpuport.source.reading import parse


def matrix(rows: int, columns: int, decay: float, dtype: str, seed: int) -> np.ndarray:
    """A matrix whose singular values fall by a factor each."""
    rng = np.random.default_rng(seed)
    count = min(rows, columns)
    u = np.linalg.qr(rng.normal(size=(rows, count)))[0]
    v = np.linalg.qr(rng.normal(size=(columns, count)) + (1j if dtype in "FD" else 0))[0]
    return ((u * decay ** np.arange(count)) @ v.conj().T).astype(dtype)


def bound(k: int, p: int, q: int, shape: tuple[int, int]) -> float:
    """Corollary 10.10 of Halko, Martinsson and Tropp."""
    rest = np.sqrt(min(shape) - k)
    return float((1 + np.sqrt(k / (p - 1)) + np.e * np.sqrt(k + p) / p * rest) ** (1 / (2 * q + 1)))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    shape=st.tuples(st.integers(3, 60), st.integers(3, 60)), decay=st.floats(0.3, 1.0),
    dtype=st.sampled_from("fdFD"), k=st.integers(1, 6), q=st.integers(0, 4),
    seed=st.integers(0, 99), on_device=st.booleans(),
)  # fmt: skip
def test_values_are_within_the_bound(cp, shape, decay, dtype, k, q, seed, on_device) -> None:
    a = matrix(*shape, decay, dtype, seed)
    k = min(k, *shape)
    given_to = cp.asarray(a) if on_device else a
    found = batched.svd_lowrank(given_to, k, iterations=q, seed=seed)
    u, s, vh = map(cp.asnumpy, found)
    assert (u.shape, s.shape, vh.shape) == ((shape[0], k), (k,), (k, shape[1]))
    assert (u.dtype, s.dtype, vh.dtype) == (a.dtype, a.real.dtype, a.dtype)
    exact = np.linalg.svd(a.astype("D"), compute_uv=False)
    rounding = 100 * np.finfo(a.dtype).eps
    following = exact[k] if k < len(exact) else 0.0
    limit = 5 * bound(k, 10, q, shape) * following + rounding  # the bound is of the mean
    assert (s <= exact[:k] + rounding).all()
    assert (exact[:k] - s <= limit).all()
    assert np.linalg.norm((u * s) @ vh - a, 2) <= limit
    assert np.linalg.norm(u.conj().T @ u - np.eye(k)) <= rounding
    assert np.linalg.norm(vh @ vh.conj().T - np.eye(k)) <= rounding


def test_no_sample_is_taken_where_it_would_be_as_large_as_the_matrix() -> None:
    a = matrix(4, 3, 1.0, "d", 78)  # the square sample of this seed is ill-conditioned
    u, s, vh = batched.svd_lowrank(a, 3, iterations=0, seed=78)
    assert np.linalg.norm((u * s) @ vh - a, 2) <= 10 * np.finfo("d").eps


def test_the_seed_decides(cp) -> None:
    a = matrix(40, 30, 0.95, "d", 0)
    one, same, other = (batched.svd_lowrank(a, 3, iterations=0, seed=s)[1] for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()
    np.testing.assert_allclose(
        cp.asnumpy(batched.svd_lowrank(cp.asarray(a), 3, iterations=0, seed=1)[1]), one
    )


def test_whole_numbers_are_computed_in_double_precision() -> None:
    a = np.arange(60).reshape(10, 6) % 7
    _, s, _ = batched.svd_lowrank(a, 6)
    np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False))


@pytest.mark.parametrize(
    ("shape", "options", "word"),
    [((3, 4), {"k": 0}, "k is"), ((3, 4), {"k": 4}, "k is"), ((2, 3, 4), {"k": 1}, "one matrix"),
     ((3, 4), {"k": 1, "oversampling": 1}, "oversampling")],
)  # fmt: skip
def test_what_cannot_be_is_refused(shape, options, word) -> None:
    with pytest.raises(ValueError, match=word):
        batched.svd_lowrank(np.ones(shape), **options)


SHAPES = [(60, 30), (30, 60), (200, 90), (90, 200)]


@pytest.mark.parametrize("dtype", ["f", "d", "D"])
@pytest.mark.parametrize("falls", ["fast", "slowly", "not"])
@pytest.mark.parametrize("shape", SHAPES)
def test_svds_gives_singular_triplets_whatever_the_values_do(cp, shape, falls, dtype) -> None:
    """By residuals: where the sample does not find them, the whole matrix is decomposed."""
    rng = np.random.default_rng(3)
    left, right = (np.linalg.qr(rng.normal(size=(n, min(shape))))[0] for n in shape)
    place = np.arange(min(shape))
    values = {"fast": 0.3**place, "slowly": 1 / (1 + place), "not": np.ones(len(place))}[falls]
    a = ((left * values) @ right.T).astype(dtype)
    for where in (a, cp.asarray(a)):
        u, s, vh = (cp.asnumpy(one) for one in batched.svds(where, 4))
        assert (u.shape, s.shape, vh.shape) == ((shape[0], 4), (4,), (4, shape[1]))
        assert u.dtype == a.dtype
        assert (np.diff(s) >= 0).all()
        rough = 100 * np.finfo(dtype).eps * np.sqrt(sum(shape))
        v = vh.conj().T
        assert np.abs(a @ v - u * s).max() < rough
        assert np.abs(a.conj().T @ u - v * s).max() < rough
        assert np.abs(u.conj().T @ u - np.eye(4)).max() < rough
        assert np.abs(s[::-1] - values[:4]).max() < rough


@pytest.mark.parametrize("k", [0, 3, 4, -1])
def test_svds_refuses_what_scipy_refuses(k) -> None:
    with pytest.raises(ValueError, match="k must be"):
        batched.svds(np.ones((3, 5)), k)


def test_svds_of_a_dense_matrix_is_written_with_unsafe_alone() -> None:
    text = (
        "import numpy as np\nfrom scipy.sparse.linalg import svds\n\n\n"
        "def f(x: np.ndarray):\n    u, s, vt = svds(x - x.mean(axis=0), k=3)\n"
        "    return (u * s) @ vt\n"
    )
    unsafe = port_module(parse("m.py", text), Config(unsafe=True))
    assert unsafe.after is not None
    assert "batched.svds(x - x.mean(axis=0), 3)" in unsafe.after
    safe = port_module(parse("m.py", text), Config())
    assert "batched" not in (safe.after or "")
    assert any(one.code == "GP324" for one in safe.findings)
