"""A loop as the loop that it is, on copies of the host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from gpuport.runtime.holding import held_arrays, holding_copies
from gpuport.runtime.hostpath import HostGlobals, on_host
from gpuport.runtime.loops import host_copies
from gpuport.runtime.visits import visiting


def loop_on_copies(
    cupy: Any,
    function: FunctionType,
    args: Sequence[Any],
    writes: Sequence[int],
    hosted: Sequence[int] = (),
    *,
    gives_hosted: bool = False,
) -> Any:
    """Run a loop; what it wrote, appended, or gives goes back to the device.

    Arrays that share memory on the device share it here. What was written before an error is
    given back too. What objects hold is a copy meanwhile, and so is what the module has: functions
    that the loop calls are run with NumPy in the place of CuPy.

    Parameters
    ----------
    cupy : module
    function : function
    args : sequence of object
    writes : sequence of int
        Which of these the loop changes.
    hosted : sequence of int
        Those whose new items stay on the host; `gives_hosted`: what is given does, too.
    """
    held = list(held_arrays([one for one in args if _is_object(one)], cupy.ndarray))
    arrays = [*_arrays(cupy, args), *(array for _, _, array in held)]
    copies = host_copies(cupy, arrays)
    given = [_there(one, copies) for one in args]
    lists = [(args[k], given[k], k in hosted) for k in writes if type(args[k]) in (list, dict)]
    before = [_sizes(mine) for _, mine, _ in lists]
    body = on_host(function, _Names(cupy, function.__globals__, copies))
    try:
        with visiting(given), holding_copies(held, copies):
            result = body(*given)
    finally:
        for target in _written(cupy, [args[place] for place in writes]):
            target[...] = cupy.asarray(copies[id(target)])
        for (target, mine, stays), known in zip(lists, before, strict=True):
            _bring(None if stays else cupy, target, mine, known)
    own = {id(copies[id(array)]): array for array in arrays}
    return _back(None if gives_hosted else cupy, result, own)


class _Names(HostGlobals):
    """The names of a module, with copies of its arrays on the device."""

    def __init__(self, cupy: Any, live: dict[str, Any], copies: dict[int, Any]) -> None:
        self._kind = cupy.ndarray
        self._copies = copies
        self._whole: list[Any] = []  # keeps them, so that ids stay theirs
        super().__init__(live, own_builtins=False)

    def _on_host(self, value: Any) -> Any:
        if not isinstance(value, self._kind):
            return super()._on_host(value)
        if id(value) not in self._copies:
            self._whole.append(value)
            self._copies[id(value)] = value.get()
        return self._copies[id(value)]


def _is_object(value: Any) -> bool:
    plain = isinstance(value, (type, np.ndarray)) or type(value) in (list, tuple, dict)
    return hasattr(value, "__dict__") and not plain


def _arrays(cupy: Any, values: Sequence[Any]) -> Iterator[Any]:
    """Arrays of the device, those in lists, tuples and dicts included."""
    for value in values:
        if isinstance(value, cupy.ndarray):
            yield value
        elif type(value) is list or isinstance(value, tuple):
            yield from _arrays(cupy, value)
        elif type(value) is dict:
            yield from _arrays(cupy, list(value.values()))


def _written(cupy: Any, values: Sequence[Any]) -> Iterator[Any]:
    """The arrays among what a loop changes, and those that objects hold."""
    for value in values:
        if isinstance(value, cupy.ndarray):
            yield value
        elif _is_object(value):
            yield from {id(one): one for _, _, one in held_arrays([value], cupy.ndarray)}.values()


def _there(value: Any, copies: dict[int, Any]) -> Any:
    """A copy on the host: of an array, and of what lists, tuples and dicts hold."""
    if id(value) in copies:
        return copies[id(value)]
    if type(value) is list or isinstance(value, tuple):
        make = getattr(type(value), "_make", type(value))
        return make([_there(one, copies) for one in value])
    if type(value) is dict:
        return {key: _there(one, copies) for key, one in value.items()}
    return value


def _sizes(mine: Any) -> Any:
    return list(mine) if isinstance(mine, list) else dict(mine)


def _bring(cupy: Any, target: Any, mine: Any, known: Any) -> None:
    """Put into a list or dict what the loop has put into its copy."""
    if isinstance(target, list):
        for place, value in enumerate(mine):
            if place >= len(known):
                target.append(_back(cupy, value))
            elif value is not known[place]:
                target[place] = _back(cupy, value)
            elif isinstance(target[place], cupy.ndarray):
                target[place][...] = cupy.asarray(value)
        return
    for key, value in mine.items():
        if key not in known or value is not known[key]:
            target[key] = _back(cupy, value)
        elif isinstance(target[key], cupy.ndarray):
            target[key][...] = cupy.asarray(value)


def _back(cupy: Any, value: Any, own: dict[int, Any] | None = None) -> Any:
    """Arrays on the device, where there is one to go to; numbers stay numbers.

    What is a copy of one of these stays the array that it is of.
    """
    if own and id(value) in own:
        return own[id(value)]
    if cupy is None:
        return value
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return cupy.asarray(value)
    if type(value) in (list, tuple):
        return type(value)(_back(cupy, one, own) for one in value)
    if isinstance(value, tuple):
        return type(value)(*(_back(cupy, one, own) for one in value))
    if type(value) is dict:
        return {key: _back(cupy, one, own) for key, one in value.items()}
    return value
