"""Pytest plugin inside the process that runs one file of CuPy's tests on the host backend.

Puts the host backend in the place of CuPy, and over it the two things that CuPy's tests use and
that no program does: CuPy's own ``cupy.testing`` (so that its comparisons judge, not ours) and the
names of its private modules. Private names hold what the tests need to be *collected*; one that is
called raises `PrivateName`, so a test of CuPy's internals fails as that and stands in the ledger.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import math
import os
import sys
import types
from pathlib import Path
from typing import Any

import gpuport.host.preload  # noqa: F401
from gpuport.host.fftplans import Plan1d, PlanNd
from gpuport.host.kernels.errors import CUDADriverError

SOURCE = Path(os.environ["CONFORMANCE_SOURCE"])
RESULTS = Path(os.environ["CONFORMANCE_RESULTS"])


class PrivateName(NotImplementedError):
    """A test used an internal of CuPy, which the host backend does not have."""


class _Placeholder:
    """Stands for a private function or class until it is used."""

    def __init__(self, *names: Any) -> None:
        # as a base class it is called with a name, bases and a namespace
        self._name = str(names[0])

    def __getattr__(self, name: str) -> _Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Placeholder(f"{self._name}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise PrivateName(self._name)

    def __bool__(self) -> bool:
        raise PrivateName(self._name)


class _CacheBackend:
    """Where CuPy keeps compiled kernels; tests put one on a folder of their own in its place."""

    def __init__(self, folder: str) -> None:
        self._cache_dir = folder


class _PrivateModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        return _Placeholder(f"{self.__name__}.{name}")


def _private(name: str, **members: Any) -> None:
    module = _PrivateModule(name)
    module.__path__ = []
    vars(module).update(members)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        vars(sys.modules[parent])[child] = module


def _open(module: Any) -> None:
    """Let a module of the host backend answer for private names with placeholders."""

    class Opened(type(module)):  # type: ignore[misc]
        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                if name.startswith("__"):
                    raise
                return _Placeholder(f"{self.__name__}.{name}")

    module.__class__ = Opened


def _accelerators() -> dict[str, Any]:
    """Settings that choose between CuPy's own kernels and libraries: kept, without effect."""
    chosen: dict[str, list[int]] = {"routine": [], "reduction": []}

    def of(kind: str) -> tuple[Any, Any]:
        def change(values: Any) -> None:
            chosen[kind] = list(values)

        return (lambda: list(chosen[kind])), change

    get_routine, set_routine = of("routine")
    get_reduction, set_reduction = of("reduction")
    return {
        "get_routine_accelerators": get_routine,
        "set_routine_accelerators": set_routine,
        "get_reduction_accelerators": get_reduction,
        "set_reduction_accelerators": set_reduction,
        "ACCELERATOR_CUB": 1,
        "ACCELERATOR_CUTENSOR": 2,
        "ACCELERATOR_CUTENSORNET": 3,
    }


def _install_internals() -> None:
    import cupy

    _private(
        "cupy._core",
        ndarray=cupy.ndarray,
        ufunc=cupy.ufunc,
        ElementwiseKernel=cupy.ElementwiseKernel,
        ReductionKernel=cupy.ReductionKernel,
        array=cupy.array,
        create_reduction_func=lambda name, *parts, **more: _Placeholder(name),
    )
    _private("cupy._core.internal", prod=math.prod)
    _private("cupy._core._accelerator", **_accelerators())
    _private("cupy._core._cub_reduction", _CUB_REDUCE_SIZE_THRESHOLD=0)
    _private("cupy._core.core", ndarray=cupy.ndarray)
    types_of_sums: dict[Any, int] = {}
    vars(sys.modules["cupy._core"]).update(
        get_compute_type=lambda dtype: types_of_sums.get(str(dtype), 0),
        set_compute_type=lambda dtype, value: types_of_sums.__setitem__(str(dtype), value),
    )
    for name in (
        "_routines_linalg", "_routines_math", "_scalar", "_gufuncs", "flags",
        "_kernel", "_fusion_interface", "_fusion_kernel", "_fusion_op", "_fusion_thread_local",
        "_fusion_trace", "_fusion_variable", "_fusion_optimization", "fusion", "_carray", "_dtype",
        "_codeblock", "_reduction", "_routines_manipulation", "_routines_indexing",
        "_routines_statistics", "_optimize_config", "_memory_range", "syncdetect", "raw", "include",
    ):  # fmt: skip
        _private(f"cupy._core.{name}")
    for name in ("_util", "_environment", "_sorting", "_statistics", "_math", "_indexing"):
        _private(f"cupy.{name}")
    vars(sys.modules["cupy._util"])["PerformanceWarning"] = RuntimeWarning
    vars(sys.modules["cupy._util"])["clear_memo"] = cupy.clear_memo
    vars(sys.modules["cupy._util"])["ENABLE_SLICE_COPY"] = False
    _private("cupy._indexing.generate", AxisConcatenator=type("AxisConcatenator", (), {}))
    # Skip marks ask for versions while files are collected: those of the host backend's runtime.
    version = cupy.cuda.runtime.runtimeGetVersion()
    driver: dict[str, Any] = {
        "get_build_version": lambda: version,
        "driverGetVersion": lambda: version,
    }
    for name in ("", ".cuda", ".cuda.api", ".cuda.libs", ".cuda.libs.nvrtc", ".cuda.libs.cublas"):
        _private(f"cupy_backends{name}")
    _private("cupy_backends.cuda.stream", get_default_stream_ptr=lambda: 1)
    _private("cupy_backends.cuda.api.driver", **driver)
    sys.modules["cupy_backends.cuda.api.runtime"] = cupy.cuda.runtime
    vars(sys.modules["cupy_backends.cuda.api"])["runtime"] = cupy.cuda.runtime
    _private("cupy.cuda.driver", **driver)
    for name in ("cufft", "cusolver", "cublas", "cutensor", "nvtx", "_compiler_cache"):
        _private(f"cupy.cuda.{name}", available=False)
    # what keeps CuPy's cache of kernels out of a test's way has no effect here
    vars(sys.modules["cupy.cuda._compiler_cache"])["DiskKernelCacheBackend"] = _CacheBackend
    for name in ("_kernel_cache_backend", "_empty_file_preprocess_cache", "_get_bool_env_variable"):
        vars(cupy.cuda.compiler)[name] = None
    error = cupy.cuda.compiler.CompileException
    vars(cupy.cuda.driver).update(CUDADriverError=CUDADriverError, _is_cuda_python=lambda: False)
    vars(cupy.cuda.compiler)["JitifyException"] = type("JitifyException", (error,), {})
    vars(sys.modules["cupy.cuda.cufft"]).update(Plan1d=Plan1d, PlanNd=PlanNd)
    limits = [256]
    _private(
        "cupy.cublas",
        get_batched_gesv_limit=lambda: limits[0],
        set_batched_gesv_limit=lambda limit: limits.__setitem__(0, limit),
    )
    _private("cupy.fft._fft")
    for name in ("cub", "thrust"):  # libraries of the device: no test can choose them
        vars(getattr(cupy.cuda, name))["available"] = False
    vars(cupy.cuda.device).update(
        Device=cupy.cuda.Device,
        get_compute_capability=lambda: cupy.cuda.Device().compute_capability,
    )
    vars(cupy.cuda)["get_local_runtime_version"] = cupy.cuda.runtime.runtimeGetVersion
    # skip marks ask for the compiler's version; there is none to compile with
    release = f"release {version // 1000}.{version % 1000 // 10}"
    vars(cupy.cuda)["get_nvcc_path"] = lambda: "nvcc"
    vars(cupy.cuda.compiler)["_run_cc"] = lambda command, folder, name: release
    attribute = cupy.cuda.runtime.deviceGetAttribute
    # the fusion tests ask whether kernels may synchronise the grid
    vars(cupy.cuda.runtime)["deviceGetAttribute"] = lambda key, device: (
        0 if key == 95 else attribute(key, device)
    )
    for home in ("memory", "compiler", "cub", "thrust", "texture", "stream"):
        _open(getattr(cupy.cuda, home))
    _private(
        "cupy.linalg._util",
        stacked_identity=lambda batch, n, dtype: (
            cupy.zeros((*batch, n, n), dtype) + cupy.eye(n, dtype=dtype)
        ),
    )
    _private("cupyx.cusolver", check_availability=lambda name: True)


def _install_random_states() -> None:
    """What ``cupy.testing.fix_random`` restores, over the public ``seed``."""
    import cupy

    module = types.ModuleType("cupy.random._generator")
    module._random_states = {}  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    vars(cupy.random)["_generator"] = module
    reset = cupy.random.reset_states

    def reset_states() -> None:
        module._random_states = {}  # type: ignore[attr-defined]
        reset()

    vars(cupy.random)["reset_states"] = reset_states


def _install_testing() -> None:
    """CuPy's own ``cupy.testing``, from its source."""
    import cupy

    folder = SOURCE / "cupy" / "testing"
    for name in [n for n in sys.modules if n == "cupy.testing" or n.startswith("cupy.testing.")]:
        del sys.modules[name]

    class Finder:
        @staticmethod
        def find_spec(fullname: str, path: Any = None, target: Any = None) -> Any:
            if fullname != "cupy.testing" and not fullname.startswith("cupy.testing."):
                return None
            tail = fullname.split(".")[2:]
            file = folder.joinpath(*tail) / "__init__.py" if not tail else folder / f"{tail[0]}.py"
            package = [str(folder)] if not tail else None
            return importlib.util.spec_from_file_location(
                fullname, file, submodule_search_locations=package
            )

    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]
    import cupy.testing

    vars(cupy)["testing"] = cupy.testing


_install_internals()
_install_random_states()
_install_testing()

_outcomes: dict[str, tuple[str, str]] = {}


def _reason(report: Any) -> str:
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return text if len(text) < 1500 else f"{text[:500]}\n...\n{text[-900:]}"


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _outcomes[report.nodeid] = ("error", _reason(report))


def pytest_runtest_logreport(report: Any) -> None:
    name = report.nodeid
    if report.failed:
        if _outcomes.get(name, ("",))[0] != "failed":
            _outcomes[name] = ("failed", _reason(report))
    elif report.skipped:
        kind = "xfailed" if hasattr(report, "wasxfail") else "skipped"
        _outcomes[name] = (kind, str(report.longrepr)[-300:])
    elif report.when == "call":
        _outcomes.setdefault(name, ("passed", ""))
    with contextlib.suppress(AttributeError):
        _stream.write(json.dumps([name, *_outcomes[name]]) + "\n") if name in _outcomes else None


_stream = RESULTS.open("w", encoding="utf-8")


def pytest_sessionfinish(session: Any, exitstatus: int) -> None:
    """Everything at once, last: a file without the final line did not come to its end."""
    for name, (outcome, reason) in _outcomes.items():
        if outcome == "error":
            _stream.write(json.dumps([name, outcome, reason]) + "\n")
    _stream.write(json.dumps(["", "end", str(exitstatus)]) + "\n")
    _stream.close()
