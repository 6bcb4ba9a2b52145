"""What NumPy does and CuPy refuses: each call raises the same on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

CALLS: list[tuple[str, type[Exception], str]] = [
    ("cp.trim_zeros(a)", NotImplementedError, "Multi-dimensional trim"),
    ("cp.histogram(b, 'auto')", NotImplementedError, "only integer and array bins"),
    ("cp.histogram(b * 1j, 3)", NotImplementedError, "complex number"),
    ("cp.histogram2d(b, b, [0, 1, 2])", ValueError, "array-like bins"),
    ("cp.interp(a.T, b, b)", NotImplementedError, "Non-C-contiguous x"),
    ("cp.packbits(b, axis=0)", NotImplementedError, "axis option"),
    ("cp.packbits(b, bitorder='x')", ValueError, "bitorder must be"),
    ("cp.linalg.qr(a, 'economic')", ValueError, "deprecated mode"),
    ("cp.linalg.qr(a, 'x')", ValueError, "Unrecognized mode"),
    ("cp.linalg.inv(cp.eye(2, dtype='e'))", TypeError, "float16 is unsupported"),
    ("cp.random.choice(5)", NotImplementedError, "without specifying size"),
    ("cp.random.normal(size=3, dtype='i4')", TypeError, "only supports float32 and float64"),
    ("cp.random.rand(3, dtype='e')", TypeError, "only supports float32 and float64"),
    ("cp.repeat(b, np.array([1, 2, 3, 4, 5]))", TypeError, "does not accept numpy.ndarray"),
    ("cp.repeat(b, [1, 2])", ValueError, "same length"),
    ("cp.repeat(b, -1)", ValueError, "negative"),
    ("cp.repeat(b, cp.array([-1, 1, 1, 1, 1]))", ValueError, "negative"),
    ("cp.stack((a, a), out=cp.zeros((2, 3, 4), int))", TypeError, "Cannot cast"),
    ("cp.piecewise(a, [a > 1], [lambda x: x])", NotImplementedError, "Callable"),
    ("cp.piecewise(a, [a > 1], [1, 2, 3])", ValueError, "are expected"),
    ("cp.apply_over_axes(cp.sum, cp.array(42), 0)", np.exceptions.AxisError, "out of bounds"),
    ("sliding(a, 2, 0, writeable=True)", NotImplementedError, "Writeable views"),
    ("a[np.array([1.0])]", IndexError, "arrays used as indices"),
    ("a.get(out=np.empty((6, 8))[::2, ::2])", RuntimeError, "non-contiguous"),
    ("cp.array(b, None, True, 'K', False, 0, True)", TypeError, "positional"),
    ("cp.copyto(a, np.ones(4))", ValueError, "non-scalar numpy.ndarray cannot be used for copyto"),
    (
        "cp.copyto(cp.arange(3), b[:3] + 0.5)",
        TypeError,
        "Cannot cast float64 to int64 in same_kind",
    ),
    ("np.full_like(a, np.ones(4))", ValueError, "cannot be used for copyto"),
    ("b.put([0], 1j)", TypeError, "not 'complex'"),
    ("cp.tri(3, -1)", ValueError, "Negative dimensions"),
    ("b.fill(2 ** 70)", OverflowError, ""),
    ("b.fill(float('nan'))", ValueError, "NaN"),
    ("cp.array_equal(b, np.arange(5))", TypeError, "Unsupported type <class 'numpy.ndarray'>"),
    ("np.array_equal(b, np.arange(5))", TypeError, "Unsupported type <class 'numpy.ndarray'>"),
    ("cp.array_equiv(b, np.arange(5))", TypeError, "Unsupported type <class 'numpy.ndarray'>"),
    ("cp.around([b, np.arange(5)])", TypeError, "Implicit conversion"),
    ("cp.append(b, None)", ValueError, "Unsupported dtype object"),
    ("cp.clip(cp.zeros(2, 'u1'), -1, None)", OverflowError, "out of bounds for uint8"),
    ("cp.kron(cp.zeros(2, 'u1'), 300)", OverflowError, "out of bounds for uint8"),
    ("a.flags.writeable", AttributeError, "no attribute 'writeable'"),
    ("a.flags['WRITEABLE']", KeyError, "is not defined for cupy.ndarray.flags"),
    ("ndimage.distance_transform_edt(b)", NotImplementedError, "Only 2D and 3D"),
    ("special.erf(b * 1j)", TypeError, "of arguments for cupyx_scipy_special_erf"),
    ("special.ndtr(b * 1j)", TypeError, "of arguments for cupyx_scipy_special_ndtr"),
    ("cp.linalg.solve(cp.eye(2), cp.ones(3))", ValueError, "one-dimensional b"),
]


@pytest.mark.parametrize(("call", "error", "message"), CALLS, ids=[row[0] for row in CALLS])
def test_refused(cp: Any, call: str, error: type[Exception], message: str) -> None:
    names = {
        "cp": cp,
        "np": np,
        "a": cp.arange(12.0).reshape(3, 4),
        "b": cp.arange(5),
        "sliding": cp.lib.stride_tricks.sliding_window_view,
        "ndimage": pytest.importorskip("cupyx.scipy.ndimage"),
        "special": pytest.importorskip("cupyx.scipy.special"),
    }
    with pytest.raises(error, match=message):
        eval(call, names)


def test_einsum_adds_up_in_the_results_type(cp: Any) -> None:
    wide = cp.full((2, 2), 100, dtype="i8")
    small = cp.full((2, 2), 100, dtype="u1")
    for optimize in (False, True, "optimal"):
        found = cp.einsum("ij,jk,kl", small, small, wide, optimize=optimize)
        assert found.tolist() == [[4_000_000] * 2] * 2


def test_complex_division_is_that_of_the_kernels(cp: Any) -> None:
    x = cp.array([1 + 2j, 3 - 4j])
    divide = cp.ElementwiseKernel("T x, T y", "T z", "z = x / y", "divide")
    y = cp.array([0.3 - 7j, 1e-3 + 2j])
    assert (x / y == divide(x, y)).all()


def test_synchronising_can_be_forbidden(cp: Any) -> None:
    import cupyx

    x = cp.arange(3)
    forbidden = cupyx.allow_synchronize(False)
    with pytest.warns(UserWarning, match="allow_synchronize"):
        forbidden.__enter__()
    try:
        with pytest.raises(cupyx.DeviceSynchronized):
            x.get()
    finally:
        forbidden.__exit__(None, None, None)
    assert x.get().tolist() == [0, 1, 2]


def test_trimmed_array_is_a_view(cp: Any) -> None:
    x = cp.array([0, 0, 3, 0, 4, 0])
    trimmed = cp.trim_zeros(x)
    trimmed[1] = 7
    assert x.tolist() == [0, 0, 3, 7, 4, 0]
    assert cp.trim_zeros(cp.zeros(3)).size == 0
