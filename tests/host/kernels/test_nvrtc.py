"""Kernels compile for GPUs, where NVRTC's wheel is installed; they are not run."""

from __future__ import annotations

import importlib.util
from types import SimpleNamespace
from typing import Any

import pytest

from gpuport.host.kernels import CompileException, building, nvrtc
from gpuport.host.kernels import source as texts

needs_nvrtc = pytest.mark.skipif(not nvrtc.available(), reason="NVRTC's wheel is not installed")


@pytest.fixture
def kernels(emulated: Any) -> SimpleNamespace:
    """One kernel of each sort, after a run on the host."""
    cp = emulated
    found = SimpleNamespace(
        map=cp.ElementwiseKernel("T x, raw T y", "T z", "z = 2 * x + y[i];", "line"),
        reduce=cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "length"),
        raw=cp.RawKernel(
            'extern "C" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }', "twice"
        ),
    )
    found.map(cp.ones((3, 4))[:, ::2], cp.ones(6))
    found.reduce(cp.ones((3, 4), dtype="f4"), axis=1)
    found.raw((1,), (4,), (cp.ones(4, dtype="f4"),))
    return found


@needs_nvrtc
@pytest.mark.parametrize("name", ["map", "reduce", "raw"])
def test_each_sort_of_kernel_compiles(kernels: Any, name: str) -> None:
    kernel = getattr(kernels, name)
    known = [number for number in nvrtc.WANTED if number in nvrtc.architectures()]
    found = nvrtc.check(kernel)
    assert [one.architecture for one in found] == known
    assert {one.kernel for one in found} == {kernel.name}
    assert all(one.registers > 0 for one in found)


@needs_nvrtc
def test_each_set_of_types_is_compiled(emulated: Any) -> None:
    kernel = emulated.ElementwiseKernel("T x", "T y", "y = x + 1", "types")
    for dtype in ("f4", "f8", "i4"):
        kernel(emulated.ones(3, dtype=dtype))
    assert len(nvrtc.check(kernel, [80])) == 3


@needs_nvrtc
def test_templates_are_compiled_for_their_expressions(emulated: Any) -> None:
    module = emulated.RawModule(
        code="template <typename T> __global__ void twice(T *x) { *x *= 2; }",
        name_expressions=["twice<float>", "twice<double>"],
    )
    module.get_function("twice<float>")
    assert len(nvrtc.check(module, [80])) == 2


@needs_nvrtc
def test_spills_are_reported(emulated: Any) -> None:
    sums = "\n".join(f"float a{k} = x[{k}];" for k in range(200))
    uses = " + ".join(f"a{k} * a{199 - k}" for k in range(200))
    code = f"""extern "C" __global__ __launch_bounds__(1024, 2) void many(float *x) {{
        {sums}
        __syncthreads();
        x[0] = {uses};
    }}"""
    built = building.Source("many", "", texts.RAW_HEADER, (("source", code),), ())
    (found,) = nvrtc._compile(built, 80)
    assert found.spill_stores > 0 < found.spill_loads


@needs_nvrtc
def test_errors_are_about_the_kernels_own_lines(emulated: Any) -> None:
    kernel = emulated.ElementwiseKernel(
        "int32 x", "int32 y", "\ny = x;\ny += __builtin_popcount(x);", "counted"
    )
    try:
        kernel(emulated.ones(3, dtype="i4"))
    except CompileException:
        pytest.skip("the host's compiler does not know the function either")
    with pytest.raises(CompileException) as caught:
        nvrtc.check(kernel, [80])
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("counted (sm_80): operation(3): error:")
    assert lines[1].strip() == "y += __builtin_popcount(x);"


@needs_nvrtc
@pytest.mark.parametrize(
    ("reduce_expr", "post_map_expr", "part"),
    [
        ("a + b + __builtin_popcount(0)", "y = a", "reduce_expr"),
        ("a + b", "y = a + __builtin_popcount(0)", "post_map_expr"),
    ],
)
def test_errors_in_a_reduction_name_the_expression(
    emulated: Any, reduce_expr: str, post_map_expr: str, part: str
) -> None:
    kernel = emulated.ReductionKernel("T x", "T y", "x", reduce_expr, post_map_expr, "0", "summed")
    try:
        kernel(emulated.ones(3, dtype="i4"))
    except CompileException:
        pytest.skip("the host's compiler does not know the function either")
    with pytest.raises(CompileException) as caught:
        nvrtc.check(kernel, [80])
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"summed (sm_80): {part}(1): error:")
    assert lines[1].strip() == (reduce_expr if part == "reduce_expr" else post_map_expr)


@needs_nvrtc
def test_a_header_that_is_missing_is_no_error_of_the_kernel(
    emulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvrtc, "_cupy_headers", lambda: None)
    monkeypatch.setattr(nvrtc, "_nvidia_folders", list)
    kernel = emulated.RawKernel(
        "#include <cuda_fp16.h>\n"
        'extern "C" __global__ void halves(__half *x) { x[0] = __float2half(1); }',
        "halves",
    )
    kernel((1,), (1,), (emulated.ones(1, dtype="f2"),))
    with pytest.raises(nvrtc.UnavailableError, match=r"cuda_fp16\.h.*nvidia-cuda-runtime-cu12"):
        nvrtc.check(kernel, [80])


@needs_nvrtc
def test_every_kernel_of_the_process(kernels: Any) -> None:
    known = [one for one in building.SOURCES if one.name in ("line", "length", "twice")]
    assert {one.name for one in known} == {"line", "length", "twice"}
    mine = dict.fromkeys(known)
    before = dict(building.SOURCES)
    try:
        building.SOURCES.clear()
        building.SOURCES.update(mine)
        assert {one.kernel for one in nvrtc.check_all([80])} >= {"line", "length", "twice"}
    finally:
        building.SOURCES.clear()
        building.SOURCES.update(before)


@needs_nvrtc
def test_unknown_architectures_are_no_success(kernels: Any) -> None:
    with pytest.raises(nvrtc.UnavailableError, match="compiles for none of"):
        nvrtc.check(kernels.map, [1])


@needs_nvrtc
def test_a_kernel_that_has_not_run_is_not_checked(emulated: Any) -> None:
    kernel = emulated.ElementwiseKernel("T x", "T y", "y = x - 7;", "never")
    with pytest.raises(ValueError, match="has not run on the host"):
        nvrtc.check(kernel)


def test_without_nvrtc_nothing_is_called_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    nvrtc._library.cache_clear()
    real = importlib.util.find_spec
    with monkeypatch.context() as patch:
        patch.setattr(
            importlib.util,
            "find_spec",
            lambda name, *rest: None if name == "nvidia" else real(name, *rest),
        )
        assert not nvrtc.available()
        with pytest.raises(nvrtc.UnavailableError, match="pip install nvidia-cuda-nvrtc"):
            nvrtc.check_all()
    nvrtc._library.cache_clear()


def test_headers_that_are_missing_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "_cupy_headers", lambda: None)
    text = f'#include "{texts.ELEMENTWISE_HEADER}"\ntypedef float16 T;\n'
    built = building.Source("half", text, texts.ELEMENTWISE_HEADER, (), ())
    with pytest.raises(nvrtc.UnavailableError, match="kernel 'half' uses float16"):
        nvrtc._device_text(built)
