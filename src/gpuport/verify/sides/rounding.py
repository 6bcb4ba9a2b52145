"""Functions whose results, or inputs, are one ULP beside: how well known is what comes of them."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.sides.memory import alike, filled

_OF_INPUTS = 4  # the first pattern that moves what functions are given, as the second one does
SCATTERED = 6  # the first one in which each element of a result goes its own way
_OF_ALGORITHMS = 2  # the first one in which another algorithm may take a function's place
_EXACT = frozenset(
    {
        *("add", "subtract", "multiply", "divide", "true_divide", "sqrt", "square", "reciprocal"),
        *("fabs", "absolute", "negative", "positive", "conjugate", "sign", "copysign", "modf"),
        *("nextafter", "spacing", "floor", "ceil", "trunc", "rint", "maximum", "minimum", "fmax"),
        *("fmin", "floor_divide", "remainder", "fmod", "frexp", "ldexp", "matmul", "heaviside"),
    }
)
# their functions round on the way, by as much as if their inputs lay one ULP beside
_SOLVING = frozenset({"numpy.linalg", "numpy.fft", "scipy.linalg", "scipy.fft"})


def move(values: NDArray[Any], by: np.random.Generator | int, *, whole: bool = True) -> None:
    """In place and by one ULP: up, down, or at random; both parts of a complex number.

    The largest number stays, as no rounding makes it infinite, and so do `whole` numbers where
    these are not wanted.
    """
    if values.dtype.kind == "c":
        move(values.real, by, whole=whole)
        move(values.imag, by, whole=whole)
        return
    signs = np.asarray(by) if isinstance(by, int) else by.choice([-1, 1], values.shape)
    toward = (signs * np.inf).astype(values.dtype)
    with np.errstate(all="ignore"):
        moved = np.nextafter(values, toward)
        moves = np.isfinite(values) & np.isfinite(moved) & (values != 0)
        moves &= whole | (values != np.rint(values))
        values[...] = np.where(moves, moved, values)


def _beside(value: Any, by: np.random.Generator | int) -> Any:
    """A float, or an array of floats, one ULP beside; anything else as it is."""
    if type(value) is np.ndarray and value.dtype.kind in "fc":
        array = alike(value)
        move(array, by)
        return array
    if isinstance(value, np.inexact):
        number = np.array(value)
        move(number, by)
        return number[()]
    return value


@contextlib.contextmanager
def functions_moved(modules: Mapping[str, ModuleType], pattern: int) -> Iterator[None]:
    """Inside the block results of ufuncs that round, and of solvers, are one ULP beside.

    What IEEE 754 rounds correctly, or not at all, stays. Large terms that cancel move together when
    the inputs move: only this tells how well the difference is known. With the patterns from 4 on
    it is what they are given that is one ULP beside: a function near its root is known no better
    than its argument, and a solver that is stable answers for a system next to the one given: each
    element of a matrix by a rounding of the largest one of its column, up or down on its own, as
    a matrix that moves as a whole has the same solutions.
    The k-th result goes up where `k` and `pattern` share an even number of bits: over the patterns
    0 to 3 any two of four terms go both ways, together and apart. From `SCATTERED` on each element
    of a result, and of what a solver is given, goes up or down on its own; in every other of these
    patterns so do those that other functions are given.
    """
    calls, of_inputs = itertools.count(), pattern >= _OF_INPUTS
    shared = pattern - _OF_INPUTS + 1 if of_inputs else pattern

    def sign() -> int:
        number = next(calls)
        return number if pattern >= SCATTERED else 1 - 2 * ((number & shared).bit_count() & 1)

    kept: list[tuple[ModuleType, str, Any]] = []
    for module in modules.values():
        for name, value in list(vars(module).items()):
            other = _moving(value, sign, pattern)
            if other is not value:
                kept.append((module, name, value))
                setattr(module, name, other)
    try:
        yield
    finally:
        for module, name, value in kept:
            setattr(module, name, value)


def _moving(value: Any, sign: Callable[[], int], pattern: int) -> Any:
    ufunc = isinstance(value, np.ufunc)
    if (ufunc and value.__name__ not in _EXACT) or (not ufunc and _solves(value)):
        return _Moved(value, sign, pattern)
    if isinstance(value, ModuleType) and value.__name__.partition(".")[0] in ("numpy", "scipy"):
        return _Library(value, sign, pattern)
    return value


def _solves(value: Any) -> bool:
    """Whether this is a function of a library of solvers."""
    if isinstance(value, type) or not callable(value):
        return False
    return ".".join(str(getattr(value, "__module__", "")).split(".")[:2]) in _SOLVING


class _Library(ModuleType):
    """NumPy or SciPy, with ufuncs that round otherwise."""

    def __init__(self, module: ModuleType, sign: Callable[[], int], pattern: int) -> None:
        super().__init__(module.__name__)
        self.__dict__["_moving"] = lambda name: _moving(getattr(module, name), sign, pattern)

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["_moving"](name)


def _is_linear_algebra(function: Any) -> bool:
    return str(function.__module__).split(".")[1:2] == ["linalg"]


def _system_beside(value: Any, sign: int, seed: list[int]) -> Any:
    """What a solver is given, as far beside as the rounding of a stable one amounts to."""
    if type(value) is not np.ndarray or value.dtype.kind not in "fc" or value.ndim < 2:
        return _beside(value, sign)
    directions = np.random.default_rng(seed).choice([-1.0, 1.0], value.shape)
    with np.errstate(all="ignore"):
        size = np.abs(value)
        largest = np.max(size, axis=-2, keepdims=True, initial=0.0, where=np.isfinite(size))
        step = directions * np.finfo(value.dtype).eps / 2 * largest
        return filled(value, value + step)


def _scaled_first(values: Any, *more: Any, **kwargs: Any) -> Any:
    """The exponential of a matrix as that of a small part of it, squared again and again."""
    from scipy.linalg import expm

    with np.errstate(all="ignore"):
        size = float(np.max(np.sum(np.abs(values), axis=-2), initial=1.0))
    steps = math.ceil(math.log2(size)) if math.isfinite(size) else 0
    part = expm(np.asarray(values) / 2.0**steps, *more, **kwargs)
    for _ in range(steps):
        part = part @ part
    return part


_OTHERWISE: dict[str, Callable[..., Any]] = {"expm": _scaled_first}
"""The same by another algorithm, for functions that err by more than their condition explains."""


def _as_floats(value: Any) -> Any:
    """Whole numbers as a solver takes them."""
    matrix = type(value) is np.ndarray and value.dtype.kind in "iu" and value.ndim > 1
    return alike(value, float) if matrix else value


class _Moved:
    """A function whose float results, or inputs where wanted, are one ULP beside."""

    def __init__(self, function: Callable[..., Any], sign: Callable[[], int], pattern: int) -> None:
        self._function = function
        self._sign = sign
        self._pattern = pattern

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        sign = self._sign()
        if self._pattern >= SCATTERED:
            return self._scattered(sign, args, kwargs)
        if self._pattern >= _OF_INPUTS:
            if isinstance(self._function, np.ufunc):
                return self._function(*(_beside(a, sign) for a in args), **kwargs)
            given = map(_as_floats, args)
            if not _is_linear_algebra(self._function):
                return self._function(*(_beside(a, sign) for a in given), **kwargs)
            seed = [sign + 1, self._pattern]
            return self._function(*(_system_beside(a, sign, seed) for a in given), **kwargs)
        function = self._function
        if self._pattern >= _OF_ALGORITHMS:
            function = _OTHERWISE.get(getattr(function, "__name__", ""), function)
        result = function(*args, **kwargs)
        if type(result) is np.ndarray and result.dtype.kind in "fc" and result.flags.writeable:
            move(result, sign)
            return result
        return _beside(result, sign)

    def _scattered(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        rng = np.random.default_rng([number, self._pattern])
        if isinstance(self._function, np.ufunc) or not _is_linear_algebra(self._function):
            given = (_beside(a, rng) for a in args) if self._pattern % 2 else args
            return _beside(self._function(*given, **kwargs), rng)
        seed = [number, self._pattern]
        return self._function(*(_system_beside(_as_floats(a), 1, seed) for a in args), **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)
