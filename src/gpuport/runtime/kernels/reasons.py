"""Why a call with fitting types cannot be launched: what does not hold, and what was given."""

from __future__ import annotations

from typing import Any

from gpuport.runtime.expressions import conjuncts
from gpuport.runtime.kernels.declared import Declared
from gpuport.runtime.kernels.fitting import LARGEST, SMALL, Unfit
from gpuport.runtime.kernels.layouts import joint_shape, span_of
from gpuport.runtime.loops import bounds_of_array


def explain(one: Declared, cupy: Any, values: dict[str, Any]) -> Unfit:
    """Go through what the guard asks, and say what fails first."""
    space = {**values, "_gp_min": min, "_gp_max": max}
    reason = _large(one, values) or _of_domain(one, space) or _of_where(one, space)
    if reason:
        return Unfit(reason)
    arrays = {k: v for k, v in values.items() if isinstance(v, cupy.ndarray)}
    if not one.axes:
        reason = _of_shapes(one, arrays)
        if reason:
            return Unfit(reason)
    shared = _of_memory(one, arrays)
    return Unfit(shared or "its arguments do not fit", hosted=True, shared=bool(shared))


def _large(one: Declared, values: dict[str, Any]) -> str:
    for p in one.inputs:
        value = values[p.name]
        limit = LARGEST if p.type in ("int", "int64") else SMALL
        if type(value) is int and abs(value) > limit:
            return f"{p.shown} is {value}, beyond {limit}"
    return ""


def _of_domain(one: Declared, space: dict[str, Any]) -> str:
    """Read the ranges into `space`, and say which index leaves its array."""
    named = one.function.__globals__
    for k, axis in enumerate(one.axes):
        try:
            found = eval(f"range({axis.bounds})", named, space)
        except Exception as error:
            return f"range({axis.bounds}) cannot be worked out ({error})"
        if not found:
            return ""
        space[f"_gp_low{k}"], space[f"_gp_high{k}"] = min(found), max(found)
    for bound in one.bounds:
        try:
            if eval(bound.condition, named, space):
                continue
            low, high = eval(f"{bound.low}, {bound.high}", named, space)
            extent = space[bound.array].shape[bound.axis]
        except Exception as error:
            return f"the indices of {bound.array} cannot be worked out ({error})"
        return (
            f"the index {bound.entry} of {bound.array} goes from {low} to {high}, on an axis of "
            f"{extent} elements"
        )
    return ""


def _of_where(one: Declared, space: dict[str, Any]) -> str:
    for text in conjuncts(one.where):
        try:
            if eval(text, one.function.__globals__, space):
                continue
        except Exception as error:
            return f"where= cannot be worked out: {text} ({error})"
        return f"not {text}"
    return ""


def _of_shapes(one: Declared, arrays: dict[str, Any]) -> str:
    shapes = {p.name: arrays[p.name].shape for p in one.by_argument
              if p.name in arrays and not p.raw}  # fmt: skip
    joint = joint_shape(*shapes.values())
    listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
    if joint is None:
        return f"the shapes do not go together: {listed}"
    for p in one.written:
        if shapes[p.name] != joint:
            return f"{p.name} is written to and has another shape than the result: {listed}"
    return ""


def _of_memory(one: Declared, arrays: dict[str, Any]) -> str:
    for p in one.written:
        array = arrays[p.name]
        if span_of(array.shape, array.strides, array.itemsize)[2]:
            return f"elements of {p.name}, which is written to, share memory"
        first, last = bounds_of_array(array)
        for name, other in arrays.items():
            begin, end = bounds_of_array(other)
            if name != p.name and begin < last and first < end:
                return f"{p.name}, which is written to, shares memory with {name}"
    return ""
