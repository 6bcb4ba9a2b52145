"""A singular matrix raises ``LinAlgError`` on the device, as it does in NumPy."""

from __future__ import annotations

import importlib
import threading
from typing import Any


class _LinalgErrors(threading.local):
    """Context in which CuPy checks what its solvers report; free of cost when entered again.

    CuPy leaves the check out by default, because it waits for the device.
    """

    depth = 0
    _entered: Any = None

    def __enter__(self) -> None:
        if not self.depth:
            self._entered = _raising_state()
            if self._entered is not None:
                self._entered.__enter__()
        self.depth += 1

    def __exit__(self, *error: Any) -> None:
        self.depth -= 1
        if not self.depth and self._entered is not None:
            # The error is the caller's to see: CuPy's context only puts its setting back.
            self._entered.__exit__(None, None, None)
            self._entered = None


def _raising_state() -> Any:
    try:
        errstate = getattr(importlib.import_module("cupyx"), "errstate", None)
    except ImportError:
        return None
    return errstate(linalg="raise") if errstate is not None else None


linalg_errors = _LinalgErrors()
