"""Arguments one ULP beside, or in wider precision: how the original responds to rounding."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.signatures.tables import is_table, parts_of, with_arrays

Arguments = dict[str, Any]


def jittered(arguments: Arguments, rng: np.random.Generator, sign: int = 0) -> Arguments:
    """The same arguments with every finite float moved by one ULP (random sign where 0).

    Where there is no float at all, integer arrays become floats one ULP beside: the response of
    a computation that promotes them.
    """
    found = [leaf for value in arguments.values() for leaf in _float_leaves(value)]
    return {k: _jitter(v, rng, sign, promote=not found) for k, v in arguments.items()}


def widened(arguments: Arguments) -> Arguments:
    """The same arguments in the next wider precision: float32 as float64, that as long double."""
    same: dict[int, Any] = {}

    def widen(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(widen, value))
        if isinstance(value, dict):
            return {key: widen(item) for key, item in value.items()}
        if is_table(value):
            return with_arrays(value, widen)
        if (state := state_of(value)) is not None:
            state.update(widen(dict(state)))
            return value
        if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
            if id(value) not in same:
                same[id(value)] = value.astype(_WIDER.get(value.dtype.char, value.dtype))
            return same[id(value)]
        return value

    return {name: widen(value) for name, value in arguments.items()}


_WIDER = {"e": "f4", "f": "f8", "d": "g", "F": "c16", "D": "G"}


def holds_numbers(arguments: Arguments) -> bool:
    """Whether `jittered` has something to move: a float, or an array of numbers."""
    return any(
        _float_leaves(value) or (isinstance(value, np.ndarray) and value.dtype.kind in "iu")
        for value in arguments.values()
    )


def state_of(value: Any) -> dict[str, Any] | None:
    """The attributes of an instance; None for functions, classes, modules and plain values."""
    if isinstance(value, type | ModuleType | np.ndarray | np.generic) or hasattr(value, "__code__"):
        return None
    state = getattr(value, "__dict__", None)
    return state if isinstance(state, dict) else None


def _float_leaves(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _float_leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _float_leaves(item)]
    if isinstance(value, np.ndarray):
        return [value] if value.dtype.kind in "fc" and value.size else []
    if is_table(value):
        return _float_leaves(parts_of(value))
    if (state := state_of(value)) is not None:
        return _float_leaves(dict(state))
    return [value] if isinstance(value, float | complex) else []


def _jitter(value: Any, rng: np.random.Generator, sign: int, promote: bool) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_jitter(item, rng, sign, promote) for item in value)
    if isinstance(value, dict):
        return {k: _jitter(item, rng, sign, promote) for k, item in value.items()}
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "iu" and promote:
            value = value.astype(float)
        if value.dtype.kind not in "fc":
            return value
        if value.dtype.kind == "c":
            pair = np.stack([value.real, value.imag])
            moved = _nudge(pair, rng, sign)
            value.real, value.imag = moved[0], moved[1]
        else:
            value[...] = _nudge(value, rng, sign)
        return value
    if is_table(value):
        return with_arrays(value, lambda held: _jitter(held, rng, sign, promote))
    if (state := state_of(value)) is not None:
        state.update(_jitter(dict(state), rng, sign, promote))
        return value
    if isinstance(value, complex):
        return value * (1 + float(rng.choice([-1, 1])) * 2.0**-52)
    if isinstance(value, float):
        return type(value)(_nudge(np.asarray(value), rng, sign))
    return value


def _nudge(values: NDArray[Any], rng: np.random.Generator, sign: int) -> NDArray[Any]:
    signs = np.full(values.shape, sign) if sign else rng.choice([-1, 1], values.shape)
    toward = np.where(signs > 0, np.inf, -np.inf).astype(values.dtype)
    moved = np.nextafter(values, toward)
    still: NDArray[Any] = np.where(np.isfinite(values) & (values != 0), moved, values)
    return still.astype(values.dtype)
