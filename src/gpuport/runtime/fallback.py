"""Whether there is a device to use, and what to do when there is not."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Collection
from types import ModuleType
from typing import Any


class FallbackWarning(RuntimeWarning):
    """A ported function ran on the host only because no device could be used."""


class FallbackError(RuntimeError):
    """As :class:`FallbackWarning`, where ``GPUPORT_FALLBACK=error`` forbids it."""


class DeviceUnavailable(Exception):
    """No device, or no room on it for the arguments. Never leaves the runtime."""


def loaded_cupy() -> Any:
    """The ``cupy`` module if the program has imported it, else None.

    A value can be a CuPy array only if it has.
    """
    return sys.modules.get("cupy")


def usable_cupy() -> ModuleType:
    """CuPy, imported, with a device to run on.

    Raises
    ------
    DeviceUnavailable
        With the reason in words.
    """
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        raise DeviceUnavailable(f"CuPy cannot be imported ({error})") from error
    if not cupy.cuda.is_available():
        raise DeviceUnavailable("there is no usable CUDA device")
    return cupy


def out_of_memory_errors(cupy: Any) -> tuple[type[BaseException], ...]:
    """The exceptions that ``cupy`` raises when the device's memory is full."""
    error = getattr(getattr(cupy.cuda, "memory", None), "OutOfMemoryError", None)
    return (error,) if isinstance(error, type) else ()


def announce(
    function_name: str,
    reason: str,
    *,
    first: bool,
    stacklevel: int,
    forbidden: Collection[str] = ("error", "loops"),
) -> None:
    """Refuse the fallback, or warn about it the first time it happens to this function.

    Parameters
    ----------
    function_name, reason : str
    first : bool
    stacklevel : int
        As of `warnings.warn`.
    forbidden : collection of str
        Values of ``GPUPORT_FALLBACK`` that forbid it. ``loops`` lets the loops of kernels run that
        do not fit their arguments, ``error`` does not.

    Raises
    ------
    FallbackError
        Where the environment forbids it.
    """
    said = os.environ.get("GPUPORT_FALLBACK", "").strip().lower()
    if said in forbidden:
        raise FallbackError(
            f"{function_name} cannot run on the GPU: {reason}. GPUPORT_FALLBACK={said} forbids "
            "running it on the CPU instead; unset it to allow that."
        )
    if first:
        warnings.warn(
            f"{function_name} runs on the CPU: {reason}. The results are the same, the speed is "
            "not. Further calls are counted in gpuport.runtime.stats(); set GPUPORT_FALLBACK=error "
            "to make this an error.",
            FallbackWarning,
            stacklevel=stacklevel + 1,
        )
