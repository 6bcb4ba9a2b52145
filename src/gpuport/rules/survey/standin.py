"""A device for CuPy that computes nothing, so that its checks can be asked without a GPU.

:func:`stand_in` must run before CuPy is imported: CuPy's compiled modules find the CUDA runtime
through a table of C functions, and the entries that say which device there is, copy memory and
launch kernels are replaced in it. Memory is the host's and copies are real; a kernel that is
launched does nothing, so that results are zeros. What a call raises after that can depend on those
zeros: only complaints about types count.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

_C_TYPES: dict[str, Any] = {
    "PyObject *": ctypes.py_object,
    "int": ctypes.c_int,
    "intptr_t": ctypes.c_ssize_t,
    "size_t": ctypes.c_size_t,
    "unsigned int": ctypes.c_uint,
    "uintmax_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "int __pyx_skip_dispatch": ctypes.c_int,
    "CUdevice": ctypes.c_int,
}
_ATTRIBUTES = {75: 9, 76: 0, 10: 32, 16: 32, 1: 1024, 8: 49152}
_PROPERTIES = {
    "name": b"none",
    "warpSize": 32,
    "multiProcessorCount": 32,
    "maxThreadsPerBlock": 1024,
    "sharedMemPerBlock": 49152,
    "maxThreadsPerMultiProcessor": 2048,
    "major": 9,
    "minor": 0,
    "maxGridSize": (2**31 - 1, 65535, 65535),
}
_kept: list[Any] = []
"""C callbacks and memory that must outlive every call."""


def stand_in() -> None:
    """Replace what CuPy asks of the CUDA runtime and driver.

    Raises
    ------
    RuntimeError
        If CuPy has been imported already.
    """
    if "cupy" in sys.modules:
        raise RuntimeError("CuPy has been imported already: too late to stand in for a device")
    for name, answers in (
        ("api.runtime", _runtime()),
        ("api.driver", _driver()),
        ("libs.nvrtc", {"getVersion": lambda: (12, 9)}),
    ):
        module = importlib.import_module(f"cupy_backends.cuda.{name}")
        for function, answer in answers.items():
            if function in module.__pyx_capi__:
                _replace(module, function, answer)
            if hasattr(module, function):
                setattr(module, function, answer)
    _stand_in_for_libraries()


class _Answer(int):
    """What a library's functions, handles and constants are: a number that can be called."""

    def __call__(self, *_arguments: object, **_named: object) -> _Answer:
        return self

    def __iter__(self) -> Iterator[_Answer]:
        return iter((self, self))  # sizes of two work spaces

    def __getattr__(self, name: str) -> _Answer:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class _Library(types.ModuleType):
    """A CUDA library in which every name is there and every function does nothing."""

    def __getattr__(self, name: str) -> _Answer:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Answer(1)


_TRANSFORMS = {
    "CUFFT_C2C": 0x29, "CUFFT_R2C": 0x2A, "CUFFT_C2R": 0x2C,
    "CUFFT_Z2Z": 0x69, "CUFFT_D2Z": 0x6A, "CUFFT_Z2D": 0x6C,
    "CUFFT_FORWARD": -1, "CUFFT_INVERSE": 1,
}  # fmt: skip
"""Constants of cuFFT; a transform's tell what it takes and gives."""


class _Plan:
    """A plan of a Fourier transform, as far as CuPy asks what it is for."""

    def __init__(self, *key: Any, **_named: Any) -> None:
        self.gpus = None
        if len(key) > 4:
            self.shape, self.fft_type, self.order = key[0], key[7], key[9]
            self.last_axis, self.last_size = key[10], key[11]
        else:
            self.nx, self.fft_type, self.batch = key[:3]

    def get_output_array(self, a: Any, *_arguments: object, order: str = "C") -> Any:
        import cupy

        shape, axis = list(a.shape), getattr(self, "last_axis", -1)
        double = self.fft_type & 0x40
        if self.fft_type in (0x2C, 0x6C):
            shape[axis] = getattr(self, "last_size", None) or self.nx
            return cupy.empty(tuple(shape), "d" if double else "f", order)
        if self.fft_type in (0x2A, 0x6A):
            shape[axis] = shape[axis] // 2 + 1
        return cupy.empty(tuple(shape), "D" if double else "F", order)

    def fft(self, *_arguments: object) -> None:
        pass

    check_output_array = fft

    @property
    def work_area(self) -> _Answer:
        return _Answer(0)


class _Raw:
    """Kernels of a user's own source: they are launched, and do nothing."""

    def __init__(self, *_arguments: object, **_options: object) -> None:
        self.attributes = {"max_threads_per_block": 1024}
        self.max_threads_per_block = 1024

    def get_function(self, _name: str) -> _Raw:
        return self

    def __call__(self, *_arguments: object, **_options: object) -> None:
        return None


def _stand_in_for_libraries() -> None:
    libraries = importlib.import_module("cupy_backends.cuda.libs")
    for name in ("cublas", "cusolver", "cusparse", "curand"):
        fake = _Library(f"{libraries.__name__}.{name}")
        sys.modules[fake.__name__] = fake
        setattr(libraries, name, fake)
    sys.modules["cupyx._cusolver"] = _Library("cupyx._cusolver")
    transforms: Any = _Library("cupy.cuda.cufft")
    transforms.Plan1d = transforms.PlanNd = _Plan
    vars(transforms).update(_TRANSFORMS)
    transforms.get_current_plan = _nothing
    sys.modules["cupy.cuda.cufft"] = transforms


def without_compiling() -> None:
    """Let kernels be empty modules and sorting do nothing: no compiler, nothing to run them on."""
    function = importlib.import_module("cupy.cuda.function")
    compiler: Any = importlib.import_module("cupy.cuda.compiler")

    def compile_nothing(*_args: object, **_kwargs: object) -> Any:
        module = function.Module()
        module.load(b"nothing")
        return module

    compiler._compile_module_with_cache = compile_nothing
    cupy: Any = importlib.import_module("cupy")
    cupy.RawModule = cupy.RawKernel = _Raw
    try:
        importlib.import_module("cupyx.cusolver")
    except ImportError:  # a compiled module in CuPy 13
        sys.modules["cupyx.cusolver"] = _Library("cupyx.cusolver")
    importlib.import_module("cupy.cuda").cufft = sys.modules["cupy.cuda.cufft"]  # type: ignore[attr-defined]
    importlib.import_module("cupy.fft").config.set_plan_cache_size(0)
    thrust: Any = importlib.import_module("cupy.cuda.thrust")
    for name in ("sort", "lexsort", "argsort"):
        setattr(thrust, name, _nothing)


_DOING_NOTHING = (
    "setDevice", "deviceSynchronize", "streamSynchronize", "streamWaitEvent", "eventSynchronize",
    "eventRecord", "eventDestroy", "eventQuery", "streamQuery", "streamDestroy", "free", "freeHost",
    "freeAsync", "_ensure_context",
)  # fmt: skip
_MAKING_HANDLES = ("eventCreate", "eventCreateWithFlags", "streamCreate", "streamCreateWithFlags")
_MAKING_MEMORY = ("malloc", "hostAlloc", "mallocAsync")
"""Functions of CUDA's runtime, by what they do here."""


def _runtime() -> dict[str, Callable[..., Any]]:
    def attribute(which: int, device: int) -> int:
        return _ATTRIBUTES.get(which, 1024)

    def copy(target: int, source: int, size: int, *_kind_and_stream: int) -> None:
        ctypes.memmove(target, source, size)

    def fill(target: int, value: int, size: int, *_stream: int) -> None:
        ctypes.memset(target, value, size)

    return {
        **dict.fromkeys(_DOING_NOTHING, _nothing),
        **dict.fromkeys(_MAKING_HANDLES, _handle),
        **dict.fromkeys(_MAKING_MEMORY, _allocate),
        "getDevice": lambda: 0,
        "getDeviceCount": lambda: 1,
        "driverGetVersion": lambda: 12090,
        "runtimeGetVersion": lambda: 12090,
        "_getCUDAMajorVersion": lambda: 12,
        "deviceGetAttribute": attribute,
        "deviceCanAccessPeer": lambda _one, _other: 0,
        "streamIsCapturing": lambda _stream: 0,
        "getDeviceProperties": lambda _device: dict(_PROPERTIES),
        "memGetInfo": lambda: (2**33, 2**34),
        "pointerGetMemoryType": lambda _pointer: 0,
        "memcpy": copy,
        "memcpyAsync": copy,
        "memset": fill,
        "memsetAsync": fill,
    }


def _driver() -> dict[str, Callable[..., Any]]:
    return {
        "moduleLoadData": _handle,
        "moduleGetFunction": _handle,
        "moduleGetGlobal": lambda *_: _allocate(2**16),
        "moduleUnload": _nothing,
        "launchKernel": _nothing,
        "launchCooperativeKernel": _nothing,
        "funcSetAttribute": _nothing,
        "funcGetAttribute": lambda *_: 1024,
        "occupancyMaxActiveBlocksPerMultiprocessor": lambda *_: 1,
        "occupancyMaxPotentialBlockSize": lambda *_: (32, 256),
        "ctxGetCurrent": _handle,
    }


def _nothing(*_arguments: object) -> None:
    return None


def _handle(*_arguments: object) -> int:
    return 1


def _allocate(size: int, *_arguments: int) -> int:
    buffer = np.zeros(max(size, 8), np.uint8)
    _kept.append(buffer)
    return int(buffer.ctypes.data)


def _replace(module: Any, name: str, answer: Callable[..., Any]) -> None:
    """Put `answer` in the table from which compiled modules take the C function `name`."""
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_New.argtypes = [ctypes.c_void_p] * 3
    signature = api.PyCapsule_GetName(module.__pyx_capi__[name])
    returned, arguments = parse(signature.decode())
    taken = len([kind for kind in arguments if kind is not None])
    prototype = ctypes.PYFUNCTYPE(returned, *(kind or ctypes.c_int for kind in arguments))

    def answering(*values: Any) -> Any:
        result = answer(*values[:taken])
        if result is None:
            # ctypes hands out None without a reference of its own, which the caller gives back.
            api.Py_IncRef(ctypes.py_object(None))
        return result

    callback = prototype(answering)
    text = ctypes.create_string_buffer(signature)
    _kept.extend((callback, text))
    address = ctypes.cast(callback, ctypes.c_void_p).value
    module.__pyx_capi__[name] = api.PyCapsule_New(address, ctypes.addressof(text), None)


def parse(signature: str) -> tuple[Any, list[Any]]:
    """C types of ``int (int, int __pyx_skip_dispatch)``; None for what only Cython passes."""
    returned, _, listed = signature.partition("(")
    kinds: list[Any] = []
    for part in (text.strip() for text in listed.rstrip(")").split(",")):
        if part == "void":
            continue
        hidden = "__pyx" in part
        kinds.append(None if hidden else _C_TYPES[part])
    return _C_TYPES[returned.strip()], kinds
