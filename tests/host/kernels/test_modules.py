"""RawModules and RawKernels beyond launches: variables, logs, pickles, pointers, translations."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import pytest

from gpuport.host.kernels import checks
from gpuport.host.kernels.errors import CUDADriverError

TABLE = r"""
__constant__ float table[4];
__device__ int calls = 0;
extern "C" __global__ void look(float* out) {
  out[threadIdx.x] = table[threadIdx.x] * 2.0f;
  if (threadIdx.x == 0) calls += 1;
}
"""


def test_variables_of_a_module(cp: Any) -> None:
    module = cp.RawModule(code=TABLE)
    look = module.get_function("look")
    table = cp.ndarray(4, cp.float32, module.get_global("table"))
    table[...] = cp.arange(4, dtype=cp.float32)
    out = cp.zeros(4, dtype=cp.float32)
    look((1,), (4,), (out,))
    look((1,), (4,), (out,))
    assert out.tolist() == [0.0, 2.0, 4.0, 6.0]
    assert cp.ndarray(1, cp.int32, module.get_global("calls")).tolist() == [2]


def test_variables_have_their_size(emulated: Any) -> None:
    module = emulated.RawModule(code=TABLE)
    assert module.get_global("table").mem.size == 16
    with pytest.raises(CUDADriverError, match="CUDA_ERROR_NOT_FOUND"):
        module.get_global("missing")


def test_variables_belong_to_one_kind_of_checks(emulated: Any) -> None:
    module = emulated.RawModule(code=TABLE.replace("2.0f", "3.0f"))
    module.get_global("table")
    with checks("fast"), pytest.raises(NotImplementedError, match="other kind of kernel checks"):
        module.get_function("look")


def test_warnings_of_the_compiler(cp: Any) -> None:
    code = 'extern "C" __global__ void f(int* x) { int unused; x[0] = 1; }'
    log = io.StringIO()
    kernel = cp.RawKernel(code, "f")
    kernel.compile(log_stream=log)
    assert "warning" in log.getvalue()
    assert "unused" in log.getvalue()
    x = cp.zeros(1, dtype=cp.int32)
    kernel((1,), (1,), (x,))
    assert x.tolist() == [1]


def test_kernels_and_modules_are_pickled(cp: Any) -> None:
    module = pickle.loads(pickle.dumps(cp.RawModule(code=TABLE)))
    kernel = pickle.loads(pickle.dumps(module.get_function("look")))
    out = cp.ones(4, dtype=cp.float32)
    kernel((1,), (4,), (out,))
    assert out.size == 4


def test_c_style_complex_numbers_over_thrust(cp: Any) -> None:
    code = r"""
    #include <cuComplex.h>
    extern "C" __global__ void f(cuDoubleComplex* a, cuDoubleComplex* b, cuDoubleComplex* out) {
      const int i = threadIdx.x;
      out[i] = cuCfma(cuCmul(a[i], b[i]), cuConj(a[i]), cuCdiv(a[i], b[i]));
    }
    """
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 8)) + 1j * rng.normal(size=(2, 8))
    out = cp.zeros(8, dtype=complex)
    kernel = cp.RawKernel(code, "f", translate_cucomplex=True)
    kernel((1,), (8,), (cp.asarray(a), cp.asarray(b), out))
    np.testing.assert_allclose(out.get(), a * b * a.conj() + a / b, rtol=1e-14)


def test_pointers_are_arguments(cp: Any) -> None:
    kernel = cp.RawKernel('extern "C" __global__ void f(double* x) { x[threadIdx.x] *= 2.0; }', "f")
    memory = cp.cuda.alloc(4 * 8)
    x = cp.ndarray(4, "f8", memory)
    x[...] = cp.arange(4.0)
    kernel((1,), (2,), (memory + 16,))
    assert x.tolist() == [0.0, 1.0, 4.0, 6.0]


def test_a_pointer_has_an_end(emulated: Any) -> None:
    from gpuport.host.kernels.errors import KernelFault

    kernel = emulated.RawKernel(
        'extern "C" __global__ void f(double* x) { x[threadIdx.x] = 2.0; }', "f"
    )
    with pytest.raises(KernelFault, match="'x'"):
        kernel((1,), (5,), (emulated.cuda.alloc(4 * 8),))


def test_missing_headers_are_named_as_nvrtc_names_them(emulated: Any, tmp_path: Any) -> None:
    (tmp_path / "inner.h").write_text("#include <nowhere.h>\n")
    kernel = emulated.RawKernel(
        '#include "inner.h"\nextern "C" __global__ void f(int* x) {}', "f", (f"-I{tmp_path}",)
    )
    with pytest.raises(Exception, match=r'cannot open source file "nowhere\.h"'):
        kernel.compile()


def test_jitify_is_deprecated(emulated: Any) -> None:
    code = 'extern "C" __global__ void f(int* x) {}'
    with pytest.warns(DeprecationWarning, match="Avoid passing `jitify=False`"):
        emulated.RawKernel(code, "f", jitify=False)
    with pytest.warns(DeprecationWarning, match="jitify=True is deprecated"):
        emulated.RawModule(code=code, jitify=True)


def test_compiled_modules_are_refused(emulated: Any, tmp_path: Any) -> None:
    with pytest.raises(CUDADriverError, match="FILE_NOT_FOUND"):
        emulated.RawModule(path=str(tmp_path / "no.cubin"))
    (tmp_path / "some.cubin").write_bytes(b"x")
    with pytest.raises(NotImplementedError, match="not compiled modules"):
        emulated.RawModule(path=str(tmp_path / "some.cubin"))
