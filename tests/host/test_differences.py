"""Where CuPy silently differs from NumPy: each difference shows on the host too."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest


def values(array: Any) -> list[Any]:
    return array.get().tolist()


def test_a_scalar_read_is_a_view(cp: Any) -> None:
    a = cp.arange(4.0)
    x = a[0]
    a[0] = 9
    assert float(x) == 9


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        (slice(2, None), slice(None, -2), [0, 1, 0, 1, 0, 1]),
        (slice(None, -1), slice(1, None), [5, 5, 5, 5, 5, 5]),
        (slice(None), slice(None, None, -1), [5, 4, 3, 2, 1, 0]),  # not byte by byte
        (slice(3), slice(3, None), [3, 4, 5, 3, 4, 5]),
        (slice(None), slice(None), [0, 1, 2, 3, 4, 5]),  # itself
    ],
)
def test_bytes_that_overlap_are_copied_in_no_order(
    cp: Any, target: slice, source: slice, expected: list[int]
) -> None:
    for copy in (
        lambda a: a.__setitem__(target, a[source]),
        lambda a: cp.copyto(a[target], a[source]),
    ):
        a = cp.arange(6.0)
        copy(a)
        assert values(a) == expected
    a = cp.arange(6.0)
    a[target] = a[source].copy()
    b = np.arange(6.0)
    b[target] = b[source]
    assert values(a) == b.tolist()


def test_swapping_two_elements_does_not_swap(cp: Any) -> None:
    a = cp.arange(4.0)
    a[0], a[3] = a[3], a[0]
    assert values(a) == [3, 1, 2, 3]


def test_a_loop_variable_writes_into_the_array(cp: Any) -> None:
    a = cp.arange(3.0)
    for x in a:
        x *= 2
    assert values(a) == [0, 2, 4]


def test_numpy_shuffle_loses_values(cp: Any) -> None:
    a = cp.arange(64.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.random.default_rng(3).shuffle(a)
    assert len(set(values(a))) < 64


@pytest.mark.parametrize("index", [7, -9])
def test_integer_arrays_out_of_range_wrap(cp: Any, index: int) -> None:
    a = cp.arange(4.0)
    assert values(a[cp.array([index])]) == [3]
    assert values(cp.take(a, cp.array([index]))) == [3]
    a[cp.array([index])] = 5
    assert float(a[3]) == 5
    with pytest.raises(IndexError, match=f"Index {index} is out of bounds for axis 0 with size 4"):
        a[index]


def test_duplicate_scatter_is_not_last_wins_everywhere(emulated: Any) -> None:
    a = emulated.zeros(1)
    a[emulated.zeros(8, dtype=int)] = emulated.arange(8.0)
    assert float(a[0]) in range(7)
    sums = emulated.zeros(1)
    emulated.add.at(sums, emulated.zeros(8, dtype=int), emulated.arange(8.0))
    assert float(sums[0]) == 28


def test_scatter_without_duplicates_is_numpys(cp: Any) -> None:
    host = np.zeros((3, 4))
    rows, columns = np.array([2, 0, 1]), np.array([1, 3, 0])
    host[rows, columns] = [1, 2, 3]
    a = cp.zeros((3, 4))
    a[cp.array(rows), cp.array(columns)] = cp.array([1.0, 2, 3])
    np.testing.assert_array_equal(a.get(), host)


@pytest.mark.parametrize(("base", "expected"), [(2, 0), (1, 1), (-1, -1), (0, 0)])
def test_integers_to_negative_powers(emulated: Any, base: int, expected: int) -> None:
    assert values(emulated.array([base]) ** emulated.array([-1])) == [expected]


def test_floating_point_errors_are_silent(cp: Any) -> None:
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert np.isinf((cp.array([1.0]) / 0).get()).all()
        assert np.isnan(cp.log(cp.array([-1.0])).get()).all()


def test_an_empty_array_is_false(cp: Any) -> None:
    with pytest.warns(DeprecationWarning, match="empty array is ambiguous"):
        assert not bool(cp.zeros(0))


def test_views_that_numpy_protects_can_be_written(cp: Any) -> None:
    matrix = cp.eye(3)
    matrix.diagonal()[0] = 5
    assert float(matrix[0, 0]) == 5
    row = cp.zeros(3)
    cp.broadcast_to(row, (2, 3))[0, 0] = 4
    assert float(row[0]) == 4


def test_results_are_in_c_order(cp: Any) -> None:
    total = cp.ones((2, 3)).T + 1
    assert total.flags.c_contiguous
    assert not total.flags.f_contiguous


def test_float_to_integer_saturates(cp: Any) -> None:
    cast = cp.array([np.inf, -np.inf, 1e30, 1.9, -1.9]).astype("i4")
    assert values(cast) == [2**31 - 1, -(2**31), 2**31 - 1, 1, -1]


def test_float32_denormals_are_flushed(cp: Any) -> None:
    small = cp.array([1e-38], dtype="f4")
    assert values(small * cp.float32(0.1)) == [0]
    assert values(cp.array([1e-308]) * 0.1) != [0]


def test_singular_matrices_are_silent_unless_asked(cp: Any) -> None:
    assert not np.isfinite(cp.linalg.inv(cp.zeros((2, 2))).get()).any()
    assert np.isnan(cp.linalg.cholesky(-cp.eye(2)).get()).any()
    errstate = importlib.import_module("cupyx").errstate
    with errstate(linalg="raise"), pytest.raises(np.linalg.LinAlgError):
        cp.linalg.inv(cp.zeros((2, 2)))


def test_one_singular_matrix_of_a_stack_leaves_the_others(cp: Any) -> None:
    stack = cp.stack([cp.eye(2) * 2, cp.zeros((2, 2))])
    found = cp.linalg.inv(stack).get()
    np.testing.assert_allclose(found[0], np.eye(2) / 2)
    assert not np.isfinite(found[1]).all()


def test_float_floor_division_is_floor_of_the_quotient(cp: Any) -> None:
    x, y = 1.0, 0.1
    assert float(cp.array(x) // y) == np.floor(x / y) != x // y
    # The kernel rounds once on a GPU: neither is what NumPy gives.
    assert abs(float(cp.array(x) % y) - (x - np.floor(x / y) * y)) < 1e-16 < x % y


def test_random_streams_differ(cp: Any) -> None:
    cp.random.seed(0)
    first = cp.random.rand(4).get()
    cp.random.seed(0)
    np.testing.assert_array_equal(first, cp.random.rand(4).get())
    assert not np.allclose(first, np.random.RandomState(0).rand(4))


IMPLICIT = r"Implicit conversion to a NumPy array is not allowed"


@pytest.mark.parametrize(
    "use",
    [
        lambda a: np.asarray(a),
        lambda a: np.array([a[0], a[1]]),
        lambda a: np.arange(4)[a.astype(int)],
        lambda a: np.vectorize(lambda v: v)(a),
    ],
)
def test_implicit_conversion_is_refused(cp: Any, use: Any) -> None:
    with pytest.raises((TypeError, IndexError)) as caught:
        use(cp.arange(4.0))
    assert caught.type is TypeError or "integer" in str(caught.value)


@pytest.mark.parametrize(
    "use",
    [
        lambda cp, a, h: a + h,
        lambda cp, a, h: h + a,
        lambda cp, a, h: cp.where(h > 0, a, a),
        lambda cp, a, h: cp.maximum(a, h),
        lambda cp, a, h: cp.concatenate([a, h]),
        lambda cp, a, h: cp.add(a, a, out=h),
        lambda cp, a, h: np.add(a, a, out=h),
    ],
)
def test_mixing_with_numpy_is_refused(cp: Any, use: Any) -> None:
    with pytest.raises(TypeError, match=r"Unsupported type <class 'numpy.ndarray'>"):
        use(cp, cp.arange(4.0), np.ones(4))


def test_numpy_scalars_mix(cp: Any) -> None:
    assert type(np.float64(2) + cp.arange(3.0)) is cp.ndarray
    assert (cp.ones(2, "f4") * 1.5).dtype == np.float32
    assert (cp.ones(2, "f4") * np.float64(1.5)).dtype == np.float64


def test_zero_d_arrays_are_no_integers(cp: Any) -> None:
    n = cp.array(3)
    for use in (range, cp.zeros, [0, 1, 2, 3].__getitem__, cp.arange(9).reshape):
        with pytest.raises(TypeError):
            use(n)
    assert values(cp.arange(5)[:n]) == [0, 1, 2]
    assert cp.arange(n).shape == (3,)


def test_arrays_are_not_hashable(cp: Any) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(cp.array(1.0))


@pytest.mark.parametrize("dtype", ["O", "U3", "M8[D]", "m8[s]", np.longdouble, "G"])
def test_dtypes_without_a_device_type(cp: Any, dtype: Any) -> None:
    with pytest.raises(ValueError, match="Unsupported dtype"):
        cp.zeros(2, dtype=dtype)


def test_missing_names_and_parameters(cp: Any) -> None:
    with pytest.raises(AttributeError, match="module 'cupy' has no attribute 'frompyfunc'"):
        cp.frompyfunc  # noqa: B018
    with pytest.raises(TypeError, match=r"amax\(\) got an unexpected keyword argument 'initial'"):
        cp.max(cp.ones(2), initial=5)
    with pytest.raises(TypeError, match="Wrong arguments"):
        cp.add(1.0, 2.0, where=True)


def test_numpy_functions_dispatch(cp: Any) -> None:
    a = cp.arange(4.0)
    for found in (np.sin(a), np.sum(a), np.concatenate([a, a]), np.linalg.norm(a)):
        assert type(found) is cp.ndarray
    with pytest.raises(TypeError, match=r"no implementation found for 'numpy\.nanpercentile'"):
        np.nanpercentile(a, 50)


def test_a_method_called_through_a_function_leaves_numpy_arrays_to_numpy(cp: Any) -> None:
    assert type(cp.sum(np.ones(3))) is np.float64
    with pytest.raises(AttributeError, match="'list' object has no attribute 'sum'"):
        cp.sum([1, 2])


def test_special_functions_take_no_lists(cp: Any) -> None:
    special = pytest.importorskip("cupyx.scipy.special")
    with pytest.raises(TypeError, match="Unsupported type <class 'list'>"):
        special.erf([1.0])
    assert float(special.erf(cp.array(0.0))) == 0


def test_reductions_without_identity_name_cupys_kernel(cp: Any) -> None:
    with pytest.raises(ValueError, match=r"(cupy_max|CUPY_CUB_MAX) which has no identity"):
        cp.zeros(0).max()


def test_archives_give_device_arrays(cp: Any, tmp_path: Any) -> None:
    np.savez(tmp_path / "two.npz", a=np.arange(3), b=np.ones(2))
    with cp.load(str(tmp_path / "two.npz")) as archive:
        assert type(archive["a"]) is cp.ndarray
        assert values(archive["a"]) == [0, 1, 2]


@pytest.mark.parametrize("name", ["svd", "inv", "qr", "pinv"])
def test_linear_algebra_takes_device_arrays_only(cp: Any, name: str) -> None:
    with pytest.raises(np.linalg.LinAlgError, match=r"cupy\.linalg only supports cupy\.ndarray"):
        getattr(cp.linalg, name)(np.eye(2))


@pytest.mark.parametrize("name", ["maximum", "subtract", "logical_and"])
def test_ufuncs_without_accumulate(cp: Any, name: str) -> None:
    with pytest.raises(NotImplementedError, match=rf"`cupy_{name}\.accumulate` is not supported"):
        getattr(cp, name).accumulate(cp.arange(3))


def test_subtract_has_no_reduce(cp: Any) -> None:
    with pytest.raises(NotImplementedError, match=r"`cupy_subtract\.reduce` is not supported"):
        cp.subtract.reduce(cp.arange(3))


def test_a_row_of_numpy_cannot_be_assigned(cp: Any) -> None:
    a = cp.zeros((2, 3))
    with pytest.raises(ValueError, match=r"non-scalar numpy\.ndarray cannot be used for fill"):
        a[0] = np.ones(3)


def test_an_integer_array_takes_no_floats_in_place(cp: Any) -> None:
    a = cp.arange(3)
    with pytest.raises(TypeError, match="same_kind"):
        a += 1.5


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (round, TypeError),
        (lambda x: x.is_integer(), AttributeError),
        (lambda x: __import__("json").dumps(x), TypeError),
    ],
)
def test_zero_d_arrays_are_no_numbers(cp: Any, use: Any, error: Any) -> None:
    with pytest.raises(error):
        use(cp.array(1.5))


def test_zero_d_arrays_convert_where_python_asks(cp: Any) -> None:
    x = cp.array(4.0)
    assert (float(x), int(x), complex(x), f"{x:.1f}") == (4.0, 4, 4 + 0j, "4.0")
    assert __import__("math").sqrt(x) == 2


def test_linear_algebra_keeps_float32(cp: Any) -> None:
    assert cp.linalg.inv(cp.eye(2, dtype="f4")).dtype == np.float32
    assert cp.linalg.svd(cp.eye(2, dtype="f4"))[1].dtype == np.float32


def test_lstsq_takes_no_stacks(cp: Any) -> None:
    with pytest.raises(np.linalg.LinAlgError, match="3-dimensional array given"):
        cp.linalg.lstsq(cp.ones((2, 3, 3)), cp.ones((2, 3)), rcond=None)


def test_put_wraps(cp: Any) -> None:
    a = cp.arange(4.0)
    cp.put(a, cp.array([9]), cp.array([5.0]))
    assert values(a) == [0, 5, 2, 3]


def test_numpys_assertions_are_refused(cp: Any) -> None:
    with pytest.raises(TypeError, match=IMPLICIT):
        np.testing.assert_array_equal(cp.ones(2), cp.ones(2))
    cp.testing.assert_array_equal(cp.ones(2), np.ones(2))


def test_the_host_says_what_it_has_not(emulated: Any) -> None:
    with pytest.raises(ImportError, match=r"the host backend has no cupyx\.jit"):
        importlib.import_module("cupyx.jit")
    with pytest.raises(ImportError, match=r"the host backend has no cupyx\.jit"):
        exec("from cupyx import jit")


def test_a_scalar_read_is_written_through(cp: Any) -> None:
    a = cp.arange(3.0)
    x = a[0]
    x += 1
    assert values(a) == [1, 1, 2]


def test_zero_d_arrays_are_taken_as_bounds(cp: Any) -> None:
    assert values(cp.linspace(cp.array(0.0), cp.array(1.0), 3)) == [0, 0.5, 1]
    assert values(cp.full(2, cp.array(7.0))) == [7, 7]


def test_an_array_is_laid_out_over_what_full_makes(cp: Any) -> None:
    assert values(cp.full((2, 3), cp.arange(3))) == [[0, 1, 2], [0, 1, 2]]
    assert values(cp.full(2, cp.array([1.5]), dtype=int)) == [1, 1]
    with pytest.raises(ValueError, match="could not broadcast"):
        cp.full(2, cp.arange(3))


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda cp: cp.array([cp.array(1.0), 1.0]), IMPLICIT),
        (lambda cp: cp.sin([1.0]), "Unsupported type <class 'list'>"),
        (lambda cp: cp.sqrt((1.0,)), "Unsupported type <class 'tuple'>"),
    ],
)
def test_lists_are_refused(cp: Any, use: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        use(cp)


def test_complex_division_by_zero_gives_no_infinity(cp: Any) -> None:
    quotient = (cp.array([1 + 1j]) / 0).get()
    assert np.isnan(quotient.real).all()
    assert np.isnan(quotient.imag).all()


def test_statistics_of_lists_are_of_no_axes(cp: Any) -> None:
    row = cp.array([1.0, 2.0, 4.0])
    assert cp.cov(row).shape == cp.corrcoef(row).shape == ()
    assert type(cp.cov(row)) is cp.ndarray
    assert cp.cov(cp.stack([row, row])).shape == (2, 2)


@pytest.mark.parametrize("name", ["svd", "qr", "eigh", "inv"])
@pytest.mark.parametrize("dtype", ["?", "u1", "i4"])
def test_linear_algebra_of_integers_is_of_doubles(cp: Any, name: str, dtype: str) -> None:
    found = getattr(cp.linalg, name)(cp.eye(2, dtype=dtype))
    for part in found if isinstance(found, tuple) else (found,):
        assert part.dtype == np.float64


def test_what_synchronises_is_one_read_each(emulated: Any) -> None:
    from gpuport import host

    a = emulated.arange(3.0)
    for use in (lambda: float(a[0]), lambda: bool(a[0]), lambda: f"{a[0]}", lambda: a[a > 1]):
        with host.count() as counts:
            use()
        assert counts.d2h == 1


def test_a_matrix_with_an_infinity_has_no_singular_values(cp: Any) -> None:
    """LAPACK may search for minutes: the others of the stack have theirs all the same."""
    rng = np.random.default_rng(5)
    a = rng.normal(size=(40, 8, 8))
    expected = np.linalg.svd(a, compute_uv=False)
    a[1:, 3, 5] = np.inf
    found = cp.linalg.svd(cp.asarray(a), compute_uv=False).get()
    np.testing.assert_allclose(found[0], expected[0])
    assert np.isnan(found[1:]).all()
