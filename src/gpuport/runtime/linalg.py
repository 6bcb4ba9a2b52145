"""A singular matrix raises ``LinAlgError`` on the device, as it does in NumPy."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from typing import Any

from gpuport.runtime.failures import forget, named


class _LinalgErrors(threading.local):
    """Context in which CuPy checks what its solvers report; free of cost when entered again.

    CuPy leaves the check out by default, because it waits for the device.
    """

    depth = 0
    _before: Any = None

    def __enter__(self) -> None:
        if not self.depth:
            forget()
            seterr = _seterr()
            # Not cupyx.errstate: its generator costs as much as the rest of a call between
            # ported functions.
            self._before = seterr(linalg="raise")["linalg"] if seterr is not None else None
        self.depth += 1

    def __exit__(self, *error: Any) -> None:
        self.depth -= 1
        if error[1] is not None and type(error[1]).__name__ == "LinAlgError":
            named(error[1])
        if not self.depth and self._before is not None:
            before, self._before = self._before, None
            sys.modules["cupyx"].seterr(linalg=before)


def _seterr() -> Callable[..., dict[str, Any]] | None:
    cupyx: Any = sys.modules.get("cupyx")
    if cupyx is None:
        try:
            cupyx = importlib.import_module("cupyx")
        except ImportError:
            return None
    return getattr(cupyx, "seterr", None)


linalg_errors = _LinalgErrors()
