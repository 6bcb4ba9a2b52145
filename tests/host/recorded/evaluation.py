"""What an expression gives with a CuPy, in a form that can be written down and compared."""

from __future__ import annotations

import base64
import copy
import importlib
import math
import operator
import re
import signal
import warnings
from types import FrameType, ModuleType
from typing import Any

import numpy as np
from values import ARRAYS

NAMES = re.compile(r"\b(?:" + "|".join(ARRAYS) + r")\b")
SHOWN = 40
"""Elements of an array that are kept: of a larger one, the first."""
SECONDS = 20
"""After so long an expression counts as one that does not end."""


class Endless(Exception):
    """An expression takes too long."""


class Evaluator:
    """Evaluates expressions with one CuPy.

    Parameters
    ----------
    cupy : module
        A real one or the host backend's.
    """

    def __init__(self, cupy: ModuleType) -> None:
        self.cupy = cupy
        self.fixed: dict[str, Any] = {
            "X": cupy, "np": np, "math": math, "operator": operator, "copy": copy,
            "XX": importlib.import_module("cupyx"),
        }  # fmt: skip
        scipy = importlib.import_module("cupyx.scipy")
        for name in ("special", "fft", "ndimage", "linalg", "signal", "stats", "interpolate",
                     "spatial", "spatial.distance", "signal.windows"):  # fmt: skip
            try:
                importlib.import_module(f"cupyx.scipy.{name}")
            except ImportError:  # the machine lacks SciPy
                continue
        self.fixed["S"] = scipy

    def names(self, text: str) -> dict[str, Any]:
        """Fresh arrays for those that an expression names."""
        env = dict(self.fixed)
        for name in dict.fromkeys(NAMES.findall(text)):
            env[name] = eval(ARRAYS[name], env)

        def statement(line: str, result: str) -> Any:
            exec(line, env)
            return env[result]

        env["_s"] = statement
        return env

    def __call__(self, text: str) -> dict[str, Any]:
        """The record of an expression: its value or what it raised, and what it warned of."""
        env = self.names(text)
        signal.signal(signal.SIGALRM, _stop)
        signal.alarm(SECONDS)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found = self.described(eval(text, env))
            except Exception as error:
                found = {"x": [type(error).__name__, str(error)[:300]]}
        signal.alarm(0)
        told = [one for one in caught if not issubclass(one.category, ResourceWarning)]
        if told:
            found["w"] = [told[0].category.__name__, str(told[0].message)[:100]]
        return found

    def described(self, value: Any, depth: int = 0) -> dict[str, Any]:
        """A value in words of JSON."""
        if isinstance(value, self.cupy.ndarray):
            flags = value.flags
            layout = ("C" if flags.c_contiguous else "") + ("F" if flags.f_contiguous else "")
            return {"a": [str(value.dtype), list(value.shape), layout, _kept(value.get())]}
        if isinstance(value, (np.ndarray, np.generic)):
            kind = "n" if isinstance(value, np.ndarray) else "g"
            return {kind: [str(value.dtype), list(value.shape), "", _kept(np.asarray(value))]}
        if isinstance(value, (tuple, list)) and depth < 4:
            parts = [self.described(one, depth + 1) for one in value[:10]]
            return {"t": [type(value).__name__, len(value), parts]}
        if value is None or isinstance(value, (bool, int, float, complex, str)):
            return {"p": [type(value).__name__, repr(value)[:300]]}
        return {"r": [type(value).__name__]}


def _kept(values: np.ndarray) -> str:
    flat = values.ravel()[:SHOWN]
    return base64.b64encode(np.ascontiguousarray(flat).tobytes()).decode()


def _stop(number: int, frame: FrameType | None) -> None:
    raise Endless("does not end")
