"""Where the factors of matrices lie in memory, as CuPy 14.2.0's own front end leaves them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

SVD = {
    # shape: strides in elements of the left and right factors, whole and economic
    (3, 4): (((4, 1), (4, 1)), ((3, 1), (4, 1))),
    (4, 3): (((1, 4), (1, 4)), ((1, 4), (1, 3))),
    (3, 3): (((3, 1), (3, 1)), ((3, 1), (3, 1))),
    (2, 3, 4): (((9, 1, 3), (16, 4, 1)), ((9, 1, 3), (16, 4, 1))),
    (2, 4, 3): (((16, 1, 4), (9, 3, 1)), ((16, 1, 4), (9, 3, 1))),
    (2, 40, 3): (((1600, 1, 40), (120, 1, 40)), ((120, 1, 40), (9, 1, 3))),
    (2, 3, 40): (((120, 40, 1), (1600, 40, 1)), ((9, 3, 1), (120, 40, 1))),
}
QR = {
    (3, 4): (((1, 3), (1, 3)), ((1, 3), (1, 3))),
    (4, 3): (((1, 4), (1, 4)), ((1, 4), (1, 4))),
    (2, 3, 4): (((12, 1, 3), (12, 1, 3)), ((12, 1, 3), (12, 1, 3))),
    (2, 40, 3): (((1600, 1, 40), (120, 1, 40)), ((120, 1, 40), (120, 1, 40))),
}


def _steps(array: Any) -> tuple[int, ...]:
    return tuple(step // array.itemsize for step in array.strides)


def _data(shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(7).standard_normal(shape)


@pytest.mark.parametrize(("shape", "whole"), list(itertools.product(SVD, [True, False])))
def test_singular_vectors(cp: Any, shape: tuple[int, ...], whole: bool) -> None:
    values = _data(shape)
    left, sizes, right = cp.linalg.svd(cp.asarray(values), full_matrices=whole)
    assert (_steps(left), _steps(right)) == SVD[shape][not whole]
    rank = min(shape[-2:])
    again = (left.get()[..., :rank] * sizes.get()[..., None, :]) @ right.get()[..., :rank, :]
    np.testing.assert_allclose(again, values, atol=1e-12)


@pytest.mark.parametrize(("shape", "mode"), list(itertools.product(QR, ["complete", "reduced"])))
def test_orthogonal_and_triangular_factors(cp: Any, shape: tuple[int, ...], mode: str) -> None:
    values = _data(shape)
    orthogonal, triangular = cp.linalg.qr(cp.asarray(values), mode)
    assert (_steps(orthogonal), _steps(triangular)) == QR[shape][mode == "reduced"]
    np.testing.assert_allclose(orthogonal.get() @ triangular.get(), values, atol=1e-12)


def test_eigenvectors_of_a_stack_lie_in_columns(cp: Any) -> None:
    values = _data((2, 3, 3))
    sizes, vectors = cp.linalg.eigh(cp.asarray(values @ values.swapaxes(1, 2)))
    assert (_steps(sizes), _steps(vectors)) == ((3, 1), (9, 1, 3))
    assert not vectors.flags.c_contiguous
    assert vectors.ravel().base is None, "what lies otherwise is copied"
