"""Arguments of kernels whose text is written for them: arrays, numbers, walks over shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.kernels.parameters import ParameterInfo
from gpuport.host.kernels.source import Kind
from gpuport.host.kernels.staging import Argument


def reduce_dims(
    arrays: list[Any], params: tuple[ParameterInfo, ...], shape: tuple[int, ...]
) -> tuple[list[Any], tuple[int, ...]]:
    """Arrays with neighbouring axes joined where all of them allow it, and the shape so joined.

    As ``_reduce_dims`` of CuPy: what ``_ind.get()`` gives depends on it.
    """
    looped = [k for k, a in enumerate(arrays) if a is not None and not params[k].raw]
    if len(shape) <= 1 or not looped:
        return arrays, shape
    strided = [k for k in looped if not arrays[k].flags.c_contiguous]
    if strided and len(shape) == 2 and len(arrays) > 1:
        return arrays, shape
    axes: list[int] = []
    lengths = list(shape)
    last = -1
    for axis in range(len(shape)):
        if lengths[axis] == 1:
            continue
        if last >= 0:
            if all(
                arrays[k].strides[axis] * lengths[axis] == arrays[k].strides[last] for k in strided
            ):
                lengths[axis] *= lengths[last]
            else:
                axes.append(last)
        last = axis
    if last >= 0:
        axes.append(last)
    if len(axes) == len(shape) and strided:
        return arrays, shape
    reduced = tuple(lengths[axis] for axis in axes)
    result = list(arrays)
    for k in looped:
        steps = tuple(arrays[k].strides[axis] for axis in axes)
        if not strided:
            reduced, steps = (arrays[k].size,), (arrays[k].itemsize,)
        result[k] = np.lib.stride_tricks.as_strided(arrays[k], reduced, steps)
    return result, reduced


def describe(
    params: tuple[ParameterInfo, ...],
    args: list[Any],
    arrays: list[Any],
    types: list[Any],
    fresh: frozenset[int],
) -> tuple[list[Kind], list[Argument]]:
    """What each argument is to the kernel's text, and to a launch of it."""
    kinds, arguments = [], []
    for k, (p, arg, array) in enumerate(zip(params, args, arrays, strict=True)):
        if array is None:
            value = arg.as_type(types[k])
            data = value.tobytes().ljust(16, b"\0")
            words = tuple(int(word) for word in np.frombuffer(data, np.int64))
            kinds.append(Kind(p.name, "scalar", value.dtype, 0, True, p.is_const, p.raw))
            arguments.append(Argument(p.name, None, None, False, False, words))
            continue
        contiguous = bool(array.flags.c_contiguous)
        kinds.append(Kind(p.name, "array", array.dtype, array.ndim, contiguous, p.is_const, p.raw))
        words = (array.__array_interface__["data"][0], *array.shape, *array.strides)
        arguments.append(Argument(p.name, array, arg._a, not p.is_const, k in fresh, words))
    return kinds, arguments


def indexer(name: str, shape: tuple[int, ...]) -> tuple[Kind, Argument]:
    """The parameter that walks over a shape."""
    kind = Kind(name, "indexer", None, len(shape), True, False, True)
    return kind, Argument(name, None, None, False, False, shape)
