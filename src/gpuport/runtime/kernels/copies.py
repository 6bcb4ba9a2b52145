"""The Python body of a kernel on copies of the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuport.runtime.holding import holding_copies
from gpuport.runtime.loops import held_beside, host_copies
from gpuport.runtime.visits import visiting


def on_copies(
    cupy: Any,
    call: Callable[..., Any],
    args: Sequence[Any],
    written: Sequence[Any],
    objects: Sequence[Any] = (),
    *,
    back: bool = True,
) -> Any:
    """Run `call`; what it wrote goes back to the device, and, with `back`, arrays that it gives.

    Arrays that share memory on the device share it here. What was written before an error is
    given back too. What `objects` hold of the memory of these arrays is a copy meanwhile: their
    properties may compute of it.
    """
    on_device = [one for one in args if isinstance(one, cupy.ndarray)]
    held = held_beside(cupy, objects, on_device)
    copies = host_copies(cupy, [*on_device, *(array for _, _, array in held)])
    moved = [copies.get(id(one), one) for one in args]
    try:
        with visiting(moved), holding_copies(held, copies):
            result = call(*moved)
    finally:
        for target in written:
            if id(target) in copies:
                target[...] = cupy.asarray(copies[id(target)])
    if not back:
        return result
    own = {id(copy): one for copy, one in zip(moved, args, strict=True)}
    if type(result) is tuple:
        return tuple(_on_device(cupy, one, own) for one in result)
    return _on_device(cupy, result, own)


def _on_device(cupy: Any, value: Any, own: dict[int, Any]) -> Any:
    """A result on the device; an argument is the caller's own."""
    if id(value) in own:
        return own[id(value)]
    return cupy.asarray(value) if type(value) is np.ndarray else value
