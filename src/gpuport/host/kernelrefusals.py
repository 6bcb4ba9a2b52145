"""What CuPy's kernels refuse: element types that they have no loop for, or do not compile with.

Recorded on CuPy 14.2.0's own front end, and on a GPU (tests/host/recorded).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

Given = dict[str, Any]
Condition = Callable[[Given], None]


def _uncompiled(message: str) -> Exception:
    """What CuPy raises where its own kernel does not compile for these types."""
    errors: Any = importlib.import_module("gpuport.host.kernels.errors")
    found: Exception = errors.CompileException.of_cupy(message)
    return found


def of_a_dtype(kernel: str, complex_to: str = "", from_float: str = "") -> Condition:
    """What a reduction says to a dtype: there is no loop for it, or its kernel does not compile.

    `complex_to` holds the characters of the types that no kernel makes of complex numbers,
    `from_float` the name of the kernel for floating-point data, where that is another one and
    makes floating-point results only.
    """

    def check(given: Given) -> None:
        if given["dtype"] is None:
            return
        asked, source = np.dtype(given["dtype"]), getattr(given["a"], "dtype", np.dtype(float))
        name, kinds = kernel, "biufc"
        if from_float and source.kind in "fc":
            name, kinds = from_float, "fc"
        if asked.kind not in kinds or asked.char == "g":
            raise TypeError(f"Wrong type ({asked.type}) of arguments for cupy_{name}")
        if source.kind == "c" and asked.char in complex_to:
            raise _uncompiled("no suitable conversion function of complex numbers exists")

    return check


def no_dtype_of_complex_sums(kernel: str) -> Condition:
    def check(given: Given) -> None:
        asked = None if given["dtype"] is None else np.dtype(given["dtype"])
        if asked is not None and asked.kind != "c" and given["a"].dtype.kind == "c":
            message = f"Wrong type ({asked.type}) of arguments for cupy_{kernel}_complex_dtype"
            raise TypeError(message)

    return check


def comparable(first: str, second: str) -> Condition:
    """Source: ``_exists_kernel``, _logic/truth.py, whose search compares by operators of C++.

    There are none for a complex number beside an integer.
    """

    def check(given: Given) -> None:
        kinds = [
            getattr(getattr(given[name], "dtype", None), "kind", "") for name in (first, second)
        ]
        if "c" in kinds and set(kinds) & set("biu"):
            raise _uncompiled("no operator matches these operands")

    return check


INTEGER_TYPES = "?bhilqBHILQ"
