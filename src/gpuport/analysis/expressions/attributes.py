"""Attributes of arrays, and constants of NumPy."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gpuport.analysis.calls.numpyarguments import lies_alike
from gpuport.analysis.interpretation.flows import Flow, Rewrite, place_of
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import (
    INT,
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
)


@lru_cache(maxsize=4096)
def constant_value(path: str) -> Value:
    """Value of a resolved name that is not called: a constant of NumPy or math, a class."""
    if path.startswith("numpy."):
        import numpy as np

        found: Any = np
        for part in path.split(".")[1:]:
            if not hasattr(found, part):
                return UNKNOWN
            found = getattr(found, part)
        if found is None:
            return Scalar("None")
        if isinstance(found, (bool, int, float, complex)):
            return Scalar(type(found).__name__, found)
        if isinstance(found, type) and issubclass(found, np.generic):
            return Scalar("dtype", found)
        return Scalar("callable")
    if path.startswith("math."):
        return Scalar("float")
    if path.startswith("builtins."):
        builtin: dict[str, type] = {
            "float": float, "int": int, "bool": bool, "complex": complex, "object": object,
            "str": str, "bytes": bytes,
        }  # fmt: skip
        return Scalar("dtype", builtin.get(path.partition(".")[2]))
    return UNKNOWN


def _dtype(name: str | None) -> Value:
    """``x.dtype``: known where the array's is, for stand-ins to be made with it."""
    if name is None:
        return Scalar("dtype")
    import numpy as np

    return Scalar("dtype", np.dtype(name).type)


def array_attribute(unit: Unit, node: ast.Attribute, base: Flow) -> Flow:
    """An attribute of an array: what it is made of, or a view of it."""
    rank = base.value.rank if isinstance(base.value, Array) else None
    fewest = base.value.fewest if isinstance(base.value, Array) else 0
    lengths = Sequence(INT, list=False, least=fewest)
    plain: dict[str, Value] = {
        "shape": lengths if rank is None else Tuple((INT,) * rank),
        "strides": Sequence(INT, list=False),
        "size": INT,
        "ndim": INT,
        "itemsize": INT,
        "nbytes": INT,
        "dtype": _dtype(getattr(base.value, "dtype", None)),
    }
    method = unit.knowledge.rules.effect(f"numpy.ndarray.{node.attr}")
    by_layout = method is not None and method.by_layout is not None
    if base.origin is not None and by_layout and not lies_alike(base):
        unit.memory.laid_out.append((base.origin, node))
    if node.attr in plain:
        return Flow(plain[node.attr])
    views = {"T", "real", "imag", "mT"}
    if node.attr in views and isinstance(base.value, (Array, Either, Number)):
        value: Value = base.value
        if node.attr in ("real", "imag"):
            dtype = getattr(value, "dtype", None)
            real = {"complex128": "float64", "complex64": "float32"}.get(str(dtype), dtype)
            value = with_dtype(value, real)
        return Flow(value, base.origin, view=True)
    unit.escape(
        node.value,
        base,
        Reason(
            "GP901",
            f"`.{node.attr}` of an array is not known",
            node,
            "unknown-type",
            help=unit.knowledge.words.written_instead.get(f"numpy.ndarray.{node.attr}"),
        ),
    )
    return Flow(UNKNOWN)


def named_item(unit: Unit, node: ast.Attribute, base: Flow) -> Flow | None:
    """``np.linalg.svd(a).S``: CuPy's tuple has no names, on the device it is item 1.

    Returns
    -------
    Flow or None
        None where this is no name of an item, or the text cannot be changed.
    """
    held = base.value
    if not isinstance(held, Tuple) or node.attr not in held.names:
        return None
    between = unit.module.extent(node.value)[1], unit.module.extent(node)[1]
    if unit.frozen_text or "#" in unit.module.text[slice(*between)]:
        return None
    unit.follow(node.value)
    place = held.names.index(node.attr)
    if base.origin is not None:
        key = "named", id(node)
        unit.work.rewrites[key] = Rewrite("named", node, base.origin, str(place))
    item = held.items[place]
    return Flow(item, unit.item_of(base.origin, item, place_of(held, place)))


def with_dtype(value: Value, dtype: str | None) -> Value:
    if isinstance(value, Array):
        return replace(value, dtype=dtype, optional=False)
    if isinstance(value, Either):
        return Either(dtype, value.sources)
    return Number(dtype)
