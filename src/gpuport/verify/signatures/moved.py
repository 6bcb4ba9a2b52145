"""Arguments one ULP beside, or in wider precision: how the original responds to rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.sides.memory import alike
from gpuport.verify.sides.states import state_of
from gpuport.verify.signatures.tables import is_table, parts_of, with_arrays

Arguments = dict[str, Any]


def jittered(arguments: Arguments, rng: np.random.Generator, sign: int = 0) -> Arguments:
    """The same arguments with every finite float moved by one ULP (random sign where 0).

    Where there is no float at all, integer arrays become floats one ULP beside: the response of
    a computation that promotes them.
    """
    promote = not any(_float_leaves(value, set()) for value in arguments.values())
    jitter = _Jitter(rng, sign, promote)
    return {k: jitter.moved(v) for k, v in arguments.items()}


def widened(arguments: Arguments) -> Arguments:
    """The same arguments in the next wider precision: float32 as float64, that as long double."""
    same: dict[int, Any] = {}
    memory: dict[int, NDArray[Any]] = {}
    seen: set[int] = set()

    def widen(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(widen, value))
        if type(value) is dict:
            return {key: widen(item) for key, item in value.items()}
        if is_table(value):
            return with_arrays(value, widen)
        if state_of(value) is not None or isinstance(value, dict):
            return _in_place(value, widen, seen)
        if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
            if id(value) not in same:
                wider = _WIDER.get(value.dtype.char, value.dtype.char)
                same[id(value)] = alike(value, wider, memory)
            return same[id(value)]
        return value

    return {name: widen(value) for name, value in arguments.items()}


_WIDER = {"e": "f4", "f": "f8", "d": "g", "F": "c16", "D": "G"}


def holds_numbers(arguments: Arguments) -> bool:
    """Whether `jittered` has something to move: a float, or an array of numbers."""
    return any(
        _float_leaves(value, set()) or (isinstance(value, np.ndarray) and value.dtype.kind in "iu")
        for value in arguments.values()
    )


def _in_place(value: Any, moved: Callable[[Any], Any], seen: set[int]) -> Any:
    """An instance, its attributes moved, and its items where it is a dictionary; each once."""
    if id(value) in seen:
        return value
    seen.add(id(value))
    if isinstance(value, dict):
        dict.update(value, {key: moved(item) for key, item in dict.items(value)})
    if (state := state_of(value)) is not None:
        state.update({name: moved(item) for name, item in list(state.items())})
    return value


def _float_leaves(value: Any, seen: set[int]) -> list[Any]:
    if isinstance(value, np.ndarray):
        return [value] if value.dtype.kind in "fc" and value.size else []
    if is_table(value):
        return _float_leaves(parts_of(value), seen)
    inside: list[Any] = []
    if isinstance(value, list | tuple):
        inside = list(value)
    elif isinstance(value, dict):
        inside = list(dict.values(value))
    state = state_of(value)
    if state is None and not isinstance(value, list | tuple | dict):
        return [value] if isinstance(value, float | complex) else []
    if id(value) in seen:
        return []
    seen.add(id(value))
    inside += (state or {}).values()
    return [leaf for item in inside for leaf in _float_leaves(item, seen)]


class _Jitter:
    """Moves floats by one ULP; those of an instance where they are, once each."""

    def __init__(self, rng: np.random.Generator, sign: int, promote: bool) -> None:
        self._rng = rng
        self._sign = sign
        self._promote = promote
        self._seen: set[int] = set()
        self._memory: dict[int, NDArray[Any]] = {}

    def moved(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(self.moved, value))
        if type(value) is dict:
            return {k: self.moved(item) for k, item in value.items()}
        if isinstance(value, np.ndarray):
            return self._array(value)
        if is_table(value):
            return with_arrays(value, self.moved)
        if state_of(value) is not None or isinstance(value, dict):
            return _in_place(value, self.moved, self._seen)
        if isinstance(value, complex):
            return value * (1 + float(self._rng.choice([-1, 1])) * 2.0**-52)
        if isinstance(value, float):
            return type(value)(_nudge(np.asarray(value), self._rng, self._sign))
        return value

    def _array(self, value: NDArray[Any]) -> NDArray[Any]:
        if value.dtype.kind in "iu" and self._promote:
            value = alike(value, float, self._memory)
        if value.dtype.kind not in "fc":
            return value
        if value.dtype.kind == "c":
            pair = np.stack([value.real, value.imag])
            moved = _nudge(pair, self._rng, self._sign)
            value.real, value.imag = moved[0], moved[1]
        else:
            value[...] = _nudge(value, self._rng, self._sign)
        return value


def _nudge(values: NDArray[Any], rng: np.random.Generator, sign: int) -> NDArray[Any]:
    signs = np.full(values.shape, sign) if sign else rng.choice([-1, 1], values.shape)
    toward = np.where(signs > 0, np.inf, -np.inf).astype(values.dtype)
    moved = np.nextafter(values, toward)
    moves = np.isfinite(values) & np.isfinite(moved) & (values != 0)
    return np.asarray(np.where(moves, moved, values)).astype(values.dtype)
