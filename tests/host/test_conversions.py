"""Types, layouts and refusals of kernels that only a GPU showed: the same here and there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

NAN = [np.nan, np.inf, -np.inf, 1.0]

VALUES: list[tuple[str, list[Any]]] = [
    ("x.astype('u1')", [1, 0, 0, 3]),
    ("cp.array(NAN).astype('i4')", [-(2**31), 2**31 - 1, -(2**31), 1]),
    ("cp.array(NAN, 'f4').astype('i4')", [0, 2**31 - 1, -(2**31), 1]),
    ("cp.array(NAN).astype('i8')", [-(2**63), 2**63 - 1, -(2**63), 1]),
    ("cp.full_like(i, x, dtype='u1')", [1, 0, 0, 3]),
    ("cp.sum(x, dtype='u1')[None]", [4]),
    ("cp.mean(cp.arange(600.0), dtype='u1')[None]", [43]),
    ("cp.cumsum(x, out=cp.zeros(4, 'i4'))", [1, -1, -1, 2]),
    ("cp.cumsum(x, out=cp.zeros((2, 4)))[1]", [4.25, 2.25, 2.5, 5.5]),
    ("i << cp.array([1, -1, 64, 2])", [6, 0, 0, 8]),
    ("i >> cp.array([1, -1, 64, 2])", [1, -1, 0, 0]),
    ("cp.reciprocal(i)", [0, -1, 0, 0]),
    ("cp.sinc(cp.arange(3))", [1, 0, 0]),
    ("cp.var(cp.array([True, False, True, True]), dtype='f4')[None]", [0.25]),
    ("cp.var(x, dtype='i4')[None]", [3.35546875]),
    ("cp.std(x, ddof=5)[None]", [np.nan]),
    ("cp.std(i, out=cp.zeros(2))", [2.5**0.5] * 2),
    ("cp.nanvar(cp.zeros(0))[None]", [0]),
    ("cp.argmax(x.reshape(2, 2), axis=(0, 1))[None]", [3]),
    ("cp.argmin(x, dtype='i1')[None]", [1]),
    ("cp.asarray_chkfinite([0, 4.5], dtype='i4')", [0, 4]),
    ("cp.nanargmax(cp.array([[np.nan, np.nan], [1, np.nan]]), axis=1)", [-1, 0]),
    ("cp.unique_values(cp.array([3, 1, 2, 1]))", [1, 2, 3]),
    ("cp.angle(cp.array([np.nan, -0.0, -1.0]))", [np.pi, 0, np.pi]),
    ("cp.fft.rfft(x + 1j)", [2.75, 1.25 + 5j, 0.75]),
    ("cp.percentile(cp.array([True, False]), 50)[None]", [0.5]),
    ("cp.around(x, out=cp.zeros((2, 4)))[1]", [2, -2, 0, 3]),
    ("cp.zeros_like(x, shape=())", [0, 0, 0, 0]),
]


def names(cp: Any) -> dict[str, Any]:
    return {
        "cp": cp, "np": np, "NAN": NAN,
        "x": cp.array([1.5, -2.0, 0.25, 3.0]), "i": cp.array([3, -1, 0, 2]),
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_values(cp: Any, text: str, expected: list[Any]) -> None:
    np.testing.assert_allclose(eval(text, names(cp)).get(), expected, atol=1e-15)


def test_windows_turn_by_angles_of_float32(cp: Any) -> None:
    found = cp.hanning(5).get()
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, np.hanning(5), atol=1e-7)
    assert found[1] != np.hanning(5)[1]
    assert cp.bartlett(5).get().tolist() == [0, 0.5, 1, 0.5, 0]


REFUSED: list[tuple[str, str, str]] = [
    ("cp.take(x, x)", "CompileException", ""),
    ("cp.isin(x + 1j, i)", "CompileException", ""),
    ("cp.sum(x + 1j, dtype='i4')", "CompileException", ""),
    ("cp.sum(x, dtype=object)", "TypeError", "of arguments for cupy_sum_with_dtype"),
    ("cp.argmax(x, dtype='u1')", "TypeError", "of arguments for cupy_argmax"),
    ("cp.around(x, out=i)", "TypeError", "Cannot cast output operand"),
    ("cp.clip(x, 0, 1, out=i)", "TypeError", "Cannot cast output operand"),
    ("cp.divmod(x, 2, out=x)", "ValueError", "'out' must be a tuple of arrays"),
    ("cp.true_divide(x, 2, dtype='i4')", "TypeError", "Wrong type"),
    ("cp.asarray(x, order='Z')", "ValueError", "order not understood"),
    ("x.get(order='K')", "ValueError", "unsupported order: K"),
    ("cp.stack([x], dtype=object)", "ValueError", "Unsupported dtype object"),
    ("cp.linspace(x, x, dtype=object)", "ValueError", "Unsupported dtype object"),
    ("cp.nanmean(np.ones(2))", "TypeError", "incorrect type"),
    ("cp.mintypecode(x)", "TypeError", "Implicit conversion"),
    ("cp.cumsum(x.reshape(2, 2), None, out=x)", "ValueError", "could not be broadcast together"),
    ("cp.linalg.svd(x)", "ValueError", "not enough values to unpack"),
    ("cp.copyto(x, x, where=cp.ones(3, bool))", "ValueError", "could not be broadcast"),
    ("x.take()", "TypeError", "takes at least 1 positional argument \\(0 given\\)"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("text", "error", "message"), REFUSED)
def test_refused(cp: Any, text: str, error: str, message: str) -> None:
    with pytest.raises(Exception, match=message) as raised:
        eval(text, names(cp))
    assert type(raised.value).__name__ == error
