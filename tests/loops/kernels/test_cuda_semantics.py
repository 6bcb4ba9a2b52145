"""The functions of ``semantics/`` give NumPy's bits, extremes included."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.host.kernels import checks, toolchain
from gpuport.parallel.cuda.helpers import names, used_by
from gpuport.parallel.cuda.rules import functions

WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")


@pytest.fixture
def cp() -> Iterator[Any]:
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    host.install(version=14)
    with checks("fast"):
        yield importlib.import_module("cupy")
    host.uninstall()


def pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Ordinary and extreme operands, each with each."""
    rng = np.random.default_rng(4)
    kind = np.dtype(dtype)
    if kind.kind == "f":
        info = np.finfo(kind)
        edge = [0.0, -0.0, 1, -1, 0.1, -0.1, 0.5, 2.5, 3, np.inf, -np.inf, np.nan, info.max]
        grid = np.array([*edge, info.tiny, -info.tiny], kind)
        some = (rng.normal(size=3000) * 10).astype(kind)
        some[:1000] = np.round(some[:1000], 1)
    else:
        limits = np.iinfo(kind)
        grid = np.array([0, 1, 2, 3, limits.max, limits.max - 1, limits.min, limits.min + 1], kind)
        some = rng.integers(limits.min, limits.max, 3000, dtype=kind, endpoint=True)
        some[:1500] = rng.integers(max(limits.min, -9), 9, 1500)
    a, b = (x.ravel() for x in np.meshgrid(grid, grid))
    return np.concatenate([a, some]), np.concatenate([b, rng.permutation(some)])


def compute(cp: Any, expression: str, dtype: str, *arrays: np.ndarray) -> np.ndarray:
    inputs = ", ".join(f"{dtype} {name}" for name, _ in zip("xy", arrays, strict=False))
    kernel = cp.ElementwiseKernel(
        inputs, f"{dtype} z", f"z = {expression};", "one", preamble=used_by(expression)
    )
    return np.asarray(cp.asnumpy(kernel(*(cp.asarray(a) for a in arrays))))


def same_bits(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_array_equal(found, expected)
    if expected.dtype.kind == "f":
        number = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[number]), np.signbit(expected[number]))


@pytest.mark.parametrize("dtype", [*WHOLE, *FLOATS])
@pytest.mark.parametrize("ufunc", ["floor_divide", "remainder", "minimum", "maximum", "fmod"])
def test_functions_of_two_numbers(cp: Any, ufunc: str, dtype: str) -> None:
    a, b = pairs(dtype)
    if ufunc in ("minimum", "maximum"):
        unlike = (a != 0) | (b != 0)  # which zero comes out is the processor's affair
        a, b = a[unlike], b[unlike]
    form = functions().form(ufunc, np.dtype(dtype).kind)
    with np.errstate(all="ignore"):
        expected = getattr(np, ufunc)(a, b)
    same_bits(compute(cp, f"{form}(x, y)", dtype, a, b), expected)


@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize("ufunc", ["left_shift", "right_shift"])
def test_shifts_by_any_number(cp: Any, ufunc: str, dtype: str) -> None:
    a, b = pairs(dtype)
    form = functions().form(ufunc, np.dtype(dtype).kind)
    same_bits(compute(cp, f"{form}(x, y)", dtype, a, b), getattr(np, ufunc)(a, b))


@pytest.mark.parametrize("dtype", WHOLE)
def test_powers_wrap_around(cp: Any, dtype: str) -> None:
    a, _ = pairs(dtype)
    b = (np.arange(a.size) % 9).astype(dtype)
    same_bits(compute(cp, "integer_power(x, y)", dtype, a, b), np.power(a, b))


@pytest.mark.parametrize("dtype", [*WHOLE, *FLOATS])
@pytest.mark.parametrize("ufunc", ["sign", "square", "absolute"])
def test_functions_of_one_number(cp: Any, ufunc: str, dtype: str) -> None:
    a, _ = pairs(dtype)
    form = functions().form(ufunc, np.dtype(dtype).kind)
    if form is None or not form.isidentifier():
        pytest.skip("an operator of C++")
    with np.errstate(all="ignore"):
        same_bits(compute(cp, f"{form}(x)", dtype, a), getattr(np, ufunc)(a))


def test_python_s_extremes_take_the_first_of_equals(cp: Any) -> None:
    a, b = pairs("float64")
    expected = np.array([min(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)])
    same_bits(compute(cp, "py_min(x, y)", "float64", a, b), expected)
    expected = np.array([max(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)])
    same_bits(compute(cp, "py_max(x, y)", "float64", a, b), expected)


def test_every_form_is_a_function_of_cuda_or_of_the_semantics() -> None:
    cuda = {
        "pow", "fabs", "abs", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10",
        "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
        "asinh", "acosh", "atanh", "hypot", "copysign", "fmod", "floor", "ceil", "trunc", "rint",
        "fmin", "fmax", "isnan", "isinf", "isfinite", "signbit", "conj", "erf",
        "erfc", "lgamma",
    }  # fmt: skip
    forms = {f for kinds in functions().ufuncs.values() for f in kinds.values()}
    assert {f for f in forms if f.isidentifier()} <= cuda | names()


def test_a_preamble_holds_what_is_used_and_no_more() -> None:
    text = used_by("x[checked(floor_divide(i, 2LL), n, f)] = square(sqrt(y));")
    assert "floor_divide" in text
    assert "square" in text
    assert "checked" in text
    assert "modulo" not in text
    assert used_by("y = sin(x);") == ""
