"""Types, element types and memory order of results, and refusals, where NumPy's are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Use = Callable[[Any], Any]
BOX = np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)
FORTRAN = np.asfortranarray(np.arange(12.0).reshape(3, 4))


def _order(array: Any) -> list[int]:
    """Axes from the one with the largest steps to the one with the smallest."""
    return sorted(range(array.ndim), key=lambda axis: -array.strides[axis])


@pytest.mark.parametrize(
    "use",
    [
        lambda cp, a: a + a,
        lambda cp, a: a // 2,
        lambda cp, a: a % 3,
        lambda cp, a: cp.sinc(a),
        lambda cp, a: cp.where(a > 1, a, a),
        lambda cp, a: cp.clip(a, 0, 1),
        lambda cp, a: cp.around(a, 1),
        lambda cp, a: cp.any(a[None], axis=0),
        lambda cp, a: cp.sort(a),
        lambda cp, a: cp.diff(a),
        lambda cp, a: cp.stack([a, a]),
        lambda cp, a: cp.hstack([a, a]),
        lambda cp, a: cp.concatenate([a, a]),
        lambda cp, a: cp.take(a, cp.array([0, 1]), axis=1),
        lambda cp, a: a[:, cp.array([0, 1])],
        lambda cp, a: cp.fft.fft(a),
        lambda cp, a: a.imag,
        lambda cp, a: np.cumsum(a, axis=0),
    ],
)
@pytest.mark.parametrize("values", [BOX, FORTRAN], ids=["box", "fortran"])
def test_results_are_in_c_order_whatever_the_operands_are(cp: Any, use: Any, values: Any) -> None:
    array = cp.asarray(FORTRAN, order="F") if values is FORTRAN else _box(cp)
    result = use(cp, array)
    assert result.flags.c_contiguous
    assert not result.flags.f_contiguous


def test_sums_over_the_first_axes_keep_the_order_of_fortran(cp: Any) -> None:
    array = cp.asarray(FORTRAN, order="F")
    for use in (cp.sum, cp.max, cp.mean):
        found = use(array[None], axis=0)
        assert found.flags.f_contiguous
        assert not found.flags.c_contiguous
    assert cp.sum(_box(cp)[None], axis=0).flags.c_contiguous


def _box(cp: Any) -> Any:
    return cp.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)


@pytest.mark.parametrize(
    ("use", "order"),
    [
        (lambda cp, a: cp.fft.fft(a, axis=0), [2, 1, 0]),
        (lambda cp, a: cp.argsort(a, axis=0), [1, 2, 0]),
        (lambda cp, a: cp.argsort(a, axis=1), [0, 2, 1]),
        (lambda cp, a: cp.cumsum(a, axis=1), [0, 2, 1]),
        (lambda cp, a: cp.cumsum(a, axis=2), [0, 1, 2]),
        (lambda cp, a: cp.roll(a, 1, 0), [1, 2, 0]),
        (lambda cp, a: cp.zeros_like(a), [1, 2, 0]),
        (lambda cp, a: cp.nan_to_num(a), [1, 2, 0]),
    ],
)
def test_some_results_are_in_an_order_of_their_own(cp: Any, use: Any, order: list[int]) -> None:
    assert _order(use(cp, _box(cp))) == order


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
def test_an_order_that_is_asked_for_is_given(cp: Any, name: str) -> None:
    assert getattr(cp, name)((2, 3), order="F").flags.f_contiguous


def test_factors_are_as_the_solver_leaves_them(cp: Any) -> None:
    matrix = cp.eye(3) * 2
    assert all(part.flags.f_contiguous for part in cp.linalg.qr(matrix))
    assert cp.linalg.eigh(matrix)[1].flags.f_contiguous
    assert cp.linalg.solve(matrix, matrix + 1).flags.f_contiguous
    assert cp.linalg.inv(matrix).flags.c_contiguous


@pytest.mark.parametrize("name", ["svd", "qr", "eigh", "eig", "slogdet"])
def test_decompositions_are_plain_tuples(cp: Any, name: str) -> None:
    if not hasattr(cp.linalg, name):
        pytest.skip("not in this version")
    assert type(getattr(cp.linalg, name)(cp.eye(2))) is tuple


def test_eigenvalues_are_complex_also_where_they_are_real(cp: Any) -> None:
    if not hasattr(cp.linalg, "eigvals"):
        pytest.skip("not in this version")
    assert cp.linalg.eigvals(cp.eye(2)).dtype == np.complex128
    assert [part.dtype for part in cp.linalg.eig(cp.eye(2, dtype="f4"))] == ["complex64"] * 2


def test_lists_where_numpy_has_tuples(cp: Any) -> None:
    assert type(cp.gradient(cp.ones((3, 4)))) is list
    assert type(cp.ogrid[0:3, 0:2]) is list


def test_array_equiv_gives_a_device_array(cp: Any) -> None:
    assert type(cp.array_equiv(cp.ones(2), cp.ones(2))) is cp.ndarray


def test_indices_keep_their_type(cp: Any) -> None:
    assert cp.unravel_index(cp.arange(4, dtype="i4"), (2, 2))[0].dtype == np.int32


def test_the_diagonal_of_a_matrix_is_a_copy(cp: Any) -> None:
    matrix = cp.zeros((2, 2))
    cp.diag(matrix)[...] = 1
    assert float(matrix.sum()) == 0


@pytest.mark.parametrize("name", ["sinc", "i0"])
def test_small_integers_take_small_floating_types(cp: Any, name: str) -> None:
    found = [getattr(cp, name)(cp.ones(2, kind)).dtype for kind in ("?", "i1", "i2", "i4")]
    assert found == ["float16", "float16", "float32", "float64"]


def test_the_sign_of_a_truth_value_is_an_integer(cp: Any) -> None:
    assert cp.sign(cp.ones(2, bool)).dtype == np.int8


def test_empty_arrays_are_joined(cp: Any) -> None:
    assert cp.array([cp.zeros(0), cp.zeros(0)]).shape == (2, 0)
    assert cp.array([[cp.zeros(0)]], dtype="f4").dtype == np.float32


@pytest.mark.parametrize(
    "name",
    [
        "sum", "prod", "max", "min", "all", "any", "ptp", "argmax", "argmin", "cumsum", "cumprod",
        "nansum", "nanmax", "nanmean", "count_nonzero",
    ],
)  # fmt: skip
def test_an_array_without_axes_has_no_axis_0(cp: Any, name: str) -> None:
    with pytest.raises(np.exceptions.AxisError, match="axis 0 is out of bounds for array of dim"):
        getattr(cp, name)(cp.array(2.5), axis=0)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda cp: cp.logical_and(cp.ones(2, "F"), True), TypeError, "Wrong type"),
        (lambda cp: cp.logical_not(cp.ones(2, "D")), TypeError, "Wrong type"),
        (lambda cp: cp.clip(cp.ones(2, "F"), 0, 1), TypeError, "Wrong type"),
        (lambda cp: cp.clip(cp.ones(2, bool), 0.5, None), TypeError, "NoneType"),
        (lambda cp: cp.positive(cp.array([True])), TypeError, "cupy boolean positive"),
        (lambda cp: cp.ones(2, "i1") << 300, OverflowError, "300 out of bounds for int8"),
        (lambda cp: cp.ones(2, "u1") ** -1, OverflowError, "-1 out of bounds for uint8"),
        (lambda cp: cp.logical_xor(cp.ones(2, "u1"), -1), OverflowError, "out of bounds"),
        (lambda cp: cp.unique(cp.ones((2, 2), bool), axis=0), TypeError, "boolean subtract"),
        (lambda cp: cp.partition(cp.zeros(0), 1), ValueError, r"kth\(=1\) out of bounds 0"),
        (lambda cp: cp.linalg.matrix_rank(cp.zeros((0, 3))), ValueError, "no identity"),
        (
            lambda cp: cp.select([cp.array([True])], [cp.array([True])]),
            TypeError,
            "Cannot cast scalar",
        ),
        (lambda cp: -cp.array([True]), TypeError, "cupy boolean negative"),
        (lambda cp: cp.ptp(cp.array([True])), TypeError, "cupy boolean subtract"),
        (lambda cp: cp.gcd(cp.array([True]), True), TypeError, "boolean arrays"),
        (lambda cp: ~cp.ones(2), TypeError, r"Wrong type \(\(dtype\('float64'\),\)\) of arg"),
        (lambda cp: cp.ones(3) + cp.ones(4), ValueError, r"shapes \(3,\) \(4,\)$"),
        (lambda cp: cp.ones((2, 3)) @ cp.ones((2, 3)), ValueError, "Axis dimension mismatch"),
        (lambda cp: cp.array(1.0) @ cp.array(1.0), ValueError, "Scalar operands are not allowed"),
        (lambda cp: cp.ones(2) @ 2, TypeError, "Argument 'b' has incorrect type"),
        (lambda cp: cp.concatenate([cp.array(1), cp.array(2)]), TypeError, "zero-dimensional"),
        (lambda cp: cp.column_stack([cp.ones((1, 1, 1))]), ValueError, "Only 1 or 2 dimensional"),
        (lambda cp: cp.std(cp.ones(2), axis=1), IndexError, "tuple index out of range"),
        (lambda cp: cp.median(cp.zeros(0)), ValueError, r"kth\(=-1\) out of bounds 0"),
        (lambda cp: cp.nanmean(cp.zeros(0)), ValueError, "cupy_nanmean which has no identity"),
        (lambda cp: cp.argmax(cp.ones(2), dtype="f4"), TypeError, "Wrong type"),
        (lambda cp: cp.sort_complex(cp.ones((2, 3)).T), NotImplementedError, "non-contiguous"),
        (lambda cp: cp.linalg.svd(cp.eye(2, dtype="e")), TypeError, "^float16 is unsupported"),
    ],
)
def test_refusals(cp: Any, use: Use, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use(cp)


def test_plus_copies_truth_values(cp: Any) -> None:
    values = cp.array([True, False])
    with pytest.warns(DeprecationWarning, match="non-numerical array is ill-defined"):
        copied = +values
    assert copied is not values
    assert copied.tolist() == [True, False]


def test_defaults_that_are_cupys_own(cp: Any) -> None:
    assert cp.ravel_multi_index((cp.array([5]), cp.array([0])), (3, 4)).tolist() == [8]
    nearly_singular = cp.diag(cp.array([1.0, 8e-16]))
    assert float(abs(cp.linalg.pinv(nearly_singular)).max()) == 1


def test_functions_of_cupys_along_an_axis(cp: Any) -> None:
    matrix = cp.arange(6.0).reshape(2, 3)
    assert cp.apply_along_axis(cp.cumsum, 0, matrix).tolist() == [[0, 1, 2], [3, 5, 7]]
    assert cp.apply_along_axis(cp.sum, 1, matrix).tolist() == [3, 12]
    outer = cp.apply_along_axis(lambda row: cp.outer(row, row), 0, matrix)
    assert outer.shape == (2, 2, 3)


def test_powers_between_arrays(cp: Any) -> None:
    found = cp.logspace(cp.array([0, 1]), cp.array([2, 3]), 3)
    np.testing.assert_allclose(found.get(), [[1, 10], [10, 100], [100, 1000]], rtol=1e-12)


def test_products_along_named_axes(cp: Any) -> None:
    x, y = np.arange(100.0).reshape(2, 10, 5), np.arange(100.0).reshape(10, 2, 5)
    axes = [(0, 1), (0, 1), (0, 1)]
    found = cp.matmul(cp.asarray(x), cp.asarray(y), axes=axes)
    np.testing.assert_allclose(found.get(), np.matmul(x, y, axes=axes))


def test_several_arrays_of_at_least_some_axes_come_in_a_list(cp: Any) -> None:
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        found = getattr(cp, name)(cp.ones(2), cp.ones(3))
        assert type(found) is list
        assert len(found) == 2


@pytest.mark.parametrize("name", ["sum", "mean", "max", "any", "nansum", "count_nonzero", "ptp"])
def test_axes_of_reductions_may_come_in_a_list(cp: Any, name: str) -> None:
    function = getattr(cp, name)
    values = cp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert function(values, axis=[0, 1]).tolist() == function(values, axis=(0, 1)).tolist()
    assert function(values, axis=[0]).shape == (3,)


def test_arrays_of_different_shapes_are_not_equal(cp: Any) -> None:
    assert not bool(cp.array_equal(cp.ones(2), np.ones(3)))
    assert not bool(cp.array_equiv(cp.ones(2), cp.ones(3)))
    assert bool(cp.array_equiv(cp.ones((3, 2)), cp.ones(2)))


def test_powers_of_complex_numbers_go_through_logarithms(cp: Any) -> None:
    """Source: ``complex_power`` in the preamble of ``cupy.power``, and ``cpow.h``."""
    found = cp.asnumpy(cp.array([-4 + 0j, 0j, 1e200 + 1e200j]) ** 2)
    assert found[0].real == pytest.approx(16)
    assert -5e-15 < found[0].imag < -3e-15
    assert found[1] == 0
    assert np.isinf(found[2])
    assert cp.power(cp.array([0j, 2j]), 0).tolist() == [1, 1]
