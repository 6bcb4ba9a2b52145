"""What is changed around a call: guards of stacks refuse; constants and lines round otherwise.

A function that takes no float cannot be asked how it responds to its inputs moving by one ULP.
Its own constants are moved instead, and every statement leaves its arrays one ULP beside, so that
rounding that builds up over many steps is seen.
"""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gpuport.verify.sides.rounding import move

STACKS = "stackable"
_DECORATED = 8
"""Decorators of one function that are looked through."""


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Inside the block nothing may be stacked: what stands beside that runs."""
    from gpuport import runtime

    stackable = getattr(runtime.batched, STACKS)
    setattr(runtime.batched, STACKS, _refuse)
    try:
        yield
    finally:
        setattr(runtime.batched, STACKS, stackable)


def _refuse(*values: Any, **kinds: Any) -> bool:
    return False


@contextlib.contextmanager
def constants_moved(
    modules: Mapping[str, ModuleType],
    rng: np.random.Generator,
    sign: int,
    *,
    whole: bool = True,
) -> Iterator[None]:
    """Inside the block every float constant of these modules is one ULP beside what it is.

    So a function that takes no float shows how it responds to rounding. A random direction for
    each where `sign` is 0; `whole` numbers as well.
    """

    def moved(value: Any) -> Any:
        moves = type(value) is float and value != 0.0 and math.isfinite(value)
        if moves and (whole or not value.is_integer()):
            beside = math.nextafter(value, math.inf * (sign or float(rng.choice([-1, 1]))))
            return beside if math.isfinite(beside) else value
        if isinstance(value, tuple):
            return tuple(map(moved, value))
        return _code(value) if isinstance(value, CodeType) else value

    def _code(code: CodeType) -> CodeType:
        return code.replace(co_consts=tuple(map(moved, code.co_consts)))

    codes = [(f, f.__code__) for m in modules.values() for f in functions_of(m)]
    numbers = [
        (module, name, value)
        for module in modules.values()
        for name, value in list(vars(module).items())
        if type(value) is float
    ]
    try:
        for function, code in codes:
            function.__code__ = _code(code)
        for module, name, value in numbers:
            setattr(module, name, moved(value))
        yield
    finally:
        for function, code in codes:
            function.__code__ = code
        for module, name, value in numbers:
            setattr(module, name, value)


@contextlib.contextmanager
def statements_moved(
    modules: Mapping[str, ModuleType], rng: np.random.Generator, *, whole: bool = True
) -> Iterator[None]:
    """Inside the block each line of these modules finds the arrays of its function moved by an ULP.

    In place, some elements up and some down, `whole` numbers as well; arrays that may not be
    written stay.
    """
    files = {getattr(module, "__file__", None) for module in modules.values()}

    def at_line(frame: FrameType, event: str, argument: Any) -> Any:
        if event in ("line", "return"):
            for value in frame.f_locals.values():
                if type(value) is np.ndarray and value.dtype.kind in "fc" and value.flags.writeable:
                    move(value, rng, whole=whole)
        return at_line

    def at_call(frame: FrameType, event: str, argument: Any) -> Any:
        return at_line if frame.f_code.co_filename in files else None

    kept = sys.gettrace()
    sys.settrace(at_call)
    try:
        yield
    finally:
        sys.settrace(kept)


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
    """The module's own functions, those of its classes, and those that decorators stand around.

    Each once, however many names it has.
    """
    told = set[FunctionType]()
    for value in list(vars(module).values()):
        inside = vars(value).values() if isinstance(value, type) else (value,)
        for held in inside:
            function = getattr(held, "fget", None) or getattr(held, "__func__", held)
            for _ in range(_DECORATED):
                new = isinstance(function, FunctionType) and function not in told
                if new and function.__module__ == module.__name__:
                    told.add(function)
                    yield function
                function = getattr(function, "__wrapped__", None)
