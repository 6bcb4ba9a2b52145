"""Arguments of a RawKernel: their bytes, as the driver takes them, and whether they can be meant.

A GPU reads each parameter from its argument's bytes whatever both types are. In strict mode the
two are compared first.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from gpuport.host.cuda import MemoryPointer
from gpuport.host.dtypes import SUPPORTED_CHARS
from gpuport.host.kernels.errors import ArgumentError
from gpuport.host.kernels.staging import Argument
from gpuport.host.ndarray import ndarray


@cache
def parameter_names(code: str, name: str) -> tuple[str, ...]:
    """Names of a kernel's parameters as the text has them; none where it cannot be told."""
    function = name.partition("<")[0]
    match = re.search(rf"__global__[^;{{]*?\b{re.escape(function)}\s*\(([^)]*)\)", code)
    if match is None:
        return ()
    words = [re.findall(r"\w+", part) for part in match[1].split(",")]
    return tuple(part[-1] for part in words if part)


def argument(name: str, arg: Any, label: str, code: str | None) -> Argument:
    """One argument of a launch, as ``_pointer`` of ``cupy/cuda/function.pyx`` passes it."""
    if isinstance(arg, MemoryPointer):
        reached = arg.bytes()
        return Argument(label, reached, reached, True, False, (arg.ptr, 0))
    if isinstance(arg, ndarray):
        _check_pointer(name, label, arg._a, code)
        writable = code is None or not code.startswith("=")
        address = arg._a.__array_interface__["data"][0]
        return Argument(label, arg._a, arg._a, writable, False, (address, 0))
    if arg is None:
        return Argument(label, None, None, False, False, (0, 0))
    if isinstance(arg, np.ndarray) or not isinstance(arg, (bool, int, float, complex, np.generic)):
        raise TypeError(f"Unsupported type {type(arg)}")
    value = np.asarray(arg)
    if value.dtype.char not in SUPPORTED_CHARS:
        raise TypeError(f"Unsupported type {type(arg)}")
    _check_scalar(name, label, value, code)
    data = value.tobytes().ljust(16, b"\0")
    words = tuple(int(word) for word in np.frombuffer(data, np.int64))
    return Argument(label, None, None, False, False, words)


def _check_pointer(name: str, label: str, array: Any, code: str | None) -> None:
    if code is None:
        return
    if code[0] not in "*=":
        raise ArgumentError(
            name, f"'{label}' is an array, and the kernel's parameter is {_shown(code)}", label
        )
    target, kind, size = code.lstrip("*="), array.dtype.kind, array.dtype.itemsize
    if target.startswith("v"):
        target = target[2:]  # of the numbers that a vector consists of
    if target.startswith(("x", "*", "=")) or target in ("i1", "u1"):
        return  # structures, void and bytes are views of anything
    if kind == "c" and target[0] == "f":
        kind, size = "f", size // 2
    same = {"b": "biu", "i": "biu", "u": "biu", "f": "f", "c": "c"}[kind]
    if (kind == "f" and size == 2 and target == "u2") or (
        target[0] in same and int(target[1:]) == size
    ):
        return
    raise ArgumentError(
        name,
        f"'{label}' has dtype {array.dtype}, and the kernel's parameter is {_shown(code)}: on a "
        "GPU its bytes would be read as something else",
        label,
    )


def _check_scalar(name: str, label: str, value: Any, code: str | None) -> None:
    if code is None:
        return
    kind, size = value.dtype.kind, value.dtype.itemsize
    if code[0] in "*=":
        if kind in "iu" and size == 8:
            return  # an address as a number
    elif code[0] in "xv":
        if (int(code[1:]) if code[0] == "x" else int(code[1]) * int(code[3:])) == size:
            return
    elif (
        code[0] in {"b": "b", "i": "iu", "u": "iu", "f": "f", "c": ""}[kind]
        and int(code[1:]) <= size
    ):
        # on a little-endian machine the low bytes of an integer are the smaller integer
        if kind in "iu" and not _fits(value, code):
            raise ArgumentError(
                name, f"'{label}' is {value}, which {_shown(code)} cannot hold", label
            )
        if kind in "iub" or int(code[1:]) == size:
            return
    raise ArgumentError(
        name,
        f"'{label}' is a {value.dtype} of {size} bytes, and the kernel's parameter is "
        f"{_shown(code)}: on a GPU its bytes would be read as something else",
        label,
    )


def _fits(value: Any, code: str) -> bool:
    limits = np.iinfo(code)
    return int(limits.min) <= int(value) <= int(limits.max)


_SHOWN = {
    "f2": "half", "f4": "float", "f8": "double", "i1": "signed char", "i2": "short", "i4": "int",
    "i8": "long long", "u1": "unsigned char", "u2": "unsigned short", "u4": "unsigned int",
    "u8": "unsigned long long", "b1": "bool", "x0": "void",
}  # fmt: skip


def _shown(code: str) -> str:
    if code[0] in "*=":
        return f"{'const ' if code[0] == '=' else ''}{_shown(code[1:])} *"
    if code.startswith("v"):
        return f"a vector of {code[1]} {_shown(code[2:])}"
    return _SHOWN.get(code, f"a structure of {code[1:]} bytes")
