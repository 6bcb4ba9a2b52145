"""The Python body of a kernel on copies of the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gpuport.runtime.holding import holding_copies
from gpuport.runtime.lent import refuse_unnamed_writes
from gpuport.runtime.loops import cells_of, held_beside, host_copies
from gpuport.runtime.visits import visiting


def on_copies(
    cupy: Any,
    call: Callable[..., Any],
    args: Sequence[Any],
    written: Sequence[Any],
    objects: Sequence[Any] = (),
    rows: Sequence[Any] = (),
    *,
    name: str,
    back: bool = True,
) -> Any:
    """Run `call`; what it wrote goes back to the device, and, with `back`, arrays that it gives.

    Arrays that share memory on the device share it here. What was written before an error is
    given back too. What `objects` hold of the memory of these arrays is a copy meanwhile: their
    properties may compute of it, and functions read it by the names of the function around them.

    Parameters
    ----------
    cupy : module
    call : callable
    args : sequence
        What it is given.
    written : sequence of cupy.ndarray
        What it writes to.
    objects : sequence
    rows : sequence of cupy.ndarray
        What it may write to: where it takes elements, these are rows, ``y = x[i]; y += 1``.
    name : str
        The kernel's.
    back : bool
    """
    on_device = [one for one in args if isinstance(one, cupy.ndarray)]
    held = held_beside(cupy, objects, on_device)
    copies = host_copies(cupy, [*on_device, *(array for _, _, array in held)])
    held += [(cell, "cell_contents", array) for cell, array in cells_of(objects, copies)]
    moved = [copies.get(id(one), one) for one in args]
    try:
        with visiting(moved), holding_copies(held, copies):
            result = call(*moved)
    finally:
        written = [*written, *_changed(cupy, name, rows, copies)]
        for target in written:
            if id(target) in copies:
                target[...] = cupy.asarray(copies[id(target)])
    if not back:
        return result
    own = {id(copy): one for copy, one in zip(moved, args, strict=True)}
    if type(result) is tuple:
        return tuple(_on_device(cupy, one, own) for one in result)
    return _on_device(cupy, result, own)


def _changed(cupy: Any, name: str, rows: Sequence[Any], copies: Mapping[int, Any]) -> Iterator[Any]:
    """Those of the arrays of which the copies are no longer equal."""
    for one in rows:
        if copies[id(one)].tobytes() != cupy.asnumpy(one).tobytes():
            refuse_unnamed_writes(name, (one,))
            yield one


def _on_device(cupy: Any, value: Any, own: dict[int, Any]) -> Any:
    """A result on the device; an argument is the caller's own."""
    if id(value) in own:
        return own[id(value)]
    return cupy.asarray(value) if type(value) is np.ndarray else value
