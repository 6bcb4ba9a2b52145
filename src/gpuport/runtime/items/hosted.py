"""A loop as the loop that it is, on copies of the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuport.runtime.kernels.copies import on_copies


def loop_on_copies(
    cupy: Any,
    function: Callable[..., Any],
    args: Sequence[Any],
    writes: Sequence[int],
    hosted: Sequence[int] = (),
    *,
    gives_hosted: bool = False,
) -> Any:
    """Run a loop; what it wrote, appended, or gives goes back to the device.

    Parameters
    ----------
    cupy : module
    function : callable
    args : sequence of object
    writes : sequence of int
        Which of these the loop changes.
    hosted : sequence of int
        Those whose new items stay on the host; `gives_hosted`: what is given does, too.
    """
    copies: dict[int, Any] = {}
    given = [_there(cupy, one, copies) for one in args]
    written = [
        args[place] for place in writes if isinstance(args[place], cupy.ndarray)
    ]  # fmt: skip
    objects = [one for one in args if hasattr(one, "__dict__") and not isinstance(one, type)]
    lists = [(args[k], given[k], k in hosted) for k in writes if type(args[k]) in (list, dict)]
    before = [_sizes(mine) for _, mine, _ in lists]
    try:
        result = on_copies(cupy, function, given, written, objects, back=False)
    finally:
        for (target, mine, stays), known in zip(lists, before, strict=True):
            _bring(None if stays else cupy, target, mine, known)
    return _back(None if gives_hosted else cupy, result)


def _there(cupy: Any, value: Any, copies: dict[int, Any]) -> Any:
    """Lists and dicts with copies on the host of what they hold; arrays themselves as they are."""
    if type(value) in (list, tuple):
        return type(value)(_copied(cupy, one, copies) for one in value)
    if type(value) is dict:
        return {key: _copied(cupy, one, copies) for key, one in value.items()}
    return value


def _copied(cupy: Any, value: Any, copies: dict[int, Any]) -> Any:
    if isinstance(value, cupy.ndarray):
        if id(value) not in copies:
            copies[id(value)] = cupy.asnumpy(value)
        return copies[id(value)]
    return _there(cupy, value, copies)


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


def _back(cupy: Any, value: Any) -> Any:
    """Arrays on the device, where there is one to go to; numbers stay numbers."""
    if cupy is None:
        return value
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return cupy.asarray(value)
    if type(value) in (list, tuple):
        return type(value)(_back(cupy, one) for one in value)
    if isinstance(value, tuple):
        return type(value)(*(_back(cupy, one) for one in value))
    if type(value) is dict:
        return {key: _back(cupy, one) for key, one in value.items()}
    return value
