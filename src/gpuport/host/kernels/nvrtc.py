"""Whether kernels compile for GPUs: NVRTC from its wheel, which needs no GPU and no driver.

Kernels are compiled, never run. The wheels are ``nvidia-cuda-nvrtc-cu12`` or, for CUDA 13,
``nvidia-cuda-nvrtc``; ``nvidia-cuda-runtime-cu12`` adds ``cuda_fp16.h``. Where CuPy is installed
its own headers are used; without them, half precision and complex numbers cannot be checked.
"""

from __future__ import annotations

import ctypes
import importlib.machinery
import importlib.util
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gpuport.host.kernels import building, source, toolchain
from gpuport.host.kernels.errors import CompileException

WANTED = (70, 80, 90)
"""Compute capabilities that are checked unless others are asked for."""


class UnavailableError(RuntimeError):
    """NVRTC, or a header that a kernel needs, is not installed: nothing was checked."""


@dataclass(frozen=True)
class Compiled:
    """One kernel for one architecture.

    Attributes
    ----------
    kernel : str
        Its name.
    architecture : int
        Compute capability times ten.
    registers : int
        Registers of a thread.
    spill_stores, spill_loads, stack : int
        Bytes of a thread in local memory, as the assembler inside NVRTC reports them.
    """

    kernel: str
    architecture: int
    registers: int
    spill_stores: int
    spill_loads: int
    stack: int


def _nvidia_folders() -> list[Path]:
    spec = importlib.util.find_spec("nvidia")
    roots = [] if spec is None else list(spec.submodule_search_locations or ())
    return [folder for root in roots for folder in sorted(Path(root).glob("*"))]


@cache
def _library() -> Any:
    found = [
        path
        for folder in _nvidia_folders()
        for path in folder.glob("lib/libnvrtc.so.*")
        if re.fullmatch(r"libnvrtc\.so\.\d+", path.name)
    ]
    if not found:
        return None
    library = ctypes.CDLL(str(max(found, key=lambda path: int(path.suffix[1:]))))
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def available() -> bool:
    """Whether NVRTC is installed."""
    return _library() is not None


def _loaded() -> Any:
    library = _library()
    if library is None:
        raise UnavailableError(
            "NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12"
        )
    return library


def _call(name: str, *arguments: Any) -> None:
    library = _loaded()
    status = getattr(library, name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: {library.nvrtcGetErrorString(status).decode()}")


def version() -> tuple[int, int]:
    """NVRTC's version.

    Raises
    ------
    UnavailableError
        Where it is not installed.
    """
    major, minor = ctypes.c_int(), ctypes.c_int()
    _call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def architectures() -> tuple[int, ...]:
    """Compute capabilities, times ten, that the installed NVRTC compiles for.

    Raises
    ------
    UnavailableError
        Where it is not installed.
    """
    count = ctypes.c_int()
    _call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
    numbers = (ctypes.c_int * count.value)()
    _call("nvrtcGetSupportedArchs", numbers)
    return tuple(numbers)


@cache
def _cupy_headers() -> Path | None:
    """The include folder of an installed CuPy, found past the host backend."""
    spec = importlib.machinery.PathFinder.find_spec("cupy")
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place) / "_core" / "include"
        if (folder / "cupy" / "carray.cuh").is_file():
            return folder
    return None


_CUPY_INCLUDES = "".join(
    f"#include <cupy/{name}>\n"
    for name in ("complex.cuh", "carray.cuh", "float16.cuh", "atomics.cuh", "math_constants.h")
)
_OWN_HEADER = toolchain.INCLUDE / "gpuport" / "nvrtc.cuh"
_HOST_ONLY = re.compile(r"^static void gpuport_body\w*\(\).*", re.MULTILINE | re.DOTALL)
_EXPRESSION = re.compile(r"gpuport::call\(&(.+?)\);")


def _device_text(built: building.Source) -> str:
    """The kernel's text with device headers in the place of the host's."""
    if built.header == source.RAW_HEADER:
        return f'#line 1 "source"\n{dict(built.parts)["source"]}\n'
    _, _, rest = built.text.partition("\n")
    rest = _HOST_ONLY.sub("", rest)
    if _cupy_headers() is not None:
        return _CUPY_INCLUDES + rest
    for word in ("float16", "complex<"):
        if word in rest:
            raise UnavailableError(
                f"kernel '{built.name}' uses {word.rstrip('<')}: to check it, install CuPy, whose "
                "headers define it (no GPU is needed)"
            )
    return _OWN_HEADER.read_text(encoding="utf-8").replace("#pragma once\n", "") + rest


def _options(built: building.Source, architecture: int) -> list[str]:
    options = [f"--gpu-architecture=sm_{architecture}", "-ftz=true", "--ptxas-options=-v"]
    if not any("std=" in option for option in built.options):
        options.append("--std=c++17")  # CuPy's default
    headers = _cupy_headers()
    if headers is not None:
        folders = [headers, *(headers / "cupy" / "_cccl" / part for part in _CCCL)]
        options += [f"-I{folder}" for folder in folders]
    options += [f"-I{f / 'include'}" for f in _nvidia_folders() if (f / "include").is_dir()]
    return [*built.options, *options]


_CCCL = ("cub", "thrust", "libcudacxx")
_ERROR = re.compile(r"^(?P<part>\w+)\((?P<line>\d+)\): (?P<rest>(?:catastrophic )?error.*)$")
_NO_FILE = re.compile(r'(?:cannot|could not) open source file "([^"]+)"')
_MACROS = {"REDUCE": "reduce_expr", "POST_MAP": "post_map_expr"}
_FUNCTION = re.compile(r"Compiling entry function '(\w+)'")
_SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")


def _readable(built: building.Source, architecture: int, log: str) -> str:
    """NVRTC's errors, each with the line of the kernel's text that it is about."""
    parts = dict(built.parts)
    shown = []
    for line in log.splitlines():
        match = _ERROR.match(line)
        if match is None:
            continue
        part, number = match["part"], int(match["line"])
        if part not in parts:
            part, number = _expanded(built.text, number) or (part, number)
        shown.append(f"{built.name} (sm_{architecture}): {part}({number}): {match['rest']}")
        lines = parts.get(part, "").split("\n")
        if 0 < number <= len(lines):
            shown.append(f"    {lines[number - 1].strip()}")
    return "\n".join(shown) or f"{built.name} (sm_{architecture}): {log}"


def _expanded(text: str, number: int) -> tuple[str, int] | None:
    """The part of a kernel that the generated line `number` names by a macro, and its line.

    NVRTC tells where a macro is used, and a reduction's expressions are macros of one line.
    """
    lines = text.rpartition('#line 1 "generated"\n')[2].split("\n")
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    for macro, part in _MACROS.items():
        if f"{macro}(" in line:
            return part, 1
    return None


def _missing_header(built: building.Source, log: str) -> UnavailableError | None:
    """For a header that GPUs have, and this installation has not."""
    match = _NO_FILE.search(log)
    if match is None or not (toolchain.INCLUDE / match[1]).is_file():
        return None
    bringer = "CuPy" if match[1].startswith(("cupy/", "thrust/")) else "nvidia-cuda-runtime-cu12"
    return UnavailableError(
        f"kernel '{built.name}' includes {match[1]}: to check it, install {bringer}, which brings "
        "it (no GPU is needed)"
    )


def _report(built: building.Source, architecture: int, log: str) -> list[Compiled]:
    found: list[Compiled] = []
    name, spills = built.name, (0, 0, 0)
    for line in log.splitlines():
        if match := _FUNCTION.search(line):
            name = built.name if match[1] == "gpuport_kernel" else match[1]
            if built.header != source.RAW_HEADER:
                name = built.name
        elif match := _SPILLS.search(line):
            spills = (int(match[1]), int(match[2]), int(match[3]))
        elif match := _REGISTERS.search(line):
            stack, stores, loads = spills
            found.append(Compiled(name, architecture, int(match[1]), stores, loads, stack))
    return found


def _compile(built: building.Source, architecture: int) -> list[Compiled]:
    text = _device_text(built)
    program = ctypes.c_void_p()
    _call("nvrtcCreateProgram", ctypes.byref(program), text.encode(), b"generated", 0, None, None)
    library = _loaded()
    try:
        if built.header == source.RAW_HEADER:
            for expression in dict.fromkeys(_EXPRESSION.findall(built.text)):
                if "<" in expression:
                    _call("nvrtcAddNameExpression", program, expression.encode())
        options = [option.encode() for option in _options(built, architecture)]
        status = library.nvrtcCompileProgram(
            program, len(options), (ctypes.c_char_p * len(options))(*options)
        )
        size = ctypes.c_size_t()
        _call("nvrtcGetProgramLogSize", program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        _call("nvrtcGetProgramLog", program, buffer)
        log = buffer.value.decode(errors="replace")
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))
    if status and (missing := _missing_header(built, log)) is not None:
        raise missing
    if status:
        message = _readable(built, architecture, log)
        raise CompileException(message, text, built.name, built.options)
    return _report(built, architecture, log)


def check_sources(
    sources: Iterable[building.Source], wanted: Iterable[int]
) -> tuple[Compiled, ...]:
    """Compile texts for GPUs; see :func:`check_all`."""
    known = set(architectures())
    chosen = [number for number in wanted if number in known]
    if not chosen:
        raise UnavailableError(
            f"NVRTC {'.'.join(map(str, version()))} compiles for none of {tuple(wanted)}"
        )
    return tuple(
        found for built in sources for number in chosen for found in _compile(built, number)
    )


def check_all(wanted: Iterable[int] = WANTED) -> tuple[Compiled, ...]:
    """Compile for GPUs every kernel that this process has compiled for the host.

    Parameters
    ----------
    wanted : iterable of int
        Compute capabilities times ten; those that the installed NVRTC does not know are left out.

    Raises
    ------
    CompileException
        For a kernel that does not compile, with the lines of its own text.
    UnavailableError
        Where NVRTC or a header is not installed, or NVRTC knows none of `wanted`.
    """
    return check_sources(list(building.SOURCES), tuple(wanted))


def check(kernel: Any, wanted: Iterable[int] = WANTED) -> tuple[Compiled, ...]:
    """Compile a kernel for GPUs, for the types of arguments that it has been called with.

    Parameters
    ----------
    kernel : ElementwiseKernel, ReductionKernel, RawKernel or RawModule
        One that has run, or been compiled, on the host.
    wanted : iterable of int
        As for :func:`check_all`.

    Raises
    ------
    ValueError
        For a kernel that has not run.
    CompileException, UnavailableError
        As :func:`check_all`.
    """
    code = getattr(kernel, "code", None)
    texts = set(getattr(kernel, "_cached_codes", {}).values())
    sources = [
        built
        for built in building.SOURCES
        if built.text in texts or (code is not None and dict(built.parts).get("source") == code)
    ]
    if not sources:
        raise ValueError("the kernel has not run on the host: its types are not known yet")
    return check_sources(sources, tuple(wanted))
