"""Least squares and exponentials of stacks against LAPACK's and SciPy's of single matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuport.runtime import batched

related = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@st.composite
def stacks(draw, square: bool = False):
    """Matrices of one shape, of any dtype and scale, some of them of low rank."""
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    rows = draw(st.integers(1, 5))
    shape = (draw(st.integers(1, 4)), rows, rows if square else draw(st.integers(1, 5)))
    found = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 2, shape[0])[:, None, None]
    if draw(st.booleans()):
        found = found + 1j * rng.normal(size=shape)
    if draw(st.booleans()):
        found[:, -1] = found[:, 0]
    return found.astype(draw(st.sampled_from("fd" if found.dtype.kind == "f" else "FD")))


@related
@given(a=stacks(), width=st.sampled_from([None, 1, 3]), rcond=st.sampled_from([None, 1e-3, -1]))
def test_least_squares_are_those_of_each_matrix(cp, a, width, rcond) -> None:
    rng = np.random.default_rng(1)
    b = rng.normal(size=(*a.shape[:2], *([] if width is None else [width]))).astype(a.real.dtype)
    x, residuals, rank, s = batched.least_squares(cp.asarray(a), cp.asarray(b), rcond)
    assert residuals is None
    rough = 2e-3 if a.dtype.char in "fF" else 1e-8
    for k, m in enumerate(a):
        wide = m.astype("D" if m.dtype.kind == "c" else "d")
        limit = np.finfo(m.dtype).eps * (max(m.shape) if rcond is None else 1)
        cut = rcond if rcond and rcond > 0 else limit
        expected = np.linalg.lstsq(wide, b[k], rcond=cut)
        assert x[k].dtype == np.result_type(a, b)
        np.testing.assert_allclose(cp.asnumpy(s[k]), expected[3], atol=rough * expected[3][0])
        near = expected[3] / expected[3][0]
        if ((near > limit / 100) & (near < 100 * limit)).any() and cut == limit:
            continue  # rounding errors decide about the rank, and about all of x with it
        assert int(rank[k]) == expected[2]
        scale = abs(expected[0]).max()
        np.testing.assert_allclose(cp.asnumpy(x[k]), expected[0], rtol=rough, atol=rough * scale)


def test_one_right_side_for_all(cp) -> None:
    a, b = np.random.default_rng(0).normal(size=(4, 5, 3)), np.arange(5.0)
    x, *_ = batched.least_squares(cp.asarray(a), cp.asarray(b))
    for one, m in zip(cp.asnumpy(x), a, strict=True):
        np.testing.assert_allclose(one, np.linalg.lstsq(m, b)[0])


def test_one_nan_stays_in_its_item(cp) -> None:
    a, b = np.random.default_rng(0).normal(size=(3, 4, 2)), np.ones((3, 4))
    b[1, 2] = np.nan
    x = cp.asnumpy(batched.least_squares(cp.asarray(a), cp.asarray(b))[0])
    assert np.isnan(x).any(axis=1).tolist() == [False, True, False]
    a = np.random.default_rng(0).normal(size=(3, 3, 3))
    a[1, 2, 2] = np.nan
    found = cp.asnumpy(batched.exponentials(cp.asarray(a)))
    assert np.isnan(found).any(axis=(1, 2)).tolist() == [False, True, False]
    np.testing.assert_allclose(found[2], scipy.linalg.expm(a[2]), rtol=1e-12)


@related
@given(a=stacks(square=True))
def test_exponentials_are_those_of_each_matrix(cp, a) -> None:
    found = cp.asnumpy(batched.exponentials(cp.asarray(a)))
    assert found.dtype == a.dtype
    epsilon = np.finfo(a.dtype).eps
    for one, m in zip(found, a, strict=True):
        expected = scipy.linalg.expm(m.astype("D"))
        norm = np.linalg.norm(m, 1)
        # What rounding of the argument alone may do to the exponential (Higham, 2005, 2.2).
        bound = 100 * epsilon * max(norm, 1) * np.exp(norm)
        assert abs(one - expected).max() <= bound


@pytest.mark.parametrize("shape", [(0, 3, 3), (2, 0, 0), (2, 1, 1)])
def test_odd_stacks_have_exponentials(cp, shape) -> None:
    found = cp.asnumpy(batched.exponentials(cp.asarray(np.ones(shape))))
    np.testing.assert_allclose(found, np.full(shape, np.e))


def test_each_matrix_has_a_scale_of_its_own(cp) -> None:
    a = np.array([[[0.0, 1e-9], [0, 0]], [[0, 300.0], [-300.0, 0]], [[-80.0, 3], [0, -90.0]]])
    for one, m in zip(cp.asnumpy(batched.exponentials(cp.asarray(a))), a, strict=True):
        np.testing.assert_allclose(one, scipy.linalg.expm(m), rtol=1e-11, atol=1e-13)
