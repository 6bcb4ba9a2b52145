"""Planted faults, each reported as what it is, and nothing of them kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from gpuport.host import kernels
from gpuport.host.kernels import binary

X = np.arange(10, dtype="f4")
INDEX = np.array([0, 1, 1, 2])


@dataclass(frozen=True)
class Fault:
    """An elementwise kernel that is wrong, and what is said about it."""

    ins: str
    outs: str
    text: str
    args: tuple[Any, ...]
    error: type[Exception]
    message: str
    argument: str | None
    index: tuple[int, ...] | None = None
    options: dict[str, Any] = field(default_factory=dict)


FAULTS = {
    "in-place recurrence": Fault(
        "float64 one",
        "raw float32 y",
        "if (i > 0) y[i] = y[i - 1] + one;",
        (1.0, X),
        kernels.RaceError,
        "race on argument 'y' (float32, shape (10,)): element 1",
        "y",
        (1,),
        {"size": 10},
    ),
    "in-place shift": Fault(
        "float64 one",
        "raw float32 y",
        "y[i] = i < 9 ? y[i + 1] : 0;",
        (1.0, X),
        kernels.RaceError,
        "neither a barrier nor an atomic orders the two",
        "y",
        (1,),
        {"size": 10},
    ),
    "lost update": Fault(
        "int64 to",
        "raw int32 h",
        "h[to] += 1;",
        (INDEX, np.zeros(3, "i4")),
        kernels.RaceError,
        "element 1: thread 2 of block 0 (index 2) reads it, thread 1",
        "h",
        (1,),
    ),
    "duplicate scatter": Fault(
        "T x, int64 to",
        "raw T y",
        "y[to] = x;",
        (X[:4], INDEX, np.zeros(3, "f4")),
        kernels.RaceError,
        "the order of iterations changes the result: 'y'[1] is 2.0 with the "
        "indices forward and 1.0 reversed",
        "y",
        (1,),
    ),
    "positions from an atomic": Fault(
        "T x",
        "raw T y, raw int32 n",
        "y[atomicAdd(&n[0], 1)] = x;",
        (X, np.zeros(10, "f4"), np.zeros(1, "i4")),
        kernels.RaceError,
        "the order of iterations changes the result: 'y'[0]",
        "y",
        (0,),
    ),
    "one past the end is read": Fault(
        "raw T x",
        "T y",
        "y = x[i + 1];",
        (X, np.zeros(10, "f4")),
        kernels.OutOfBoundsError,
        "argument 'x' (float32, shape (10,)): index 10 is out of bounds for 10 elements",
        "x",
        (10,),
    ),
    "one before the beginning is read": Fault(
        "raw T x",
        "T y",
        "y = x[i - 1];",
        (X, np.zeros(10, "f4")),
        kernels.OutOfBoundsError,
        "index -1 is out of bounds for 10 elements",
        "x",
        (-1,),
    ),
    "one past the end is written": Fault(
        "T x",
        "raw T y",
        "y[i + 1] = x;",
        (X, np.zeros(10, "f4")),
        kernels.OutOfBoundsError,
        "argument 'y' (float32, shape (10,)): index 10",
        "y",
        (10,),
    ),
    "one before the beginning is written": Fault(
        "T x",
        "raw T y",
        "y[i - 1] = x;",
        (X, np.zeros(10, "f4")),
        kernels.OutOfBoundsError,
        "argument 'y' (float32, shape (10,)): index -1",
        "y",
        (-1,),
    ),
    "one past the end of an axis": Fault(
        "raw T x",
        "T y",
        "ptrdiff_t k[2] = {0, i}; y = x[k];",
        (X.reshape(2, 5), np.zeros(6, "f4")),
        kernels.OutOfBoundsError,
        "index (0, 5) is out of bounds for axis 1 with size 5",
        "x",
        (0, 5),
    ),
    "past the end through a pointer": Fault(
        "raw T x",
        "T y",
        "const T *p = &x[0]; y = p[i + 1];",
        (X, np.zeros(10, "f4")),
        kernels.OutOfBoundsError,
        "element 10 is out of bounds: thread 9 of block 0",
        "x",
        (10,),
    ),
    "past the end of a local array": Fault(
        "T x",
        "T y",
        "T t[3];\nfor (int k = 0; k <= 3; ++k) t[k] = x;\ny = t[0];",
        (X,),
        kernels.OutOfBoundsError,
        "operation:2: index outside a local or shared array",
        None,
    ),
    "outputs never written": Fault(
        "T x",
        "T y",
        "if (x > 3) y = x;",
        (X,),
        kernels.UninitialisedError,
        "'y'[0] is never written: on a GPU it holds whatever memory held (4 elements differ)",
        "y",
        (0,),
    ),
    "outputs read before they are written": Fault(
        "T x",
        "T y",
        "y += x;",
        (X,),
        kernels.UninitialisedError,
        "depends on the output before anything was written there",
        "y",
        (1,),
    ),
    "integer division by zero": Fault(
        "T x",
        "T y",
        "\ny = 4 / x;",
        (np.arange(3),),
        kernels.UndefinedError,
        "operation:2: integer division by zero",
        None,
    ),
    "shift by too much": Fault(
        "T x",
        "T y",
        "y = 1 << (x + 32);",
        (np.arange(3),),
        kernels.UndefinedError,
        "shift by a negative count",
        None,
    ),
    "value that the integer cannot hold": Fault(
        "T x",
        "int32 y",
        "y = (int)(x * 1e10f);",
        (X,),
        kernels.UndefinedError,
        "conversion of a value that the integer type cannot hold",
        None,
    ),
    "assertion": Fault(
        "T x",
        "T y",
        "assert(x < 5); y = x;",
        (X,),
        kernels.UndefinedError,
        "operation:1: assertion failed, by thread 5",
        None,
    ),
    "syntax": Fault(
        "T x",
        "T y",
        "T q = x;\ny = q + ;",
        (X,),
        kernels.CompileException,
        "planted: operation(2): error: ",
        None,
    ),
    "unknown name": Fault(
        "T x", "T y", "y = gamma_of(x);", (X,), kernels.CompileException, "gamma_of", None
    ),
    "input written": Fault(
        "T x", "T y", "x = 1; y = x;", (X,), kernels.CompileException, "error: ", None
    ),
    "wrong preamble": Fault(
        "T x",
        "T y",
        "y = f(x);",
        (X,),
        kernels.CompileException,
        "planted: preamble(2): error: ",
        None,
        None,
        {"preamble": "__device__ float f(float v) {\n  return w; }"},
    ),
    "complex64 times double": Fault(
        "T x",
        "T y",
        "y = x * 2.0;",
        (X.astype("F"),),
        kernels.CompileException,
        "planted: operation(1): error: ",
        None,
    ),
    "root of an integer": Fault(
        "T x", "T y", "y = sqrt(x);", (np.arange(3),), kernels.CompileException, "sqrt", None
    ),
    "mixed float and double": Fault(
        "T x", "T y", "y = fmod(x, 2.0);", (X,), kernels.CompileException, "fmod", None
    ),
    "a name of the host's library": Fault(
        "T x",
        "T y",
        "y = std::max(x, (T)1);",
        (X,),
        kernels.CompileException,
        'operation(1): error: namespace "std" has no member "max"',
        None,
    ),
    "a type that NVRTC does not know": Fault(
        "T x", "T y", "int32_t k = x; y = k;", (X,), kernels.CompileException, "int32_t", None
    ),
    "a header of the host": Fault(
        "T x",
        "T y",
        "y = x;",
        (X,),
        kernels.CompileException,
        'preamble(1): error: cannot open source file "vector"',
        None,
        None,
        {"preamble": "#include <vector>"},
    ),
    "an unknown option": Fault(
        "T x",
        "T y",
        "y = x;",
        (X,),
        kernels.CompileException,
        "unrecognized option '--fast'",
        None,
        None,
        {"options": ("--fast",)},
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_elementwise_kernels(emulated: Any, name: str) -> None:
    fault = FAULTS[name]
    options = dict(fault.options)
    call = {"size": options.pop("size")} if "size" in options else {}
    kernel = emulated.ElementwiseKernel(fault.ins, fault.outs, fault.text, "planted", **options)
    args = [emulated.asarray(a) if isinstance(a, np.ndarray) else a for a in fault.args]
    with pytest.raises(fault.error) as caught:
        kernel(*args, **call)
    assert fault.message in str(caught.value)
    assert "planted" in str(caught.value) or fault.error is kernels.CompileException
    if isinstance(caught.value, kernels.KernelFault):
        assert (caught.value.kernel, caught.value.argument) == ("planted", fault.argument)
        assert fault.index is None or caught.value.index == fault.index
    for before, after in zip(fault.args, args, strict=True):
        if isinstance(before, np.ndarray):
            np.testing.assert_array_equal(emulated.asnumpy(after), before)


def _reverse(barrier: str, size: int = 64) -> str:
    return f"""
    extern "C" __global__ void rev(const float* x, float* y, int n) {{
      __shared__ float s[{size}];
      const int i = threadIdx.x;
      s[i] = x[i];
      {barrier}
      y[i] = s[63 - i];
    }}
    """


@dataclass(frozen=True)
class RawFault:
    """A RawKernel that is wrong, or wrongly called, and what is said about it."""

    code: str
    args: Callable[[Any], tuple[Any, ...]]
    error: type[Exception]
    message: str
    name: str = "rev"
    block: tuple[int, ...] = (64,)
    grid: tuple[int, ...] = (1,)
    shared: int = 0


def _given(cp: Any) -> tuple[Any, ...]:
    return cp.arange(64, dtype="f4"), cp.zeros(64, "f4"), np.int32(64)


def _only_y(cp: Any) -> tuple[Any, ...]:
    return (cp.zeros(64, "f4"),)


RIGHT = _reverse("__syncthreads();")
ONE = 'extern "C" __global__ void rev(float* y) {{ {} }}'
DEEP = """
__device__ float deep(float *p, int n) {
  volatile float a[1000];
  a[n % 1000] = n;
  return n ? deep(p, n + 1) + a[n % 1000] : 0;
}
"""
RAW_FAULTS = {
    "missing barrier": RawFault(
        _reverse(""), _given, kernels.RaceError, "race on shared memory, byte 128"
    ),
    "barrier in one branch only": RawFault(
        ONE.format(
            "if (threadIdx.x < 16) {\n__syncthreads(); } else {\n__syncthreads(); } y[0]=1;"
        ),
        _only_y,
        kernels.BarrierError,
        "different barriers, in lines 2 and 3",
    ),
    "barriers of two loops that meet in one line": RawFault(
        ONE.format(
            "for (int k = 0; k < threadIdx.x; ++k) __syncthreads(); "
            "for (int k = 0; k < 2; ++k) __syncthreads(); y[threadIdx.x] = 1;"
        ),
        _only_y,
        kernels.BarrierError,
        "different barriers, in line 1",
        block=(4,),
    ),
    "a sum that begins with nothing": RawFault(
        ONE.format("float s;\ns += threadIdx.x; y[threadIdx.x] = s;"),
        _only_y,
        kernels.UninitialisedError,
        "source:2: the local variable 's' is read before anything was written to it",
    ),
    "a warp waits for those who wait for the block": RawFault(
        ONE.format("if (threadIdx.x < 16) __syncthreads(); else __syncwarp(); y[threadIdx.x] = 1;"),
        _only_y,
        kernels.BarrierError,
        "never come to the barrier",
        block=(32,),
    ),
    "shared memory nobody has written": RawFault(
        ONE.format(
            "__shared__ float s[64]; const int i = threadIdx.x; if (i) s[i] = 1; "
            "__syncthreads(); y[i] = s[i];"
        ),
        _only_y,
        kernels.UninitialisedError,
        "depends on shared memory before anything",
    ),
    "past the end of shared memory": RawFault(
        _reverse("__syncthreads();", 32), _given, kernels.OutOfBoundsError, "local or shared array"
    ),
    "dynamic shared memory too small": RawFault(
        ONE.format("extern __shared__ float s[]; s[threadIdx.x] = 1; y[threadIdx.x] = 1;"),
        _only_y,
        kernels.OutOfBoundsError,
        "shared memory, byte 128 is out of bounds",
        shared=128,
    ),
    "one past the end is read": RawFault(
        RIGHT,
        lambda cp: (cp.arange(63, dtype="f4"), *_given(cp)[1:]),
        kernels.OutOfBoundsError,
        "argument 'x' (float32, shape (63,)): element 63 is out of bounds",
    ),
    "one before the beginning is written": RawFault(
        ONE.format("y[(int)threadIdx.x - 1] = 1;"),
        _only_y,
        kernels.OutOfBoundsError,
        "argument 'y' (float32, shape (64,)): element -1 is out of bounds",
    ),
    "far away": RawFault(
        ONE.format("y[1000000000LL] = 1;"),
        _only_y,
        kernels.OutOfBoundsError,
        "an address that belongs to no argument is written",
    ),
    "through a null pointer": RawFault(
        ONE.format("y[0] = 1;"), lambda cp: (None,), kernels.OutOfBoundsError, "no argument"
    ),
    "sum without atomics": RawFault(
        ONE.format("y[0] += threadIdx.x;"), _only_y, kernels.RaceError, "race on argument 'y'"
    ),
    "blocks that read each other": RawFault(
        ONE.format("y[blockIdx.x] = blockIdx.x ? y[blockIdx.x - 1] + 1 : 0;"),
        _only_y,
        kernels.RaceError,
        "race on argument 'y'",
        block=(1,),
        grid=(8,),
    ),
    "array of another type": RawFault(
        RIGHT,
        lambda cp: (cp.arange(64.0), *_given(cp)[1:]),
        kernels.ArgumentError,
        "'x' has dtype float64, and the kernel's parameter is const float *",
    ),
    "number of another type": RawFault(
        RIGHT,
        lambda cp: (*_given(cp)[:2], 64.0),
        kernels.ArgumentError,
        "'n' is a float64 of 8 bytes, and the kernel's parameter is int",
    ),
    "number for an array": RawFault(
        RIGHT, lambda cp: (1.0, *_given(cp)[1:]), kernels.ArgumentError, "const float *"
    ),
    "array for a number": RawFault(
        RIGHT, lambda cp: (*_given(cp)[:2], cp.zeros(1, "i4")), kernels.ArgumentError, "is an array"
    ),
    "too few arguments": RawFault(
        RIGHT, lambda cp: _given(cp)[:2], kernels.ArgumentError, "3 arguments expected, 2 given"
    ),
    "array of NumPy": RawFault(
        RIGHT, lambda cp: (np.zeros(64, "f4"), *_given(cp)[1:]), TypeError, "Unsupported type"
    ),
    "block too large": RawFault(
        RIGHT, _given, kernels.CUDADriverError, "CUDA_ERROR_INVALID_VALUE", block=(2048,)
    ),
    "too much shared memory": RawFault(
        RIGHT, _given, kernels.CUDADriverError, "CUDA_ERROR_INVALID_VALUE", shared=1 << 20
    ),
    "no such kernel": RawFault(
        RIGHT, _given, kernels.CUDADriverError, "CUDA_ERROR_NOT_FOUND", name="other"
    ),
    "a kernel without extern C": RawFault(
        "__global__ void rev(float* y) { y[0] = 1; }",
        _only_y,
        kernels.CUDADriverError,
        "CUDA_ERROR_NOT_FOUND",
    ),
    "syntax": RawFault(
        'extern "C" __global__ void rev(float* y) {\n  y[0] = ;\n}',
        _only_y,
        kernels.CompileException,
        "rev: source(2): error: ",
    ),
    "complex without its header": RawFault(
        ONE.format("complex<float> z(1, 2); y[0] = z.real();"),
        _only_y,
        kernels.CompileException,
        "complex",
    ),
    "trap": RawFault(ONE.format("__trap();"), _only_y, kernels.UndefinedError, "__trap()"),
    "a vector across the alignment of its type": RawFault(
        ONE.format("((float4 *)(y + 1))[threadIdx.x] = make_float4(1, 2, 3, 4);"),
        _only_y,
        kernels.UndefinedError,
        "misaligned address: argument 'y' (float32, shape (64,)): element 1",
        block=(4,),
    ),
    "a view that begins between two vectors": RawFault(
        'extern "C" __global__ void rev(float2 *p) { p[threadIdx.x] = make_float2(1, 2); }',
        lambda cp: (cp.zeros(65, "f4")[1:],),
        kernels.UndefinedError,
        "misaligned address: argument 'p'",
        block=(4,),
    ),
    "doubles for vectors of floats": RawFault(
        'extern "C" __global__ void rev(float2 *p) { p[threadIdx.x] = make_float2(1, 2); }',
        lambda cp: (cp.zeros(64, "c16"),),
        kernels.ArgumentError,
        "'p' has dtype complex128, and the kernel's parameter is a vector of 2 float *",
    ),
    "doubles for complex numbers of floats": RawFault(
        "#include <cupy/complex.cuh>\n"
        'extern "C" __global__ void rev(complex<float> *p) { p[threadIdx.x] = 1.0f; }',
        lambda cp: (cp.zeros(64, "c16"),),
        kernels.ArgumentError,
        "'p' has dtype complex128",
    ),
    "floats for halves": RawFault(
        "#include <cuda_fp16.h>\n"
        'extern "C" __global__ void rev(__half *p) { p[threadIdx.x] = __float2half(1); }',
        _only_y,
        kernels.ArgumentError,
        "the kernel's parameter is half *",
    ),
    "a negative size": RawFault(
        'extern "C" __global__ void rev(float *y, size_t n) { if (threadIdx.x < n) y[0] = 1; }',
        lambda cp: (*_only_y(cp), -1),
        kernels.ArgumentError,
        "'n' is -1, which unsigned long long cannot hold",
    ),
    "a column taken for contiguous": RawFault(
        ONE.format("y[threadIdx.x] = 1;"),
        lambda cp: (cp.zeros((64, 2), "f4")[:, 0],),
        kernels.OutOfBoundsError,
        "byte 4 from its first element is out of bounds",
    ),
    "a lane that takes no part is asked": RawFault(
        ONE.format(
            "int i = threadIdx.x; float v = i;"
            "if (i < 16) v += __shfl_down_sync(0xFFFFFFFF, v, 8); y[i] = v;"
        ),
        _only_y,
        kernels.UninitialisedError,
        "or on a lane of its warp that takes no part",
        block=(32,),
    ),
    "endless recursion": RawFault(
        DEEP + ONE.format("y[0] = deep(y, 1);"),
        _only_y,
        kernels.UndefinedError,
        "needs more memory of its own than a thread has",
        block=(1,),
    ),
    "endless recursion beside barriers": RawFault(
        DEEP + ONE.format("__syncthreads(); y[0] = deep(y, 1);"),
        _only_y,
        kernels.UndefinedError,
        "needs more memory of its own than a thread has",
        block=(2,),
    ),
}


@pytest.mark.parametrize("name", RAW_FAULTS)
def test_faults_of_raw_kernels(emulated: Any, name: str) -> None:
    fault = RAW_FAULTS[name]
    args = fault.args(emulated)
    before = [emulated.asnumpy(a) if isinstance(a, emulated.ndarray) else a for a in args]
    kernel = emulated.RawKernel(fault.code, fault.name)
    with pytest.raises(fault.error) as caught:
        kernel(fault.grid, fault.block, args, shared_mem=fault.shared)
    assert fault.message in str(caught.value)
    for old, new in zip(before, args, strict=True):
        if isinstance(new, emulated.ndarray):
            np.testing.assert_array_equal(emulated.asnumpy(new), old)


@dataclass(frozen=True)
class Reduction:
    """A ReductionKernel and what is said about it; nothing where it may be combined as it is."""

    reduce_expr: str
    identity: str | None
    error: type[Exception] | None = None
    message: str = ""
    dtype: str = "f8"
    reduce_type: str | None = None
    map_expr: str = "x"
    post_map_expr: str = "y = a"
    out: str = "T y"


_BEST = """
struct Best {
  double value; long long at;
  __device__ Best() : value(-1e300), at(-1) {}
  __device__ Best(double v, long long k) : value(v), at(k) {}
};
__device__ Best first(Best a, Best b) {
  if (a.value == b.value) return a.at < b.at ? a : b;
  return a.value > b.value ? a : b;
}
struct Moments {
  double n, mean, m2;
  __device__ Moments() : n(0), mean(0), m2(0) {}
  __device__ Moments(double x) : n(1), mean(x), m2(0) {}
};
__device__ Moments joined(Moments a, Moments b) {
  Moments r; r.n = a.n + b.n;
  if (r.n == 0) return r;
  const double d = b.mean - a.mean;
  r.mean = a.mean + d * b.n / r.n; r.m2 = a.m2 + b.m2 + d * d * a.n * b.n / r.n;
  return r;
}
"""
_ORDER = "the order in which elements are combined changes the result"
REDUCTIONS = {
    "difference": Reduction("a - b", "0", kernels.RaceError, _ORDER, "i8"),
    "difference of halves": Reduction("a - b", "0", kernels.RaceError, _ORDER, "f2"),
    "difference of complex numbers": Reduction("a - b", "0", kernels.RaceError, _ORDER, "c16"),
    "mean of two": Reduction("(a + b) / 2", "0", kernels.RaceError, "when the last two are"),
    "square of the second": Reduction("a + b * b", "0", kernels.RaceError, _ORDER),
    "the last of several": Reduction("a.value > b.value ? a : b", "Best()", kernels.RaceError,
        _ORDER, "f8", "Best", "Best(x, _J)", "y = a.at", "int64 y"),
    "an identity that adds": Reduction("a + b", "1", kernels.UndefinedError,
        "the identity is not neutral: combined with itself, 1 gives 2"),
    "sum": Reduction("a + b", "0"),
    "sum of floats": Reduction("a + b", "0", dtype="f4"),
    "sum of halves": Reduction("a + b", "0", dtype="f2"),
    "product of complex numbers": Reduction("a * b", "1", dtype="c8"),
    "maximum that bounds": Reduction("max(a, b)", "0"),
    "without identity": Reduction("a + b", None),
    "logarithm of a sum": Reduction("max(a, b) + log1p(exp(-abs(a - b)))", "-1e30"),
    "rounded to float": Reduction("(float)(a + b)", "0"),
    "the first of several": Reduction("first(a, b)", "Best()", None, "", "f8", "Best",
        "Best(x, _J)", "y = a.at", "int64 y"),
    "moments": Reduction("joined(a, b)", "Moments()", None, "", "f8", "Moments", "Moments(x)",
        "y = a.m2 / a.n"),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_may_be_combined_in_any_order(emulated: Any, name: str) -> None:
    case = REDUCTIONS[name]
    kernel = emulated.ReductionKernel(
        "T x", case.out, case.map_expr, case.reduce_expr, case.post_map_expr, case.identity,
        "planted", case.reduce_type, preamble=_BEST,
    )  # fmt: skip
    x = emulated.asarray((np.arange(700) // 3 * 7 % 11).astype(case.dtype))
    if case.error is None:
        columns = x.reshape(70, 10)
        found = emulated.asnumpy(kernel(columns, axis=0))
        one_by_one = [emulated.asnumpy(kernel(columns[:, k])) for k in range(10)]
        np.testing.assert_allclose(found, one_by_one, rtol=1e-5)
        assert kernel(x).shape == ()
        return
    with pytest.raises(case.error) as caught:
        kernel(x)
    assert case.message in str(caught.value)


def test_sums_that_leave_the_types_range_are_no_fault(emulated: Any) -> None:
    total = emulated.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
    x = np.concatenate([np.full(600, 1.5e308), np.full(600, -1.5e308)])
    total(emulated.asarray(x))  # infinite, nothing or no number, by the order
    assert float(total(emulated.asarray(np.array([1e16, 1.0, -1e16, np.inf, 3.0])))) == np.inf


_DOUBLED = """
extern "C" __global__ void rev(const float *x, float *y, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = x[i] * 2;
}
"""


def test_what_nobody_has_written_may_stay_so_and_not_be_read(emulated: Any) -> None:
    kernel = emulated.RawKernel(_DOUBLED, "rev")
    x, y = emulated.empty(8, "f4"), emulated.empty(8, "f4")
    x[:4] = 1
    kernel((1,), (8,), (x, y, 4))
    assert y[:4].tolist() == [2, 2, 2, 2]
    with pytest.raises(kernels.UninitialisedError, match=r"'y'\[4\] depends on elements of .*'x'"):
        kernel((1,), (8,), (x, y, 8))
    again = emulated.RawKernel(ONE.format("y[threadIdx.x] += 1;"), "rev")
    with pytest.raises(kernels.UninitialisedError, match="elements of 'y' that nobody has"):
        again((1,), (8,), (y,))
    again((1,), (4,), (y,))
    assert y[:4].tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize("shape", [(3,), (2, 3), (40, 100), ()])
@pytest.mark.parametrize("order", ["C", "F"])
def test_new_memory_is_seen_to_be_no_data(emulated: Any, shape: Any, order: str) -> None:
    pattern = np.frombuffer(b"\xcb" * 8)[0]
    for made in (
        emulated.empty(shape, order=order),
        emulated.ndarray(shape, order=order),
        emulated.empty_like(emulated.zeros(shape, order=order)),
    ):
        flat = made.ravel(order)
        assert flat[0] == flat[-1] == pattern


def test_new_memory_may_have_its_axes_in_any_order(emulated: Any) -> None:
    box = emulated.zeros((2, 3, 4)).transpose(1, 0, 2)
    made = emulated.empty_like(box)
    assert made.strides == box.strides
    assert (made == np.frombuffer(b"\xcb" * 8)[0]).all()


def test_threads_that_end_before_a_barrier_are_told(emulated: Any) -> None:
    kernel = emulated.RawKernel(
        ONE.format("if (threadIdx.x >= 40) return;\n__syncthreads();\ny[threadIdx.x] = 1;"), "rev"
    )
    y = emulated.zeros(64, "f4")
    told = "thread 40 of block 0 .index 40. ends before the barrier in line 2"
    with pytest.warns(kernels.BarrierWarning, match=told):
        kernel((1,), (64,), (y,))
    assert int(y.sum()) == 40


def test_what_is_written_through_a_cast_stays_written(emulated: Any) -> None:
    kernel = emulated.RawKernel(
        'extern "C" __global__ void rev(const float *x) { ((float *)x)[threadIdx.x] = 3; }', "rev"
    )
    x = emulated.zeros(8, "f4")
    kernel((1,), (8,), (x,))
    np.testing.assert_array_equal(emulated.asnumpy(x), np.full(8, 3, "f4"))


def test_a_race_in_a_reduction(emulated: Any) -> None:
    kernel = emulated.ReductionKernel(
        "T x, raw T w", "T y", "(const_cast<T &>(w[0]) += x)", "a + b", "y = a", "0", "planted"
    )
    with pytest.raises(kernels.RaceError, match="'w'"):
        kernel(emulated.ones(100), emulated.zeros(1))


def test_a_kernel_is_fine_after_a_fault(emulated: Any) -> None:
    kernel = emulated.ElementwiseKernel("raw T x, int64 by", "T y", "y = x[i + by];", "after")
    x = emulated.arange(4.0)
    for _ in range(3):
        with pytest.raises(kernels.OutOfBoundsError):
            kernel(x, 1, emulated.zeros(4))
        np.testing.assert_array_equal(emulated.asnumpy(kernel(x, 0, emulated.zeros(4))), range(4))


def test_fast_mode_survives_division_by_zero(emulated: Any) -> None:
    kernel = emulated.ElementwiseKernel("T x", "T y", "y = 1 / x;", "divide")
    with kernels.checks("fast"), pytest.raises(kernels.UndefinedError, match="division by zero"):
        kernel(emulated.zeros(3, "i4"))


def test_shared_cells_may_be_reused_after_a_barrier(emulated: Any) -> None:
    """No false alarm: the same cell belongs to another thread in each phase."""
    kernel = emulated.RawKernel(
        r"""
        extern "C" __global__ void shift(int* y) {
          __shared__ int s[32];
          const int i = threadIdx.x;
          s[i] = i;
          for (int k = 0; k < 5; ++k) {
            __syncthreads();
            const int v = s[(i + 1) % 32];
            __syncthreads();
            s[i] = v;
          }
          y[i] = s[i];
        }
        """,
        "shift",
    )
    y = emulated.zeros(32, "i4")
    kernel((3,), (32,), (y,))
    np.testing.assert_array_equal(emulated.asnumpy(y), np.roll(np.arange(32), -5))


def test_many_threads_may_write_the_same(emulated: Any) -> None:
    kernel = emulated.ElementwiseKernel(
        "T x", "raw bool found", "if (x > 3) found[0] = true;", "any"
    )
    found = emulated.zeros(1, bool)
    kernel(emulated.arange(9.0), found)
    assert bool(found[0])


@pytest.mark.parametrize(
    "code",
    [
        "while (atomicAdd(&flag[0], 0) == 0) {} if (i == 1) flag[0] = 1;",
        "for (volatile int k = 0; k >= 0;) flag[i] = k;",
    ],
)
def test_threads_that_do_not_end(emulated: Any, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(binary, "STEP_LIMIT", 100_000)
    kernel = emulated.ElementwiseKernel("raw int32 x", "raw int32 flag", code, "endless")
    with pytest.raises(kernels.EndlessError, match="thread 0 of block 0"):
        kernel(emulated.zeros(2, "i4"), emulated.zeros(2, "i4"), size=2)
