"""Answers about the functions of libraries themselves, whatever they are called with."""

from __future__ import annotations

import importlib
from typing import Any

from gpuport.probing.functions import function_of, is_installed
from gpuport.probing.questions import Prober, Question
from gpuport.probing.service import ask

PROBER = Prober("gpuport.probing.library", ())


def installed(library: str) -> bool:
    """Whether a library can be asked at all."""
    return ask(Question(PROBER, ["installed", library])) is True


def has_function(path: str) -> bool:
    """Whether a library has a function of a dotted name."""
    return ask(Question(PROBER, ["function", path])) is True


def operands_of(ufunc: str) -> int | None:
    """How many operands a NumPy function takes, or one like it; None where it is no such."""
    found = ask(Question(PROBER, ["operands", ufunc]))
    return None if found is None or found is False else int(found)


def resolved(ufunc: str, operands: tuple[str, ...]) -> tuple[str, ...] | None:
    """The types with which a NumPy function computes, the result's last; None if it does not.

    ``operands`` are names of dtypes; ``int``, ``float`` and ``complex`` are Python's numbers.
    """
    found = ask(Question(PROBER, ["types", ufunc, list(operands)]))
    return tuple(map(str, found)) if isinstance(found, list) else None


def narrow_alike(ufunc: str, numbers: tuple[float, ...]) -> bool:
    """Whether a function gives for numbers in float32 what it gives for them, made float32."""
    return ask(Question(PROBER, ["alike", ufunc, [repr(number) for number in numbers]])) is True


def answer(question: list[Any]) -> Any:
    """Answer a question, in the worker process."""
    kind, name, *rest = question
    if kind == "installed":
        return is_installed(name)
    if kind == "function":
        return function_of(name) is not None
    module, _, last = name.rpartition(".")
    try:
        ufunc = getattr(importlib.import_module(module or "numpy"), last)
    except (ImportError, AttributeError):
        return False
    if kind == "operands":
        return getattr(ufunc, "nin", False)
    return _types(ufunc, *rest) if kind == "types" else _alike(ufunc, *rest)


def _types(ufunc: Any, operands: list[str]) -> Any:
    import numpy as np

    python = {"int": int, "float": float, "complex": complex}
    given = tuple(python.get(name) or np.dtype(name) for name in operands)
    try:
        return [str(dtype) for dtype in ufunc.resolve_dtypes((*given, None))]
    except TypeError:
        return False


def _alike(ufunc: Any, numbers: list[str]) -> bool:
    import numpy as np

    given = [float(number) for number in numbers]
    with np.errstate(all="ignore"):
        return bool(np.float32(ufunc(*given)) == ufunc(*(np.float32(one) for one in given)))


__all__ = [
    "PROBER",
    "answer",
    "has_function",
    "installed",
    "narrow_alike",
    "operands_of",
    "resolved",
]
