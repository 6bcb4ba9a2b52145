"""RawKernels and RawModules: grids, barriers, shared memory, warps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(5)


def test_one_axis(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void axpy(const double* x, double* y, double a, int n) {
          const int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) y[i] = a * x[i] + y[i];
        }
        """,
        "axpy",
        options=("--fmad=false",),
    )
    x, y = RNG.normal(size=(2, 1000))
    target = cp.asarray(y)
    kernel((4,), (256,), (cp.asarray(x), target, 2.5, np.int32(1000)))
    same(target, 2.5 * x + y)


def test_three_axes(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void where(int* out, int nx, int ny) {
          const int x = blockIdx.x * blockDim.x + threadIdx.x;
          const int y = blockIdx.y * blockDim.y + threadIdx.y;
          const int z = blockIdx.z * blockDim.z + threadIdx.z;
          out[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z + 1000000 * gridDim.y;
        }
        """,
        "where",
    )
    out = cp.zeros((6, 4, 8), "i4")
    kernel((2, 2, 3), (4, 2, 2), (out, np.int32(8), np.int32(4)))
    z, y, x = np.indices((6, 4, 8), dtype="i4")
    same(out, x + 100 * y + 10000 * z + np.int32(2000000))


@pytest.mark.parametrize("dynamic", [False, True])
def test_reverse_in_shared_memory(cp: Any, same: Any, dynamic: bool) -> None:
    memory = "extern __shared__ float s[];" if dynamic else "__shared__ float s[64];"
    kernel = cp.RawKernel(
        rf"""
        extern "C" __global__ void rev(const float* x, float* y) {{
          {memory}
          const int i = threadIdx.x, first = blockIdx.x * 64;
          s[i] = x[first + i];
          __syncthreads();
          y[first + i] = s[63 - i];
        }}
        """,
        "rev",
    )
    x = RNG.normal(size=(5, 64)).astype("f4")
    y = cp.zeros_like(cp.asarray(x))
    kernel((5,), (64,), (cp.asarray(x), y), shared_mem=256 if dynamic else 0)
    same(y, x[:, ::-1])


def test_tree_of_sums(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void total(const int* x, int* out, int n) {
          __shared__ int s[128];
          const int t = threadIdx.x, i = blockIdx.x * 128 + t;
          s[t] = i < n ? x[i] : 0;
          __syncthreads();
          for (int step = 64; step > 0; step >>= 1) {
            if (t < step) s[t] += s[t + step];
            __syncthreads();
          }
          if (t == 0) atomicAdd(out, s[0]);
        }
        """,
        "total",
    )
    x = RNG.integers(-100, 100, 1000).astype("i4")
    out = cp.zeros(1, "i4")
    kernel((8,), (128,), (cp.asarray(x), out, np.int32(1000)))
    same(out, np.array([x.sum()], "i4"))


def test_matrix_product_in_tiles(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        #define TILE 8
        extern "C" __global__ void gemm(const double* a, const double* b, double* c, int n) {
          __shared__ double sa[TILE][TILE], sb[TILE][TILE];
          const int x = threadIdx.x, y = threadIdx.y;
          const int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
          double sum = 0;
          for (int k = 0; k < n; k += TILE) {
            sa[y][x] = a[row * n + k + x];
            sb[y][x] = b[(k + y) * n + col];
            __syncthreads();
            for (int j = 0; j < TILE; ++j) sum += sa[y][j] * sb[j][x];
            __syncthreads();
          }
          c[row * n + col] = sum;
        }
        """,
        "gemm",
    )
    a, b = RNG.integers(-5, 5, (2, 24, 24)).astype("f8")
    c = cp.zeros((24, 24))
    kernel((3, 3), (8, 8), (cp.asarray(a), cp.asarray(b), c, np.int32(24)))
    same(c, a @ b)


@pytest.mark.filterwarnings("ignore::gpuport.host.kernels.BarrierWarning")
def test_threads_may_leave_before_a_barrier(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void early(const int* x, int* y, int n) {
          __shared__ int s[32];
          const int i = threadIdx.x;
          if (i >= n) return;
          s[i] = x[i];
          __syncthreads();
          y[i] = s[n - 1 - i];
        }
        """,
        "early",
    )
    x = np.arange(20, dtype="i4")
    y = cp.zeros(20, "i4")
    kernel((1,), (32,), (cp.asarray(x), y, np.int32(20)))
    same(y, x[::-1])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("__shfl_down_sync(~0u, v, 1)", lambda v: np.append(v[1:], v[31])),
        ("__shfl_up_sync(~0u, v, 2)", lambda v: np.append(v[:2], v[:-2])),
        ("__shfl_xor_sync(~0u, v, 5)", lambda v: v[np.arange(32) ^ 5]),
        ("__shfl_sync(~0u, v, 7)", lambda v: np.full(32, v[7])),
        ("__shfl_sync(~0u, v, 3, 8)", lambda v: np.repeat(v[3::8], 8)),
        ("__popc(__ballot_sync(~0u, v > 1050))", lambda v: np.full(32, (v > 1050).sum())),
        ("__any_sync(~0u, v == 1003)", lambda v: np.ones(32)),
        ("__all_sync(~0u, v > 1003)", lambda v: np.zeros(32)),
        ("__syncthreads_count(v > 1050)", lambda v: np.full(32, (v > 1050).sum())),
    ],
)
def test_warps(cp: Any, same: Any, expression: str, expected: Any) -> None:
    kernel = cp.RawKernel(
        rf"""
        extern "C" __global__ void lanes(const int* x, int* y) {{
          const int v = x[threadIdx.x];
          y[threadIdx.x] = {expression};
        }}
        """,
        "lanes",
    )
    x = (1000 + 3 * np.arange(32)).astype("i4")
    y = cp.zeros(32, "i4")
    kernel((1,), (32,), (cp.asarray(x), y))
    same(y, expected(x).astype("i4"))


def test_the_last_block_adds_up_what_the_others_published(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void last(const int* x, int* part, unsigned* done, int* out) {
          part[blockIdx.x] = x[blockIdx.x] * 2;
          __threadfence();
          if (atomicAdd(done, 1u) == gridDim.x - 1) {
            int sum = 0;
            for (int b = 0; b < gridDim.x; ++b) sum += part[b];
            out[0] = sum;
          }
        }
        """,
        "last",
    )
    x = np.arange(10, dtype="i4")
    part, done, out = cp.zeros(10, "i4"), cp.zeros(1, "u4"), cp.zeros(1, "i4")
    kernel((10,), (1,), (cp.asarray(x), part, done, out))
    same(out, np.array([90], "i4"))


MODULE = r"""
__constant__ float weights[3] = {1.0f, 2.0f, 3.0f};
template <typename T> __device__ T square(T v) { return v * v; }
template <typename T, int n> __global__ void powers(const T* x, T* y) {
  const int i = threadIdx.x;
  T v = x[i];
  for (int k = 1; k < n; ++k) v *= x[i];
  y[i] = v;
}
extern "C" {
__global__ void first(const float* x, float* y) { y[threadIdx.x] = square(x[threadIdx.x]); }
__global__ void second(const float* x, float* y) {
  y[threadIdx.x] = weights[threadIdx.x % 3] * x[threadIdx.x];
}
}
"""


def test_module(cp: Any, same: Any) -> None:
    module = cp.RawModule(code=MODULE, name_expressions=["powers<float, 3>", "powers<int, 2>"])
    x = np.arange(6, dtype="f4")
    for name, expected in {
        "first": x * x,
        "second": np.array([1, 2, 3, 1, 2, 3], "f4") * x,
        "powers<float, 3>": x * x * x,
    }.items():
        y = cp.zeros(6, "f4")
        module.get_function(name)((1,), (6,), (cp.asarray(x), y))
        same(y, expected)
    y = cp.zeros(6, "i4")
    module.get_function("powers<int, 2>")((1,), (6,), (cp.arange(6, dtype="i4"), y))
    same(y, np.arange(6, dtype="i4") ** 2)


def test_complex_and_vectors(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        #include <cupy/complex.cuh>
        extern "C" __global__ void turn(const complex<float>* x, float2* y, complex<float> by) {
          const complex<float> z = x[threadIdx.x] * by;
          y[threadIdx.x] = make_float2(z.real(), z.imag());
        }
        """,
        "turn",
    )
    x = (RNG.integers(-5, 5, 16) + 1j * RNG.integers(-5, 5, 16)).astype("F")
    y = cp.zeros(16, "F")
    kernel((1,), (16,), (cp.asarray(x), y, np.complex64(1 + 2j)))
    same(y, x * np.complex64(1 + 2j))


def test_complex_in_the_style_of_c(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        #include <cuComplex.h>
        extern "C" __global__ void turn(const cuComplex* x, cuDoubleComplex* y) {
          const cuComplex z = cuCmulf(x[threadIdx.x], cuConjf(make_cuComplex(1.0f, 2.0f)));
          y[threadIdx.x] = cuCfma(cuComplexFloatToDouble(z), make_cuDoubleComplex(0, 1),
                                  make_cuDoubleComplex(cuCrealf(z), 0));
        }
        """,
        "turn",
    )
    x = (RNG.integers(-5, 5, 16) + 1j * RNG.integers(-5, 5, 16)).astype("F")
    y = cp.zeros(16, "D")
    kernel((1,), (16,), (cp.asarray(x), y))
    z = x.astype("D") * (1 - 2j)
    same(y, z * 1j + z.real)


def test_half(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        #include <cupy/float16.cuh>
        extern "C" __global__ void twice(const float16* x, float16* y) {
          y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x];
        }
        """,
        "twice",
    )
    x = RNG.normal(size=16).astype("e")
    y = cp.zeros(16, "e")
    kernel((1,), (16,), (cp.asarray(x), y))
    same(y, x + x)


def test_a_view_and_a_null_pointer(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void fill(int* x, const int* maybe) {
          x[threadIdx.x] = maybe ? maybe[0] : 7;
        }
        """,
        "fill",
    )
    base = cp.zeros(10, "i4")
    kernel((1,), (4,), (base[3:7], None))
    same(base, np.array([0, 0, 0, 7, 7, 7, 7, 0, 0, 0], "i4"))


def test_more_shared_memory_on_request(cp: Any, same: Any) -> None:
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void far(double* y, int last) {
          extern __shared__ double s[];
          s[last - threadIdx.x] = threadIdx.x;
          y[threadIdx.x] = s[last - threadIdx.x];
        }
        """,
        "far",
    )
    kernel.max_dynamic_shared_size_bytes = 64 << 10
    y = cp.zeros(8)
    kernel((1,), (8,), (y, np.int32((64 << 10) // 8 - 1)), shared_mem=64 << 10)
    same(y, np.arange(8.0))


COUNTER = r"""
__device__ int total = 5;
// __global__ void ghost(int* x)
extern "C" __global__ void count(int* y) { y[threadIdx.x] = atomicAdd(&total, 1) >= 5; }
extern "C" __global__ void __launch_bounds__(64) look(int* y) { y[0] = total; }
"""


def test_kernels_of_one_text_share_its_variables(cp: Any, same: Any) -> None:
    code = COUNTER + f"// {cp.__name__} {RNG.integers(1 << 60)}"  # a module of its own
    count, look = cp.RawKernel(code, "count"), cp.RawModule(code=code).get_function("look")
    seen, found = cp.zeros(4, "i4"), cp.zeros(1, "i4")
    for times in (1, 2, 3):
        count((1,), (4,), (seen,))
        look((1,), (1,), (found,))
        same(seen, np.ones(4, "i4"))
        same(found, np.array([5 + 4 * times], "i4"))


def test_printing(cp: Any, capfd: pytest.CaptureFixture[str]) -> None:
    kernel = cp.RawKernel(
        'extern "C" __global__ void say() { printf("thread %d\\n", threadIdx.x); }', "say"
    )
    kernel((1,), (2,), ())
    cp.cuda.Device().synchronize()
    assert sorted(capfd.readouterr().out.splitlines()) == ["thread 0", "thread 1"]
