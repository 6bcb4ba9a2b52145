"""Compiling: the cache, processes that share it, options, and hosts without a compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpuport.host import kernels
from gpuport.host.kernels import settings, toolchain

TEXT = """
#include "gpuport/raw.h"
extern "C" __global__ void f(int* x) { x[0] = 1; }
static void gpuport_body() { gpuport::call(&f); }
GPUPORT_LAUNCHER(gpuport_launch, gpuport_body, false)
""".lstrip()
needs_compiler = pytest.mark.skipif(not toolchain.available(), reason="no C++ compiler")


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path / "own"))
    assert toolchain.cache_folder() == tmp_path / "own"
    monkeypatch.delenv("GPUPORT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform != "darwin":
        assert toolchain.cache_folder() == tmp_path / "xdg" / "gpuport"


@needs_compiler
def test_what_is_cached_is_not_compiled_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path))
    first = toolchain.compile_kernel(TEXT, "gpuport/raw.h", (), True)

    def refuse(command: list[str]) -> None:
        raise AssertionError(command)

    monkeypatch.setattr(toolchain, "_run", refuse)
    assert toolchain.compile_kernel(TEXT, "gpuport/raw.h", (), True) == first
    with pytest.raises(AssertionError):
        toolchain.compile_kernel(TEXT, "gpuport/raw.h", (), False)
    with pytest.raises(AssertionError):
        toolchain.compile_kernel(TEXT + "// other", "gpuport/raw.h", (), True)
    left = [p for p in tmp_path.rglob("*") if p.is_file() and p.suffix not in (".so", ".o", ".gch")]
    assert left == []


@needs_compiler
@pytest.mark.parametrize("name", ["CPATH", "CPLUS_INCLUDE_PATH"])
def test_headers_of_the_environment_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "headers"
    folder.mkdir()
    (folder / "math.h").write_text('#error "not the system\'s"\n')
    monkeypatch.setenv(name, str(folder))
    assert toolchain.compile_kernel(TEXT, "gpuport/raw.h", (), True).exists()


@needs_compiler
def test_processes_share_an_empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path))
    program = (
        "from gpuport import host; host.install(14)\nimport cupy as cp\n"
        "k = cp.ElementwiseKernel('T x', 'T y', 'y = x + 1;')\nprint(float(k(cp.ones(3)).sum()))"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    answers = [run.communicate() for run in runs]
    assert [out.strip() for out, _ in answers] == ["6.0"] * 3, answers
    assert len(list(tmp_path.rglob("*.so"))) == 1


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "_candidates", list)
    monkeypatch.setenv("CXX", "a-compiler-that-is-not-there")
    toolchain._find.cache_clear()
    assert not toolchain.available()
    with pytest.raises(kernels.NoCompilerError, match=r"gpuport\[host\]"):
        toolchain.compiler()
    toolchain._find.cache_clear()


@needs_compiler
def test_the_compiler_named_in_cxx_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = toolchain.compiler().command
    monkeypatch.setenv("CXX", "env " + " ".join(usual))
    assert toolchain.compiler().command == ("env", *usual)
    monkeypatch.setenv("CXX", "a-compiler-that-is-not-there")
    assert toolchain.compiler().command == usual


def test_headers_of_the_user(emulated: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.cuh").write_text("__device__ double mine(double x) { return x + 7; }")
    kernel = emulated.ElementwiseKernel(
        "T x", "T y", "y = mine(x);", "k", preamble='#include "mine.cuh"',
        options=(f"-I{tmp_path}",),
    )  # fmt: skip
    assert float(kernel(emulated.ones(1))[0]) == 8


def test_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPUPORT_KERNEL_CHECKS", raising=False)
    assert settings.strict()
    monkeypatch.setenv("GPUPORT_KERNEL_CHECKS", "fast")
    assert not settings.strict()
    with kernels.checks("strict"):
        assert settings.strict()
    monkeypatch.setenv("GPUPORT_KERNEL_CHECKS", "loose")
    with pytest.raises(ValueError, match="GPUPORT_KERNEL_CHECKS=loose"):
        settings.strict()
    with pytest.raises(ValueError, match="expected 'strict' or 'fast'"), kernels.checks("loose"):
        pass


def test_errors_in_headers_are_shown_where_the_kernel_is(emulated: Any) -> None:
    code = 'extern "C" __global__ void f(float* x) {\n  x[0] = __ldg(3);\n}'
    with pytest.raises(kernels.CompileException) as caught:
        emulated.RawKernel(code, "f").compile()
    assert str(caught.value).startswith("f: source(2): error: ")
    assert "x[0] = __ldg(3);" in str(caught.value)
    assert caught.value.source == code


def test_a_difference_with_zero_keeps_its_sign(cp: Any) -> None:
    counts = cp.arange(-1, 2)
    kernel = cp.ElementwiseKernel("int64 k", "float64 y", "y = 0.0 - (double)k;", "k")
    assert [str(value) for value in cp.asnumpy(kernel(counts))] == ["1.0", "0.0", "-1.0"]
