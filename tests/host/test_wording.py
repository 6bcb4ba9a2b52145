"""What CuPy says where NumPy says something else, and what it says nothing about."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

_SAME_SHAPE = "All arrays must have same shape except the axis to concatenate"
REFUSED: list[tuple[str, type[Exception], str]] = [
    ("cp.add(f)", TypeError, "It must be either 2 or 3 (with outputs), but given 1."),
    ("cp.add(f, f, dtype=object)", TypeError, "Wrong type (object) of arguments for cupy_add"),
    ("cp.concatenate([f, m])", ValueError, "All arrays to concatenate must have the same ndim"),
    ("cp.concatenate([])", ValueError, "Cannot concatenate from empty tuple"),
    ("cp.concatenate([f, f], out=cp.empty(7))", ValueError, "Output array is the wrong shape"),
    ("cp.stack([f, f[:2]])", ValueError, _SAME_SHAPE),
    ("cp.vstack([f, f[:2]])", ValueError, _SAME_SHAPE),
    ("cp.array([f, f.get()])", TypeError, "Implicit conversion to a NumPy array"),
    ("cp.array(f, dtype='f4', copy=False)", ValueError, "Unable to avoid copy while creating"),
    ("cp.zeros(3.0)", TypeError, "'float' object cannot be interpreted as an integer"),
    ("cp.zeros((2, -1))", ValueError, "Negative dimensions are not allowed"),
    ("cp.random.rand(-1)", ValueError, "Negative dimensions are not allowed"),
    ("cp.zeros(3, order='X')", ValueError, "order not understood"),
    ("m.reshape(12, order='X')", ValueError, "order not understood"),
    ("m.ravel('X')", ValueError, "order not understood"),
    ("m.flatten('X')", ValueError, "order not understood"),
    ("f.reshape(3, 2)", ValueError, "cannot reshape array of size 4 into shape (3, 2)"),
    ("m.swapaxes(0, 2)", ValueError, "Axis out of range"),
    ("cp.split(f, 3)", ValueError, "must divide the size along the axes"),
    ("cp.split(f, 2, axis=1)", IndexError, "Axis exceeds ndim"),
    ("cp.array_split(f, 0)", ZeroDivisionError, "integer division or modulo by zero"),
    ("cp.hsplit(cp.array(1), 1)", ValueError, "Cannot hsplit a zero-dimensional array"),
    ("cp.vsplit(f, 2)", ValueError, "Cannot vsplit an array with less than 2 dimensions"),
    ("cp.delete(f, 9)", IndexError, "Index 9 is out of bounds for axis 0 with size 4"),
    ("cp.flip(m, (0, 0))", ValueError, "duplicate value in 'axis'"),
    ("cp.rot90(m, 1, (0, 5))", ValueError, "axes must be >= -2 and < 2"),
    ("cp.broadcast_to(f, (3, 3))", ValueError, "with shape (4,) and requested shape (3, 3)"),
    ("cp.broadcast_to(f, -1)", ValueError, "with shape (4,) and requested shape (-1,)"),
    ("cp.broadcast_arrays(f, m.T)", ValueError, "together with shapes (4,) (4, 3)"),
    ("cp.argpartition(f, 10)", ValueError, "kth(=10) out of bounds 4"),
    ("cp.bincount(i, minlength=-1)", ValueError, "minlength must be non-negative"),
    ("cp.diff(cp.array(1.0))", np.exceptions.AxisError, "axis -1 is out of bounds"),
    ("cp.median(m, axis=3)", np.exceptions.AxisError, "Axis overrun"),
    ("cp.average(m, axis=0, weights=f)", ValueError, "Length of weights not compatible"),
    ("cp.percentile(f, 50, method='weibull')", ValueError, "method is not yet supported"),
    ("cp.quantile(f, 0.5, method='x')", ValueError, "Unexpected interpolation method"),
    ("cp.arange(1j)", TypeError, "ufunc 'ceil' not supported for the input types"),
    ("cp.linspace(0, 1j, 3)", TypeError, "not 'complex'"),
    ("cp.convolve(f, m)", ValueError, "v cannot be multidimensional array"),
    ("cp.vdot(f, f[:2])", ValueError, "Axis dimension mismatch"),
    ("cp.inner(f, f[:2])", ValueError, "Axis dimension mismatch"),
    ("cp.tensordot(m, m, axes=([0, 1], [0]))", ValueError, "Axes length mismatch"),
    ("cp.einsum('ii', m)", ValueError, "Size of label 'i' for operand 0 (4) does not match"),
    ("cp.linalg.solve(cp.stack([m[:, :3]] * 2), m[:, :3])", ValueError, "b must have (..., M, K)"),
    ("cp.fft.fft(f, norm='x')", ValueError, '"backward", "ortho", or "forward"'),
    ("cp.random.randint(0, 5, 3, 'f4')", ValueError, "Invalid integer data type 'f'."),
    ("cp.random.seed('a')", TypeError, "Seed must be an integer."),
    ("f['a']", ValueError, "invalid literal for int()"),
    ("f[::0]", ValueError, "Slice step must be nonzero."),
    ("m[[0, 1], [0, 1, 2]]", ValueError, "could not be broadcast together with shapes(2,) (3,)"),
    ("f.__setitem__(0, f[:2])", ValueError, "Out shape is mismatched"),
    ("f.__delitem__(0)", NotImplementedError, "Subscript deletion not supported by ndarray"),
    ("2 @ f", TypeError, "Cannot convert int to cupy._core.core._ndarray_base"),
]


def _evaluated(cp: Any, code: str) -> Any:
    m = cp.arange(12.0).reshape(3, 4)
    return eval(code, {"cp": cp, "np": np, "f": cp.arange(4.0), "i": cp.arange(4), "m": m})


@pytest.mark.parametrize(("code", "kind", "words"), REFUSED)
def test_refusals_have_cupys_words(cp: Any, code: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        _evaluated(cp, code)
    assert words in str(caught.value)
    assert str(caught.value) == str(caught.value).rstrip()


@pytest.mark.parametrize(
    "code",
    [
        "f[:0].mean()",
        "f[:1].std(ddof=1)",
        "m.var(axis=1, ddof=9)",
        "cp.nanmean(f[:1] * np.nan)",
    ],
)
def test_nothing_is_said_of_a_mean_of_nothing(cp: Any, code: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not np.isfinite(cp.asnumpy(_evaluated(cp, code))).any()


def test_keepdims_may_be_none(cp: Any) -> None:
    assert _evaluated(cp, "cp.sum(m, keepdims=None)").shape == ()


def test_the_old_name_of_the_method_of_quantiles(cp: Any) -> None:
    with pytest.warns(DeprecationWarning, match="was renamed to `method=`"):
        assert _evaluated(cp, "cp.percentile(i, 50, interpolation='lower')") == 1


def test_row_stack_is_an_old_name(cp: Any) -> None:
    with pytest.warns(DeprecationWarning, match="Use `cp.vstack` directly"):
        assert _evaluated(cp, "cp.row_stack((m, m))").shape[0] == 2 * len(_evaluated(cp, "m"))


def test_complex_values_lose_their_imaginary_part_with_a_warning(cp: Any) -> None:
    x = cp.zeros(3)
    with pytest.warns(np.exceptions.ComplexWarning):
        x[:] = cp.arange(3) + 1j
    assert x.tolist() == [0, 1, 2]


def test_axes_of_linspace_lie_as_they_were_moved(cp: Any) -> None:
    found = cp.linspace(cp.zeros(4), cp.ones(4), 3, axis=1)
    assert found.shape == (4, 3)
    assert found.flags.f_contiguous


def test_scatter_methods_are_deprecated(cp: Any) -> None:
    x = cp.zeros(3)
    with pytest.warns(DeprecationWarning, match="use `cupy.add.at` instead"):
        x.scatter_add(cp.array([1, 1]), 1)
    assert x.tolist() == [0, 2, 0]
