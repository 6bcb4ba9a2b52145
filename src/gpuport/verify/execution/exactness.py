"""Whether arithmetic was exact: the processor's own inexact flag, read around a call.

NumPy clears the flags of overflow, division and invalid operations, and leaves this one alone. A
call that did not raise it rounded nothing: any order of the same operations gives the same bits,
so that a deviation cannot be rounding.

Vector instructions may suppress the flag, and NumPy's transcendental functions use such ones: what
calls one of these is never taken for exact. Nor is what has to do with half precision, which NumPy
rounds to by operations on bits.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import dis
import platform
from collections.abc import Iterator, Mapping
from functools import cache
from types import CodeType
from typing import Any

# <fenv.h> of glibc and musl; elsewhere exactness is not known and never claimed
_INEXACT = {"x86_64": 0x20, "aarch64": 0x10}


@cache
def _environment() -> tuple[Any, int] | None:
    flag = _INEXACT.get(platform.machine())
    name = ctypes.util.find_library("m")
    if platform.system() != "Linux" or flag is None or name is None:
        return None
    library = ctypes.CDLL(name)
    return library, flag


class Exactness:
    """The answer of `watched`: ``exact`` is True only where nothing was rounded for certain."""

    exact: bool = False


@contextlib.contextmanager
def watched() -> Iterator[Exactness]:
    """Watch the block for rounding (this thread only)."""
    answer = Exactness()
    environment = _environment()
    if environment is None:
        yield answer
        return
    library, flag = environment
    library.feclearexcept(flag)
    yield answer
    answer.exact = not library.fetestexcept(flag)


_SILENT = frozenset(
    {
        *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "power", "float_power"),
        *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "asin", "acos", "atan"),
        *("sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "asinh", "acosh", "atanh"),
        *("atan2", "hypot", "pow", "logaddexp", "logaddexp2", "logspace", "geomspace", "erf"),
        *("fft", "special", "stats", "signal", "linalg", "ElementwiseKernel", "RawKernel"),
        *("ReductionKernel", "RawModule", "fuse", "float16", "half"),
    }
)
_HALF = frozenset({"float16", "half", "e", "f2", "<f2", "=f2"})
_EXACT_POWERS = (-1, 0, 0.5, 1, 2)


def rounds_silently(code: CodeType, names: Mapping[str, Any]) -> bool:
    """Whether a function may round without raising the flag, as far as its own module tells.

    Parameters
    ----------
    code : code object
    names : mapping
        The globals of its module; its functions and those of its classes are followed.
    """
    todo, seen = [code], set()
    while todo:
        one = todo.pop()
        if one in seen:
            continue
        seen.add(one)
        if _SILENT & {*one.co_names, *one.co_freevars} or _has_power(one) or _names_half(one):
            return True
        todo += [part for part in one.co_consts if isinstance(part, CodeType)]
        for name in one.co_names:
            held = names.get(name)
            if getattr(held, "__name__", "") in _SILENT:
                return True
            todo += _codes(held)
    return False


def _codes(held: Any) -> list[CodeType]:
    if isinstance(held, type):
        return [code for value in vars(held).values() for code in _codes(value)]
    while hasattr(held, "__wrapped__"):
        held = held.__wrapped__
    code = getattr(held, "__code__", None)
    return [code] if isinstance(code, CodeType) else []


def _names_half(code: CodeType) -> bool:
    return any(isinstance(value, str) and value in _HALF for value in code.co_consts)


def _has_power(code: CodeType) -> bool:
    """Whether something is raised to a power that is not computed by products and roots."""
    before: dis.Instruction | None = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "BINARY_OP" and instruction.argrepr in ("**", "**="):
            known = before is not None and before.opname == "LOAD_CONST"
            if not known or before.argval not in _EXACT_POWERS:  # type: ignore[union-attr]
                return True
        before = instruction
    return False
