"""Elementwise kernels give what NumPy gives, in every order of the indices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(7)
F8 = RNG.normal(size=300)
F4 = F8.astype("f4")
I8 = RNG.integers(-50, 50, 300)
C16 = F8[:150] + 1j * F8[150:]
GRID = RNG.normal(size=(6, 7))
BOX = RNG.normal(size=(3, 4, 5))


@dataclass(frozen=True)
class Case:
    """A kernel, its arguments and the same in NumPy."""

    ins: str
    outs: str
    text: str
    args: tuple[Any, ...]
    expected: Callable[..., Any]
    options: dict[str, Any] = field(default_factory=dict)
    size: int | None = None
    ulp: int = 0


def _blur(x: Any) -> Any:
    y = x.copy()
    y[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
    return y


def _collatz(x: Any) -> Any:
    out = []
    for value in x.tolist():
        steps = 0
        while value > 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps += 1
        out.append(steps)
    return np.array(out, np.int32)


UNCONTRACTED = {"options": ("--fmad=false",)}
"""Without it a GPU rounds x * y + w once."""

CASES = {
    "copy": Case("T x", "T y", "y = x;", (F8,), lambda x: x),
    "two inputs": Case(
        "T x, T y", "T z", "z = x * y + x;", (F4, F4[::-1]), lambda x, y: x * y + x, UNCONTRACTED
    ),
    "no contraction": Case(
        "T x, T y, T w",
        "T z",
        "z = x * y + w;",
        (F8, F8[::-1], -F8),
        lambda x, y, w: x * y + w,
        UNCONTRACTED,
    ),
    "python float stays float32": Case(
        "T x, T a", "T y", "y = x * a;", (F4, 2.5), lambda x, a: x * np.float32(a)
    ),
    "declared scalar": Case(
        "T x, float64 a", "float64 y", "y = x * a;", (F4, 0.1), lambda x, a: x.astype("f8") * a
    ),
    "numpy scalar": Case("T x, int32 a", "T y", "y = x + a;", (I8, np.int8(5)), lambda x, a: x + 5),
    "two placeholders": Case(
        "T x, U y", "U z", "z = (U)x + y;", (F4, F8), lambda x, y: x.astype("f8") + y
    ),
    "fixed types": Case(
        "float32 x, int64 y",
        "float64 z",
        "z = (double)x * y;",
        (F4, I8),
        lambda x, y: x.astype("f8") * y,
    ),
    "broadcast": Case("T x, T y", "T z", "z = x - y;", (GRID, GRID[:, :1]), lambda x, y: x - y),
    "broadcast both": Case(
        "T x, T y", "T z", "z = x + y;", (F8[:5], F8[:3, None]), lambda x, y: x + y
    ),
    "strided": Case("T x", "T y", "y = 2 * x;", (F8[::-3],), lambda x: 2 * x),
    "transposed": Case("T x", "T y", "y = x;", (BOX.transpose(2, 0, 1),), lambda x: x),
    "zero axes": Case("T x, T y", "T z", "z = x + y;", (np.array(2.0), F8), lambda x, y: x + y),
    "only zero axes": Case("T x", "T y", "y = -x;", (np.array(2.0),), lambda x: np.asarray(-x)),
    "several outputs": Case(
        "T x, T y",
        "T s, T d, bool g",
        "s = x + y; d = x - y; g = x > y;",
        (F8, F8[::-1]),
        lambda x, y: (x + y, x - y, x > y),
    ),
    "control flow": Case(
        "T x",
        "T y",
        "if (x < 0) { y = 0; } else { y = x; }",
        (F8,),
        lambda x: np.where(x < 0, 0, x),
    ),
    "return in the body": Case(
        "T x", "T y", "y = x;\nif (x > 0) return;\ny = -x;", (F8,), lambda x: np.where(x > 0, x, -x)
    ),
    "continue in the body": Case(
        "T x", "T y", "y = x; if (x > 0) continue; y = 1;", (F8,), lambda x: np.where(x > 0, x, 1)
    ),
    "inner loop": Case(
        "int64 x",
        "int32 y",
        """
        long long v = x; y = 0;
        while (v > 1) { v = v % 2 == 0 ? v / 2 : 3 * v + 1; ++y; }
        """,
        (np.abs(I8),),
        _collatz,
    ),
    "raw neighbour": Case(
        "raw T x",
        "T y",
        """
        const int last = x.size() - 1;
        y = i == 0 || i == last ? x[i] : (x[i - 1] + x[i] + x[i + 1]) / 3;
        """,
        (F8, "like"),
        _blur,
    ),
    "raw strided": Case(
        "raw T x", "T y", "y = x[x.size() - 1 - i];", (F8[::2], "like"), lambda x: x[::-1]
    ),
    "raw of several axes by number": Case(
        "raw T x", "T y", "y = x[i];", (BOX.transpose(1, 2, 0), np.empty(60)), lambda x: x.ravel()
    ),
    "raw by index array": Case(
        "raw T x",
        "T y",
        """
        const ptrdiff_t *at = _ind.get(); ptrdiff_t k[2] = {at[1], at[0]}; y = x[k];
        """,
        (GRID, np.empty((7, 6))),
        lambda x: x.T,
        {"reduce_dims": False},
    ),
    "raw by index list": Case(
        "raw T x",
        "T y",
        "y = x[{(int)i % 6, (int)i / 6}];",
        (GRID, np.empty(42)),
        lambda x: x.T.ravel(),
    ),
    "raw shape and strides": Case(
        "raw T x",
        "int64 y",
        "y = i == 0 ? x.shape()[0] : i == 1 ? x.shape()[1] : x.strides()[0];",
        (GRID, np.empty(3, "i8")),
        lambda x: np.array([6, 7, 56]),
    ),
    "raw input and scalar": Case(
        "raw T x, int32 k",
        "T y",
        "y = x[(i + k) % x.size()];",
        (F8, 3, "like"),
        lambda x, k: np.roll(x, -k),
    ),
    "gather": Case("raw T x, int64 idx", "T y", "y = x[idx];", (F8, np.abs(I8)), lambda x, k: x[k]),
    "scatter of a permutation": Case(
        "T x, int64 to, raw T y",
        "T z",
        "z = y[to] + x;",
        (F8, np.arange(300)[::-1].copy(), F8),
        lambda x, k, y: y[k] + x,
    ),
    "all raw with a size": Case(
        "raw T x, raw T y", "raw T z", "z[i] = x[i] + y[i];", (F8, F8), lambda x, y: x + y, {}, 300
    ),
    "the number of indices": Case(
        "T x", "int64 y", "y = _ind.size() + i;", (F4,), lambda x: 300 + np.arange(300)
    ),
    "the index with its axes": Case(
        "T x",
        "int64 y",
        "y = 10 * _ind.get()[0] + _ind.get()[1];",
        (GRID,),
        lambda x: 10 * np.arange(6)[:, None] + np.arange(7),
        {"reduce_dims": False},
    ),
    "axes joined": Case(
        "T x", "int64 y", "y = _ind.get()[0];", (GRID,), lambda x: np.arange(42).reshape(6, 7)
    ),
    "preamble": Case(
        "T x",
        "T y",
        "y = twice(x);",
        (F8,),
        lambda x: 2 * x,
        {"preamble": "__device__ double twice(double v) { return v + v; }"},
    ),
    "template in the preamble": Case(
        "T x, U y",
        "T z",
        "z = add<T>(x, y);",
        (F8, I8),
        lambda x, y: x + y,
        {"preamble": "template <class A, class B> __device__ A add(A a, B b) { return a + (A)b; }"},
    ),
    "loop_prep and after_loop": Case(
        "T x, T a",
        "T y",
        "y = x * b;",
        (F8, 3.0),
        lambda x, a: x * 9,
        {"loop_prep": "const T b = a * a;", "after_loop": "(void)b;"},
    ),
    "definition among the options": Case(
        "T x",
        "T y",
        "y = x + SHIFT;",
        (F8,),
        lambda x: x + 4,
        {"options": ("-DSHIFT=4", "--fmad=false", "-std=c++17")},
    ),
    "math": Case(
        "T x",
        "T y",
        "y = exp(sin(x)) + sqrt(fabs(x)) * atan2(x, (T)2);",
        (F8,),
        lambda x: np.exp(np.sin(x)) + np.sqrt(np.fabs(x)) * np.arctan2(x, 2),
        ulp=32,
    ),
    "float math stays float": Case(
        "T x", "T y", "y = sqrt(fabs(x));", (F4,), lambda x: np.sqrt(np.fabs(x))
    ),
    "minimum of integers": Case(
        "T x", "T y", "y = min(max(x, (T)-3), (T)4);", (I8,), lambda x: x.clip(-3, 4)
    ),
    "minimum ignores NaN": Case(
        "T x", "T y", "y = min(x, (T)1);", (np.array([np.nan, 0.5, 2.0]),), lambda x: np.fmin(x, 1)
    ),
    "division of integers truncates": Case(
        "T x",
        "T y",
        "y = x / 7 + x % 7;",
        (I8,),
        lambda x: np.trunc(x / 7).astype("i8") + np.fmod(x, 7),
    ),
    "floor division of CuPy": Case(
        "T x", "T y", "y = _floor_divide(x, (T)7);", (I8,), lambda x: x // 7
    ),
    "shifts and bits": Case(
        "uint32 x",
        "uint32 y",
        "y = (x << 3) ^ (x >> 5) ^ __popc(x) ^ __clz((int)x);",
        (np.arange(300, dtype="u4") * 7919,),
        lambda x: (
            (x << 3)
            ^ (x >> 5)
            ^ np.bitwise_count(x)
            ^ np.array([32 - int(v).bit_length() for v in x], "u4")
        ),
    ),
    "narrow integers": Case(
        "T x", "T y", "y = (T)(x * x);", (np.arange(256, dtype="u1"),), lambda x: x * x
    ),
    "signed overflow wraps": Case(
        "T x", "T y", "y = x * x;", (np.full(3, 100_000, "i4"),), lambda x: x * x
    ),
    "booleans": Case(
        "bool x, bool y", "bool z", "z = x != y;", (F8 > 0, F4 < 0.5), lambda x, y: x != y
    ),
    "float bits": Case(
        "float32 x", "int32 y", "y = __float_as_int(x);", (F4,), lambda x: x.view("i4")
    ),
    "complex arithmetic": Case(
        "T x, T y", "T z", "z = x * y - x;", (C16, C16[::-1]), lambda x, y: x * y - x, ulp=4
    ),
    "complex parts": Case(
        "complex128 x",
        "float64 y",
        "y = x.real() * x.imag() + norm(x);",
        (C16,),
        lambda x: x.real * x.imag + (x.real * x.real + x.imag * x.imag),
        UNCONTRACTED,
    ),
    "complex64": Case(
        "T x, T y",
        "T z",
        "z = conj(x) + T(0, 1) * y;",
        (C16.astype("F"), C16[::-1].astype("F")),
        lambda x, y: x.conj() + np.complex64(1j) * y,
        ulp=2,
    ),
    "complex from parts": Case(
        "float64 x", "complex128 y", "y = complex<double>(x, -x);", (F8,), lambda x: x - 1j * x
    ),
    "half": Case(
        "T x, T y", "T z", "z = x + y;", (F4.astype("e"), F4[::-1].astype("e")), lambda x, y: x + y
    ),
    "half through float": Case(
        "float16 x", "float16 y", "float v = x; y = v * v;", (F4.astype("e"),), lambda x: x * x
    ),
    "constants": Case(
        "T x",
        "T y",
        "y = x < 0 ? CUDART_INF : M_PI;",
        (F8,),
        lambda x: np.where(x < 0, np.inf, np.pi),
    ),
    "cached load": Case("raw T x", "T y", "y = __ldg(&x[i]);", (F8, "like"), lambda x: x),
    "local array": Case(
        "T x",
        "T y",
        "T t[4]; for (int k = 0; k < 4; ++k) t[k] = x * k; y = t[3] - t[1];",
        (I8,),
        lambda x: 2 * x,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values(cp: Any, same: Any, name: str) -> None:
    case = CASES[name]
    kernel = cp.ElementwiseKernel(case.ins, case.outs, case.text, **{"name": "k", **case.options})
    first = case.args[0]
    given = [np.empty_like(first) if isinstance(a, str) else a for a in case.args]
    device = [cp.asarray(a) if isinstance(a, np.ndarray) else a for a in given]
    found = kernel(*device, **({} if case.size is None else {"size": case.size}))
    count = len(case.ins.split(","))
    expected = case.expected(*given[:count])
    if isinstance(found, tuple):
        for one, other in zip(found, expected, strict=True):
            same(one, other, case.ulp)
    else:
        same(found, expected, case.ulp)


def test_every_half_is_read_and_written(cp: Any) -> None:
    every = np.arange(1 << 16, dtype="u2").view("e")
    widen = cp.ElementwiseKernel("float16 x", "float32 y", "y = x;", "widen")
    wide = cp.asnumpy(widen(cp.asarray(every)))
    np.testing.assert_array_equal(wide, every.astype("f4"))
    narrow = cp.ElementwiseKernel("float64 x", "float16 y", "y = float16(x);", "narrow")
    between = np.concatenate([every.astype("f8")[:-1], every.astype("f8")[1:]]).reshape(2, -1)
    with np.errstate(all="ignore"):
        values = np.concatenate([between.mean(axis=0), between.mean(axis=0) * (1 + 1e-9)])
        values = np.concatenate([values[np.isfinite(values)], [0.0, -0.0], every])
        expected = values.astype("e")
    np.testing.assert_array_equal(cp.asnumpy(narrow(cp.asarray(values))), expected)


def test_histogram_by_atomics(cp: Any, same: Any) -> None:
    kernel = cp.ElementwiseKernel("int64 x", "raw int32 h", "atomicAdd(&h[x], 1);", "histogram")
    bins = cp.zeros(7, dtype="i4")
    kernel(cp.asarray(np.abs(I8) % 7), bins)
    same(bins, np.bincount(np.abs(I8) % 7, minlength=7).astype("i4"))


@pytest.mark.parametrize(
    ("dtype", "text", "expected"),
    [
        ("i4", "atomicMax(&y[0], x)", lambda x: x.max()),
        ("i4", "atomicMin(&y[0], x)", lambda x: min(x.min(), 0)),
        ("u8", "atomicAdd(&y[0], x)", lambda x: x.sum()),
        ("i8", "atomicAdd(&y[0], x)", lambda x: x.sum()),
        ("f4", "atomicMax(&y[0], x)", lambda x: x.max()),
        ("u4", "atomicOr(&y[0], x)", lambda x: np.bitwise_or.reduce(x)),
        ("u4", "atomicXor(&y[0], x)", lambda x: np.bitwise_xor.reduce(x)),
    ],
)
def test_atomics(cp: Any, same: Any, dtype: str, text: str, expected: Any) -> None:
    values = (np.abs(I8) + 1 if dtype[0] == "u" else I8).astype(dtype)
    kernel = cp.ElementwiseKernel("T x", "raw T y", text, "atomics")
    total = cp.zeros(1, dtype=dtype)
    kernel(cp.asarray(values), total)
    same(total, np.array([expected(values)], dtype))


def test_the_largest_double_is_rounded_to_float(cp: Any, same: Any) -> None:
    """CuPy 14's atomicMax of doubles goes through fmaxf."""
    kernel = cp.ElementwiseKernel("T x", "raw T y", "atomicMax(&y[0], x);", "largest")
    top = cp.zeros(1)
    kernel(cp.asarray(F8), top)
    same(top, np.array([np.float32(F8.max())], "f8"))


def test_floating_atomics_may_round_differently(cp: Any) -> None:
    kernel = cp.ElementwiseKernel("T x", "raw T y", "atomicAdd(&y[0], x);", "total")
    total = cp.zeros(1, dtype="f4")
    kernel(cp.asarray(F4), total)
    assert abs(float(total[0]) - F8.sum()) < 1e-4


def test_compare_and_swap(cp: Any, same: Any) -> None:
    text = """
    int seen = y[0], assumed;
    do { assumed = seen; seen = atomicCAS(&y[0], assumed, assumed + x); } while (seen != assumed);
    """
    kernel = cp.ElementwiseKernel("int32 x", "raw int32 y", text, "swap")
    total = cp.zeros(1, dtype="i4")
    # the first read is a plain one and may be out of date: that is what the loop is for
    kernel(cp.asarray(I8.astype("i4")), total)
    same(total, I8.astype("i4").sum(keepdims=True, dtype="i4"))


def test_writing_into_views(cp: Any, same: Any) -> None:
    kernel = cp.ElementwiseKernel("T x", "T y", "y = x + 1;", "plus")
    target = cp.zeros((4, 6))
    assert kernel(cp.ones((2, 3)), target[1:3, ::2]) is not None
    expected = np.zeros((4, 6))
    expected[1:3, ::2] = 2
    same(target, expected)


def test_in_place(cp: Any, same: Any) -> None:
    kernel = cp.ElementwiseKernel("T x", "T y", "y = x * x;", "square")
    x = cp.asarray(F8)
    kernel(x, x)
    same(x, F8 * F8)


def test_float32_denormals_are_flushed(cp: Any, same: Any) -> None:
    kernel = cp.ElementwiseKernel("T x", "T y", "y = x * (T)0.5f;", "halve")
    same(kernel(cp.full(2, 1.2e-38, "f4")), np.zeros(2, "f4"))
    same(kernel(cp.full(2, 1e-310)), np.full(2, 5e-311))


@pytest.mark.parametrize("name", ["exp", "norm", "y0", "short", "min"])
def test_names_that_headers_declare(cp: Any, name: str) -> None:
    kernel = cp.ElementwiseKernel("T x", "T y", "y = -x;", name)
    with pytest.raises(cp.cuda.compiler.CompileException):
        kernel(cp.ones(3))
    assert float(cp.ElementwiseKernel("T x", "T y", "y = -x;", f"{name}_")(cp.ones(1))[0]) == -1


def test_dialects_that_headers_do_not_take(cp: Any) -> None:
    kernel = cp.ElementwiseKernel("T x", "T y", "y = -x;", "negated", options=("-std=c++14",))
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"C\+\+17"):
        kernel(cp.ones(3))
